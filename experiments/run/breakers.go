package run

import (
	"errors"
	"fmt"

	"copse/experiments/external"
	"copse/experiments/trial"
	"copse/stats/records"
)

// mostEqualFailures in a row stop a program, since the rest would fail alike.
const mostEqualFailures = 20

// breakers are the circuit breakers of a run: one for each program, by its recipe.
type breakers struct {
	streaks map[string]streak
	open    map[string]error // why a program is stopped
}

// A streak is a number of failures in a row with the same message.
type streak struct {
	message string
	n       int
}

func newBreakers() *breakers { return &breakers{map[string]streak{}, map[string]error{}} }

// record counts the results of a trial's programs and returns an error for each program
// that they stop. Built-in methods are not counted: they fail because of the data.
func (f *breakers) record(task Task, t *trial.Trial) (stopped error) {
	drawn := t.Results[0].Cause != records.NotDrawn // if not, all results report one failed draw
	if generator := task.Cell.Data.Program; generator != nil {
		draw := records.Record{Status: records.OK}
		if !drawn {
			draw = t.Results[0]
		}
		stopped = f.count(generator.Spec(), "the generator", draw)
	}
	for i, e := range task.Entries {
		if drawn && e.Program != nil {
			stopped = errors.Join(stopped, f.count(e.Program.Spec(), e.ID, t.Results[i]))
		}
	}
	return stopped
}

// count adds a result to the streak of a program; a success ends the streak. It returns an
// error if the result stops the program, nil if not or if it was stopped before.
func (f *breakers) count(spec, name string, r records.Record) error {
	if r.Status == records.OK {
		delete(f.streaks, spec)
		return nil
	}
	s := f.streaks[spec]
	if s.message != r.Message {
		s = streak{message: r.Message}
	}
	s.n++
	f.streaks[spec] = s
	if s.n < mostEqualFailures || f.open[spec] != nil {
		return nil
	}
	f.open[spec] = fmt.Errorf(
		"%s is stopped: it failed %d times in a row with %q; correct it and run the same command again, or show the "+
			"results so far with copse report",
		name,
		s.n,
		s.message,
	)
	return f.open[spec]
}

// reduce returns a task without the entries of stopped programs: without any if its
// generator is stopped.
func (f *breakers) reduce(t Task) Task {
	if len(f.open) == 0 {
		return t
	}
	entries := t.Entries
	t.Entries = nil
	if f.isStopped(t.Cell.Data.Program) {
		return t
	}
	for _, e := range entries {
		if !f.isStopped(e.Program) {
			t.Entries = append(t.Entries, e)
		}
	}
	return t
}

// isStopped reports whether a program is stopped; nil, a built-in method, never is.
func (f *breakers) isStopped(p *external.Program) bool {
	return p != nil && f.open[p.Spec()] != nil
}
