package records_test

import (
	"math"
	"testing"

	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// foldRecords has two tasks of two folds of classifiers a and b in cell x, where the last fold of b is
// missing, and one replicate of a without folds in cell y.
func foldRecords() *records.Records {
	r := &records.Records{
		Factors:     []records.Factor{{Name: "f", Levels: []string{"1", "2"}}},
		Classifiers: []string{"a", "b"},
	}
	add := func(cell, level string, replicate int, classifier string, errors, n int, ber float64, data string) {
		r.Rows = append(r.Rows, records.Record{
			Cell:       cell,
			Levels:     records.Align([]string{"f"}, []string{level}),
			Replicate:  replicate,
			Classifier: classifier,
			Status:     records.OK,
			NTest:      n,
			Errors:     errors,
			Error:      float64(errors) / float64(n),
			BER:        ber,
			Data:       data,
		})
	}
	add("x", "1", 1, "a", 1, 10, 0.2, "d1")
	add("x", "1", 2, "a", 3, 10, 0.4, "d2")
	add("x", "1", 3, "a", 2, 10, 0.1, "d3")
	add("x", "1", 4, "a", 2, 10, 0.3, "d4")
	add("x", "1", 1, "b", 5, 10, 0.5, "d1")
	add("x", "1", 2, "b", 5, 10, 0.5, "d2")
	add("x", "1", 3, "b", 4, 10, 0.4, "d3")
	add("y", "2", 1, "a", 7, 10, 0.7, "e1")
	r.Sort()
	return r
}

func TestOverFolds(t *testing.T) {
	r := foldRecords()
	got := r.OverFolds(map[string]int{"x": 2})
	want := []records.Record{
		{Cell: "x", Replicate: 1, Classifier: "a", NTest: 20, Errors: 4, Error: 0.2, BER: 0.3, Data: "d1+d2"},
		{Cell: "x", Replicate: 1, Classifier: "b", NTest: 20, Errors: 10, Error: 0.5, BER: 0.5, Data: "d1+d2"},
		{Cell: "x", Replicate: 2, Classifier: "a", NTest: 20, Errors: 4, Error: 0.2, BER: 0.2, Data: "d3+d4"},
		{Cell: "y", Replicate: 1, Classifier: "a", NTest: 10, Errors: 7, Error: 0.7, BER: 0.7, Data: "e1"},
	}
	if len(got.Rows) != len(want) {
		t.Fatalf("%d rows, want %d: an incomplete task is left out", len(got.Rows), len(want))
	}
	for i, w := range want {
		g := got.Rows[i]
		if g.Cell != w.Cell || g.Replicate != w.Replicate || g.Classifier != w.Classifier || g.NTest != w.NTest ||
			g.Errors != w.Errors || math.Abs(g.Error-w.Error) > 1e-15 || math.Abs(g.BER-w.BER) > 1e-15 ||
			g.Data != w.Data || g.Status != records.OK {
			t.Errorf("row %d: %+v, want %+v", i, g, w)
		}
	}
	// The standard error counts tasks, not folds.
	cell := got.Cells()[0]
	if s := cell.Summary(metrics.BalancedError, "a"); s.N != 2 || math.Abs(s.MCSE-0.05) > 1e-15 {
		t.Errorf("summary over tasks: %+v, want 2 with a standard error of 0.05", s)
	}
}

// If the test rows of a fold do not determine a metric, such as the AUC of a single class, the mean is over
// the other folds. If a value is missing for another reason, there is no mean.
func TestOverFoldsOfUndefinedMetrics(t *testing.T) {
	r := foldRecords()
	at := func(replicate int) *records.Record {
		for row := range recordstest.Each(r) {
			if row.Cell == "x" && row.Classifier == "a" && row.Replicate == replicate {
				return row
			}
		}
		return nil
	}
	for replicate := range 4 {
		at(replicate + 1).Confusion = metrics.Confusion{4, 1, 2, 3}
		at(replicate + 1).Metrics = map[string]float64{"auc": 0.75}
	}
	at(1).Metrics, at(1).Confusion = nil, metrics.Confusion{8, 2, 0, 0}
	at(4).Metrics = nil
	rows := r.OverFolds(map[string]int{"x": 2}).Rows
	if auc := rows[0].Metric("auc"); auc != 0.75 {
		t.Errorf("with a fold of one class %v, want that of the other", auc)
	}
	if auc := rows[2].Metric("auc"); rows[2].Classifier != "a" || !math.IsNaN(auc) {
		t.Errorf("%s without the metric in a fold of both classes: %v", rows[2].Classifier, auc)
	}
}

// One failed fold fails its task, with the fold's message.
func TestOverFoldsFailure(t *testing.T) {
	r := foldRecords()
	r.Rows[0].Status, r.Rows[0].Message = records.Failed, "no rows"
	r.Rows[0].Error, r.Rows[0].BER = math.NaN(), math.NaN()
	row := r.OverFolds(map[string]int{"x": 2}).Rows[0]
	if row.Status != records.Failed || !math.IsNaN(row.Error) || !math.IsNaN(row.BER) || row.Message != "no rows" {
		t.Errorf("the task of a failed fold is %+v", row)
	}
}

// A task lacks data if a draw failed in any fold, whatever else failed.
func TestOverFoldsFailedDraw(t *testing.T) {
	failures := func(causes ...records.Cause) (folds []*records.Record) {
		for _, cause := range causes {
			folds = append(folds, &records.Record{Status: records.Failed, Cause: cause})
		}
		return folds
	}
	for _, folds := range [][]*records.Record{failures(records.FitFailed, records.NotDrawn),
		failures(records.NotDrawn, records.FitFailed)} {
		if mean := records.Mean(folds); mean.Cause != records.NotDrawn {
			t.Errorf("cause %q", mean.Cause)
		}
	}
}
