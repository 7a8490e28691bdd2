package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

// Every cell of a table agrees with a simple loop over the rows.
func TestTableCountsAndMeans(t *testing.T) {
	study, rows := fixture.Sample(40)
	fixture.Fail(rows, "c01", "nb", 3, "no")
	fixture.Fail(rows, "c01", "nb", 4, "no")
	for _, metric := range []string{"error", "ber", "accuracy"} {
		content := makeTable(t, study, rows, func(o *Options) { o.Metric = metric; o.Scale = "fraction" })
		if len(content.Rows) != 6 || len(content.IDs) != 4 {
			t.Fatalf("%d rows and %d columns, want 6 and 4", len(content.Rows), len(content.IDs))
		}
		for _, row := range content.Rows {
			for k, id := range content.IDs {
				n, failed, sum := 0, 0, 0.0
				for _, r := range rows.Rows {
					if r.Classifier != id || r.Levels != row.Levels {
						continue
					}
					if r.Status == records.Failed {
						failed++
					}
					if r.Cell == "c01" && (r.Replicate == 3 || r.Replicate == 4) {
						continue // not all succeeded
					}
					n++
					sum += map[string]float64{"error": r.Error, "ber": r.BER, "accuracy": 1 - r.Error}[metric]
				}
				c := row.Entries[k]
				if c.N != n || c.Failed != failed || math.Abs(c.Mean-sum/float64(n)) > 1e-12 {
					t.Errorf("%s %v %s: n %d failed %d mean %v, want %d %d %v", metric, row.Levels, id, c.N, c.Failed,
						c.Mean, n, failed, sum/float64(n))
				}
			}
		}
	}
}

// The classifiers in bold are the best set of the family, whatever else the table shows.
func TestBoldIsTheBestSet(t *testing.T) {
	study, rows := fixture.Sample(30)
	content := makeTable(t, study, rows, func(o *Options) { o.Columns = []string{"oracle", "nb", "5nn", "slb"} })
	both := 0
	for i, cell := range rows.Cells() {
		best, err := verdicts.Best(&cell, verdicts.DefaultBestOptions([]string{"nb", "5nn", "slb"}))
		if err != nil {
			t.Fatal(err)
		}
		for k, id := range content.IDs {
			if c := content.Rows[i].Entries[k]; c.Bold != best.Contains(id) || c.Best != (id == best.Best) {
				t.Errorf("%v %s: bold %v best %v, want %v %v", cell.Levels, id, c.Bold, c.Best, best.Contains(id),
					id == best.Best)
			}
		}
		both += len(best.Members)
	}
	if both == 6 || both == 18 {
		t.Fatalf("the sample has %d bold cells in 6 rows of 3: it cannot tell right from wrong", both)
	}
	texttest.Lacks(t, content.Caption, "Compared: Bayes")
	texttest.Contains(t, content.Caption, "for reference only: Bayes")
	isOracle := func(r records.Record) bool { return r.Classifier == "oracle" }
	recordstest.Delete(rows, isOracle)
	dashes := makeTable(t, study, rows, func(o *Options) { o.Columns = []string{"oracle", "nb", "5nn", "slb"} })
	if strings.Contains(dashes.Caption, "reference") || len(dashes.Families()[0].NotCompared) > 0 {
		t.Errorf("the oracle has only dashes: %s", dashes.Caption)
	}
}

// A classifier that the study does not run in a row is not compared there. The correction of the row does not
// count it, as caption and families state.
func TestFamilyOfARow(t *testing.T) {
	study, rows := fixture.Sample(30)
	first := rows.Rows[0].Cell
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "5nn" && r.Cell == first
	})
	for correction, want := range map[string]string{"bonferroni": "Bonferroni (1 to 2 comparisons per row, each at " +
		"0.05 divided by their number)", "holm": "Holm (1 to 2 comparisons per row)",
		"pairs": "Bonferroni over all pairs (1 to 3 per row, each at 0.05 divided by their number)",
		"none":  "each of 1 to 2 comparisons per row at level 0.05, uncorrected"} {
		inference := view.PapersInference()
		inference.Correction = correction
		v := view.New(study, rows, inference)
		content, err := New(v, Defaults())
		if err != nil || !strings.Contains(content.Caption, want) {
			t.Errorf("%v, %s, want %s", err, content.Caption, want)
		}
		families := content.Families()
		counts := map[string][2]int{}
		for _, f := range families {
			counts[strings.Join(f.Members, " ")] = [2]int{f.Count, f.Hypotheses}
		}
		many := map[bool]int{true: 3, false: 2}[correction == "pairs"]
		if err != nil || len(counts) != 2 || counts["slb nb"] != [2]int{1, 1} ||
			counts["slb 5nn nb"] != [2]int{5, many} {
			t.Errorf("%s: %v, %v", correction, counts, err)
		}
	}
}

// The level of several comparisons with the best of a row is nominal, because the best is chosen on the same
// data. The level of one comparison, of all pairs or with a champion is exact.
func TestNominalLevels(t *testing.T) {
	study, rows := fixture.Sample(12)
	for name, c := range map[string]struct {
		change  func(*view.Inference)
		nominal bool
	}{
		"papers":      {func(*view.Inference) {}, true},
		"holm":        {func(o *view.Inference) { o.Correction = "holm" }, true},
		"pairs":       {func(o *view.Inference) { o.Correction = "pairs" }, false},
		"champion":    {func(o *view.Inference) { o.Alternative, o.Champion = "less", "nb" }, false},
		"two":         {func(o *view.Inference) { o.Family = []string{"slb", "nb"} }, false},
		"uncorrected": {func(o *view.Inference) { o.Correction = "none" }, false},
	} {
		inference := view.PapersInference()
		c.change(&inference)
		v := view.New(study, rows, inference)
		content := newTable(t, v, Defaults())
		families := content.Families()
		for _, words := range []string{content.Caption, families[0].Level} {
			check := texttest.Case(t, name)
			check.Contains(words, "level 0.05")
			check.ContainsIf(c.nominal, words, "nominal")
		}
	}
}

// A table with its own family compares only this family.
func TestFamilyOfATable(t *testing.T) {
	study, records := fixture.Sample(30)
	content := makeTable(t, study, records, func(o *Options) { o.Family, o.Ranks = []string{"nb", "5nn"}, true })
	for i, cell := range records.Cells() {
		best, err := verdicts.Best(&cell, verdicts.DefaultBestOptions([]string{"nb", "5nn"}))
		if err != nil {
			t.Fatal(err)
		}
		for k, id := range content.IDs {
			if c := content.Rows[i].Entries[k]; c.Bold != best.Contains(id) {
				t.Errorf("%v %s: bold %v, want %v", cell.Levels, id, c.Bold, best.Contains(id))
			}
			if ranked := content.Foot[0].Cells[k].Main != ""; ranked != (id == "nb" || id == "5nn") {
				t.Errorf("%s is ranked: %v", id, ranked)
			}
		}
	}
	texttest.Contains(t, content.Caption, "one comparison per row")
	texttest.Contains(t, content.Effects().Caption, " and its 95% confidence interval. ")
}

// A table with its own test uses only this test, and the caption names it.
func TestTestOfATable(t *testing.T) {
	study, records := fixture.Sample(30)
	content := makeTable(t, study, records, func(o *Options) { o.Test = "sign" })
	for i, cell := range records.Cells() {
		options := verdicts.DefaultBestOptions(content.Family)
		sign, err := stats.FindTest("sign", stats.Independent)
		if err != nil {
			t.Fatal(err)
		}
		options.Paired = verdicts.Paired{Test: sign, Design: stats.Independent}
		best, err := verdicts.Best(&cell, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range best.Comparisons {
			k := slices.Index(content.IDs, c.Other)
			if got := content.Rows[i].Entries[k].Comparison; got == nil || got.P != c.P {
				t.Errorf("%v %s: %+v, want p = %v", cell.Levels, c.Other, got, c.P)
			}
		}
	}
	texttest.Contains(t, content.Caption, "two-sided sign test")
}

func TestCaptionStatesTheNumbers(t *testing.T) {
	study, records := fixture.Sample(12)
	for _, c := range []struct {
		change func(*Options)
		want   []string
	}{
		{nil, []string{"Test error (%): mean (standard deviation)", "R = 12", "smallest mean",
			"two-sided Wilcoxon signed-rank", "0.05, Bonferroni", "each at 0.05/2", "SLB, 5-NN, NB"}},
		{func(o *Options) { o.Spread = "se"; o.Scale = "fraction"; o.Metric = "ber" },
			[]string{"Balanced test error: mean (Monte-Carlo standard error of the mean)"}},
		{func(o *Options) { o.Metric = "accuracy" }, []string{"Test accuracy (%)", "largest mean"}},
	} {
		caption := makeTable(t, study, records, c.change).Caption
		texttest.Contains(t, caption, c.want...)
	}
	fixture.Fail(records, "c00", "nb", 1, "no")
	records.Rows = records.Rows[:len(records.Rows)-4] // the last trial is not there yet
	texttest.Contains(t, makeTable(t, study, records, nil).Caption, "R = 11 to 12")
}

func TestRowsFollowTheDeclaredLevels(t *testing.T) {
	study, records := fixture.Sample(3)
	content := makeTable(t, study, records,
		func(o *Options) { o.Rows = []string{"n", "cpd"}; o.Where = map[string][]string{"n": {"1000", "200"}} })
	var got []string
	for _, row := range content.Rows {
		got = append(got, strings.Join(row.Levels.List(content.Factors), " "))
	}
	want := []string{"200 gaussian", "200 complex", "1000 gaussian", "1000 complex"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestRowsOfSeveralCellsStateIt(t *testing.T) {
	study, records := fixture.Sample(5)
	content := makeTable(t, study, records, func(o *Options) { o.Rows = []string{"n"} })
	if n := content.Rows[0].Entries[0].N; n != 10 {
		t.Errorf("a row of two cells of 5 replicates has %d", n)
	}
	if len(content.Remarks) == 0 || !strings.Contains(content.Remarks[0], "differ in densities") {
		t.Errorf("no remark names the hidden factor: %q", content.Remarks)
	}
}

// A classifier that a study runs in some of the cells of a row has the mean of these cells. The table states
// this, and which classifier is better in the cells where both ran.
func TestFewerResultsAreStated(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) { // errors of slb are the least everywhere, of nb less where it stays
		if r.Levels != rows.Rows[0].Levels && r.Classifier != "nb" {
			r.Error += 0.4
		}
	}
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Levels != rows.Rows[0].Levels
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Rows = []string{} })
	best := content.Rows[0].bestSet
	if best.Best != "nb" || !best.Contains("slb") {
		t.Fatalf("%+v", best)
	}
	hasRemarks(t, content, "NB was not run on all data: its mean is over 12 of 72 replicates, and "+
		"its tests use the results that both classifiers have.",
		"SLB is shown to be better than NB on the results available for both, although its mean is worse: both are "+
			"bold.")
	content = makeTable(t, study, rows, func(o *Options) { o.Rows = []string{"n"} })
	texttest.Contains(t, strings.Join(content.Remarks, "\n"),
		"NB was not run on all data: its mean is over 12 of 24 replicates for n ")
}

// A test of all pairs leaves out a classifier that ran in only some of the cells of a row. It compares the
// others on all their results. A row without two such classifiers has a footnote instead of a test.
func TestJointTestsNeedAllData(t *testing.T) {
	study, rows := fixture.Sample(4)
	ranIn := func(cpd string, ids ...string) {
		recordstest.Delete(rows, func(r records.Record) bool {
			return slices.Contains(ids, r.Classifier) && r.Levels.Of("cpd") != cpd
		})
	}
	o := Defaults()
	o.Rows = []string{"n"}
	joint := func() *Table {
		content := newTable(t, fixture.DefaultView(study, rows), o)
		return content
	}
	ranIn("gaussian", "nb")
	content := joint()
	const leftOut = "since they were not run on all data: NB"
	best := content.Rows[0].bestSet
	if !slices.Equal(best.Family, []string{"slb", "5nn"}) || best.Comparisons[0].Pairs != 8 {
		t.Errorf("the test of slb and 5nn: %+v", best)
	}
	if !slices.Contains(content.Remarks, "Not compared and not bold, "+leftOut+".") ||
		slices.ContainsFunc(content.Remarks, func(s string) bool { return strings.Contains(s, "both classifiers") }) {
		t.Errorf("%q", content.Remarks)
	}
	texttest.Contains(t, content.Caption, "one comparison per row",
		"Compared: SLB, 5-NN; shown for reference only: Bayes.")
	if found := content.Findings(); !slices.Equal(found.Excluded, []string{"Not compared, " + leftOut + "."}) ||
		!strings.Contains(found.Found[0], "leave it out") {
		t.Errorf("%+v", found)
	}

	o.Rows = []string{"cpd"} // NB ran in one of the rows
	const ofTwo = " In rows that compare two classifiers, the test is the Wilcoxon signed-rank test, and " +
		"the tested quantity is the Hodges-Lehmann shift. "
	texttest.Contains(t, joint().Caption, ofTwo)

	o.Rows = []string{"n"}
	ranIn("complex", "5nn")
	content = joint()
	if content.Bold != "" || content.Rows[0].Note != 1 || !slices.Equal(content.Notes, []string{"Fewer than two " +
		"classifiers were run on all data of this row, so it has no tests and marks no classifier."}) {
		t.Errorf("%q, notes %q", content.Bold, content.Notes)
	}
	want := "Not compared, since they were not run on all data: 5-NN; NB. Fewer than two classifiers remain in 3 " +
		"rows, so there is no test."
	if found := content.Findings(); len(found.Excluded) != 1 || found.Excluded[0] != want {
		t.Errorf("%q", found.Excluded)
	}
}

// Over the folds of data sets and tasks, metrics of counts use the summed counts, and other metrics are
// means.
func TestUnitsOfCounts(t *testing.T) {
	for _, c := range []struct{ metric, units, want string }{
		{"error", "R = 20 tasks", "; the result of a task is the mean over the folds of one problem"},
		{"mcc", "R = 20 tasks", "; the confusion matrix of a task is the sum over the folds of one problem"},
		{"mcc", "R = 6 data sets", "; the confusion matrices of the folds of a cross-validation are added"},
		{"ber", "R = 6 data sets", ""}, {"auc", "R = 6 data sets", ""}, {"mcc", "R = 5 folds", ""},
	} {
		m, err := view.NewMeasure(c.metric, "percent")
		if err != nil {
			t.Fatal(err)
		}
		if got := unitWords(&m, c.units); got != c.want {
			t.Errorf("%s over %s: %q, want %q", c.metric, c.units, got, c.want)
		}
	}
}

// Captions of times describe the results, not copse.
func TestCaptionOfTimes(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		r.Fit = 1
	}
	caption := makeTable(t, study, rows, func(o *Options) { o.Metric = "fit_seconds" }).Caption
	texttest.Contains(t, caption, "The time of each classifier includes the work")
	texttest.Lacks(t, caption, "copse")
}

// Standard errors over data sets are not called Monte-Carlo errors.
func TestErrorsOverDataSets(t *testing.T) {
	study, rows := fixture.Sample(3)
	label := func() string {
		content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.MCSE, o.Spread = []string{}, true, "se" })
		isWithinCells := strings.Contains(content.Foot[0].Heads[0].Label, "within cells")
		if strings.Contains(content.Caption, view.TestsOfPooledCells) != isWithinCells ||
			strings.HasSuffix(content.EffectsLegend(), " include the variation between cells.") != isWithinCells {
			t.Errorf("%s: %s %s", content.Foot[0].Heads[0].Label, content.Caption, content.EffectsLegend())
		}
		return content.Foot[0].Heads[0].Label + "; " + content.Caption
	}
	if words := label(); !strings.HasPrefix(words, "largest Monte-Carlo s.e. within cells;") ||
		!strings.Contains(words, "(Monte-Carlo standard error of the mean within cells)") {
		t.Error(words)
	}
	all := rows.Rows
	rows.Rows = slices.DeleteFunc(slices.Clone(all), func(r records.Record) bool { return r.Replicate > 1 })
	if words := label(); !strings.HasPrefix(words, "largest s.e. over cells;") {
		t.Errorf("one replicate in each cell: %s", words)
	}
	for i := range all {
		all[i].Data = fmt.Sprint("draw ", all[i].Replicate)
	}
	rows.Rows = all
	if words := label(); !strings.HasPrefix(words, "largest Monte-Carlo s.e.;") {
		t.Errorf("all cells share their draws: %s", words)
	}
	_, rows = fixture.Sample(3)
	fixture.SetSampling(&study, rows, view.Sampling{Folds: 3, OneDataSet: true, TestRatio: 0.5})
	if words := label(); !strings.HasPrefix(words, "largest s.e. over data sets;") ||
		!strings.Contains(words, "(standard error of the mean over data sets)") {
		t.Error(words)
	}
}

// If data sets are the units, a failed fold is counted as a fit.
func TestFailuresOfDataSets(t *testing.T) {
	study, records := fixture.Sample(3)
	fixture.SetSampling(&study, records, view.Sampling{Folds: 3, OneDataSet: true, TestRatio: 0.5})
	fixture.Fail(records, "c01", "nb", 3, "no")
	content := makeTable(t, study, records, func(o *Options) { o.Rows = []string{} })
	want := "NB: 1 of the 18 fits in 1 marked row failed. In 1 row, " +
		"too many fits failed for a mean, test or rank."
	if len(content.Notes) == 0 || content.Notes[0] != want {
		t.Errorf("notes %q, want %s", content.Notes, want)
	}
}

func TestFailuresAndWarningsBecomeNotes(t *testing.T) {
	study, records := fixture.Sample(40)
	fixture.Fail(records, "c01", "nb", 3, "no")
	fixture.Fail(records, "c12", "nb", 4, "no")
	fixture.Fail(records, "c00", "5nn", 3, "no")
	fixture.Fail(records, "c12", "5nn", 4, "no")
	for r := range recordstest.Each(records) {
		if r.Classifier == "slb" && r.Replicate < 3 {
			r.Message = "stopped after " + r.Levels.Of("n") + " steps"
		}
	}
	content := makeTable(t, study, records, nil)
	want := []string{"5-NN, NB: 2 of the 80 fits of each classifier in 2 marked rows failed.",
		"SLB warned in 12 fits: stopped after 200 to 1000 steps."}
	if len(content.Notes) != 1 || !strings.HasPrefix(content.Notes[0], want[0]) ||
		content.Remarks[len(content.Remarks)-1] != want[1] {
		t.Errorf("notes %q, remarks %q, want %q", content.Notes, content.Remarks, want)
	}
	for r := range recordstest.Each(records) {
		if r.Classifier != "nb" && r.Status == "ok" {
			r.Message = fmt.Sprintf("column %q is constant", fmt.Sprint("x", r.Replicate))
		}
	}
	const columns = `SLB warned in 240 fits, 5-NN in 238, Bayes in 240: column "x1" is constant; ` +
		`also "x2", "x3", "x4", "x5", "x6" and 34 others.`
	if got := makeTable(t, study, records, nil).Remarks; got[len(got)-1] != columns {
		t.Errorf("remarks %q, want %q", got, columns)
	}
	for i, row := range content.Rows {
		if marked := row.Entries[2].Note == 1; marked != (i == 1 || i == 5) {
			t.Errorf("row %d marked: %v", i, marked)
		}
	}
}

func TestTooFewReplicatesAreStated(t *testing.T) {
	study, records := fixture.Sample(4)
	content := makeTable(t, study, records, nil)
	if len(content.Notes) != 1 || !strings.Contains(content.Notes[0], "at least 7") || content.Rows[0].Note != 1 {
		t.Errorf("notes %q, first row's note %d", content.Notes, content.Rows[0].Note)
	}
	for _, c := range content.Rows[0].Entries {
		if c.Bold {
			t.Error("bold although no difference is significant")
		}
	}
	single := makeTable(t, study, fixture.OnlyReplicate(records, 1), nil)
	texttest.Contains(t, single.Caption, "over R = 1 replicate per row")
	e := single.formatEntry(&single.Rows[0], &single.Rows[0].Entries[0])
	if e.Main == "–" || e.Spread != "" {
		t.Errorf("one replicate prints %+v, want a mean without spread", e)
	}
}

// Fits on one test set carry no information about other rows. Without kept predictions there is no test and
// no bold type, for any number of replicates. The standard error is over the fits.
func TestOneTestSetIsNotTested(t *testing.T) {
	study, records := fixture.Sample(12)
	study.Predictions = nil
	study.Sampling = map[string]view.Sampling{}
	for _, c := range records.Cells() {
		study.Sampling[c.ID] = view.Sampling{OneDataSet: true, OneTestSet: true}
		content := makeTable(t, study, records, nil)
		all := len(study.Sampling) == len(content.Rows)
		for i, row := range content.Rows {
			one := i < len(study.Sampling)
			if got := row.Note > 0; got != (one && !all) {
				t.Errorf("%d cells of one test set: row %d has the note %d", len(study.Sampling), i, row.Note)
			}
			for _, e := range row.Entries {
				if one && (e.Bold || e.Comparison != nil || e.MCSE != e.SD/math.Sqrt(12)) {
					t.Errorf("%d cells of one test set: row %d: %+v", len(study.Sampling), i, e)
				}
			}
		}
		if strings.Contains(content.Caption, "Bold") == all || !strings.Contains(content.Caption,
			"fits on one test set") || strings.Contains(content.Caption, "paired fits") {
			t.Errorf("%d cells of one test set: %s", len(study.Sampling), content.Caption)
		}
		if all && (len(content.Notes) != 0 || len(content.Remarks) != 1) {
			t.Errorf("notes %q, remarks %q", content.Notes, content.Remarks)
		}
	}
}

// The smallest and the largest result are next to the mean, in print and in the CSV.
func TestRangesOfResults(t *testing.T) {
	study, rows := fixture.Sample(12)
	content := makeTable(t, study, rows, func(o *Options) { o.Spread = "range" })
	for _, row := range content.Rows {
		for k, id := range content.IDs {
			low, high := math.Inf(1), math.Inf(-1)
			for _, r := range rows.Rows {
				if r.Classifier == id && r.Levels == row.Levels {
					low, high = min(low, 100*r.Error), max(high, 100*r.Error)
				}
			}
			want := fmt.Sprintf("(%.2f–%.2f)", low, high)
			if e := content.formatEntry(&row, &row.Entries[k]); e.Spread != want {
				t.Errorf("%v %s: %s, want %s", row.Levels, id, e.Spread, want)
			}
		}
	}
	text := fixture.Render(t, content.CSV)
	if head, _, _ := strings.Cut(text, "\n"); !strings.HasSuffix(head, ",low,high") ||
		!strings.Contains(content.Caption, "mean (smallest–largest)") {
		t.Errorf("%s; %s", head, content.Caption)
	}
}

// The adjusted p-values in parentheses are the p-values of the tests. The reference, and a
// classifier outside the family, have none.
func TestPValuesInParentheses(t *testing.T) {
	study, rows := fixture.Sample(12)
	content := makeTable(t, study, rows, func(o *Options) { o.Spread, o.Methods = "p", sheet.MethodsRows })
	for i, cell := range rows.Cells() {
		best, err := verdicts.Best(&cell, verdicts.DefaultBestOptions([]string{"nb", "5nn", "slb"}))
		if err != nil {
			t.Fatal(err)
		}
		for k, id := range content.IDs {
			want := ""
			for _, q := range best.Comparisons {
				if q.Other == id && q.Adjusted < 0.001 {
					want = "(< 0.001)"
				} else if q.Other == id {
					want = fmt.Sprintf("(%.3f)", q.Adjusted)
				}
			}
			if got := content.formatEntry(&content.Rows[i], &content.Rows[i].Entries[k]).Spread; got != want {
				t.Errorf("%v %s: %q, want %q", cell.Levels, id, got, want)
			}
		}
	}
	texttest.Contains(t, content.Caption, "mean (adjusted p-value of the comparison with the best of its row) over")
	texttest.Case(t, "classifiers in rows").Contains(fixture.Render(t, content.Sheet().Latex),
		"with the best of its column) over")
	o := Defaults()
	o.Spread, o.Bold = "p", false
	errtest.Case(t, "without tests").Contains(o.Validate(), "`bold: false` turns off the tests")
}

// A caption explains p-values on the rows of one test set, although each mean is over a single
// result. A single result for each classifier, such as for one data set, has no p-value. It has no
// range either.
func TestPValuesOfSingleResults(t *testing.T) {
	study, rows := oneTestSet(1)
	const explained = "mean (adjusted p-value of the comparison with the best of its row) over R = 1 fit"
	for _, isTested := range []bool{true, false} {
		content := makeTable(t, study, rows, func(o *Options) { o.Spread = "p" })
		hasP := regexp.MustCompile(`\([01]\.`).MatchString(fixture.Render(t, content.Sheet().Markdown))
		if hasP != isTested || strings.Contains(content.Caption, explained) != isTested {
			t.Errorf("tested %v: p-values %v, %s", isTested, hasP, content.Caption)
		}
		ranges := makeTable(t, study, rows, func(o *Options) { o.Spread = "range" })
		if spread := ranges.Sheet().Rows[0].Cells[0].Spread; spread != "" {
			t.Errorf("a range of one result: %s", spread)
		}
		study.Sampling = nil // one draw
	}
}

// A remark on the data of a cell is below every table that shows the cell.
func TestRemarksOnDataAreUnderTheirTables(t *testing.T) {
	study, records := fixture.Sample(5)
	const mark = "pima is not distributed"
	study.Remarks = map[string]string{"c01": mark, "c02": mark}
	count := func(rows int) (n int) {
		content := makeTable(t, study, records, func(o *Options) {
			if rows == 1 {
				level := records.Cells()[0].Levels
				o.Where = map[string][]string{}
				for _, f := range study.Factors {
					o.Where[f.Name] = []string{level.Of(f.Name)}
				}
			}
		})
		for _, r := range content.Remarks {
			if r == mark {
				n++
			}
		}
		return n
	}
	if all, other := count(6), count(1); all != 1 || other != 0 {
		t.Errorf("stated %d times for all cells, %d times for cells without the data", all, other)
	}
}

func TestOneClassifierHasNoBold(t *testing.T) {
	study, records := fixture.Sample(12)
	content := makeTable(t, study, records, func(o *Options) { o.Columns = []string{"nb"}; o.Ranks = true })
	if strings.Contains(content.Caption, "Bold") || content.Rows[0].Entries[0].Bold || len(content.Foot) != 0 {
		t.Errorf("one classifier is compared with itself: %s", content.Caption)
	}
}

// Mean ranks of a table sum to rows * k(k+1)/2 over rows: k(k+1)/2 on average.
func TestRankRow(t *testing.T) {
	study, records := fixture.Sample(12)
	content := makeTable(t, study, records, func(o *Options) { o.Ranks = true; o.MCSE = true })
	sum := 0.0
	for k, rank := range rankRow(t, content) {
		if isOracle := content.IDs[k] == "oracle"; isOracle != math.IsNaN(rank) {
			t.Errorf("%s has rank %v", content.IDs[k], rank)
		} else if !isOracle {
			sum += rank
		}
	}
	if math.Abs(sum-6) > 0.015 { // three ranks with two decimals
		t.Errorf("mean ranks sum to %v, want 6", sum)
	}
	largest := 0.0
	for _, row := range content.Rows {
		largest = max(largest, row.Entries[2].SD/math.Sqrt(12))
	}
	if got := content.Foot[1].Cells[2].Main; got != sheet.Fixed(largest, content.Digits+1) {
		t.Errorf("largest standard error %v, want %v", got, largest)
	}
}

// rankRow returns the numbers in the first row of the foot. Empty entries are NaN.
func rankRow(t *testing.T, content *Table) (values []float64) {
	t.Helper()
	for _, e := range content.Foot[0].Cells {
		value := math.NaN()
		if e.Main != "" {
			var err error
			if value, err = strconv.ParseFloat(e.Main, 64); err != nil {
				t.Fatal(err)
			}
		}
		values = append(values, value)
	}
	return values
}

// leaveOut removes the results of a classifier in a cell.
func leaveOut(rows *records.Records, cell, id string) {
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Cell == cell && r.Classifier == id
	})
}

// Rows without results of all ranked classifiers are not used for the ranks, and the table states this.
func TestRanksOfCompleteRows(t *testing.T) {
	study, records := fixture.Sample(2)
	leaveOut(records, "c01", "nb")
	content := makeTable(t, study, records, func(o *Options) { o.Ranks = true })
	want := "Average ranks are over 5 blocks; a block contains the cells with the same generator. " +
		"1 block is left out, since a result is missing: gaussian, n = 400 (NB did not run)."
	if !slices.Contains(content.Remarks, want) || len(content.Foot) != 1 {
		t.Errorf("remarks %q, foot %v", content.Remarks, content.Foot)
	}
	for _, cell := range []string{"c00", "c02", "c10", "c11", "c12"} {
		leaveOut(records, cell, "nb")
	}
	content = makeTable(t, study, records, func(o *Options) { o.Ranks = true })
	none := func(remark string) bool { return strings.HasPrefix(remark, "Average ranks are over 0 blocks") }
	if !slices.ContainsFunc(content.Remarks, none) || len(content.Foot) != 0 {
		t.Errorf("remarks %q, foot %v", content.Remarks, content.Foot)
	}
}

func TestUnknownNamesAreErrors(t *testing.T) {
	study, records := fixture.Sample(2)
	v := fixture.PapersView(study, records)
	for want, change := range map[string]func(*Options){
		`no factor "m"; the records have cpd, n`:   func(o *Options) { o.Rows = []string{"m"} },
		`no classifier "svm"`:                      func(o *Options) { o.Columns = []string{"svm"} },
		`factor "n" has no level "300"`:            func(o *Options) { o.Where = map[string][]string{"n": {"300"}} },
		`no metric "erorr"; did you mean "error"?`: func(o *Options) { o.Metric = "erorr" },
		"test: the design violates":                func(o *Options) { o.Test = "corrected-t" },
		`no cell meets the condition`:              func(o *Options) { o.Where = map[string][]string{"n": {""}} },
	} {
		o := Defaults()
		change(&o)
		_, err := New(v, o)
		errtest.Contains(t, err, want)
	}
}

// Worse classifiers have positive shifts and effects, in the CSV and on the page, for any direction of the
// metric.
func TestSignsOfEffects(t *testing.T) {
	study, records := fixture.Sample(30)
	for _, metric := range []string{"error", "accuracy"} {
		content := makeTable(t, study, records,
			func(o *Options) { o.Metric, o.Columns = metric, []string{"slb", "nb", "5nn"} })
		lines := fixture.CSV(t, fixture.Render(t, content.CSV))
		number := func(line []string, name string) float64 {
			v, _ := strconv.ParseFloat(line[slices.Index(lines[0], name)], 64)
			return v
		}
		best, compared := 0.0, 0
		for i, line := range lines[1:] {
			if i%3 == 0 {
				for _, other := range lines[1+i : 4+i] {
					if other[slices.Index(lines[0], "best")] == "true" {
						best = number(other, "mean")
					}
				}
			}
			worse := number(line, "mean") - best
			if metric == "accuracy" {
				worse = -worse
			}
			if line[slices.Index(lines[0], "test")] == "NA" || worse < 0.5 {
				continue
			}
			compared++
			shift, low, high := number(line, "shift"), number(line, "shift_low"), number(line, "shift_high")
			if !(shift > 0 && low <= shift && shift <= high && math.Abs(shift-worse) < worse) ||
				number(line, "rank_biserial") <= 0 {
				t.Errorf("%s: %v is worse by %v", metric, line, worse)
			}
			k := i % 3
			if printed := content.effectCell(&content.Rows[0],
				&content.Rows[i/3].Entries[k]); !strings.HasPrefix(printed.Main, "+") ||
				!strings.Contains(strings.Join(printed.Lines, " "), "r +") {
				t.Errorf("%s: the page prints %+v", metric, printed)
			}
		}
		if compared == 0 {
			t.Error("no classifier is worse")
		}
	}
}

// With a champion, the tests are one-sided and compare it with the others, whichever has the best mean.
func TestChampionOfATable(t *testing.T) {
	study, records := fixture.Sample(30)
	study.Random = randtest.Same
	inference := view.PapersInference()
	inference.Alternative, inference.Champion, inference.Rope = "less", "nb", 0.01
	v := view.New(study, records, inference)
	o := Defaults()
	content := newTable(t, v, o)
	texttest.Contains(t, content.Effects().Caption,
		"its 95% confidence interval (not simultaneous).", // the p-values are adjusted
		"The average of two random differences shows", "outcomes is the most frequent one.")
	texttest.Contains(t, content.Caption, "Bold: NB, chosen by the study, and the classifiers that it is not "+
		"shown to beat. Test: a one-sided")
	for i, row := range content.Rows {
		for k, id := range content.IDs {
			c := row.Entries[k]
			switch {
			case id == "nb" && (!c.Bold || !c.IsReference || c.Comparison != nil):
				t.Errorf("row %d: the champion is %+v", i, c)
			case id != "nb" && c.Comparison != nil && c.Bold == c.Comparison.Worse:
				t.Errorf("row %d, %s: bold %v, worse %v", i, id, c.Bold, c.Comparison.Worse)
			case id != "nb" && c.Comparison != nil && c.Comparison.Worse &&
				c.Mean <= row.Entries[slices.Index(content.IDs, "nb")].Mean:
				t.Errorf("row %d, %s is shown to be worse with the better mean", i, id)
			}
		}
	}
	texttest.Contains(t, findings(content), "NB is not shown to be better than SLB (6 rows)",
		"the mean test error of NB is")
	o.Columns = []string{"slb", "5nn"}
	if content = newTable(t, v, o); content.HasTests() ||
		!slices.Contains(content.Remarks, "No tests: the champion, NB, has no test error in this table.") {
		t.Errorf("%q", content.Remarks)
	}
}

// A row without the champion has no comparisons, and a note on this. A row in which all fits of the champion
// failed has no tests.
func TestRowsWithoutTheChampion(t *testing.T) {
	study, rows := fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Cell == "c00"
	})
	for k := 1; k <= 12; k++ {
		fixture.Fail(rows, "c01", "nb", k, "no")
	}
	inference := view.PapersInference()
	inference.Alternative, inference.Champion = "less", "nb"
	v := view.New(study, rows, inference)
	content := newTable(t, v, Defaults())
	for i, bold := range []bool{false, false, true} {
		row := content.Rows[i]
		if row.Entries[0].Bold != bold || row.Entries[0].Comparison != nil && row.Entries[0].Comparison.Worse {
			t.Errorf("row %d: %+v", i, row.Entries[0])
		}
	}
	if want := "NB did not run, so this row has no tests and marks no classifier."; content.Rows[0].Note == 0 ||
		!slices.Contains(content.Notes, want) {
		t.Errorf("%+v %q", content.Rows[0].Note, content.Notes)
	}
	texttest.Contains(t, findings(content), "more than 5% of the fits in some cell failed: NB in 1 row.")
}

// The caption counts the comparisons of the rows that have some.
func TestComparisonsWithoutTheChampion(t *testing.T) {
	study, rows := fixture.Sample(12)
	drop := func(cell string, ids ...string) {
		recordstest.Delete(rows, func(r records.Record) bool {
			return r.Cell == cell && slices.Contains(ids, r.Classifier)
		})
	}
	inference := view.PapersInference()
	inference.Alternative, inference.Champion = "less", "nb"
	caption := func() string {
		t.Helper()
		content := newTable(t, view.New(study, rows, inference), Defaults())
		return content.Caption
	}
	drop("c00", "nb") // slb and 5nn would be one comparison
	texttest.Contains(t, caption(), "Bonferroni (2 comparisons per row, each at 0.05/2)")
	drop("c01", "5nn")
	texttest.Contains(t, caption(), "Bonferroni (1 to 2 comparisons per row")
}

// A note states the results needed if, and only if, more results help.
func TestLevelsBelowTheSmallestP(t *testing.T) {
	for replicates, want := range map[int][2]string{
		12: {"Too few replicates: a difference can only be significant at level 5e-06 with at least 19, so this row",
			"could have been shown: there are too few replicates."},
		40: {"The smallest p-value that the paired permutation test can give exceeds the level 5e-06, so this row " +
			"cannot show a difference and marks no classifier: for more than 30 differences the permutation test " +
			"draws 100000 sign vectors, so its p-value is at least 1e-05 ",
			"the test cannot give a p-value as small as its level."},
	} {
		study, rows := fixture.Sample(replicates)
		study.Random = randtest.Same
		inference := view.PapersInference()
		inference.Test, inference.Alpha = "permutation", 1e-5
		v := view.New(study, rows, inference)
		content, err := New(v, Defaults())
		if err != nil || len(content.Notes) != 1 || !strings.HasPrefix(content.Notes[0], want[0]) {
			t.Errorf("%d replicates: %q, want %q, error %v", replicates, content.Notes, want[0], err)
		}
		if words := findings(content); !strings.HasSuffix(words, want[1]) ||
			strings.Count(words, "no difference could") != 1 {
			t.Errorf("%d replicates: %s", replicates, words)
		}
		if families := content.Families(); !strings.Contains(families[0].Level,
			"Bonferroni, which no p-value can reach with many results: for more than 30") {
			t.Errorf("%+v", families)
		}
	}
}

// The differences of NB from SLB are all of one size, three of either sign. The two sign vectors that make them
// equal have an infinite statistic, so at most 60 of the 64 sign vectors are less extreme than the data.
func TestEqualDifferencesPreventSignificance(t *testing.T) {
	study, rows := fixture.Sample(6)
	for r := range recordstest.Each(rows) {
		switch r.Classifier {
		case "slb":
			r.Error = 0.25
		case "nb":
			r.Error = 0.25 + 0.125*float64(r.Replicate%2) - 0.0625
		default:
			r.Error = 0.75 + 0.01*float64(r.Replicate)
		}
	}
	content := newTable(t, fixture.DefaultView(study, rows), Defaults())
	notes := strings.Join(content.Notes, " ")
	texttest.Contains(t, notes, "With the values of these results, the smallest p-value that")
	texttest.Lacks(t, notes, "with at least")
	texttest.Contains(t, content.untestableSentence(), "the test cannot give a p-value as small as its level")
}

// A row that pools cells of one data set can never show a difference. Its note does not ask for more cells.
func TestRowsOfOneDataSet(t *testing.T) {
	study, rows := fixture.Sample(4)
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		source := "iris"
		if c.Levels.Of("n") == "400" {
			source = c.Levels.Of("cpd")
		}
		return view.Sampling{OneDataSet: true, Folds: 4, TestRatio: 1. / 3, Source: source}
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Rows = []string{"n"} })
	const one = "This row pools cells of one data set, whose results count as one, so this row cannot show a difference"
	var notes []string
	for _, row := range content.Rows { // n = 200 and 1000 have one data set; n = 400 has two
		notes = append(notes, content.Notes[row.Note-1])
	}
	tooFew := strings.HasPrefix(notes[1], "Too few data sets: ")
	if !strings.HasPrefix(notes[0], one) || notes[2] != notes[0] || !tooFew {
		t.Errorf("%q", notes)
	}
	hypotheses := 0
	for _, f := range content.Families() {
		hypotheses += f.Count * f.Hypotheses
	}
	if hypotheses != 2 { // the row of two data sets compares the best with two others
		t.Errorf("%d hypotheses: %+v", hypotheses, content.Families())
	}
	words := findings(content)
	texttest.Contains(t, words,
		"In 2 rows no difference could have been shown: the results of all cells of one data set count as one.",
		"In 1 row no difference could have been shown: there are too few data sets.")
}

// A remark lists the replicates of rows that have different numbers.
func TestReplicatesByRow(t *testing.T) {
	study, rows := fixture.Sample(4)
	said := func() string { return strings.Join(makeTable(t, study, rows, func(*Options) {}).Remarks, " ") }
	texttest.Case(t, "all have four").Lacks(said(), "R by row")
	first := rows.Rows[0].Cell
	recordstest.Delete(rows, func(r records.Record) bool { return r.Cell == first && r.Replicate == 4 })
	if !strings.Contains(said(), "R by row: 3 in ") || strings.Count(said(), "4 in ") != len(rows.Cells())-1 {
		t.Error(said())
	}
}

// If a metric is undefined, the note states the condition under which it is undefined.
func TestUndefinedMetricsStateTheReason(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		r.Confusion, r.Metrics = metrics.Confusion{500, 100, 100, 300}, map[string]float64{"auc": 0.8,
			"average_precision:1": 0.7}
		if r.Replicate == 1 {
			r.Confusion, r.Metrics = metrics.Confusion{1000, 0, 0, 0}, nil
		}
		if r.Replicate == 2 && r.Classifier == "nb" {
			r.Confusion, r.Metrics = nil, nil
		}
	}
	for metric, want := range map[string]string{
		"sensitivity:1":       "no test row belongs to the class",
		"auc":                 "all test rows belong to the same class",
		"average_precision:1": "no test row belongs to the class",
		"kappa":               "all test rows belong to one class and are predicted as this class",
		"cost:n(0,1)/n(_,1)": "the expression divides by 0, for example by the count of a class that is never " +
			"predicted",
	} {
		content := makeTable(t, study, rows, func(o *Options) { o.Metric = metric })
		said := strings.Join(content.Remarks, "\n")
		reason := "The metric is undefined if " + want + ". Results left out for this reason: SLB, 5-NN, NB, Bayes 6 " +
			"of 18 each."
		if !strings.Contains(said, reason) || !strings.HasSuffix(said, ": NB 6 of 18.") {
			t.Errorf("%s: %s", metric, said)
		}
	}
}

// rows: [] pools all cells; without the key all factors that vary make rows.
func TestOneRow(t *testing.T) {
	study, records := fixture.Sample(4)
	if n := len(makeTable(t, study, records, func(o *Options) { o.Rows = []string{} }).Rows); n != 1 {
		t.Errorf("%d rows", n)
	}
	if n := len(makeTable(t, study, records, func(o *Options) {}).Rows); n != len(records.Cells()) {
		t.Errorf("%d rows", n)
	}
}

// Classes have names if the data of all cells agree on them.
func TestClassByName(t *testing.T) {
	study, records := fixture.Sample(4)
	for r := range recordstest.Each(records) {
		r.Confusion = metrics.Confusion{6, 4, 1, 9}
	}
	study.Classes = map[string][]string{}
	for _, c := range records.Cells() {
		study.Classes[c.ID] = []string{"benign", "malignant"}
	}
	for metric, want := range map[string]float64{"sensitivity:malignant": 90, "sensitivity:benign": 60,
		"sensitivity:1": 90} {
		content := makeTable(t, study, records, func(o *Options) { o.Metric = metric })
		if c := content.Rows[0].Entries[0]; math.Abs(c.Mean-want) > 1e-9 {
			t.Errorf("%s: %+v", metric, c)
		}
	}
	v, o := fixture.PapersView(study, records), Defaults()
	o.Metric = "sensitivity:rose"
	_, err := New(v, o)
	errtest.Contains(t, err, `no class "rose"; the classes are "benign", "malignant"`)
	o.Metric = "sensitivity:malignant"
	study.Classes[records.Cells()[0].ID] = []string{"malignant", "benign"}
	_, err = New(v, o)
	errtest.Contains(t, err, "the order of the classes differs between cells")
	study.Classes = nil
	v = fixture.PapersView(study, records)
	_, err = New(v, o)
	errtest.Contains(t, err, "class names are unknown without data")
}

// Peak memory is shown if a process was measured. A note states if it is missing.
func TestMemoryTable(t *testing.T) {
	study, records := fixture.Sample(3)
	for r := range recordstest.Each(records) {
		if r.Classifier == "nb" {
			r.Peak = 20e6
		}
	}
	content := makeTable(t, study, records,
		func(o *Options) { o.Metric, o.Columns = "peak_memory", []string{"slb", "nb"} })
	if c := content.Rows[0].Entries; c[0].N != 0 || c[1].N != 3 || c[1].Mean != 20 || content.HasTests() {
		t.Errorf("%+v", c)
	}
	texttest.Contains(t, strings.Join(content.Remarks, " "), "SLB: a dash means that the peak memory",
		"external programs, which run in separate processes")
}

func TestTimingTables(t *testing.T) {
	study, records := fixture.Sample(3)
	for r := range recordstest.Each(records) {
		r.Fit, r.Predict = float64(r.Replicate), 0.5
	}
	content := makeTable(t, study, records, func(o *Options) { o.Metric = "fit_seconds" })
	if c := content.Rows[0].Entries[0]; c.N != 3 || c.Mean != 2 || c.SD != 1 || c.Bold {
		t.Errorf("seconds 1, 2, 3 give %+v", c)
	}
	if !strings.HasPrefix(content.Caption, "Training time (s)") || strings.Contains(content.Caption, "Bold") {
		t.Errorf("caption: %s", content.Caption)
	}
}

// The row of an incomplete study names its level of a factor whose other levels have no
// results yet, unless where chooses that level.
func TestRowsOfIncompleteStudyAreLabelled(t *testing.T) {
	study, rows := fixture.Sample(12)
	factor := rows.Factors[0]
	level := factor.Levels[0]
	recordstest.Delete(rows, func(r records.Record) bool { return r.Levels.Of(factor.Name) != level })
	study.Missing = []view.Missing{{Results: 1}}
	if got := makeTable(t, study, rows, nil).Factors; !slices.Contains(got, factor.Name) {
		t.Errorf("the rows are those of %q, without %s", got, factor.Name)
	}
	chosen := func(o *Options) { o.Where = records.Condition{factor.Name: {level}} }
	if got := makeTable(t, study, rows, chosen).Factors; slices.Contains(got, factor.Name) {
		t.Errorf("the rows are those of %q, though where chooses %s=%s", got, factor.Name, level)
	}
}

func makeTable(t *testing.T, study view.Study, records *records.Records, change func(*Options)) *Table {
	t.Helper()
	o := Defaults()
	if change != nil {
		change(&o)
	}
	return newTable(t, fixture.PapersView(study, records), o)
}

// hasRemarks checks that a table has remarks with these texts.
func hasRemarks(t *testing.T, content *Table, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !slices.Contains(content.Remarks, text) {
			t.Errorf("no %q in %q", text, content.Remarks)
		}
	}
}

// newTable returns the table of a view. An error ends the test.
func newTable(t *testing.T, v *view.View, o Options) *Table {
	t.Helper()
	content, err := New(v, o)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The range of a row contains its mean, for any measure and any number of pooled cells.
func TestRangesHoldTheirMeans(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit, rows.Rows[i].Predict, rows.Rows[i].Peak = 1+float64(i%7), 0.5, int64(1e6*(1+i%3))
	}
	for _, metric := range []string{"error", "fit_seconds", "predict_seconds", "peak_memory"} {
		for _, by := range [][]string{{"cpd"}, {"cpd", "n"}} {
			content := makeTable(t, study, rows, func(o *Options) { o.Metric, o.Rows, o.Spread = metric, by, "range" })
			for _, row := range content.Rows {
				for _, e := range row.Entries {
					if e.N == 0 || e.Low > e.Mean+1e-9 || e.High < e.Mean-1e-9 || e.Low == 0 {
						t.Errorf("%s by %q: mean %v of %d from %v to %v", metric, by, e.Mean, e.N, e.Low, e.High)
					}
				}
			}
		}
	}
}

// A classifier without results has no smallest and largest one: NA, not 0.
func TestRangeOfNoResults(t *testing.T) {
	study, rows := fixture.Sample(4)
	for r := range recordstest.Each(rows) {
		if r.Classifier == "nb" {
			r.Status = records.Failed
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Spread = "range" })
	text := fixture.Render(t, content.CSV)
	texttest.Contains(t, text, ",NA,NA\n")
	texttest.Lacks(t, text, ",0,0\n")
}

// findings joins the sentences on what a table shows.
func findings(t *Table) string {
	f := t.Findings()
	return strings.Join(slices.Concat(f.Found, f.NotShown, f.Excluded), " ")
}

// Captions name the standard errors and tests of both kinds of cells. Only rank tests do not compare the means.
func TestCaptionOfGeneratorsAndDataSets(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Sampling = map[string]view.Sampling{}
	for _, cell := range []string{"c10", "c11", "c12"} {
		study.Sampling[cell] = view.Sampling{OneDataSet: true, TestRatio: 0.25}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Spread, o.MCSE = "se", true })
	texttest.Contains(t, content.Caption,
		"mean (Monte-Carlo standard error of the mean or Nadeau-Bengio standard error of the mean) over",
		"Tested quantity: the Hodges-Lehmann shift (not the mean) or mean difference.")
	if label := content.Foot[0].Heads[0].Label; label != "largest Monte-Carlo s.e. or Nadeau-Bengio s.e." {
		t.Error(label)
	}
}

// A caption names only tests that some row uses. Rows of two classifiers have another test than rows of three.
func TestCaptionNamesTheTestsOfItsRows(t *testing.T) {
	study, rows := fixture.TwoDesigns()
	content := newTable(t, fixture.DefaultView(study, rows), Defaults())
	texttest.Contains(t, content.Caption, "Test: a two-sided corrected resampled t test of all pairs on paired folds; ",
		"Tested quantity: the mean difference. In rows that compare two classifiers, the test is the Wilcoxon "+
			"signed-rank test, and the tested quantity is the Hodges-Lehmann shift.")
}

// If rows have different tests, the caption names the rows with another test than most.
func TestCaptionNamesTheRowsOfEachTest(t *testing.T) {
	for _, c := range []struct {
		ofDataSet func(records.Levels) bool
		want      string
	}{
		{func(l records.Levels) bool { return l.Of("n") == "400" },
			"(in n 400: corrected resampled t test on paired folds)"},
		{func(l records.Levels) bool { return l.Of("n") == "400" && l.Of("cpd") == "complex" },
			"(in densities complex, n 400: corrected resampled t test on paired folds)"},
	} {
		study, rows := fixture.Sample(12)
		fixture.SetSamplings(&study, rows, func(cell records.Cell) view.Sampling {
			if !c.ofDataSet(cell.Levels) {
				return view.Sampling{}
			}
			return view.Sampling{Folds: 3, OneDataSet: true, TestRatio: 0.5, Source: cell.ID}
		})
		caption := newTable(t, fixture.PapersView(study, rows), Defaults()).Caption
		want := "Test: a two-sided Wilcoxon signed-rank test on paired replicates " + c.want + "; "
		texttest.Contains(t, caption, want)
	}
}

// A remark on a partial classifier mentions its tests only if it has tests.
func TestPartialClassifiersWithoutTests(t *testing.T) {
	study, rows := fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Levels.Of("cpd") == "gaussian"
	})
	for name, change := range map[string]func(o *Options){
		"tested":    func(*Options) {},
		"reference": func(o *Options) { o.Family = []string{"slb", "5nn"} },
		"not bold":  func(o *Options) { o.Bold = false },
	} {
		remarks := strings.Join(makeTable(t, study, rows, func(o *Options) {
			o.Rows = []string{"n"}
			change(o)
		}).Remarks, " ")
		check := texttest.Case(t, name)
		check.Contains(remarks, "NB was not run on all data")
		check.ContainsIf(name == "tested", remarks, "its tests use the results that both")
	}
}
