package run

import (
	"errors"
	"fmt"

	"copse/experiments/trial"
	"copse/stats/records"
)

// mostEqualFailures in a row stop a program: what is left would fail alike.
const mostEqualFailures = 20

// fuses watch the programs of a run.
type fuses struct {
	streaks map[string]streak // by recipe
	blown   map[string]error  // why a recipe is not run any more
}

type streak struct {
	message string
	n       int
}

func newFuses() *fuses { return &fuses{map[string]streak{}, map[string]error{}} }

// see counts a trial's failures, and returns what there is to tell. What is built in
// fails for the data's sake and is not counted.
func (f *fuses) see(task Task, t *trial.Trial) (told error) {
	drawn := t.Results[0].Cause != records.NotDrawn // else one draw failed, once
	if generator := task.Cell.Data.Program; generator != nil {
		draw := records.Record{Status: records.OK}
		if !drawn {
			draw = t.Results[0]
		}
		told = f.count(generator.Spec(), "the generator", draw)
	}
	for i, e := range task.Entries {
		if drawn && e.Program != nil {
			told = errors.Join(told, f.count(e.Program.Spec(), e.ID, t.Results[i]))
		}
	}
	return told
}

func (f *fuses) count(spec, name string, r records.Record) error {
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
	if s.n < mostEqualFailures || f.blown[spec] != nil {
		return nil
	}
	f.blown[spec] = fmt.Errorf(
		"%s is stopped: it failed %d times in a row with %q; correct it, and the same command runs what is missing",
		name,
		s.n,
		s.message,
	)
	return f.blown[spec]
}

// spare takes out of a task what would only fail; none of it may be left.
func (f *fuses) spare(t Task) Task {
	if len(f.blown) == 0 {
		return t
	}
	kept := t
	kept.Entries = nil
	for _, e := range t.Entries {
		if e.Program != nil && f.blown[e.Program.Spec()] != nil {
			continue
		}
		kept.Entries = append(kept.Entries, e)
	}
	if program := t.Cell.Data.Program; program != nil && f.blown[program.Spec()] != nil {
		kept.Entries = nil
	}
	return kept
}
