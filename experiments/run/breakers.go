package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"copse/experiments/external"
	"copse/experiments/trial"
	"copse/stats/records"
)

// mostEqualFailures is the number of consecutive failures with the same message after which a run suspends a
// program that has never succeeded. The remaining fits would very probably fail in the same way.
const mostEqualFailures = 20

// breakers are the circuit breakers of a run, one for each external program. A program that fails again and again
// with the same message is either broken or cannot fit the data of these cells. In the second case, its failures are
// results. Therefore, a suspended program runs once in each cell in which it has not run yet, and its other results
// must wait. A success in any cell ends the suspension, and the program is never suspended again.
//
// The name of a program is the id of its classifier, or generatorName. Its parameters may differ between cells.
type breakers struct {
	costs   *costs            // show which classifiers succeeded in an earlier run
	streaks map[string]streak // the latest failures of each program
	ran     map[fitKey]bool   // cells in which a program has run or is running
	waiting []Task            // the tasks, or parts of tasks, that wait for suspended programs
	note    func(text string) // is called when a program is suspended
}

// A streak counts consecutive failures of a program with the same message. It is zero except for succeeded if the
// program has succeeded, in this run or an earlier one.
type streak struct {
	message   string
	n         int // mostEqualFailures if the program is suspended
	succeeded bool
}

func newBreakers(k *costs, note func(string)) *breakers {
	return &breakers{costs: k, streaks: map[string]streak{}, ran: map[fitKey]bool{}, note: note}
}

// generatorName returns the name of a program that draws data.
func generatorName(p *external.Program) string { return fmt.Sprintf("the generator `%s`", p) }

// record counts the failures of external generators and classifiers in a finished trial. Failures of built-in methods
// are not counted, because they are caused by the data.
func (b *breakers) record(task Task, t *trial.Trial) {
	isDrawn := t.Results[0].Cause != records.NotDrawn // otherwise all results report the same failure
	if generator := task.Cell.Data.Program; generator != nil {
		b.count(generatorName(generator), isDrawn, t.Results[0])
	}
	for i, e := range task.Entries {
		if r := t.Results[i]; e.Program != nil && isDrawn {
			b.count(e.ID, r.Status == records.OK, r)
		}
	}
}

// count updates the streak of a program after it succeeded, or after it failed for the reason in r. A failure with
// another message starts a new streak.
func (b *breakers) count(name string, succeeded bool, r records.Record) {
	s := b.streaks[name]
	switch {
	case succeeded || b.costs.hasTimes(name):
		s = streak{succeeded: true}
	case s.succeeded || s.n == mostEqualFailures: // more failures change nothing
	case s.message != r.Reason():
		s = streak{message: r.Reason(), n: 1}
	default:
		s.n++
		if s.n == mostEqualFailures {
			b.note(fmt.Sprintf("%s failed %d times in a row with %q; until it succeeds, it runs only once in each "+
				"further cell", name, s.n, s.message))
		}
	}
	b.streaks[name] = s
}

// reduce returns the task without the classifiers that must wait because their program, or the program that draws
// the data, is suspended. It adds the rest of the task to the waiting tasks.
func (b *breakers) reduce(t Task) Task {
	all, rest := t.Entries, t
	t.Entries, rest.Entries = nil, nil
	generator := t.Cell.Data.Program
	isDrawn := generator == nil || b.start(generatorName(generator), t.Cell.ID)
	for _, e := range all {
		if isDrawn && (e.Program == nil || b.start(e.ID, t.Cell.ID)) {
			t.Entries = append(t.Entries, e)
		} else {
			rest.Entries = append(rest.Entries, e)
		}
	}
	if rest.Entries != nil {
		b.waiting = append(b.waiting, rest)
		t.Divided = true
	}
	return t
}

// start reports whether a program may run in a cell, and notes that it runs there.
func (b *breakers) start(name, cell string) bool {
	key := fitKey{cell, name}
	mustWait := b.streaks[name].n == mostEqualFailures && b.ran[key]
	b.ran[key] = true
	return !mustWait
}

// err returns an error that names the suspended programs if results still wait at the end of a run.
func (b *breakers) err() (stopped error) {
	for _, name := range slices.Sorted(maps.Keys(b.streaks)) {
		if s := b.streaks[name]; s.n == mostEqualFailures && b.waiting != nil {
			stopped = errors.Join(stopped, fmt.Errorf("%s is stopped: it failed %d times in a row with %q and "+
				"succeeded in no cell; correct it, or restrict it to other cells with `only`, and run the same "+
				"command again, or see the results so far with `copse report`", name, s.n, s.message))
		}
	}
	return stopped
}
