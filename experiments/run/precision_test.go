package run

import (
	"testing"

	"copse/experiments/trial"
	"copse/stats/metrics"
)

// precise returns a Precision with which all classifiers count, however many of their fits failed.
func precise(m *metrics.Metric, mcse float64) Precision { return Precision{m, mcse, 1} }

// The differences 0.02, -0.02, 0.02, -0.02 have the variance 0.0016/3, so a standard error
// of 0.002 needs 133.3 replicates; the 5% quantile of chi-squared on 3 degrees of freedom
// is 0.3518463 (R 4.2, qchisq(0.05, 3)), so the bound is 0.0016/0.3518463/0.002^2 = 1136.9.
func TestNeededReplicates(t *testing.T) {
	s := load(t, forestStudy)
	c := s.Cells[0]
	l := store(t, s,
		fakeTrial(c, 1, fit{"nb", 12}, fit{"lda", 10}, fit{"oracle", 0}),
		fakeTrial(c, 2, fit{"nb", 10}, fit{"lda", 12}, fit{"oracle", 90}),
		fakeTrial(c, 3, fit{"nb", 12}, fit{"lda", 10}, fit{"oracle", 0}),
		fakeTrial(c, 4, fit{"nb", 90}), // counts in no pair
		fakeTrial(c, 5, fit{"nb", 20}, fit{"lda", 22}, fit{"oracle", 0}),
		fakeTrial(s.Cells[1], 1, fit{"nb", 90}, fit{"lda", 0}), // one replicate has no spread
	)
	pair := [2]string{"nb", "lda"} // the order of the study
	if need, ok := NeededReplicates(l, precise(metrics.ErrorRate, 0.002)); !ok || need != (Need{134, 1137, c, pair}) {
		t.Errorf("%+v, %v", need, ok)
	}
	if need, ok := NeededReplicates(l, precise(metrics.ErrorRate, 0.02)); !ok || need != (Need{2, 12, c, pair}) {
		t.Errorf("of a tenth of the precision: %+v, %v", need, ok)
	}
	if need, ok := NeededReplicates(l, precise(metrics.ErrorRate, 1e-9)); ok {
		t.Errorf("of no possible precision: %+v", need)
	}
}

// A failed fit gives no difference. If a fit fails in 2 of 4 replicates, twice as many replicates are
// needed. The differences 0.02 and -0.02 have the variance 0.0008, so a standard error of 0.002
// needs 200 differences.
func TestNeededReplicatesAllowForFailures(t *testing.T) {
	s := load(t, forestStudy)
	c := s.Cells[0]
	l := store(t, s, fakeTrial(c, 1, fit{"nb", 12}, fit{"lda", 10}), fakeTrial(c, 2, fit{"nb", 10}, fit{"lda", 12}),
		fakeTrial(c, 3, fit{"nb", 12}, fit{"lda", -1}), fakeTrial(c, 4, fit{"nb", -1}, fit{"lda", 10}))
	if need, ok := NeededReplicates(l, precise(metrics.ErrorRate, 0.002)); !ok || need.Replicates != 400 {
		t.Errorf("%+v, %v; want 400 replicates", need, ok)
	}
}

// A classifier with a larger proportion of failed fits than SetAside does not count. The differences of lda and
// nb are 0.02 and -0.02 in the first two of five replicates, and 0 in the others, so their variance is
// 0.0008/4 = 0.0002. A standard error of 0.002 needs 50 replicates. The pairs with svm, which fails in 2 of 5
// replicates, have larger differences.
func TestNeededReplicatesWithoutClassifiersSetAside(t *testing.T) {
	s := load(t, forestStudy, "[nb, lda,", "[nb, lda, svm,")
	c := s.Cells[0]
	l := store(t, s, fakeTrial(c, 1, fit{"nb", 12}, fit{"lda", 10}, fit{"svm", 90}),
		fakeTrial(c, 2, fit{"nb", 10}, fit{"lda", 12}, fit{"svm", 10}),
		fakeTrial(c, 3, fit{"nb", 10}, fit{"lda", 10}, fit{"svm", 50}),
		fakeTrial(c, 4, fit{"nb", 10}, fit{"lda", 10}, fit{"svm", -1}),
		fakeTrial(c, 5, fit{"nb", 10}, fit{"lda", 10}, fit{"svm", -1}))
	for setAside, isSetAside := range map[float64]bool{0.39: true, 0.4: false} {
		need, ok := NeededReplicates(l, Precision{metrics.ErrorRate, 0.002, setAside})
		if !ok || (need.Replicates == 50) != isSetAside || (need.Classifiers == [2]string{"nb", "lda"}) != isSetAside {
			t.Errorf("set_aside %v: %+v, %v", setAside, need, ok)
		}
	}
}

// An undefined metric counts like a failed fit. In 2 of 4 replicates, no row belongs to class 1, so its sensitivity
// is undefined. The others have the differences 1/2 - 1 and 1 - 1/2, whose variance is 1/2. A standard error of 0.09
// needs 61.7 differences, so twice as many replicates.
func TestNeededReplicatesAllowForUndefinedMetrics(t *testing.T) {
	s := load(t, forestStudy)
	c := s.Cells[0]
	sensitivity, err := metrics.Lookup("sensitivity:1")
	if err != nil {
		t.Fatal(err)
	}
	// The elements are the rows of class 0 predicted as 0 and 1, and then those of class 1.
	low, high := metrics.Confusion{98, 0, 1, 1}, metrics.Confusion{97, 1, 0, 2}
	undefined := metrics.Confusion{100, 0, 0, 0}
	var trials []*trial.Trial
	for i, confusions := range [][2]metrics.Confusion{{low, high}, {high, low}, {undefined, undefined},
		{undefined, undefined}} {
		one := fakeTrial(c, i+1, fit{"nb", 1}, fit{"lda", 1})
		for k, confusion := range confusions {
			one.Results[k].Confusion = confusion
		}
		trials = append(trials, one)
	}
	need, ok := NeededReplicates(store(t, s, trials...), precise(sensitivity, 0.09))
	if !ok || need.Replicates != 124 {
		t.Errorf("%+v, %v; want 124 replicates", need, ok)
	}
}

// With two folds per problem, the differences 0.02 and -0.02 of two problems have the standard deviation
// 0.0283. A standard error of 0.01 needs 8 problems, which are 16 replicates.
func TestNeededReplicatesOfFolds(t *testing.T) {
	s := load(t, forestStudy, "train: {n: $n}, test: {n: 100}", "sample: {n: $n}, folds: 2", "replicates: 5",
		"replicates: 6")
	c := s.Cells[0]
	l := store(t, s,
		fakeTrial(c, 1, fit{"nb", 12}, fit{"lda", 10}), fakeTrial(c, 2, fit{"nb", 16}, fit{"lda", 14}),
		fakeTrial(c, 3, fit{"nb", 10}, fit{"lda", 13}), fakeTrial(c, 4, fit{"nb", 10}, fit{"lda", 11}))
	if need, ok := NeededReplicates(l, precise(metrics.ErrorRate, 0.01)); !ok || need.Replicates != 16 {
		t.Errorf("%+v, %v; want 16 replicates", need, ok)
	}
}
