package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"copse/experiments/external"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/records"
)

// newTestDispatcher returns a dispatcher with n tasks, of which it sends up to parallel at a time.
func newTestDispatcher(parallel, n int) *dispatcher {
	task := Task{Cell: &study.Cell{Data: &study.Data{}}, Entries: []study.Entry{{ID: "nb"}}}
	return &dispatcher{options: Options{Progress: silent{}}, tasks: slices.Repeat([]Task{task}, n),
		slots: &slots{allowed: parallel}, cancel: func() {}, breakers: newBreakers(nil, nil), todo: make(chan Task),
		done: make(chan finished)}
}

// A run that stopped at an error reports it, even if it receives a signal after the error: the same command
// would not simply continue.
func TestErrorsAreReportedAfterASignal(t *testing.T) {
	full := errors.New("no space left on device")
	drain := make(chan struct{})
	d := newTestDispatcher(2, 2)
	d.drain = drain
	go func() {
		<-d.todo
		<-d.todo
		d.done <- finished{err: full}
		close(drain)
		d.done <- finished{err: context.Canceled}
	}()
	d.dispatch()
	if !errors.Is(d.stop, full) {
		t.Errorf("stopped because %v, want %v", d.stop, full)
	}
}

// Workers do not wait for the disk: a worker gets its next trial before the last one is stored. If storing
// fails, no more trials start.
func TestWorkersDoNotWaitForTheDisk(t *testing.T) {
	results := &trial.Trial{Results: []records.Record{{Status: records.OK}}}
	full := errors.New("no space left on device")
	stored, handed := 0, 0
	d := newTestDispatcher(1, 4)
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
	d.dispatch()
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
	b := newBreakers(nil, func(string) { notes++ })
	for i := range 3 * mostEqualFailures {
		results := []records.Record{failed, failed}
		if i%mostEqualFailures == mostEqualFailures-1 { // with the last failure of the one the other one differs
			results[1] = other
		}
		b.start(task)
		b.record(task, &trial.Trial{Results: results})
		if suspended := i >= mostEqualFailures-1; (notes == 1) != suspended {
			t.Errorf("trial %d: %d notes", i+1, notes)
		}
		b.start(task)
		b.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}})
	}
	ready, waiting := b.split(task)
	if len(ready.Entries) != 1 || ready.Entries[0].ID != "mostly" || !ready.Divided || len(waiting.Entries) != 1 {
		t.Errorf("ready are %v, and %v wait", ready, waiting)
	}
	errtest.Contains(t, b.err(), "copse stopped running bad")
	b.count("bad", true, ok)
	if ready, _ := b.split(task); len(ready.Entries) != 2 || ready.Divided || b.err() != nil {
		t.Errorf("after a success %v are ready; error %v", ready, b.err())
	}
	b = newBreakers(nil, func(string) {})
	b.start(task)
	for range mostEqualFailures {
		b.record(task, &trial.Trial{Results: []records.Record{undrawn, undrawn}})
	}
	if ready, _ := b.split(task); len(ready.Entries) > 0 {
		t.Error("a failing generator is not suspended")
	}
	errtest.Contains(t, b.err(), "copse stopped running the generator `source`")
}

// An always is a program that fails in all cells except succeedsIn. Its messages differ in
// numbers and its output.
type always struct{ id, succeedsIn string }

// runPrograms runs the tasks of d one after the other. It returns how often each program ran in each cell, and how many
// trials have all their results.
func runPrograms(d *dispatcher, programs ...always) (ran map[fitKey]int, done int) {
	ran = map[fitKey]int{}
	for task, ok := d.next(); ok; task, ok = d.next() {
		var made trial.Trial
		for _, e := range task.Entries {
			ran[fitKey{task.Cell.ID, e.ID}]++
			r := records.Record{Status: records.OK}
			if e.Program != nil && !slices.Contains(programs, always{e.ID, task.Cell.ID}) {
				message := fmt.Sprintf("%d rows are too few; it printed: %s", done, strings.Repeat("-", done))
				r = records.Record{Status: records.Failed, Message: message}
			}
			made.Results = append(made.Results, r)
		}
		if !task.Divided {
			done++
		}
		d.assess(finished{&made, task, nil})
	}
	return ran, done
}

// tasksOf returns tasks of a cell. All classifiers except nb are programs.
func tasksOf(cell string, replicates int, ids ...string) []Task {
	t := Task{Cell: &study.Cell{Data: &study.Data{}}}
	t.Cell.ID = cell
	for _, id := range ids {
		e := study.Entry{ID: id}
		if id != "nb" {
			e.Program = &external.Program{}
		}
		t.Entries = append(t.Entries, e)
	}
	return slices.Repeat([]Task{t}, replicates)
}

// A program that fails in the first cells but succeeds in the last one runs everywhere. A program that fails in every
// cell runs mostEqualFailures times and then once in each other cell. It may have succeeded in an earlier run.
func TestFailuresInSomeCellsAreResults(t *testing.T) {
	const replicates = 2 * mostEqualFailures
	cells := []string{"0", "1", "2", "3"}
	whole := len(cells) * replicates
	for _, c := range []struct {
		succeedsIn    string
		everSucceeded bool
		want          int
	}{{"3", false, whole}, {"", true, whole}, {"", false, mostEqualFailures + len(cells) - 1}} {
		b := newBreakers(nil, func(string) {})
		b.streaks["mine"] = streak{hasSucceeded: c.everSucceeded}
		d := &dispatcher{breakers: b}
		for _, cell := range cells {
			d.tasks = append(d.tasks, tasksOf(cell, replicates, "mine", "nb")...)
		}
		fits, done := runPrograms(d, always{"mine", c.succeedsIn})
		ran := 0
		for _, cell := range cells {
			ran += fits[fitKey{cell, "mine"}]
		}
		if stopped := b.err(); ran != c.want || done != c.want || (stopped != nil) != (c.want < whole) {
			t.Errorf("%+v: %d fits, %d whole trials, error %v", c, ran, done, stopped)
		}
	}
}

// All waiting results of a program run after it has succeeded, even if the last tasks wait for another program.
func TestNoWaitingTaskIsLost(t *testing.T) {
	const replicates = mostEqualFailures + 10
	d := &dispatcher{breakers: newBreakers(nil, func(string) {})}
	d.tasks = slices.Concat(tasksOf("60", replicates, "a"), tasksOf("50", replicates, "a"),
		tasksOf("40", replicates, "b"))
	ran, _ := runPrograms(d, always{"a", "50"})
	want := map[fitKey]int{{"60", "a"}: replicates, {"50", "a"}: replicates, {"40", "b"}: mostEqualFailures}
	if !maps.Equal(ran, want) || len(d.tasks) != replicates-mostEqualFailures {
		t.Errorf("ran %v, want %v; %d tasks wait", ran, want, len(d.tasks))
	}
}

// The only attempt of a suspended program in a cell is not used up by trials whose data could not be drawn, even if
// several of them run at the same time, nor by a trial that another process runs.
func TestAttemptsNeedData(t *testing.T) {
	b := newBreakers(nil, func(string) {})
	b.streaks["mine"] = streak{n: mostEqualFailures}
	task := tasksOf("0", 1, "mine")[0]
	undrawn := &trial.Trial{Results: []records.Record{{Status: records.Failed, Cause: records.NotDrawn}}}
	b.start(task)
	b.start(task)
	for range 2 {
		if ready, _ := b.split(task); len(ready.Entries) > 0 {
			t.Error("a second attempt while the first one runs")
		}
		b.record(task, undrawn)
	}
	lease := &leases{dir: t.TempDir(), holder: "mine", held: map[string]bool{}}
	filetest.Write(t, lease.path(task), "other")
	elsewhere := &dispatcher{leases: lease, tasks: []Task{task}, breakers: b}
	if _, ok := elsewhere.next(); ok {
		t.Error("the lease of another process was ignored")
	}
	here := &dispatcher{tasks: []Task{task, task}, breakers: b}
	if ran, _ := runPrograms(here); ran[fitKey{"0", "mine"}] != 1 {
		t.Errorf("%v attempts, want 1", ran)
	}
}

// Stored results show which programs have succeeded. A classifier must have had the same settings as now, and a fit
// that ran out of time is no success. A generator has succeeded if any classifier could be fitted to its data.
func TestSuccessesOfEarlierRuns(t *testing.T) {
	s := load(t, forestStudy, "{name: forest, d: 3}", "{name: external, command: [source], classes: 2}",
		"[nb, lda, oracle]", "[nb, {id: mine, classifier: external, command: [mine]}, "+
			"{id: slow, classifier: external, command: [slow]}]", "seed: 3", "seed: 3\ntime_limit: 1s")
	generator := generatorName(s.Cells[0])
	late := fakeTrial(s.Cells[0], 1, fit{"mine", 5}, fit{"slow", -1})
	late.Results[1].Cause = records.OutOfTime
	b := newBreakers(store(t, s, late), nil)
	if !b.streaks["mine"].hasSucceeded || b.streaks["slow"].hasSucceeded || !b.streaks[generator].hasSucceeded {
		t.Errorf("%v have succeeded", b.streaks)
	}
	former := fakeTrial(s.Cells[0], 1, fit{"mine", 5})
	former.Results[0].Spec = "mine before a change"
	b = newBreakers(store(t, s, former), nil)
	if b.streaks["mine"].hasSucceeded || !b.streaks[generator].hasSucceeded {
		t.Errorf("after a change, %v have succeeded", b.streaks)
	}
}
