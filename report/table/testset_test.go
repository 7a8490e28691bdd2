package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// testSetFit returns the predictions of classifier k for the 120 rows of one test set, by the formula of
// testdata/testset.R.
func testSetFit(k, fit int) *metrics.Predictions {
	const n = 120
	p := &metrics.Predictions{Scores: mat.NewDense(n, 2, nil)}
	for i := range n {
		truth := i % 2
		label := truth
		if (i*(7+2*k)+5*fit+k)%23 < []int{3, 4, 8}[k] {
			label = 1 - truth
		}
		p.Truth, p.Labels = append(p.Truth, truth), append(p.Labels, label)
		p.Scores.Set(i, 1, float64((2*label-1)*(1+(13*i+5*k+fit)%10)))
	}
	return p
}

// oneTestSet returns a study of three classifiers with the given number of fits on one test set and with kept
// predictions.
func oneTestSet(fits int) (view.Study, *records.Records) {
	study := view.Study{Sampling: map[string]view.Sampling{"c": {OneDataSet: true, Source: "set", OneTestSet: true}}}
	study.Random = randtest.Same
	rows := &records.Records{Study: "s", Classifiers: []string{"a", "b", "c"}, Metrics: []string{"auc"}}
	for fit := 1; fit <= fits; fit++ {
		for k, id := range rows.Classifiers {
			p := testSetFit(k, fit)
			r := records.Record{Cell: "c", Replicate: fit, Classifier: id, Status: records.OK, NTest: len(p.Truth),
				Data: fmt.Sprint("draw ", fit), Confusion: metrics.NewConfusion(2, p.Truth, p.Labels),
				Metrics: p.Metrics([]string{"auc"}, nil)}
			r.SetRates()
			rows.Rows = append(rows.Rows, r)
		}
	}
	study.Predictions = func(_ string, each func(int, string, *metrics.Predictions) error) error {
		for r := range recordstest.Each(rows) {
			if err := each(r.Replicate, r.Classifier, testSetFit(slices.Index(rows.Classifiers, r.Classifier),
				r.Replicate)); err != nil {
				return err
			}
		}
		return nil
	}
	return study, rows
}

// Tests on the rows of one test set assume that these are independent, and a remark says so. If several rows belong
// to one group, there are no tests and no intervals.
func TestDependentTestRowsAreNotTested(t *testing.T) {
	for _, dependent := range []bool{false, true} {
		study, rows := oneTestSet(1)
		sampling := study.Sampling["c"]
		sampling.DependentRows = dependent
		study.Sampling["c"] = sampling
		for _, metric := range []string{"error", "auc"} {
			content := makeTable(t, study, rows, func(o *Options) { o.Metric = metric })
			remarks := strings.Join(content.Remarks, "\n")
			want := "The tests assume that the test rows are independent."
			if dependent {
				want = "some groups have several test rows. These are not independent, so there are no tests"
			}
			texttest.Case(t, metric).Contains(remarks, want)
			for _, e := range content.Rows[0].Entries {
				if dependent && (e.Bold || e.Comparison != nil || e.FirstShare >= 0) {
					t.Errorf("%s, dependent rows: %+v", metric, e)
				}
			}
			if !dependent && !content.HasTests() {
				t.Errorf("%s: no tests of independent rows", metric)
			}
		}
	}
}

// Findings explain intervals only if they contain one. Two fits with the same mistakes have no interval.
func TestFindingsOfEqualFits(t *testing.T) {
	study, rows := oneTestSet(1)
	rows.Classifiers = []string{"a", "b"}
	rows.Rows = rows.Rows[:2]
	rows.Rows[1] = rows.Rows[0]
	rows.Rows[1].Classifier = "b"
	study.Predictions = func(_ string, each func(int, string, *metrics.Predictions) error) error {
		return errors.Join(each(1, "a", testSetFit(0, 1)), each(1, "b", testSetFit(0, 1)))
	}
	content := newTable(t, fixture.DefaultView(study, rows), Defaults())
	f := content.Findings()
	if !slices.Equal(f.Found, []string{"a and b both have the smallest mean test error."}) || f.IntervalMethod != "" {
		t.Errorf("%+v", f)
	}
}

// The numbers of tables with one test set are from an independent script: exact McNemar and DeLong tests to nine
// digits, bootstrap intervals of the difference within four standard errors of their drawn ends.
func TestOneTestSetAgreesWithR(t *testing.T) {
	theirs := fixture.CSV(t, filetest.Read(t, "testdata/testset.csv"))
	if len(theirs) != 9 {
		t.Fatalf("%d lines of R", len(theirs))
	}
	for _, line := range theirs[1:] {
		metric, fits, _ := strings.Cut(line[0], " of ")
		study, rows := oneTestSet(map[string]int{"one fit": 1, "three fits": 3}[fits])
		o := Defaults()
		o.Metric = metric
		content := newTable(t, fixture.DefaultView(study, rows), o)
		ours := fixture.CSV(t, fixture.Render(t, content.CSV))
		at := slices.IndexFunc(ours, func(l []string) bool { return slices.Contains(l, line[1]) })
		for j, name := range theirs[0] {
			want, err := strconv.ParseFloat(line[j], 64)
			if j < 2 || err != nil || math.IsNaN(want) {
				continue
			}
			got, err := strconv.ParseFloat(ours[at][slices.Index(ours[0], name)], 64)
			tolerance := 1e-9 * max(1, math.Abs(want))
			switch {
			case strings.HasPrefix(name, "percentile") || strings.HasPrefix(name, "bca"):
				tolerance = 1.7 // two rows of 120
			case line[0] == "error of three fits" && name == "difference_mcse":
				tolerance = 0.06 // of 9999 resamples, 0.7 percent
			}
			if err != nil || math.Abs(got-want) > tolerance {
				t.Errorf("%s, %s: %s is %v, R has %v", line[0], line[1], name, got, want)
			}
		}
	}
}

// The table names its test, states what the conclusion concerns, and prints both bootstrap intervals.
func TestOneTestSetStatesItsConclusion(t *testing.T) {
	for fits, want := range map[int]string{1: "exact McNemar test on paired test rows",
		3: "two-sided bootstrap test on paired test rows"} {
		study, rows := oneTestSet(fits)
		content := newTable(t, fixture.DefaultView(study, rows), Defaults())
		if !strings.Contains(content.Caption, want) || !slices.Contains(content.Remarks, testedOnRows) {
			t.Errorf("%d fits: %s\n%q", fits, content.Caption, content.Remarks)
		}
		texttest.Contains(t, content.Caption, "Tested quantity: the difference on these test rows.")
		effects := content.Effects()
		texttest.Contains(t, effects.Caption, "on paired test rows")
		lines := strings.Join(effects.Rows[0].Cells[2].Lines, "\n")
		texttest.Contains(t, lines, "percentile [", "BCa [")
		texttest.Lacks(t, lines, "r ")
		if !content.Rows[0].Entries[0].Bold || content.Rows[0].Entries[2].Bold {
			t.Errorf("%d fits: c errs 23 points more often than a: %+v", fits, content.Rows[0].Entries)
		}
	}
}

// DeLong's test resamples no rows, so the caption of its effect sizes mentions no bootstrap.
func TestDeLongHasNoBootstrapIntervals(t *testing.T) {
	study, rows := oneTestSet(3)
	for metric, bootstraps := range map[string]bool{"auc": false, "error": true} {
		o := Defaults()
		o.Metric = metric
		content := newTable(t, fixture.DefaultView(study, rows), o)
		caption := content.Effects().Caption
		check := texttest.Case(t, metric)
		check.Contains(caption, "level of its row")
		check.ContainsIf(bootstraps, caption, "bootstrap")
	}
}

// The corrected resampled t test is refused, and the message names the valid ones; without kept predictions,
// the row is not tested.
func TestOneTestSetRefusesTheCorrectedTest(t *testing.T) {
	study, rows := oneTestSet(3)
	inference := view.DefaultInference()
	inference.Test = "corrected-t"
	_, err := New(view.New(study, rows, inference), Defaults())
	errtest.Case(t, "corrected-t on one test set").Contains(err, "use one of mcnemar, delong, row-bootstrap")
	study.Predictions = fixture.NoPredictions
	content, err := New(fixture.DefaultView(study, rows), Defaults())
	if err != nil || !slices.Contains(content.Remarks, notTested+".") || content.HasTests() {
		t.Errorf("%v, %q", err, content.Remarks)
	}
}

// The lead on one test set has the interval of the test on its rows.
func TestOneTestSetHasItsFinding(t *testing.T) {
	for _, fits := range []int{1, 3} {
		study, rows := oneTestSet(fits)
		content := newTable(t, fixture.DefaultView(study, rows), Defaults())
		q := content.Rows[0].comparison("b")
		want := content.gapWords(stats.Shift{Estimate: -100 * q.Shift.Estimate, Low: -100 * q.Shift.High,
			High: -100 * q.Shift.Low})
		f := content.Findings()
		if len(f.Found) != 1 || !strings.HasPrefix(f.Found[0], "a has the smallest mean test error, "+want+" below b") {
			t.Errorf("%d fits: %q, want %q", fits, f.Found, want)
		}
		texttest.Contains(t, f.IntervalMethod,
			"simultaneous 95% confidence intervals for the difference on the test rows, from the test of the row")
	}
}

// For replicates on one test set, the findings contain no interval of a lead.
func TestOneTestSetHasNoLead(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	leads := func() string { return findings(makeTable(t, study, rows, nil)) }
	if words := leads(); !strings.Contains(words, " to ") {
		t.Fatalf("no interval of independent replicates: %s", words)
	}
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		return view.Sampling{OneDataSet: true, Source: c.ID, OneTestSet: true}
	})
	texttest.Lacks(t, leads(), "points below")
}

// failFirst makes the first fit of b fail.
func failFirst(rows *records.Records) {
	r := &rows.Rows[1]
	*r = records.Record{Cell: r.Cell, Replicate: 1, Classifier: "b", Status: records.Failed, NTest: r.NTest,
		Data: r.Data, Cause: records.FitFailed}
	r.SetRates()
}

// losePredictions removes the predictions of the first fit of the given classifiers.
func losePredictions(study *view.Study, classifiers ...string) {
	study.Predictions = fixture.KeepPredictions(study.Predictions, func(r int, id string, _ *metrics.Predictions) bool {
		return r != 1 || !slices.Contains(classifiers, id)
	})
}

// A failed fit on one test set is compared by the predictions that replace it: those of the worst classifier, of the
// fallback or of the class shares. Those of the fallback do not differ from it.
func TestFailedFitsOnOneTestSetAreTested(t *testing.T) {
	for name, change := range map[string]func(*view.Inference){
		"worst":          func(o *view.Inference) { o.Failures = []string{view.Worst} },
		"fallback: c":    func(o *view.Inference) { o.Failures, o.Fallback = []string{view.Fallback}, "c" },
		"class shares":   func(o *view.Inference) { o.Failures = []string{view.Fallback} },
		"left out alone": func(o *view.Inference) { o.MaxFailureRate = 1 },
	} {
		study, rows := oneTestSet(3)
		failFirst(rows)
		losePredictions(&study, "b")
		o := view.DefaultInference()
		change(&o)
		content := newTable(t, view.New(study, rows, o), Defaults())
		row := &content.Rows[0]
		if len(row.bestSet.Comparisons) != 2 {
			t.Errorf("%s: %d comparisons", name, len(row.bestSet.Comparisons))
			continue
		}
		for _, e := range row.Entries {
			q := e.Comparison
			if q == nil {
				continue
			}
			best := &row.Entries[slices.Index(content.IDs, row.bestSet.Best)]
			if want := (best.Mean - e.Mean) / 100; math.Abs(q.Shift.Estimate-want) > 1e-9 {
				t.Errorf("%s: the rows differ by %v, the means by %v", name, q.Shift.Estimate, want)
			}
		}
	}
}

// If the predictions of a successful fit are not stored, no others replace them, and there is no test.
func TestUnstoredPredictionsAreNotReplaced(t *testing.T) {
	for _, unstored := range []string{"b", "c"} {
		study, rows := oneTestSet(3)
		if unstored == "c" {
			failFirst(rows)
		}
		losePredictions(&study, "b", unstored)
		for _, treatment := range []string{view.Worst, view.Fallback} {
			o := view.DefaultInference()
			o.Failures, o.Fallback = []string{treatment}, "c"
			o.Family = []string{"a", "b"}
			content := newTable(t, view.New(study, rows, o), Defaults())
			if n := len(content.Rows[0].bestSet.Comparisons); n > 0 {
				t.Errorf("%s without the predictions of %s: %d comparisons", treatment, unstored, n)
			}
		}
	}
}

// Rank stability resamples the rows that the tests compare: a single fit would not vary. Each resample has one best
// classifier, or divides it among ties.
func TestOneTestSetResamplesItsRows(t *testing.T) {
	for _, metric := range []string{"error", "auc"} {
		study, rows := oneTestSet(1)
		content := makeTable(t, study, rows, func(o *Options) { o.Metric = metric })
		sum := 0.0
		for _, e := range content.Rows[0].Entries {
			sum += e.FirstShare
		}
		if first := content.Rows[0].Entries[0].FirstShare; !(first > 0.2 && first < 1) || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: a is first in %v of the resamples, the sum is %v", metric, first, sum)
		}
	}
}

// Results on training rows are shown, but no test compares them and no finding mentions them.
func TestTrainingRowsAreNotCompared(t *testing.T) {
	study, rows := oneTestSet(12)
	study.Sampling = map[string]view.Sampling{"c": {OneDataSet: true, Source: "set", Folds: 4,
		TestRatio: 1, OnTrainingRows: true}}
	content := newTable(t, fixture.DefaultView(study, rows), Defaults())
	if n := len(content.Rows[0].bestSet.Comparisons); n > 0 {
		t.Errorf("%d comparisons on training rows", n)
	}
	if found := content.Findings().Found; len(found) > 0 {
		t.Errorf("found %q", found)
	}
	want := "Training error (%): mean (standard deviation) over R = 12 folds (3 splits into 4) per row."
	if content.Caption != want {
		t.Errorf("caption %q, want %q", content.Caption, want)
	}
	texttest.Contains(t, strings.Join(content.Remarks, "\n"), "They describe the fit, not its accuracy")
}
