package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"copse/experiments/external"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A run that stopped at an error reports it, even if it receives a signal after the error: the same command
// would not simply continue.
func TestErrorsAreReportedAfterASignal(t *testing.T) {
	full := errors.New("no space left on device")
	drain := make(chan struct{})
	cell := &study.Cell{Data: &study.Data{}}
	task := Task{Cell: cell, Entries: []study.Entry{{ID: "nb"}}}
	d := &dispatcher{
		pool:     &pool{},
		tasks:    []Task{task, task},
		slots:    &slots{allowed: 2, most: 2},
		cancel:   func() {},
		breakers: newBreakers(&costs{}, nil),
		todo:     make(chan Task),
		done:     make(chan finished),
	}
	go func() {
		<-d.todo
		<-d.todo
		d.done <- finished{err: full}
		close(drain)
		d.done <- finished{err: context.Canceled}
	}()
	d.dispatch(drain)
	if !errors.Is(d.stop, full) {
		t.Errorf("stopped because %v, want %v", d.stop, full)
	}
}

// Workers do not wait for the disk: a worker gets its next trial before the last one is stored. If storing
// fails, no more trials start.
func TestWorkersDoNotWaitForTheDisk(t *testing.T) {
	cell := &study.Cell{Data: &study.Data{}}
	task := Task{Cell: cell, Entries: []study.Entry{{ID: "nb"}}}
	results := &trial.Trial{Results: []records.Record{{Status: records.OK}}}
	full := errors.New("no space left on device")
	stored, handed := 0, 0
	d := &dispatcher{
		pool:     &pool{options: Options{Progress: silent{}}},
		tasks:    []Task{task, task, task, task},
		slots:    &slots{allowed: 1, most: 1},
		cancel:   func() {},
		breakers: newBreakers(&costs{}, nil),
		todo:     make(chan Task),
		done:     make(chan finished),
	}
	d.keep = func(*trial.Trial) error {
		stored++
		switch {
		case stored == 1 && d.running == 0:
			t.Error("the worker has no work while its trial is stored")
		case stored > 1:
			return full
		}
		return nil
	}
	var ended sync.WaitGroup
	ended.Go(func() {
		for task := range d.todo {
			handed++
			d.done <- finished{results, task, nil}
		}
	})
	d.dispatch(nil)
	close(d.todo)
	ended.Wait()
	if handed != 3 || !errors.Is(d.stop, full) {
		t.Errorf("%d trials were handed out and the run stopped because %v, want 3 and %v", handed, d.stop, full)
	}
}

// Consecutive failures are counted for each program. Other programs in the same trials, even if they are suspended,
// and occasional failures of a generator do not affect the count. A success ends a suspension.
func TestBreakersCountConsecutiveFailures(t *testing.T) {
	source := &external.Program{Command: []string{"source"}}
	cell := &study.Cell{Data: &study.Data{}}
	cell.Data.Program = source
	task := Task{Cell: cell, Entries: []study.Entry{{ID: "bad", Program: source}, {ID: "mostly", Program: source}}}
	ok, failed := records.Record{Status: records.OK}, records.Record{Status: records.Failed, Message: "no"}
	undrawn := records.Record{Status: records.Failed, Message: "no", Cause: records.NotDrawn}
	other := records.Record{Status: records.Failed, Message: "other"}
	notes := 0
	b := newBreakers(&costs{}, func(string) { notes++ })
	b.reduce(task)
	for i := range 3 * mostEqualFailures {
		results := []records.Record{failed, failed}
		if i%mostEqualFailures == mostEqualFailures-1 { // with the last failure of the one the other one differs
			results[1] = other
		}
		b.record(task, &trial.Trial{Results: results})
		if suspended := i >= mostEqualFailures-1; (notes == 1) != suspended {
			t.Errorf("trial %d: %d notes", i+1, notes)
		}
		b.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}})
	}
	left := b.reduce(task)
	if len(left.Entries) != 1 || left.Entries[0].ID != "mostly" || !left.Divided || len(b.waiting) != 1 {
		t.Errorf("left are %v, and %v wait", left, b.waiting)
	}
	b.count("bad", true, ok)
	if left := b.reduce(task); len(left.Entries) != 2 || left.Divided || b.err() != nil {
		t.Errorf("after a success %v are left; error %v", left, b.err())
	}
	b = newBreakers(&costs{}, func(string) {})
	b.reduce(task)
	for range mostEqualFailures {
		b.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}})
	}
	if len(b.reduce(task).Entries) > 0 || b.err() == nil {
		t.Error("a failing generator is not suspended")
	}
}

// A program that fails in the first cells but succeeds in the last one runs everywhere. A program that fails in every
// cell runs mostEqualFailures times and then once in each other cell. It may have succeeded in an earlier run.
func TestFailuresInSomeCellsAreResults(t *testing.T) {
	const cells, replicates = 4, 2 * mostEqualFailures
	for _, c := range []struct{ succeedsIn, stored, want int }{
		{cells - 1, 0, cells * replicates}, {-1, 1, cells * replicates}, {-1, 0, mostEqualFailures + cells - 1},
	} {
		k := &costs{points: map[string][]timed{"mine": make([]timed, c.stored)}}
		d := &dispatcher{pool: &pool{options: Options{Progress: silent{}}}, breakers: newBreakers(k, func(string) {})}
		for i := range cells {
			cell := &study.Cell{Data: &study.Data{}}
			cell.ID = fmt.Sprint(i)
			entries := []study.Entry{{ID: "mine", Program: &external.Program{}}, {ID: "nb"}}
			d.tasks = append(d.tasks, slices.Repeat([]Task{{Cell: cell, Entries: entries}}, replicates)...)
		}
		ran, done := 0, 0 // fits of mine, and trials with all results
		for task, ok := d.next(); ok; task, ok = d.next() {
			var made trial.Trial
			for _, e := range task.Entries {
				r := records.Record{Status: records.OK}
				if e.ID == "mine" {
					ran++
					if task.Cell.ID != fmt.Sprint(c.succeedsIn) {
						r = records.Record{Status: records.Failed, Message: "too few rows"}
					}
				}
				made.Results = append(made.Results, r)
			}
			if !task.Divided {
				done++
			}
			d.assess(finished{&made, task, nil})
		}
		stopped := d.breakers.err()
		if ran != c.want || done != c.want || (stopped != nil) != (c.want < cells*replicates) {
			t.Errorf("%+v: %d fits, %d whole trials, error %v", c, ran, done, stopped)
		}
	}
}
