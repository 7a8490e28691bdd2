package run

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"copse/experiments/results"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A simulatedShard is a process that runs a shard on one core in simulated time.
type simulatedShard struct {
	d         *dispatcher
	journal   *results.Journal
	perTrial  float64 // simulated time of a trial
	task      Task    // under way
	ends      float64 // when task ends
	ran, gone int     // trials stored; 1 if it has no more tasks
}

// newSimulatedShards opens a process for each of the given times per trial.
func newSimulatedShards(t *testing.T, dir string, replicates int, steal bool, perTrial []float64) []*simulatedShard {
	s := load(t, forestStudy, "replicates: 5", fmt.Sprintf("replicates: %d", replicates))
	var list []*simulatedShard
	for i, time := range perTrial {
		o := Options{Dir: dir, Shard: Shard{i + 1, len(perTrial)}, Steal: steal}
		f, err := results.OpenFor(dir, s)
		if err != nil {
			t.Fatal(err)
		}
		j, err := startSession(f, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { j.Close() })
		d := &dispatcher{study: s, options: o, folder: f, tasks: o.newPlan(f).Tasks, breakers: newBreakers(f, nil),
			cancel: func() {}}
		if steal {
			if d.leases, err = newLeases(f, &o); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, &simulatedShard{d: d, journal: j, perTrial: time})
	}
	return list
}

// begin takes the next task at the given time.
func (s *simulatedShard) begin(t *testing.T, now float64) {
	task, ok := s.d.next()
	if s.d.stop != nil {
		t.Fatal(s.d.stop)
	}
	if !ok {
		s.gone = 1
		return
	}
	s.task, s.ends = task, now+s.perTrial
}

// end stores the running trial.
func (s *simulatedShard) end(t *testing.T) {
	stored := &trial.Trial{Cell: s.task.Cell.ID, Levels: s.task.Cell.Levels, Replicate: s.task.Replicate,
		Data: "d", NTest: 100}
	for _, e := range s.task.Entries {
		stored.Results = append(stored.Results, records.Record{Classifier: e.ID, Spec: e.Spec, Status: records.OK})
	}
	if err := s.journal.Append(stored); err != nil {
		t.Fatal(err)
	}
	if err := s.d.leases.release(s.task); err != nil {
		t.Fatal(err)
	}
	s.ran++
}

// makespan runs all shards and returns the time at which the last one ends.
func makespan(t *testing.T, shards []*simulatedShard) (last float64) {
	for _, s := range shards {
		s.begin(t, 0)
	}
	for {
		var next *simulatedShard // the first to end its trial
		for _, s := range shards {
			if s.gone == 0 && (next == nil || s.ends < next.ends) {
				next = s
			}
		}
		if next == nil {
			return last
		}
		last = next.ends
		next.end(t)
		next.begin(t, last)
	}
}

// One of eight shards is ten times slower. With --steal the others run its trials: the makespan is
// within 20 percent of the ideal, at which all shards end together, and no trial runs twice.
func TestStealingBalancesShards(t *testing.T) {
	const replicates, cells = 400, 2
	perTrial := []float64{1, 1, 1, 10, 1, 1, 1, 1}
	ideal := replicates * cells / (7 + 1/10.)
	for _, steal := range []bool{false, true} {
		dir := t.TempDir()
		shards := newSimulatedShards(t, dir, replicates, steal, perTrial)
		took := makespan(t, shards)
		t.Logf("steal %v: makespan %.0f, ideal %.1f", steal, took, ideal)
		if within := took <= 1.2*ideal; within != steal {
			t.Errorf("steal %v: makespan %.0f, ideal %.1f", steal, took, ideal)
		}
		ran := 0
		for _, s := range shards {
			ran += s.ran
		}
		f, err := results.OpenFor(dir, shards[0].d.study)
		if err != nil {
			t.Fatal(err)
		}
		if p := NewPlan(f); p.Missing != 0 || ran != replicates*cells {
			t.Errorf("steal %v: %d trials ran, %d results are missing", steal, ran, p.Missing)
		}
	}
}

// Tasks that other shards run or have run count as done at the end, if their results are stored by then.
func TestSkippedTasksAreReported(t *testing.T) {
	shards := newSimulatedShards(t, t.TempDir(), 2, true, []float64{1, 2})
	makespan(t, shards)
	for i, s := range shards {
		progress := &notes{}
		s.d.options.Progress = progress
		s.d.reportSkipped()
		if progress.done+s.ran != 4 || progress.done == 0 {
			t.Errorf("shard %d: %d of 4 trials ran here and %d elsewhere", i+1, s.ran, progress.done)
		}
	}
}

// Other shards can take the trial of a process that ended when its lease expires. The same shard can take it
// at once.
func TestLeasesExpire(t *testing.T) {
	dir := t.TempDir()
	shards := newSimulatedShards(t, dir, 1, true, []float64{1, 1})
	shards[0].begin(t, 0)
	killed := shards[0].task
	own, other := shards[0].d.leases, shards[1].d.leases
	claim := func(l *leases) bool {
		t.Helper()
		claimed, err := l.claim(killed)
		if err != nil {
			t.Fatal(err)
		}
		return claimed
	}
	if claim(other) {
		t.Error("another shard claimed a trial under way")
	}
	if !claim(own) {
		t.Error("the same shard did not claim its trial again")
	}
	path := filepath.Join(own.path(killed))
	if err := os.Truncate(path, 0); err != nil { // as if the disk had been full
		t.Fatal(err)
	}
	if claim(own) {
		t.Error("a process claimed a lease that another process may be writing")
	}
	age := func(by time.Duration) { // of the lease file
		t.Helper()
		past := time.Now().Add(-by)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	age(2 * emptyLeaseTime)
	if !claim(own) {
		t.Error("a process did not claim an old lease without a holder")
	}
	if claim(other) {
		t.Error("the process that claimed a lease without a holder did not become its holder")
	}
	age(2 * leaseTime)
	own.renew()
	if claim(other) {
		t.Error("another shard claimed a trial whose lease was renewed")
	}
	age(2 * leaseTime)
	if !claim(other) {
		t.Error("an expired lease was not acquired")
	}
	if claim(own) {
		t.Error("a trial was claimed that the other shard took over")
	}
	shards[0].d.leases = other
	shards[0].end(t)
	age(2 * leaseTime)
	if claim(own) {
		t.Error("a trial was claimed whose results are stored")
	}
}

// A process that runs a part of a trial keeps the lease if it finds the results of the other part stored.
func TestPartsOfTrialsShareALease(t *testing.T) {
	shards := newSimulatedShards(t, t.TempDir(), 1, true, []float64{1, 1})
	shards[0].begin(t, 0)
	other := shards[0].task
	other.Entries = other.Entries[1:]
	shards[1].task = other
	shards[1].end(t)
	own := shards[0].d.leases
	if claimed, err := own.claim(other); claimed || err != nil {
		t.Errorf("claimed: %v, %v; the results are stored", claimed, err)
	}
	if !own.held[own.path(other)] {
		t.Error("the lease of a running trial is no longer renewed")
	}
}
