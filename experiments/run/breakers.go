package run

import (
	"errors"
	"fmt"

	"copse/experiments/external"
	"copse/experiments/trial"
	"copse/stats/records"
)

// mostEqualFailures is the number of consecutive failures with the same message after which a run stops a
// program. The remaining fits would very probably fail in the same way.
const mostEqualFailures = 20

// breakers are the circuit breakers of a run, one for each external program. A program that fails
// again and again with the same message is stopped. Programs are identified by their recipes.
type breakers struct {
	streaks map[string]streak // the latest failures of each program
	open    map[string]error  // stopped programs, with the reason
}

// A streak counts consecutive failures with the same message.
type streak struct {
	message string
	n       int
}

func newBreakers() *breakers { return &breakers{map[string]streak{}, map[string]error{}} }

// record counts the failures of external generators and classifiers in a finished trial. If a program fails
// again and again, record stops it and returns an error that names the program. It returns nil if it stops
// no program. Failures of built-in methods are not counted, because they are caused by the data.
func (b *breakers) record(task Task, t *trial.Trial) (stopped error) {
	draw := records.Record{Status: records.OK} // the result of drawing the data
	if t.Results[0].Cause == records.NotDrawn {
		draw = t.Results[0] // all results of the trial report the same failure
	}
	if generator := task.Cell.Data.Program; generator != nil {
		stopped = b.count(generator.Spec(), "the generator", draw)
	}
	if draw.Status == records.Failed {
		return stopped // no classifier ran
	}
	for i, e := range task.Entries {
		if e.Program != nil {
			stopped = errors.Join(stopped, b.count(e.Program.Spec(), e.ID, t.Results[i]))
		}
	}
	return stopped
}

// count adds the result r to the failure streak of a program, which is identified by its recipe. A success ends
// the streak, and a failure with another message starts a new one. If the streak becomes too long, count stops the
// program and returns an error.
func (b *breakers) count(spec, name string, r records.Record) error {
	if r.Status == records.OK {
		delete(b.streaks, spec)
		return nil
	}
	s := b.streaks[spec]
	if s.message != r.Reason() {
		s = streak{message: r.Reason()}
	}
	s.n++
	b.streaks[spec] = s
	isStopped := b.open[spec] != nil // the breaker is open
	if s.n < mostEqualFailures || isStopped {
		return nil
	}
	b.open[spec] = fmt.Errorf("%s is stopped: it failed %d times in a row with %q; correct it and run the same "+
		"command again, or see the results so far with `copse report`", name, s.n, s.message)
	return b.open[spec]
}

// reduce returns the task without the classifiers whose programs are stopped. If the program that
// generates the data is stopped, the task is left without classifiers.
func (b *breakers) reduce(t Task) Task {
	if len(b.open) == 0 {
		return t
	}
	entries := t.Entries
	t.Entries = nil
	if b.isStopped(t.Cell.Data.Program) {
		return t
	}
	for _, e := range entries {
		if !b.isStopped(e.Program) {
			t.Entries = append(t.Entries, e)
		}
	}
	return t
}

// isStopped reports whether a program is stopped. p is nil for a built-in method, which is never
// stopped.
func (b *breakers) isStopped(p *external.Program) bool {
	return p != nil && b.open[p.Spec()] != nil
}
