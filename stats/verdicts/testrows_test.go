package verdicts

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// wrongAt returns the predictions of one fit for n rows of two classes that errs on some rows.
func wrongAt(n int, wrong func(row int) bool) *metrics.Predictions {
	p := &metrics.Predictions{Scores: mat.NewDense(n, 2, nil)}
	for i := range n {
		label := i % 2
		if wrong(i) {
			label = 1 - label
		}
		p.Truth, p.Labels = append(p.Truth, i%2), append(p.Labels, label)
		p.Scores.Set(i, 1, float64(label)+float64(i%7)/10)
	}
	return p
}

// onTestRows returns a cell with one replicate per fit, and the options to compare the fits on their rows.
func onTestRows(test string, fits Fits, ids ...string) (records.Cell, BestOptions) {
	var wrong [][]int
	for _, id := range ids {
		var errors []int
		for _, p := range fits[id] {
			n := 0
			for i, truth := range p.Truth {
				if p.Labels[i] != truth {
					n++
				}
			}
			errors = append(errors, n)
		}
		wrong = append(wrong, errors)
	}
	o := DefaultBestOptions(ids)
	o.Fits, o.AllPairs = fits, true
	for _, t := range stats.RowTests {
		if t.Name == test {
			o.Paired = Paired{Test: t, Design: stats.TestRows}
		}
	}
	o.Random = func(name string) *rand.Rand { return randtest.New(uint64(len(name))) }
	return recordstest.Fixture([]string{"200"}, ids, [][][]int{wrong}).Cells()[0], o
}

// One fit each: a is wrong on 10 of 100 rows, b on these and 12 others, c on 9 of a's rows and 2
// others. The p-values are from R's binom.test(0, 12) and binom.test(1, 3), three pairs.
func TestBestByMcNemar(t *testing.T) {
	fits := Fits{
		"a": {wrongAt(100, func(i int) bool { return i < 10 })},
		"b": {wrongAt(100, func(i int) bool { return i < 22 })},
		"c": {wrongAt(100, func(i int) bool { return i > 0 && i < 10 || i == 50 || i == 51 })},
	}
	c, o := onTestRows("mcnemar", fits, "a", "b", "c")
	set := best(t, &c, o)
	if set.Best != "a" || !slices.Equal(set.Members, []string{"a", "c"}) || !set.Attainable {
		t.Errorf("%+v", set)
	}
	for _, q := range set.Comparisons {
		want := map[string]float64{"b": 2 * math.Pow(0.5, 12), "c": 1}[q.Other]
		if !golden.Near(q.P, want) || !golden.Near(q.Adjusted, min(1, 3*want)) || q.Pairs != 100 {
			t.Errorf("%+v", q)
		}
		if excludes := q.Shift.High < 0 || q.Shift.Low > 0; excludes != q.Worse ||
			!golden.Near(q.Shift.Level, 1-0.05/3) {
			t.Errorf("test and interval disagree: %+v", q)
		}
		if r := q.Resampled; r == nil || !(r.BCa[0] <= q.Shift.Estimate && q.Shift.Estimate <= r.BCa[1]) {
			t.Errorf("bootstrap %+v", r)
		}
	}
}

// With several fits, the test compares the mean losses of the rows over the fits, or any metric.
func TestBestByRowBootstrap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: computes the row bootstrap of several metrics")
	}
	fits := Fits{}
	for fit := range 3 {
		fits["a"] = append(fits["a"], wrongAt(100, func(i int) bool { return i < 10+fit }))
		fits["b"] = append(fits["b"], wrongAt(100, func(i int) bool { return i < 25+2*fit }))
	}
	for _, name := range []string{"error", "f1", "auc"} {
		c, o := onTestRows("row-bootstrap", fits, "a", "b")
		for i := range c.Rows {
			r := &c.Rows[i]
			r.Confusion = metrics.NewConfusion(2, fits["a"][0].Truth, fits[r.Classifier][r.Replicate-1].Labels)
			r.Metrics = map[string]float64{"auc": 1 - r.Error}
		}
		var err error
		if o.Metric, err = metrics.Lookup(name); err != nil {
			t.Fatal(err)
		}
		set := best(t, &c, o)
		q := set.Comparisons[0]
		if !q.Worse || q.P < 2.0/10_000 || q.Resampled.Percentile != [2]float64{q.Shift.Low, q.Shift.High} {
			t.Errorf("%s: %+v", name, q)
		}
		if name == "error" && (math.Abs(q.Mean.Mean+0.16) > 1e-12 || math.Abs(q.Mean.MCSE-0.036) > 0.003) {
			t.Errorf("%+v", q.Mean) // of 12 to 17 in 100 rows
		}
	}
	c, o := onTestRows("row-bootstrap", fits, "a", "b")
	o.Rope = 0.01
	if _, err := Best(&c, o); !errors.Is(err, stats.ErrAssumption) {
		t.Errorf("the Bayesian test of replicates: %v", err)
	}
}

// If all resamples are within a margin, equivalence is shown. If the margin is smaller than the difference,
// it is not.
func TestEquivalenceOnTestRows(t *testing.T) {
	fits := Fits{
		"a": {wrongAt(400, func(i int) bool { return i < 40 })},
		"b": {wrongAt(400, func(i int) bool { return i < 42 })},
	}
	auc, err := metrics.Lookup("auc")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []string{"row-bootstrap", "delong"} {
		for margin, want := range map[float64]bool{0.1: true, 0.001: false} {
			c, o := onTestRows(test, fits, "a", "b")
			if o.Margin = margin; test == "delong" {
				o.Metric = auc
				for i := range c.Rows {
					c.Rows[i].Metrics = map[string]float64{"auc": 1 - c.Rows[i].Error}
				}
			}
			set := best(t, &c, o)
			if q := set.Comparisons[0]; (q.Equivalence <= 0.05) != want || q.Pairs != 400 {
				t.Errorf("%s, margin %v: %+v", test, margin, q)
			}
		}
	}
}

// For equally good fits on one test set, no family of tests over its rows exceeds its level. The corrected
// resampled t test over training sets rejects far more often there (stats.TestSizeCorrectedTOnOneTestSet).
func TestSizeOfBestOnTestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the size of tests by simulation: run without -short")
	}
	studies, sizes := 40, []int{4}
	if os.Getenv("COPSE_LONG") != "" {
		studies, sizes = 1000, []int{2, 5, 10}
	}
	for test, fits := range map[string]int{"mcnemar": 1, "row-bootstrap": 5} {
		for _, k := range sizes {
			rng, rejected := randtest.New(61), 0
			for range studies {
				c, o := onTestRows(test, equalFits(rng, k, fits), names(k)...)
				if anyWorse(t, &c, o) {
					rejected++
				}
			}
			level, se := float64(rejected)/float64(studies), math.Sqrt(0.05*0.95/float64(studies))
			t.Logf("%s, %d fits each, %d classifiers: some is shown to be worse in %.1f%% of %d (standard error %.1f)",
				test, fits, k, 100*level, studies, 100*se)
			if level > 0.05+3*se {
				t.Errorf("%s, %d classifiers: %.1f%%", test, k, 100*level)
			}
		}
	}
}

func names(k int) (ids []string) {
	for i := range k {
		ids = append(ids, fmt.Sprint("c", i))
	}
	return ids
}

// equalFits draws fits with equal error rates on 200 rows. As for trained rules, the error rate of a
// classifier differs between rows.
func equalFits(rng *rand.Rand, k, fits int) Fits {
	all := Fits{}
	for _, id := range names(k) {
		hard := make([]float64, 200)
		for i := range hard {
			hard[i] = 0.4 * rng.Float64()
		}
		for range fits {
			all[id] = append(all[id], wrongAt(200, func(i int) bool { return rng.Float64() < hard[i] }))
		}
	}
	return all
}

// A single test row can show no difference, whichever test compares the fits.
func TestSingleTestRow(t *testing.T) {
	for _, test := range []string{"mcnemar", "row-bootstrap"} {
		fits := Fits{
			"a": {wrongAt(1, func(int) bool { return false })},
			"b": {wrongAt(1, func(int) bool { return true })},
		}
		c, o := onTestRows(test, fits, "a", "b")
		set := best(t, &c, o)
		if q := set.Comparisons[0]; set.Best != "a" || set.Attainable || q.P != 1 || q.Worse {
			t.Errorf("%s: %+v", test, set)
		}
	}
}

// If no test row shows a difference, the tests of equivalence need about log(0.05) / log(1 - margin) rows: 299 at a
// margin of 0.01. Before, 12 rows were enough.
func TestEquivalenceOfFitsThatAgree(t *testing.T) {
	for _, s := range []struct {
		test, metric string
		fits, rows   int
		equivalent   bool
	}{
		{"mcnemar", "error", 1, 12, false}, {"mcnemar", "error", 1, 298, false}, {"mcnemar", "error", 1, 300, true},
		{"row-bootstrap", "error", 2, 12, false}, {"row-bootstrap", "error", 2, 298, false},
		{"row-bootstrap", "error", 2, 300, true}, {"row-bootstrap", "sensitivity:1", 1, 300, false},
		{"row-bootstrap", "sensitivity:1", 1, 600, true},
		{"delong", "auc", 2, 12, false}, {"delong", "auc", 2, 300, false}, {"delong", "auc", 2, 600, true},
	} {
		fits := Fits{}
		for range s.fits {
			same := wrongAt(s.rows, func(i int) bool { return i < 6 })
			fits["a"], fits["b"] = append(fits["a"], same), append(fits["b"], same)
		}
		c, o := onTestRows(s.test, fits, "a", "b")
		o.Margin = 0.01
		for i := range c.Rows {
			c.Rows[i].Confusion = metrics.NewConfusion(2, fits["a"][0].Truth, fits["a"][0].Labels)
			c.Rows[i].Metrics = map[string]float64{"auc": 0.9}
		}
		q := comparisonIn(t, &c, o, s.metric)
		if (q.Equivalence <= 0.05) != s.equivalent || q.P != 1 {
			t.Errorf("%+v: p-value %v, of equivalence %v", s, q.P, q.Equivalence)
		}
		hasInterval := q.Shift.Level > 0
		if q.Resampled != nil || hasInterval != (s.test == "mcnemar") || math.IsNaN(q.Detectable) == hasInterval {
			t.Errorf("%+v: interval %+v, resampled %+v, detectable %v", s, q.Shift, q.Resampled, q.Detectable)
		}
	}
}

// comparisonIn compares the two classifiers of a cell by a metric.
func comparisonIn(t *testing.T, c *records.Cell, o BestOptions, metric string) Comparison {
	t.Helper()
	var err error
	if o.Metric, err = metrics.Lookup(metric); err != nil {
		t.Fatal(err)
	}
	set := best(t, c, o)
	return set.Comparisons[0]
}

// If one fit errs on all test rows of a class and the other on none, the difference does not vary, so there is no
// interval. Each row has a larger loss with probability 1/2 if the fits are equally good, as in McNemar's test.
func TestOppositeFits(t *testing.T) {
	for _, s := range []struct {
		test, metric string
		rows         int // of each class
		p            float64
	}{
		{"row-bootstrap", "sensitivity:1", 3, 0.25}, {"row-bootstrap", "sensitivity:1", 100, 2.0 / 10_000},
		{"row-bootstrap", "ber", 10, 2 * math.Pow(1.5, -20)}, {"row-bootstrap", "ber", 100, 2.0 / 10_000},
		{"delong", "auc", 3, 2 * math.Pow(1.5, -3)}, {"delong", "auc", 100, 2 * math.Pow(1.5, -100)},
	} {
		right := wrongAt(2*s.rows, func(int) bool { return false })
		wrong := wrongAt(2*s.rows, func(row int) bool { return row%2 == 1 })
		wrong.Scores = mat.NewDense(2*s.rows, 2, nil) // equal scores: the AUC is 0.5
		c, o := onTestRows(s.test, Fits{"a": {right}, "b": {wrong}}, "a", "b")
		o.Margin = 0.9
		for i := range c.Rows {
			fit := o.Fits[c.Rows[i].Classifier][0]
			c.Rows[i].Confusion = metrics.NewConfusion(2, fit.Truth, fit.Labels)
			c.Rows[i].Metrics = map[string]float64{"auc": 1 - c.Rows[i].Error}
		}
		q := comparisonIn(t, &c, o, s.metric)
		if !golden.Near(q.P, s.p) || q.Worse != (s.p <= 0.05) || q.Shift.Level != 0 || q.Resampled != nil {
			t.Errorf("%s, %d rows: p-value %v, want %v; %+v", s.metric, s.rows, q.P, s.p, q)
		}
	}
}
