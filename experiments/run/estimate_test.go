package run_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/toys"
)

func planOf(t *testing.T, dir string, s *study.Study) *run.Plan {
	t.Helper()
	return run.NewPlan(toys.OpenFor(t, dir, s))
}

// The time of further replicates is estimated from measured times. For other classifiers, a pilot measures
// the time in every cell.
func TestEstimateOfNewClassifiers(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study), dir)

	more := toys.Load(t, toys.Study, "replicates=9")
	p := planOf(t, dir, more)
	if e := p.Estimate(time.Minute); !p.AllTimed || e.Fits != 0 || e.Tried != 0 || e.Extrapolated != 0 ||
		e.Measured != e.Seconds() {
		t.Errorf("of more replicates: %+v, known %v", e, p.AllTimed)
	}

	other := toys.Load(t, strings.Replace(toys.Study, "coin,", "coin, {id: other, classifier: centroid, axis: 1},", 1))
	p = planOf(t, dir, other)
	if p.AllTimed || !slices.Equal(p.Untimed, []string{"other"}) || p.Missing != 24 {
		t.Errorf("%d results to run, known %v, without times %v", p.Missing, p.AllTimed, p.Untimed)
	}
	if e := p.Estimate(time.Minute); e.Fits != 4 || e.Cells != 4 || e.Tried == 0 || e.Measured != 0 ||
		e.Extrapolated != 0 ||
		e.CutOff != nil ||
		e.Unknown != nil {
		t.Errorf("of a new classifier: %+v", e)
	}
	if e := p.Estimate(0); e.Fits != 0 {
		t.Errorf("without a budget: %+v", e)
	}

	text := strings.Replace(toys.Study, "[centroid,", "[{id: centroid, classifier: centroid, axis: 1},", 1)
	changed := toys.Load(t, text)
	if p = planOf(t, dir, changed); p.AllTimed || !slices.Equal(p.Untimed, []string{"centroid"}) {
		t.Errorf("the times of another recipe count: known %v, without times %v", p.AllTimed, p.Untimed)
	}

	larger := toys.Load(t, strings.Replace(toys.Study, "n: [20, 40]", "n: [20, 40, 80]", 1))
	p = planOf(t, dir, larger)
	if e := p.Estimate(0); !p.AllTimed || e.Extrapolated == 0 || e.Extrapolated != e.Seconds() ||
		e.Unknown != nil {
		t.Errorf("of a new cell without a pilot: %+v, known %v", e, p.AllTimed)
	}
	if e := p.Estimate(time.Minute); e.Tried == 0 || e.Extrapolated != 0 || e.Cells != 2 {
		t.Errorf("of a new cell: %+v", e)
	}
}

// A pilot stops, with a note, if its fits do not end. Data that cannot be drawn and programs do not use its
// time.
func TestEstimateOfHopelessFits(t *testing.T) {
	const faulty = "{id: stuck, classifier: faulty, mode: hang}, {id: wrong, classifier: faulty, mode: error},"
	s := toys.Load(t, strings.Replace(toys.Study, "coin,", faulty, 1))
	start := time.Now()
	e := planOf(t, t.TempDir(), s).Estimate(400 * time.Millisecond)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("a pilot of 400 ms took %v", took)
	}
	if !reflect.DeepEqual(e.CutOff, []string{"stuck"}) || e.Fits == 0 {
		t.Errorf("%+v", e)
	}
	unlucky := toys.Load(t, strings.NewReplacer("d: 3", "d: 3, shift: 13", ", oracle", "").Replace(toys.Study))
	start = time.Now()
	if e := planOf(t, t.TempDir(), unlucky).Estimate(time.Hour); e.Fits != 0 || e.Cells != 4 ||
		time.Since(start) > time.Minute {
		t.Errorf("%+v after %v", e, time.Since(start))
	}
}

// The pilot notes a fit that it skips because the fit would take too long, unless a fit to as many rows was timed.
func TestEstimateNotesSkippedFits(t *testing.T) {
	const limited = "time_limit=200ms" // the time of a fit in an earlier run, which counts as measured
	text := strings.Replace(toys.Study, "coin,", "{id: stuck, classifier: faulty, mode: hang},", 1)
	for _, c := range []struct {
		earlier, now string // number of rows
		budget       time.Duration
		cutOff       bool
	}{
		// By the law of the costs, a fit to 64 rows takes more than 200 ms, but it may take at most 100 ms.
		{"20", "20,2000", 400 * time.Millisecond, true},
		// A fit to 64 rows takes about 3 ms, 200 ms times a power of 64/2000 near 1.2, but it may take at most 2 ms.
		{"2000", "60,2000", 8 * time.Millisecond, false},
	} {
		dir := t.TempDir()
		earlier := toys.Load(t, text, "design.n="+c.earlier, "design.balance=balanced", "replicates=1", limited)
		toys.RunIn(t, earlier, dir)
		e := planOf(t, dir, toys.Load(t, text, "design.n="+c.now, limited)).Estimate(c.budget)
		// On a slow machine, the pilot may also cut off other classifiers.
		if slices.Contains(e.CutOff, "stuck") != c.cutOff || slices.Contains(e.Unknown, "stuck") {
			t.Errorf("%s rows after %s: %+v", c.now, c.earlier, e)
		}
	}
}

// The pilot tries a large cell first with few of its rows and, if the time suffices, with all of them.
func TestEstimateOfLargeCells(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "n: [20, 40]", "n: [20, 5000]", 1))
	e := planOf(t, t.TempDir(), s).Estimate(time.Minute)
	if e.Extrapolated != 0 || e.Cells != 4 || e.Fits <= 3*4 {
		t.Errorf("%+v", e)
	}
}

// If no time of a classifier is known, the estimate is 0 and not the time to draw the data.
func TestEstimateWithoutTimesOfClassifiers(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "n: [20, 40]", "n: [50000]", 1), "data.generator.d=100")
	const tooShort = 5 * time.Millisecond // to draw the data once
	if e := planOf(t, t.TempDir(), s).Estimate(tooShort); e.Fits == 0 && e.Seconds() != 0 || len(e.Unknown) == 0 {
		t.Errorf("%+v", e)
	}
}

// The draw of a large problem cannot be interrupted, so the pilot does not begin it.
func TestEstimateDrawsNothingLarge(t *testing.T) {
	s := toys.Load(t, toys.Study, "data.generator.d=6000")
	p := planOf(t, t.TempDir(), s)
	if e := p.Estimate(time.Minute); e.Fits != 0 || e.Cells != 0 || e.Tried != 0 {
		t.Errorf("of 6,000 columns: %+v", e)
	}
}
