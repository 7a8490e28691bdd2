package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"copse/experiments/external"
	"copse/experiments/plan"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// greet starts each program that a plan needs and returns what they say of
// themselves: a missing interpreter or package, and data that a program does not
// take, are found before anything runs.
func greet(ctx context.Context, w *trial.Worker, s *study.Study, p *plan.Plan) (map[string]external.Hello, error) {
	said := map[string]external.Hello{}
	for _, program := range p.Programs() {
		if program.Kind == external.CSVGenerator { // it has nothing to say
			if _, err := program.Find(s.Folder()); err != nil {
				return nil, err
			}
			continue
		}
		hello, err := w.Host().Greet(ctx, program)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(program.Command, " "), err)
		}
		said[program.Spec()] = *hello
	}
	return said, suited(s, p, said)
}

// suited refuses programs that do not take what a cell's data give them.
func suited(s *study.Study, p *plan.Plan, said map[string]external.Hello) error {
	seen := map[string]bool{}
	var refusals []error
	for _, t := range p.Tasks {
		for _, e := range t.Entries {
			at := t.Cell.ID + " " + e.ID
			if e.Program == nil || seen[at] {
				continue
			}
			seen[at] = true
			can := said[e.Program.Spec()].Capabilities
			for _, why := range t.Cell.Data.Refusals(e, study.Ability{MaxClasses: can.MaxClasses, Discrete: can.Discrete, Missing: can.Missing}) {
				refusals = append(refusals, fmt.Errorf("%s: classifiers.%s: the program says that it %s; it is left out of cells with only: (%s)", s.File, e.ID, why, strings.TrimPrefix(t.Cell.ID+", "+s.Describe(t.Cell), ", ")))
			}
		}
	}
	return errors.Join(refusals...)
}

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

// see counts a trial's failures, and returns what there is to tell.
func (f *fuses) see(task plan.Task, t *trial.Trial) error {
	for i, e := range task.Entries {
		r := t.Results[i]
		program, name := e.Program, e.ID
		if r.Cause == records.NotDrawn {
			if i > 0 {
				continue // one draw failed, once
			}
			program, name = task.Cell.Data.Program, "the generator"
		}
		if program == nil {
			continue // what is built in fails for the data's sake
		}
		if err := f.count(program.Spec(), name, r); err != nil {
			return err
		}
	}
	return nil
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
	f.blown[spec] = fmt.Errorf("%s is stopped: it failed %d times in a row with %q; correct it, and the same command runs what is missing", name, s.n, s.message)
	return f.blown[spec]
}

// spare takes out of a task what would only fail; none of it may be left.
func (f *fuses) spare(t plan.Task) plan.Task {
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
