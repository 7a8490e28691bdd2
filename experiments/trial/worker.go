package trial

import (
	"time"

	"copse/experiments/external"
	"copse/experiments/study"
)

// A Worker computes trials of one study, one after the other. It owns the
// processes of the programs that the study runs; each is started when it is first
// needed. It is not safe for concurrent use.
type Worker struct {
	seed  uint64
	limit time.Duration
	study *study.Study
	host  *external.Host
}

// NewWorker returns a worker for a study whose programs' files lie in the given
// folder.
func NewWorker(s *study.Study, folder string) *Worker {
	return &Worker{s.Seed, s.TimeLimit, s, external.NewHost(folder)}
}

// Host returns the host of the worker's processes.
func (w *Worker) Host() *external.Host { return w.host }

// Close ends the worker's processes.
func (w *Worker) Close() { w.host.Close() }
