package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// mostEqualFailures is the number of consecutive similar failures after which a run suspends a
// program. A program that has succeeded is never suspended.
//
// Similar messages differ only in numbers, quoted names and the program's output.
const mostEqualFailures = 20

// breakers suspend external programs that fail again and again in a similar way.
//
// A suspended program still runs once in each cell, because only some cells may cause the failure.
// A success ends the suspension for good.
//
// The name of a program is the id of its classifier, or generatorName.
type breakers struct {
	streaks  map[string]streak // the latest failures of each program
	attempts map[fitKey]int    // how often each program has run or is running in each cell
	note     func(text string) // is called when a program is suspended
}

// A streak counts consecutive similar failures of a program that has not succeeded in this run or
// an earlier one.
type streak struct {
	last         records.Record // the latest failure
	n            int            // mostEqualFailures if the program is suspended
	hasSucceeded bool
}

// newBreakers returns the breakers of a run, which suspend programs after repeated failures. They
// never suspend a program with a successful result in f. f may be nil. The breakers call note when
// they suspend a program.
func newBreakers(f *results.Folder, note func(string)) *breakers {
	b := &breakers{streaks: map[string]streak{}, attempts: map[fitKey]int{}, note: note}
	if f == nil {
		return b // no stored results
	}
	drawn := map[string]bool{}  // cells with a successful fit, and thus with data
	fitted := map[string]bool{} // recipes with a successful fit
	for _, r := range f.Ran() {
		if r.Succeeded > 0 {
			drawn[r.Cell] = true
			fitted[r.Spec] = true
		}
	}
	for _, c := range f.Study.Cells {
		if drawn[c.ID] {
			b.streaks[generatorName(c)] = streak{hasSucceeded: true}
		}
		for _, e := range c.Classifiers {
			if fitted[e.Spec] {
				b.streaks[e.ID] = streak{hasSucceeded: true}
			}
		}
	}
	return b
}

// generatorName returns the name of the external program that draws the data of a cell, or "".
func generatorName(c *study.Cell) string {
	if c.Data.Program == nil {
		return ""
	}
	return fmt.Sprintf("the generator `%s`", c.Data.Program)
}

// record counts the failures of external programs in a finished trial. It ignores failures of
// built-in methods, because the data cause them.
func (b *breakers) record(task Task, t *trial.Trial) {
	isDrawn := t.Results[0].Cause != records.NotDrawn // otherwise all results report the same failure
	if generator := generatorName(task.Cell); generator != "" {
		b.count(generator, isDrawn, t.Results[0])
	}
	for i, e := range task.Entries {
		if !isDrawn {
			b.attempts[fitKey{task.Cell.ID, e.ID}]-- // the classifier did not run
		} else if r := t.Results[i]; e.Program != nil {
			b.count(e.ID, r.Status == records.OK, r)
		}
	}
}

// count updates the number of consecutive similar failures of a program, and suspends the program
// at mostEqualFailures. After a failure, r contains the reason. The first success ends the count and
// any suspension: failures after it do not count.
func (b *breakers) count(name string, succeeded bool, r records.Record) {
	s := b.streaks[name]
	isSimilar := records.Shape(s.last.WithoutOutput()) == records.Shape(r.WithoutOutput())
	switch {
	case succeeded:
		s = streak{hasSucceeded: true}
	case s.hasSucceeded || s.n == mostEqualFailures:
		return // the program cannot be suspended, or already is
	case !isSimilar:
		s = streak{last: r, n: 1}
	default:
		s.last = r
		s.n++
		if s.n == mostEqualFailures {
			b.note(fmt.Sprintf("%s failed %d times in a row with %q; until it succeeds, it runs only once in each "+
				"further cell", name, s.n, s.last.Reason()))
		}
	}
	b.streaks[name] = s
}

// split divides a task into classifiers that may run now and classifiers that must wait, because
// they or the generator are suspended in the cell.
func (b *breakers) split(t Task) (ready, waiting Task) {
	ready, waiting = t, t
	ready.Entries, waiting.Entries = nil, nil
	generatorWaits := b.mustWait(t.Cell, generatorName(t.Cell))
	for _, e := range t.Entries {
		if generatorWaits || b.mustWait(t.Cell, e.ID) {
			waiting.Entries = append(waiting.Entries, e)
		} else {
			ready.Entries = append(ready.Entries, e)
		}
	}
	ready.Divided = waiting.Entries != nil
	return ready, waiting
}

// mustWait reports whether the program with this name is suspended and has already run in the cell.
func (b *breakers) mustWait(c *study.Cell, name string) bool {
	isSuspended := b.streaks[name].n == mostEqualFailures
	return isSuspended && b.attempts[fitKey{c.ID, name}] > 0
}

// start counts an attempt to run the task's generator, and one for each classifier.
func (b *breakers) start(t Task) {
	b.attempts[fitKey{t.Cell.ID, generatorName(t.Cell)}]++
	for _, e := range t.Entries {
		b.attempts[fitKey{t.Cell.ID, e.ID}]++
	}
}

func (b *breakers) err() (stopped error) {
	for _, name := range slices.Sorted(maps.Keys(b.streaks)) {
		if s := b.streaks[name]; s.n == mostEqualFailures {
			stopped = errors.Join(stopped, fmt.Errorf("copse stopped running %s: it failed %d times in a row with %q "+
				"and succeeded in no cell of this run; correct it or remove it from the study, and run the same "+
				"command again, or see the results so far with `copse report`", name, s.n, s.last.Reason()))
		}
	}
	return stopped
}
