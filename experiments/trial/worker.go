package trial

import (
	"copse/experiments/external"
	"copse/experiments/study"
)

// A Worker runs trials of one study, one after the other. It starts an external program when it
// first needs the program, and keeps the process running until Close. A Worker is not safe for
// concurrent use.
type Worker struct {
	study *study.Study
	Host  *external.Host // starts processes and keeps them running
}

// NewWorker returns a worker for a study.
func NewWorker(s *study.Study) *Worker {
	return &Worker{study: s, Host: external.NewHost(s.Folder())}
}

func (w *Worker) Close() { w.Host.Close() }
