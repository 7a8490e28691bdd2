package view

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// unbalanced returns four replicates with 8 test rows of class 0 and 2 of class 1. a makes one error per
// replicate, and b fails in the second one.
func unbalanced() *records.Records {
	rows := &records.Records{Study: "s", Classifiers: []string{"a", "b"}, Metrics: []string{"auc", "log_loss"}}
	for replicate := 1; replicate <= 4; replicate++ {
		for _, id := range rows.Classifiers {
			r := records.Record{Cell: "c", Replicate: replicate, Classifier: id, Status: records.OK, NTest: 10,
				Data:      fmt.Sprint("draw ", replicate),
				Confusion: metrics.Confusion{7, 1, 0, 2}, Metrics: map[string]float64{"auc": 0.9, "log_loss": 0.1}}
			if id == "b" && replicate == 2 {
				r = records.Record{Cell: "c", Replicate: replicate, Classifier: id, Status: records.Failed, NTest: 10,
					Data:  fmt.Sprint("draw ", replicate),
					Cause: records.FitFailed}
			}
			r.SetRates()
			rows.Rows = append(rows.Rows, r)
		}
	}
	return rows
}

// Without a named classifier a failed fit is scored like predictions by class shares: the
// error is the share of the rarer class, the AUC is a half, the log loss the entropy.
func TestFallbackToClassShares(t *testing.T) {
	rows := unbalanced()
	o := DefaultInference()
	o.Failures = []string{Fallback}
	entropy := -0.8*math.Log(0.8) - 0.2*math.Log(0.2)
	checkFailedFit(t, New(Study{}, rows, o),
		map[string]float64{"error": 0.2, "ber": 0.5, "auc": 0.5, "log_loss": entropy})
}

// checkFailedFit checks the values of the failed fit of b in replicate 2. wanted contains the values by metric.
func checkFailedFit(t *testing.T, v *View, wanted map[string]float64) {
	t.Helper()
	g := Group{Cells: v.Cells}
	pooled := v.Pool(&g)
	for metric, want := range wanted {
		m := measure(t, metric, "fraction")
		values := v.Values(&g, &pooled, &m, "b")
		_, failed := g.Attempts("b")
		if len(values) != 4 || failed != 1 || math.Abs(values[1]-want) > 1e-12 {
			t.Errorf("%s: %v, %d failed; want %v of replicate 2", metric, values, failed, want)
		}
	}
}

// The worst result of a replicate is the worst one in each metric: here a errs more often, c
// has the larger log loss, the smaller AUC and the smaller sensitivity.
func TestWorstInEachMetric(t *testing.T) {
	rows := unbalanced()
	for replicate := 4; replicate >= 1; replicate-- {
		c := rows.Rows[2*(replicate-1)]
		c.Classifier, c.Confusion = "c", metrics.Confusion{8, 0, 1, 1}
		c.Metrics = map[string]float64{"auc": 0.6, "log_loss": 0.7}
		if c.SetRates(); replicate == 2 {
			rows.Rows[2].Confusion = metrics.Confusion{6, 2, 0, 2}
			rows.Rows[2].SetRates()
		}
		rows.Rows = slices.Insert(rows.Rows, 2*replicate, c)
	}
	rows.Classifiers = append(rows.Classifiers, "c")
	o := DefaultInference()
	o.Failures = []string{Worst}
	checkFailedFit(t, New(Study{}, rows, o), map[string]float64{"error": 0.2, "ber": 0.25, "auc": 0.6, "log_loss": 0.7,
		"sensitivity:0": 0.75, "sensitivity:1": 0.5})
}

// The fits of b have no log loss, so the log loss of another classifier does not replace one of its failures.
func TestNoSubstitutesForMissingMetric(t *testing.T) {
	for _, o := range []Inference{
		{Failures: []string{Fallback}}, {Failures: []string{Fallback}, Fallback: "a"}, {Failures: []string{Worst}},
	} {
		rows := unbalanced()
		for _, r := range rows.Rows {
			if r.Classifier == "b" {
				delete(r.Metrics, "log_loss")
			}
		}
		v := New(Study{}, rows, o)
		pooled := v.Pool(&Group{Cells: v.Cells})
		for metric, want := range map[string]int{"error": 4, "auc": 4, "log_loss": 0} {
			m, err := metrics.Lookup(metric)
			if err != nil {
				t.Fatal(err)
			}
			if values, _ := pooled.Values(m, "b"); len(values) != want {
				t.Errorf("%s %q, %s: %v, want %d values", o.Failures[0], o.Fallback, metric, values, want)
			}
		}
		if rows.Rows[2].Metrics["log_loss"] != 0.1 {
			t.Errorf("%s %q changes the results of a", o.Failures[0], o.Fallback)
		}
	}
}

// One failure in four fits exceeds the allowed share, so the classifier is set aside. If the allowed share is
// larger, the replicate is omitted for both classifiers.
func TestAsideAndCommon(t *testing.T) {
	rows := unbalanced()
	v := New(Study{}, rows, DefaultInference())
	g := Group{Cells: v.Cells}
	aside := v.ExcludedFrom(&g)
	if !slices.Equal(aside, []string{"b"}) {
		t.Fatalf("%q", aside)
	}
	m := measure(t, "error", "percent")
	ranked, out, _ := v.SelectRanked(v.Cells, &m, []string{"a", "b"})
	if !slices.Equal(ranked, []string{"a"}) || !slices.Equal(out, []string{"b"}) {
		t.Errorf("ranked %q, set aside %q", ranked, out)
	}
	if on := v.TreatFailures(&g); len(on[0].Rows) != 4 {
		t.Errorf("%d rows of a alone", len(on[0].Rows))
	}
	v = New(Study{}, rows, noneAside())
	if on := v.TreatFailures(&g); !slices.Equal(on[0].Replicates, []int{1, 3, 4}) || len(on[0].Rows) != 6 {
		t.Errorf("replicates %v, %d rows", on[0].Replicates, len(on[0].Rows))
	}
}

// Replicates whose data could not be drawn do not count as failures of a classifier.
func TestReplicatesWithoutDataAreNotFailures(t *testing.T) {
	rows := unbalanced()
	for r := range recordstest.Each(rows) {
		if r.Replicate == 2 {
			r.Status, r.Cause, r.Error = records.Failed, records.NotDrawn, math.NaN()
		}
	}
	v := New(Study{}, rows, DefaultInference())
	g := Group{Cells: v.Cells}
	if aside := v.ExcludedFrom(&g); len(aside) > 0 {
		t.Errorf("%+v", aside)
	}
	if on := v.TreatFailures(&g); len(on[0].Replicates) != 3 {
		t.Errorf("replicates %v", on[0].Replicates)
	}
}

// Colours and marks follow the order of the classifiers. Oracles have none.
func TestIndexOmitsOracles(t *testing.T) {
	v := &View{
		Study:   Study{Classifiers: []Component{{ID: "a"}, {ID: "bayes", Oracle: true}, {ID: "b"}}},
		Records: &records.Records{Classifiers: []string{"a", "bayes", "b"}},
	}
	for id, want := range map[string]int{"a": 0, "bayes": -1, "b": 1, "unknown": -1} {
		if got := v.Index(id); got != want {
			t.Errorf("Index(%s) is %d, want %d", id, got, want)
		}
	}
}
