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
	host  *external.Host // starts processes and keeps them running
}

// NewWorker returns a worker for a study. folder is the path of the folder with the files of the study's programs.
func NewWorker(s *study.Study, folder string) *Worker {
	return &Worker{seed: s.Seed, limit: s.TimeLimit, study: s, host: external.NewHost(folder)}
}

// Host returns the host that runs the worker's external programs.
func (w *Worker) Host() *external.Host { return w.host }

// Close ends the worker's processes.
func (w *Worker) Close() { w.host.Close() }
