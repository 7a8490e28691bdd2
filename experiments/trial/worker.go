package trial

import (
	"time"

	"copse/experiments/external"
	"copse/experiments/study"
)

// A Worker runs trials of one study, one after the other. It starts an external program when it first needs
// the program, and keeps the process running until Close. A Worker is not safe for concurrent use.
type Worker struct {
	seed  uint64
	limit time.Duration // time limit of a fit, or of a draw by a program; 0 means none
	study *study.Study
	Host  *external.Host // starts processes and keeps them running
}

// NewWorker returns a worker for a study.
func NewWorker(s *study.Study) *Worker {
	return &Worker{seed: s.Seed, limit: s.TimeLimit, study: s, Host: external.NewHost(s.Folder())}
}

// Close ends the worker's processes.
func (w *Worker) Close() { w.Host.Close() }
