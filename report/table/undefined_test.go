package table

import (
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

const falseDiscoveries = "cost:n(0,1)/n(_,1)"

// undefinedSample returns a sample in which slb has the smallest losses. In the cells with n = 1000, the metric
// falseDiscoveries is undefined for slb in the given number of first replicates, and for 5nn in the last one. The loss
// of nb is 0 in these first replicates.
func undefinedSample(replicates, undefined int) (view.Study, *records.Records) {
	study, rows := fixture.Sample(replicates)
	share := map[string]int{"slb": 10, "5nn": 20, "nb": 40, "oracle": 5}
	for r := range recordstest.Each(rows) {
		wrong := share[r.Classifier] + r.Replicate*share[r.Classifier]%7
		r.Confusion = metrics.Confusion{500 - wrong, wrong, 100, 100 - wrong}
		if r.Levels.Of("n") != "1000" {
			continue
		}
		ofFirst := r.Classifier == "slb" && r.Replicate <= undefined
		ofLast := r.Classifier == "5nn" && r.Replicate == replicates
		switch {
		case ofFirst || ofLast:
			r.Confusion = metrics.Confusion{500, 0, 500, 0}
		case r.Classifier == "nb" && r.Replicate <= undefined:
			r.Confusion = metrics.Confusion{500, 0, 0, 100}
		}
	}
	return study, rows
}

// undefinedTable returns a table of undefinedSample with 20 replicates. No classifier is set aside. If champion is "",
// the table has no champion.
func undefinedTable(t *testing.T, undefined int, champion string, change func(*Options)) *Table {
	t.Helper()
	study, rows := undefinedSample(20, undefined)
	inference := view.PapersInference()
	inference.MaxFailureRate = 1
	if champion != "" {
		inference.Champion, inference.Alternative = champion, "less"
	}
	o := Defaults()
	o.Metric = falseDiscoveries
	change(&o)
	return newTable(t, view.New(study, rows, inference), o)
}

func inOneCell(o *Options) { o.Where = records.Condition{"n": {"1000"}, "cpd": {"gaussian"}} }

// The best classifier, the tests and the findings of a row use the same replicates, whose number is stated.
func TestComparisonsUseCommonReplicates(t *testing.T) {
	content := undefinedTable(t, 12, "", inOneCell)
	row := content.Rows[0]
	if row.Entries[0].N != 8 || row.Entries[1].N != 19 || row.Entries[0].compared.N != 7 || row.bestSet.Best != "slb" {
		t.Errorf("%+v", row)
	}
	for _, q := range row.bestSet.Comparisons {
		if q.Pairs != 7 {
			t.Errorf("%+v", q)
		}
	}
	hasRemarks(t, content, "Tests, findings, ranks and the choice of the best mean use the replicates "+
		"in which the metric is defined for all compared classifiers: 7.")
}

// A champion is compared with each classifier on the replicates in which both have the metric.
func TestChampionUsesPairs(t *testing.T) {
	content := undefinedTable(t, 12, "5nn", inOneCell)
	row := content.Rows[0]
	if a, b := row.comparison("slb").Pairs, row.comparison("nb").Pairs; a != 7 || b != 19 {
		t.Errorf("%d and %d pairs", a, b)
	}
	hasRemarks(t, content, "A test uses the replicates in which the metric is defined for both classifiers.")
}

// A classifier that often lacks the metric in a single cell keeps its mean. It is not compared, so it does not reduce
// the results of others. A single undefined result excludes no classifier.
func TestUndefinedClassifierOfOneCellIsSetAside(t *testing.T) {
	study, rows := undefinedSample(20, 12)
	content := makeTable(t, study, rows, func(o *Options) { o.Metric = falseDiscoveries; inOneCell(o) })
	row := content.Rows[0]
	if slb := row.Entries[0]; slb.Undefined || slb.N != 8 || slb.Bold {
		t.Errorf("%+v", slb)
	}
	hasRemarks(t, content, "Not compared, since more than 5% of their results in a cell lack the metric: SLB.")
	if q := row.comparison("5nn"); q == nil || q.Pairs != 19 {
		t.Errorf("%+v", row.bestSet)
	}
	study, rows = undefinedSample(10, 1)
	content = makeTable(t, study, rows, func(o *Options) { o.Metric = falseDiscoveries; inOneCell(o) })
	if q := content.Rows[0].comparison("slb"); q == nil && content.Rows[0].bestSet.Best != "slb" {
		t.Errorf("%+v", content.Rows[0].bestSet)
	}
}

// Only the columns of a table remove results from its rows, and each classifier of a contrast only its own.
func TestOtherClassifiersRemoveNoResults(t *testing.T) {
	study, rows := undefinedSample(40, 2)
	byN := func(o *Options) {
		o.Metric, o.Rows, o.Columns = falseDiscoveries, []string{"n"}, []string{"nb", "oracle"}
	}
	content := makeTable(t, study, rows, byN)
	for _, row := range content.Rows {
		if row.Entries[0].N != 80 || row.Entries[1].N != 80 {
			t.Errorf("%+v", row)
		}
	}
	content = makeTable(t, study, rows, func(o *Options) { byN(o); o.Columns, o.Contrast = nil, "n" })
	e := content.Rows[1].Entries
	isUndefined := func(e Entry) bool { return e.Undefined }
	if e[0].N != 76 || e[1].N != 78 || e[2].N != 80 || slices.ContainsFunc(e, isUndefined) {
		t.Errorf("%+v", e)
	}
}

// A row of several cells leaves out classifiers for which the metric is often undefined in some cell, because their
// means would be over other cells.
func TestPooledRowsLeaveOutUndefinedClassifiers(t *testing.T) {
	study, rows := undefinedSample(20, 12)
	content := makeTable(t, study, rows, func(o *Options) { o.Metric, o.Rows = falseDiscoveries, []string{} })
	row := content.Rows[0]
	if e := row.Entries[0]; !e.Undefined || e.N != 0 || e.Bold || row.bestSet.Best != "5nn" {
		t.Errorf("%+v", row)
	}
	if a, b := row.Entries[1].N, row.Entries[2].N; a != 6*20-2 || a != b { // without the last replicates of two cells
		t.Errorf("%d and %d results", a, b)
	}
	texttest.Contains(t, findings(content), "of their results in a cell lack the metric: SLB.")
	rows.Classifiers = []string{"slb", "5nn"}
	recordstest.Delete(rows, func(r records.Record) bool {
		return !slices.Contains(rows.Classifiers, r.Classifier)
	})
	content = makeTable(t, study, rows, func(o *Options) { o.Metric, o.Rows = falseDiscoveries, []string{} })
	if content.Bold != "" || len(content.Notes) != 1 {
		t.Errorf("%q, %q", content.Bold, content.Notes)
	}
}

// Findings leave out undecided rows and name the others.
func TestFindingsLeaveOutUndecidedRows(t *testing.T) {
	content := undefinedTable(t, 17, "", func(*Options) {}) // leaves two common replicates
	words := findings(content)
	texttest.Contains(t, words, "Left out, because too many results lack the metric: 2 of 6 rows (gaussian, n = 1000 "+
		"and complex, n = 1000). Averages omit each level that has such a row.")
	ofGaussian := func(o *Options) { o.Where = records.Condition{"cpd": {"gaussian"}, "n": {"200", "1000"}} }
	if words := findings(undefinedTable(t, 17, "", ofGaussian)); !strings.HasPrefix(words, "For n = 200, SLB has") {
		t.Error(words)
	}
	for want, cpds := range map[string][]string{"In 1 row ": {"gaussian"}, "In 2 rows ": {"gaussian", "complex"}} {
		isUndecided := func(o *Options) { o.Where = records.Condition{"n": {"1000"}, "cpd": cpds} }
		f := undefinedTable(t, 17, "", isUndecided).Findings()
		want += "no difference could have been shown: there are too few replicates."
		if f.Found != nil || !slices.Equal(f.NotShown, []string{want}) {
			t.Errorf("all rows are undecided: %+v", f)
		}
	}
	content = undefinedTable(t, 19, "", func(*Options) {}) // leaves no common replicate
	const note = "Too many results lack the metric, so this row cannot show a difference and marks no classifier."
	if i := slices.Index(content.Notes, note); i < 0 || content.Rows[2].Note != i+1 {
		t.Errorf("%q", content.Notes)
	}
	texttest.Contains(t, strings.Join(content.Remarks, "\n"), "1 to 20 in densities gaussian, n 1000")
}

// A row whose differences do not vary adds nothing to the standard error of an average. If no row varies, the average
// has no interval, but findings state the lead.
func TestAveragesOverRowsWithoutVariation(t *testing.T) {
	study, rows := fixture.Sample(20)
	for _, cells := range [][]string{{"c00"}, {"c00", "c01"}} {
		for r := range recordstest.Each(rows) {
			if slices.Contains(cells, r.Cell) {
				r.Error = map[string]float64{"slb": 0.1, "5nn": 0.2}[r.Classifier]
			}
		}
		content := makeTable(t, study, rows, nil)
		if l, ok := content.lead([]int{0, 1}, 1); !ok || l.hasInterval() != (len(cells) == 1) {
			t.Errorf("%q: %+v", cells, l)
		}
	}
	one := makeTable(t, study, rows,
		func(o *Options) { o.Where = map[string][]string{"cpd": {"gaussian"}, "n": {"200"}} })
	const want = "NB has the smallest mean test error, 10.00 (without variation) percentage points below SLB."
	if f := one.Findings(); !slices.Equal(f.Found, []string{want}) || f.IntervalMethod != "" {
		t.Errorf("%+v", f)
	}
}

// A remark counts results that replace failed fits but lack the metric, too.
func TestUndefinedReplacementsAreCounted(t *testing.T) {
	study, rows := undefinedSample(20, 0)
	fixture.Fail(rows, "c00", "nb", 1, "no convergence")
	inference := view.PapersInference()
	inference.Failures = []string{view.Fallback}
	o := Defaults()
	o.Metric = falseDiscoveries
	content := newTable(t, view.New(study, rows, inference), o)
	texttest.Contains(t, strings.Join(content.Remarks, "\n"), "NB 1 of 120.")
}

// On one test set, the tests compare the fits for which the metric is defined for all classifiers.
func TestUndefinedFitsOnOneTestSet(t *testing.T) {
	study, rows := oneTestSet(3)
	study.Predictions = fixture.KeepPredictions(study.Predictions, func(r int, id string, p *metrics.Predictions) bool {
		if r == 1 && id == "a" || id == "c" {
			p.Labels = make([]int, len(p.Truth))
		}
		return true
	})
	for r := range recordstest.Each(rows) {
		if r.Replicate == 1 && r.Classifier == "a" || r.Classifier == "c" {
			r.Confusion = metrics.Confusion{60, 0, 60, 0}
		}
	}
	o := Defaults()
	o.Metric = falseDiscoveries
	inference := view.DefaultInference()
	inference.MaxFailureRate = 1
	content := newTable(t, view.New(study, rows, inference), o)
	if best := content.Rows[0].bestSet; len(best.Comparisons) != 1 || best.Best == "c" {
		t.Errorf("%+v", best)
	}
}

// A table of excess leaves out and names the cells without the oracle, so that notes count only the others.
func TestExcessLeavesOutCellsWithoutTheOracle(t *testing.T) {
	study, rows := fixture.Sample(6)
	lacksOracle := func(r records.Record) bool { return r.Classifier == "oracle" && r.Levels.Of("n") == "1000" }
	recordstest.Delete(rows, lacksOracle)
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Excess = []string{"cpd"}, true })
	hasRemarks(t, content, "Each row pools 2 cells of the design, which differ in n.",
		"Left out: 2 of 6 cells, because Bayes did not run there (gaussian, n = 1000; complex, n = 1000).")
	o := Defaults()
	o.Excess, o.Where = true, records.Condition{"n": {"1000"}}
	_, err := New(fixture.PapersView(study, rows), o)
	errtest.Case(t, "without the oracle").HasPrefix(err, "Bayes has no results in these cells")
}
