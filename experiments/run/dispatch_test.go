package run

import (
	"context"
	"errors"
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
		breakers: newBreakers(),
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
		breakers: newBreakers(),
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

// Consecutive failures are counted for each program. Other programs in the same trials, even if they stop,
// and occasional failures of a generator do not affect the count.
func TestBreakersCountConsecutiveFailures(t *testing.T) {
	bad, mostly, source := &external.Program{
		Command: []string{"bad"},
	}, &external.Program{
		Command: []string{"mostly"},
	}, &external.Program{
		Command: []string{"source"},
	}
	cell := &study.Cell{Data: &study.Data{}}
	cell.Data.Program = source
	task := Task{Cell: cell, Entries: []study.Entry{{ID: "bad", Program: bad}, {ID: "mostly", Program: mostly}}}
	ok, failed, undrawn := records.Record{
		Status: records.OK,
	}, records.Record{
		Status:  records.Failed,
		Message: "no",
	}, records.Record{
		Status:  records.Failed,
		Message: "no",
		Cause:   records.NotDrawn,
	}
	f := newBreakers()
	for i := range 3 * mostEqualFailures {
		last := i%mostEqualFailures == mostEqualFailures-1
		results := []records.Record{failed, failed}
		if last { // with the last failure of the one the other one succeeds
			results[1] = ok
		}
		err := f.record(task, &trial.Trial{Results: results})
		if (err != nil) != (i == mostEqualFailures-1) {
			t.Errorf("trial %d: reported %v", i+1, err)
		}
		if err := f.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}}); err != nil {
			t.Errorf("failed draw %d: reported %v", i+1, err)
		}
	}
	if left := f.reduce(task).Entries; len(left) != 1 || left[0].ID != "mostly" {
		t.Errorf("left are %v", left)
	}
	var err error
	for range mostEqualFailures {
		err = errors.Join(err, f.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}}))
	}
	if err == nil || len(f.reduce(task).Entries) > 0 {
		t.Errorf("reported %v for a failing generator", err)
	}
}
