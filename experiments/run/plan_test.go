package run

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"copse/experiments/external"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// The slopes are those of the ridge regression for three points whose rows and columns grow together. The
// golden values come from Python 3, by Gaussian elimination of the normal equations in centred logarithms.
func TestLawOfCorrelatedSizes(t *testing.T) {
	got := fitLaw([]timed{{size{100, 2}, 0.1}, {size{400, 8}, 3}, {size{1000, 10}, 20}})
	for _, c := range []struct{ got, want float64 }{{got.rows, 1.2555265854219957}, {got.columns, 1.4339383079441035},
		{got.constant, -9.046162291223359}} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// A fit is expected to take no longer than its limit, and times measured for other sizes are extrapolated.
func TestCosts(t *testing.T) {
	s := load(t, forestStudy)
	small, large := s.Cells[0], s.Cells[1]
	f := store(t, s, fakeTrial(small, 1, fit{"nb", 5}), fakeTrial(small, 2, fit{"nb", 5}))
	k := newCosts(f.Ran(), s)
	if seconds, measured := k.of(small, "nb"); seconds != 3 || !measured {
		t.Errorf("%v s, measured %v; want 3 s", seconds, measured)
	}
	seconds, measured := k.of(large, "nb")
	want := 3 * math.Pow(sizeOf(large).rows/sizeOf(small).rows, defaultLaw.rows)
	if measured || math.Abs(seconds-want) > 1e-9 {
		t.Errorf("%v s in the larger cell, measured %v; want %v s", seconds, measured, want)
	}
	s.TimeLimit = 4 * time.Second
	if seconds, _ := k.of(large, "nb"); seconds != 4 {
		t.Errorf("%v s with a limit of 4 s", seconds)
	}
	if k.hasTimes("lda") {
		t.Error("lda was not timed")
	}
}

// A fit that ran out of time took the limit.
func TestCostsOfTimeouts(t *testing.T) {
	s := load(t, forestStudy)
	s.TimeLimit = 9 * time.Second
	late := fakeTrial(s.Cells[0], 2, fit{"nb", -1})
	late.Results[0].Cause = records.OutOfTime
	f := store(t, s, fakeTrial(s.Cells[0], 1, fit{"nb", 5}), late, fakeTrial(s.Cells[0], 3, fit{"nb", -1}))
	if seconds, measured := newCosts(f.Ran(), s).of(s.Cells[0], "nb"); seconds != (3+9)/2. || !measured {
		t.Errorf("%v s, measured %v; want 6 s", seconds, measured)
	}
}

// Missing results are grouped by reason and classifiers, with all replicates in one group.
func TestGaps(t *testing.T) {
	s := load(t, forestStudy)
	var stored []*trial.Trial
	for replicate := 1; replicate <= 4; replicate++ {
		stored = append(stored, fakeTrial(s.Cells[0], replicate, fit{"nb", 5}))
	}
	stored = append(stored, fakeTrial(s.Cells[0], 2, fit{"lda", -1}))
	p := newShardPlan(store(t, s, stored...), Shard{}, true)
	var got []string
	for _, g := range p.Gaps {
		var replicates []string
		for _, r := range g.Replicates {
			replicates = append(replicates, string(rune('0'+r)))
		}
		got = append(got, fmt.Sprintf("%s %s: %s in %s", g.Cell.Levels.Of("n"), g.Reason, strings.Join(g.IDs, " "),
			strings.Join(replicates, "")))
	}
	slices.Sort(got)
	want := []string{
		"30 failed before: lda in 2", "30 new classifier oracle: oracle in 12345",
		"30 new replicate: lda in 134", "30 new replicate: nb lda in 5", "60 new cell: nb lda oracle in 12345",
	}
	if !slices.Equal(got, want) {
		t.Errorf("gaps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.Done != 4 || p.Failed != 1 { // nb succeeded four times; the failed result is computed again
		t.Errorf("%d results done, %d failed", p.Done, p.Failed)
	}
	if lines := p.ReasonLines(); lines[0] != "15 results: new cell" || len(lines) != 4 {
		t.Errorf("%q", lines)
	}
	for i := 1; i < len(p.Tasks); i++ {
		if p.Tasks[i].Cost > p.Tasks[i-1].Cost {
			t.Errorf("task %d is longer than the one before it", i)
		}
	}
}

func TestChangedData(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"a=1;b=2;c=3", "a=1;b=4;c=3", "changed data: was b=2, is b=4"},
		{"a=1;b=2;c=3", "a=0;b=2;c=4", "changed data: was a=1;c=3, is a=0;c=4"},
		{"a=1", "a=1;b=2", "changed data: was a=1, is a=1;b=2"},
		{"a=1;pair=5f", "a=1;pair=60", "changed draws: the first levels of the factors in `pair` determine the " +
			"seeds and have changed; list new levels last"},
		{"a=1;pair=5f", "a=2;pair=60", "changed data: was a=1;pair=5f, is a=2;pair=60"},
		{"a=1", "a=1", "changed cell: a factor now sets other parameters of a classifier"},
	} {
		if got := changedData(c.was, c.is); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The pilot measures how many seconds pass per second of its own clock, over at least 10 ms.
func TestElapsedPerCPU(t *testing.T) {
	w := &pilot{began: time.Now().Add(-time.Second), beganCPU: clock() + 1000}
	if ratio := w.elapsedPerCPU(); ratio < 100 {
		t.Errorf("a second passed without one of the clock, ratio %v", ratio)
	}
	w = &pilot{began: time.Now().Add(time.Hour), beganCPU: clock()}
	if ratio := w.elapsedPerCPU(); ratio != 1 {
		t.Errorf("ratio %v, want at least 1", ratio)
	}
}

// A pilot's time of a draw is not longer than the visit to which the draw belongs.
func TestPilotTimesDraws(t *testing.T) {
	s := load(t, forestStudy)
	w := newPilot(NewPlan(store(t, s)), time.Minute)
	defer w.worker.Close()
	before := clock()
	w.visit(w.cells[0])
	spent := clock() - before
	drawn, known := w.costs.measured[fitKey{w.cells[0].cell.ID, Drawing}]
	if !known || drawn.seconds < 0 || drawn.seconds > spent {
		t.Errorf("a draw of %v seconds in a visit of %v, known %v", drawn.seconds, spent, known)
	}
}

// The pilot also times a classifier that runs in only a few of many cells.
func TestPilotVisitsEveryClassifier(t *testing.T) {
	var levels []string
	for n := range 200 {
		levels = append(levels, strconv.Itoa(30+n))
	}
	s := load(t, forestStudy, "[30, 60]", "["+strings.Join(levels, ", ")+"]",
		"lda,", "{classifier: lda, only: {n: 40}},")
	w := newPilot(NewPlan(store(t, s)), time.Minute)
	defer w.worker.Close()
	reached := map[string]bool{}
	for _, d := range w.chosen {
		for _, e := range d.toTime {
			reached[e.ID] = true
		}
	}
	if len(reached) != 3 || len(w.chosen) > mostCells+1 {
		t.Errorf("%d cells reach the classifiers %v", len(w.chosen), reached)
	}
}

// A program is listed once, however many tasks need it.
func TestProgramsAreListedOnce(t *testing.T) {
	s := load(t, forestStudy)
	program := &external.Program{Command: []string{"true"}}
	entry := study.Entry{Program: program}
	p := &Plan{Tasks: []Task{
		{Cell: s.Cells[0], Entries: []study.Entry{entry, s.Cells[0].Classifiers[0]}},
		{Cell: s.Cells[1], Entries: []study.Entry{entry}},
	}}
	if list := p.Programs(); len(list) != 1 || list[0] != program {
		t.Errorf("%d programs", len(list))
	}
}
