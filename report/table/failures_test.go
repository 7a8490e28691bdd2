package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// hardest returns records of an easy and a hard cell with 20 replicates each. The error of svm is that of nb
// minus half a percentage point. qda has the errors of nb, but fails in all replicates of the hard cell.
func hardest() (view.Study, *records.Records) {
	study, rows := fixture.Sample(20)
	rows.Factors = rows.Factors[:1]
	rows.Classifiers = []string{"svm", "qda", "nb"}
	rows.Rows = nil
	study.Classifiers = nil
	for a, level := range rows.Factors[0].Levels {
		for r := 1; r <= 20; r++ {
			for k, id := range rows.Classifiers {
				wrong := 100 + 200*a + r%7 + []int{0, 5, 5}[k] + (r*(k+1))%3
				rate := float64(wrong) / 1000
				rows.Rows = append(rows.Rows,
					records.Record{Cell: "c" + level, Levels: records.Align([]string{"cpd"}, []string{level}),
						Replicate: r, Classifier: id, Status: records.OK, NTest: 1000, Errors: wrong, Error: rate,
						BER: rate, Data: level + string(rune('a'+r))})
			}
			if a == 1 {
				fixture.Fail(rows, "c"+level, "qda", r, "singular covariance")
			}
		}
	}
	return study, rows
}

// pooledRow makes a table with one row that pools both cells.
func pooledRow(t *testing.T, change func(*view.Inference)) *Table {
	t.Helper()
	study, rows := hardest()
	inference := view.PapersInference()
	change(&inference)
	o := Defaults()
	o.Rows = []string{}
	content := newTable(t, view.New(study, rows, inference), o)
	return content
}

// A classifier that fails in all replicates of the hardest cell has the smallest mean of its successes. It is
// not the best: the table shows its failures and compares it with nothing.
func TestFailuresDoNotMakeTheBest(t *testing.T) {
	content := pooledRow(t, func(*view.Inference) {})
	row := &content.Rows[0]
	svm, qda := &row.Entries[0], &row.Entries[1]
	if qda.Bold || qda.Best || qda.Comparison != nil || !qda.Excluded ||
		qda.N != 0 || qda.Failed != 20 || qda.Tried != 40 {
		t.Errorf("qda: %+v", qda)
	}
	if !svm.Bold || !svm.Best || svm.N != 40 {
		t.Errorf("svm: %+v", svm)
	}
	if slices.Contains(row.bestSet.Family, "qda") {
		t.Errorf("family %q", row.bestSet.Family)
	}
	printed := fixture.Render(t, content.Sheet().Markdown)
	texttest.Contains(t, printed, "50% failed", "qda: 20 of the 40 fits in 1 marked row failed",
		"In 1 row, too many fits failed", "in more than 5% of the fits of a cell")
	if words := findings(content); !strings.HasPrefix(words, "svm has the smallest mean") ||
		!strings.Contains(words, "failed: qda in 1 row.") {
		t.Error(words)
	}
}

// A classifier that fails rarely is compared on the replicates in which all succeeded.
func TestCommonReplicates(t *testing.T) {
	study, rows := fixture.Sample(40)
	fixture.Fail(rows, "c00", "nb", 3, "no")
	v := fixture.PapersView(study, rows)
	content := newTable(t, v, Defaults())
	for k, c := range content.Rows[0].Entries {
		values := []float64{}
		for _, r := range rows.Rows {
			if r.Cell == "c00" && r.Classifier == content.IDs[k] && r.Replicate != 3 {
				values = append(values, 100*r.Error)
			}
		}
		mean := 0.0
		for _, x := range values {
			mean += x / 39
		}
		if c.N != 39 || c.Excluded || math.Abs(c.Mean-mean) > 1e-10 {
			t.Errorf("%s: %+v, want the mean %v of 39", content.IDs[k], c, mean)
		}
	}
	if c := content.Rows[0].Entries[1].Comparison; c == nil || c.Pairs != 39 {
		t.Errorf("%+v", c)
	}
	if n := content.Rows[1].Entries[0].N; n != 40 {
		t.Errorf("%d results in a row without failures", n)
	}
}

// A failed draw is counted below the table and in its CSV file. It is not a failed fit of any classifier.
func TestFailedDrawsAreCounted(t *testing.T) {
	study, rows := fixture.Sample(40)
	for replicate := 1; replicate <= 13; replicate++ {
		fixture.FailDraw(rows, "c00", replicate)
	}
	content := newTable(t, fixture.PapersView(study, rows), Defaults())
	remarks := strings.Join(content.Remarks, "\n")
	texttest.Contains(t, remarks, "Failed draws of data: 13 of 240, left out for all classifiers.")
	texttest.Lacks(t, remarks, "all fits succeeded")
	if e := content.Rows[0].Entries[0]; e.N != 27 || e.Failed != 0 || e.Excluded {
		t.Errorf("%+v", e)
	}
	lines := fixture.CSV(t, fixture.Render(t, content.CSV))
	results, failed := slices.Index(lines[0], "results"), slices.Index(lines[0], "failed")
	if lines[1][results] != "27" || lines[1][failed] != "13" {
		t.Errorf("the CSV file has %s results and %s failed ones", lines[1][results], lines[1][failed])
	}
}

// Other treatments score failed fits; the mean is over all replicates.
func TestFailedFitsAreScored(t *testing.T) {
	for name, change := range map[string]func(*view.Inference){
		"worst":        func(o *view.Inference) { o.Failures = []string{view.Worst} },
		"fallback: nb": func(o *view.Inference) { o.Failures, o.Fallback = []string{view.Fallback}, "nb" },
	} {
		row := &pooledRow(t, change).Rows[0]
		qda, nb := &row.Entries[1], &row.Entries[2]
		if qda.Excluded || qda.N != 40 || qda.Failed != 20 || qda.Mean < row.Entries[0].Mean || qda.Best {
			t.Errorf("%s: %+v", name, qda)
		}
		if name == "fallback: nb" && math.Abs(qda.Mean-nb.Mean) > 0.2 {
			t.Errorf("%s: %v, nb has %v", name, qda.Mean, nb.Mean)
		}
	}
}

// A failed fit has no time, so nothing replaces it in a table of times.
func TestFailedFitsHaveNoTime(t *testing.T) {
	study, rows := hardest()
	for r := range recordstest.Each(rows) {
		if r.Status == records.OK {
			r.Fit = 1 + float64(r.Replicate)/100
		}
	}
	inference := view.PapersInference()
	inference.Failures = []string{view.Worst}
	o := Defaults()
	o.Rows, o.Metrics = []string{}, []string{"fit_seconds"}
	content := newTable(t, view.New(study, rows, inference), o)
	remarks := strings.Join(content.Remarks, "\n")
	texttest.Contains(t, remarks, "Failed fits have no training time, so means, tests and ranks omit them.")
	texttest.Lacks(t, remarks, "not run on all data", "give a failed fit the score")
}

// By default one test over all pairs decides what is bold, and its intervals agree: none
// of a bold classifier excludes 0, and each of another does.
func TestIntervalsAgreeWithBold(t *testing.T) {
	study, rows := fixture.Sample(30)
	study.Random = randtest.Same
	v := fixture.DefaultView(study, rows)
	content := newTable(t, v, Defaults())
	worse := 0
	for _, row := range content.Rows {
		for k, id := range content.IDs {
			q := row.Entries[k].Comparison
			if q == nil {
				continue
			}
			if excludes := q.Shift.Low > 0 || q.Shift.High < 0; excludes == row.Entries[k].Bold ||
				q.Worse == row.Entries[k].Bold {
				t.Errorf("%s: bold %v, %+v", id, row.Entries[k].Bold, q)
			}
			if q.Worse {
				worse++
			}
		}
	}
	if worse == 0 {
		t.Error("no classifier is worse")
	}
	texttest.Contains(t, content.Caption, "those not shown to be worse. Test: a two-sided max-type sign-flip test",
		"family-wise level 0.05 over all pairs", "Tested quantity: the mean difference.")
	texttest.Lacks(t, content.Caption, "nominal")
	texttest.Contains(t, content.Effects().Caption, "simultaneous 95% confidence interval")
	words := findings(content)
	texttest.Contains(t, words, "No difference is shown between SLB and 5-NN (4 rows)",
		"percentage points with 80 percent power")
}

// With two results, the tests can only detect differences that exceed 100 percentage points. The findings state that
// they detect none, and the effects do not show such differences.
func TestImpossibleDifferencesAreNotDetected(t *testing.T) {
	study, rows := fixture.Sample(2)
	for i := range rows.Rows {
		r := &rows.Rows[i]
		r.Error = 0.1 + 0.7*float64(i%3*(r.Replicate%2))
		r.BER = r.Error
	}
	inference := view.PapersInference()
	inference.Test = "t"
	content := newTable(t, view.New(study, rows, inference), Defaults())
	words := findings(content)
	texttest.Contains(t, words, "The tests cannot detect any difference with 80 percent")
	texttest.Lacks(t, words, "detect differences of")
	open := content.undecidedComparisons()
	open[0].Detectable = 0.125
	want := fmt.Sprintf(" The tests detect differences of 12.50 percentage points with 80 percent power; in %d of %d "+
		"comparisons, they cannot detect any difference.", len(open)-1, len(open))
	if words := content.detectableWords(open); words != want {
		t.Error(words)
	}
	for _, row := range content.Rows {
		for _, e := range row.Entries {
			if q := e.Comparison; q != nil {
				lines := strings.Join(content.testLines(&row, q), " ")
				if q.Detectable > 1 && strings.Contains(lines, " d ") {
					t.Errorf("the effects show %q", lines)
				}
			}
		}
	}
}

// A rank test does not concern the printed means, and the caption states this.
func TestCaptionNamesTheTestedQuantity(t *testing.T) {
	study, rows := fixture.Sample(30)
	content, err := New(fixture.PapersView(study, rows), Defaults())
	if err != nil || !strings.Contains(content.Caption, "Tested quantity: the Hodges-Lehmann shift, not the mean.") {
		t.Errorf("%v, %s", err, content.Caption)
	}
	texttest.Contains(t, content.Effects().Caption, "interval of nominal level 95%",
		"smallest true difference that a t test detects")
}

// If rare large errors make a classifier's mean worse while most of its differences are better, the row is
// flagged.
func TestSkewedDifferencesAreFlagged(t *testing.T) {
	study, rows := fixture.Sample(40)
	for r := range recordstest.Each(rows) {
		if r.Classifier != "5nn" || r.Cell != "c00" {
			continue
		}
		for s := range recordstest.Each(rows) {
			if s.Classifier == "slb" && s.Cell == r.Cell && s.Replicate == r.Replicate {
				r.Error = s.Error - 0.001
			}
		}
		if r.Replicate == 7 {
			r.Error = 0.9
		}
	}
	content := newTable(t, fixture.PapersView(study, rows), Defaults())
	if q := content.Rows[0].Entries[1].Comparison; q == nil || !q.Doubtful() {
		t.Fatalf("%+v", q)
	}
	flagged := func(text string) bool {
		return strings.Contains(text, "Means and tests may disagree") &&
			strings.Contains(text, "5-NN in densities gaussian, n 200")
	}
	if !slices.ContainsFunc(content.Remarks, flagged) {
		t.Errorf("%q", content.Remarks)
	}
	texttest.Contains(t, content.Effects().Caption, "†: mean and tested estimate differ in sign")
}

// If most differences are 0, the shift can be 0 although the test shows a difference. A remark recommends the
// mean difference.
func TestHiddenDifferencesAreFlagged(t *testing.T) {
	study, rows := fixture.Sample(45)
	for r := range recordstest.Each(rows) {
		if r.Error = 0.1; r.Classifier == "nb" && r.Replicate%5 == 0 {
			r.Error = 0.15 + float64(r.Replicate)/1000
		}
	}
	content := newTable(t, view.New(study, rows, view.PapersInference()), Defaults())
	flagged := func(text string) bool {
		return strings.Contains(text, "although the estimated shift is 0") &&
			strings.Contains(text, "0 or cancel each other: NB in densities gaussian, n 200")
	}
	if !slices.ContainsFunc(content.Remarks, flagged) {
		t.Errorf("%q", content.Remarks)
	}
	texttest.Contains(t, content.Effects().Caption, "a significant difference has the estimate 0")
}

// A t test of folds is impossible if a difference does not vary, so a remark names the classifier. 5-NN and NB have no
// remark: their differences from the best classifier vary or are 0.
func TestUnvaryingDifferencesAreStated(t *testing.T) {
	for _, compared := range [][]string{{"slb", "5nn", "nb", "oracle"}, {"slb", "nb"}} {
		study, rows := fixture.Sample(10)
		recordstest.Delete(rows, func(r records.Record) bool {
			return r.Cell != "c00" || !slices.Contains(compared, r.Classifier)
		})
		rows.Classifiers = compared
		study.Sampling = map[string]view.Sampling{"c00": {OneDataSet: true, Source: "set", TestRatio: 1.0 / 9}}
		for r := range recordstest.Each(rows) {
			wrong := float64(r.Replicate % 3) // of 30 rows
			errors := map[string]float64{"slb": wrong / 30, "5nn": wrong * wrong / 30, "nb": (wrong + 12) / 30}
			r.Error = errors[r.Classifier]
		}
		content := makeTable(t, study, rows, nil)
		hasRemarks(t, content, "The difference from the best does not vary, so there is no test: NB.")
		if len(content.Rows[0].bestSet.Members) != len(content.Rows[0].bestSet.Family) {
			t.Errorf("%+v", content.Rows[0].bestSet)
		}
	}
}

// Tests of means cannot disagree with means: the remark and the legend mention only the skewness.
func TestSkewnessOfTestsOfMeans(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) {
		if r.Cell == "c00" && r.Classifier == "5nn" && r.Replicate == 7 {
			r.Error = 0.9
		}
	}
	content := newTable(t, fixture.DefaultView(study, rows), Defaults())
	all := strings.Join(content.Remarks, " ") + content.Effects().Caption
	for text, want := range map[string]bool{"may disagree": false, "differ in sign": false,
		"The absolute skewness of the paired differences exceeds 2, so the level of the test is only approximate: " +
			"5-NN in densities gaussian, n 200.": true,
		"†: the absolute skewness of the differences exceeds 2.": true} {
		texttest.ContainsIf(t, want, all, text)
	}
}

// The numbers of a pooled row with a classifier that is set aside and another that failed
// once are from an independent script: Rscript testdata/failing.R > testdata/failing.csv
// (R 4.2 or later).
func TestFailuresAgreeWithR(t *testing.T) {
	study, rows := hardest()
	fixture.Fail(rows, "cgaussian", "nb", 5, "no")
	o := Defaults()
	o.Rows = []string{}
	content := newTable(t, fixture.PapersView(study, rows), o)
	agreesWithR(t, content, "testdata/failing.csv", 2)
}

// agreesWithR compares the CSV of a table with the numbers that a script wrote for the given number of
// classifiers.
func agreesWithR(t *testing.T, content *Table, file string, classifiers int) {
	t.Helper()
	ours := fixture.CSV(t, fixture.Render(t, content.CSV))
	theirs := fixture.CSV(t, filetest.Read(t, file))
	if len(theirs) != classifiers+1 {
		t.Fatalf("%d lines of R", len(theirs))
	}
	for _, line := range theirs[1:] {
		i := slices.IndexFunc(ours, func(l []string) bool { return l[0] == line[0] })
		for j, name := range theirs[0] {
			got := ours[i][slices.Index(ours[0], name)]
			a, errA := strconv.ParseFloat(got, 64)
			b, errB := strconv.ParseFloat(line[j], 64)
			if (errA == nil) != (errB == nil) || errA == nil && math.Abs(a-b) > 1e-9*math.Abs(b) ||
				errA != nil && got != line[j] {
				t.Errorf("%s of %s: %s, R has %s", name, line[0], got, line[j])
			}
		}
	}
}

// The numbers of a row that pools data sets, with the default test over all pairs, are from an independent script:
// Rscript testdata/pooled.R > testdata/pooled.csv (R 4.2.2).
func TestPooledRowAgreesWithR(t *testing.T) {
	study := view.Study{Sampling: map[string]view.Sampling{}}
	study.Random = randtest.Same
	rows := &records.Records{Study: "s", Classifiers: []string{"a", "b", "c"}, Factors: []records.Factor{{Name: "set"}}}
	for set := range 9 {
		name := strconv.Itoa(set)
		rows.Factors[0].Levels = append(rows.Factors[0].Levels, name)
		study.Sampling[name] = view.Sampling{OneDataSet: true, Folds: 5, TestRatio: 0.25, Source: name}
		for fold := 1; fold <= 5; fold++ {
			for k, id := range rows.Classifiers {
				wrong := 100 + 31*set + (fold*(k+2))%4 + []int{0, 3, 25}[k] + (7*set+3*k)%11
				rows.Rows = append(rows.Rows,
					records.Record{Cell: name, Levels: records.Align([]string{"set"}, []string{name}),
						Replicate: fold, Classifier: id, Status: records.OK, NTest: 1000, Errors: wrong,
						Error: float64(wrong) / 1000, Data: name + "/" + strconv.Itoa(fold)})
			}
		}
	}
	o := Defaults()
	o.Rows = []string{}
	content := newTable(t, fixture.DefaultView(study, rows), o)
	agreesWithR(t, content, "testdata/pooled.csv", 3)
}

// A classifier that is best in every row is first in every resample of the rows.
func TestRankStabilityIsPrinted(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	for r := range recordstest.Each(rows) {
		if r.Classifier == "slb" {
			r.Error = 0.001
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Ranks = true })
	hasRemarks(t, content, "Share of 1000 resamples of the blocks and their replicates in which a classifier has the "+
		"best average rank: SLB (100%).")
}

// The stability is also computed for each row. The CSV contains the share of resamples, and the effect sizes
// print it next to the replicates needed for an interval of the given half-width.
func TestEffectsStateStabilityAndReplicates(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	for r := range recordstest.Each(rows) {
		if r.Classifier == "slb" {
			r.Error = 0.001
		}
	}
	content := makeTable(t, study, rows, func(*Options) {})
	slb, nb := &content.Rows[0].Entries[0], &content.Rows[0].Entries[2]
	if slb.FirstShare != 1 || nb.FirstShare != 0 {
		t.Errorf("first in %v and %v of the resamples", slb.FirstShare, nb.FirstShare)
	}
	q := nb.Comparison
	half := (q.Shift.High - q.Shift.Low) / 2
	want := fmt.Sprintf("R %.0f", math.Ceil(12*half*half/(0.01*0.01)))
	if lines := content.effectCell(&content.Rows[0], nb).Lines; !slices.Contains(lines, want) ||
		!slices.Contains(lines, "1st 0%") {
		t.Errorf("%q lacks %q or the stability", lines, want)
	}
	texttest.Contains(t, content.Effects().Caption,
		"R: number of replicates needed for an interval of half-width 1 percentage point.")
}

// A classifier that fails in one of six blocks keeps its rank over the other five; that block is omitted for
// all. One that fails in two of six has no rank, and the table states why.
func TestRanksOfClassifiersThatFail(t *testing.T) {
	study, rows := fixture.Sample(4)
	for r := 1; r <= 4; r++ {
		fixture.Fail(rows, "c01", "slb", r, "no")
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Ranks = true })
	ranks := rankRow(t, content)
	if math.IsNaN(ranks[0]) || ranks[0]+ranks[1]+ranks[2] != 6 {
		t.Errorf("average ranks %v", ranks)
	}
	hasRemarks(t, content, "Average ranks are over 5 blocks; a block contains the cells with the same generator. "+
		"1 block is left out, since a result is missing: gaussian, n = 400 (SLB failed).")
	// One of the four blocks in which all classifiers run is more than a fifth.
	fewer := *rows
	fewer.Rows = slices.Clone(rows.Rows)
	leaveOut(&fewer, "c00", "nb")
	leaveOut(&fewer, "c10", "nb")
	content = makeTable(t, study, &fewer, func(o *Options) { o.Ranks = true })
	if ranks = rankRow(t, content); !math.IsNaN(ranks[0]) {
		t.Errorf("average ranks %v", ranks)
	}
	for r := 1; r <= 4; r++ {
		fixture.Fail(rows, "c11", "slb", r, "no")
	}
	content = makeTable(t, study, rows, func(o *Options) { o.Ranks = true })
	if ranks = rankRow(t, content); !math.IsNaN(ranks[0]) || ranks[1]+ranks[2] != 3 {
		t.Errorf("average ranks %v", ranks)
	}
	notRanked := func(remark string) bool {
		return strings.HasPrefix(remark, "Not ranked") && strings.HasSuffix(remark, ": SLB.")
	}
	if !slices.ContainsFunc(content.Remarks, notRanked) {
		t.Errorf("%q", content.Remarks)
	}
}

// The last row of a table has the same ranks as the diagram of the same cells: over blocks, not over rows. nb
// is better for two of three sizes, but not in the mean over the sizes of each generator.
func TestRanksAreOverBlocks(t *testing.T) {
	study, rows := fixture.Sample(2)
	for r := range recordstest.Each(rows) {
		study.Problems[r.Cell] = r.Levels.Of("cpd")
		if r.Classifier == "nb" && r.Levels.Of("n") != "200" {
			r.Error = 0.01
		} else if r.Classifier == "nb" {
			r.Error = 0.9
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Ranks = true })
	if nb := rankRow(t, content)[2]; nb != 3 {
		t.Errorf("average rank of nb %v, want 3 over both generators", nb)
	}
	hasRemarks(t, content, "Average ranks are over 2 blocks; a block contains the cells with the same generator.")
}

// The caption of effect sizes explains only what an entry shows. Equal results have no standard error.
func TestEffectsExplainWhatIsShown(t *testing.T) {
	study, rows := fixture.Sample(12)
	for _, r := range slices.Clone(rows.Rows) {
		i := slices.IndexFunc(rows.Rows, func(o records.Record) bool {
			return o.Cell == r.Cell && o.Replicate == r.Replicate && o.Classifier == "nb"
		})
		if r.Classifier == "5nn" { // NB has the results of 5-NN
			rows.Rows[i] = r
			rows.Rows[i].Classifier = "nb"
		}
	}
	for _, folds := range []bool{false, true} {
		fixture.SetSampling(&study, rows, view.Sampling{OneDataSet: folds, TestRatio: 0.2})
		inference := view.DefaultInference()
		inference.Champion, inference.HalfWidth = "5nn", 0.01
		content := newTable(t, view.New(study, rows, inference), Defaults())
		effects := content.Effects()
		explainsRank := strings.Contains(effects.Caption, "rank-biserial")
		if explainsRank == folds || strings.Contains(effects.Caption, " R: ") == folds {
			t.Errorf("folds %v: %s", folds, effects.Caption)
		}
		nb := effects.Rows[0].Cells[2]
		if slices.ContainsFunc(nb.Lines, func(line string) bool { return strings.HasPrefix(line, "s.e.") }) {
			t.Errorf("equal results have a standard error: %q", nb.Lines)
		}
	}
}
