package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"gonum.org/v1/gonum/stat"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// differences returns the errors of b minus the errors of a, in percent, by replicate.
func differences(rows *records.Records, cell, a, b string) (list []float64) {
	errors := map[string]map[int]float64{a: {}, b: {}}
	for _, r := range rows.Rows {
		if r.Cell == cell && errors[r.Classifier] != nil {
			errors[r.Classifier][r.Replicate] = 100 * r.Error
		}
	}
	for k := 1; k <= len(errors[a]); k++ {
		list = append(list, errors[b][k]-errors[a][k])
	}
	return list
}

// A lead averages the paired differences of its rows, which are independent.
func TestLeadIsOfPairedDifferences(t *testing.T) {
	study, rows := fixture.Sample(20)
	content := makeTable(t, study, rows, nil)
	l, ok := content.lead([]int{0, 1, 2}, 2)
	if !ok || l.leader != "slb" || l.rival != "5nn" {
		t.Fatalf("%+v, %v", l, ok)
	}
	mean, variance, squares := 0.0, 0.0, 0.0
	for _, cell := range []string{"c00", "c01", "c02"} {
		d := stats.Summarize(differences(rows, cell, "slb", "5nn"))
		v := d.SD * d.SD / 20 / 9
		mean, variance, squares = mean+d.Mean/3, variance+v, squares+v*v/19
	}
	if math.Abs(l.gap.Mean-mean) > 1e-9 || math.Abs(l.gap.MCSE-math.Sqrt(variance)) > 1e-9 {
		t.Errorf("%v (%v), want %v (%v)", l.gap.Mean, l.gap.MCSE, mean, math.Sqrt(variance))
	}
	student := distuv.StudentsT{Sigma: 1, Nu: variance * variance / squares} // Satterthwaite (1946)
	want := mean + student.Quantile(1-0.05/(2*3*2))*math.Sqrt(variance)      // three pairs, two levels
	if got := l.interval().High; math.Abs(got-want) > 1e-9 {
		t.Errorf("upper end %v, want %v", got, want)
	}
}

// An average over cells has the same interval in a table that pools them into one row and in a table with a row for
// each cell: both are stratified by cell.
func TestLeadOfPooledCells(t *testing.T) {
	study, rows := fixture.Sample(20)
	each := makeTable(t, study, rows, nil)
	pooled := makeTable(t, study, rows, func(o *Options) { o.Rows = []string{} })
	all := each.newLead(each.testedRows(), "slb", "5nn", 0.975)
	one := lead{rows: []int{0}}
	one.gap, _ = pooled.gap([]int{0}, "slb", "5nn")
	if math.Abs(all.gap.Mean-one.gap.Mean) > 1e-9 || math.Abs(all.gap.MCSE-one.gap.MCSE) > 1e-9 ||
		math.Abs(all.gap.DF-one.gap.DF) > 1e-9 || !(all.gap.DF > 19) {
		t.Errorf("rows %+v, pooled %+v", all.gap, one.gap)
	}
	for _, content := range []*Table{each, pooled} {
		words := "Student's t with Welch-Satterthwaite degrees of freedom, with a Bonferroni"
		texttest.Case(t, len(content.Rows)).Contains(content.Findings().IntervalMethod, words)
	}
}

// If there are too few results for the interval of a test, findings name Student's interval, which they contain.
func TestFindingsOfFewResults(t *testing.T) {
	study, rows := fixture.Sample(2)
	o := Defaults()
	o.Where = map[string][]string{"n": {"200"}, "cpd": {"complex"}}
	content := newTable(t, fixture.DefaultView(study, rows), o)
	f := fmt.Sprint(content.Findings())
	texttest.Lacks(t, f, "shift_low")
	texttest.Contains(t, f, "Student")
}

// There is a sentence for each factor, with an interval; for a numeric factor, it compares the difference at
// the first level with that at the last.
func TestFindingsOfFactors(t *testing.T) {
	study, rows := fixture.Sample(40)
	for r := range recordstest.Each(rows) { // NB leads at n = 200, and by a tenth of that at n = 1000
		base := map[string]float64{"200": 0.20, "400": 0.11, "1000": 0.02}[r.Levels.Of("n")]
		if r.Classifier == "nb" {
			r.Error = 0.1 + 0.001*float64(r.Replicate%3)
		} else {
			r.Error = 0.1 + base + 0.001*float64((r.Replicate+len(r.Classifier))%5)
		}
	}
	found := makeTable(t, study, rows, nil).Findings().Found
	if len(found) != 2 || !strings.HasPrefix(found[0], "Averaged over n: for gaussian, NB has the smallest mean test "+
		"error, 11.") ||
		!strings.Contains(found[0], "; for complex, it is NB, 11.") {
		t.Fatalf("%q", found)
	}
	if !strings.HasPrefix(found[1], "Averaged over densities: at n = 200, NB has the smallest mean test error, 20.") ||
		!strings.Contains(found[1], "; by n = 1000, the gap is 0.10 times that (0.10 to 0.1") {
		t.Errorf("%q", found[1])
	}
	one := makeTable(t, study, rows,
		func(o *Options) { o.Where = map[string][]string{"n": {"200"}, "cpd": {"complex"}} })
	if found = one.Findings().Found; len(found) != 1 || !strings.HasPrefix(found[0], "NB has the smallest") {
		t.Errorf("one row: %q", found)
	}
	study.Classifiers[2].Label = "naive Bayes"
	accuracy := makeTable(t, study, rows, func(o *Options) { o.Metric = "accuracy" }).Findings().Found
	texttest.Case(t, accuracy).Contains(accuracy[0], "naive Bayes has the largest mean test accuracy, 11.",
		"percentage points above")
}

// The levels of a nested factor are averaged only over the factors that vary at these levels. The sentence names
// the cells that have the factor.
func TestFindingsOfANestedFactor(t *testing.T) {
	study, rows := fixture.Sample(20)
	factors := []string{"family", "n", "common"}
	nested := map[string][]string{ // levels of the sample's cells, by their levels of cpd and n
		"gaussian 200": {"forest", "200", ""}, "gaussian 400": {"forest", "400", ""},
		"complex 200": {"net", "200", "none"}, "complex 400": {"net", "400", "none"},
		"gaussian 1000": {"net", "200", "some"}, "complex 1000": {"net", "400", "some"},
	}
	for r := range recordstest.Each(rows) {
		r.Levels = records.Align(factors, nested[r.Levels.Of("cpd")+" "+r.Levels.Of("n")])
		if r.Error = 0.3 + 0.001*float64((r.Replicate+len(r.Classifier))%5); r.Classifier == "nb" {
			r.Error -= 0.1
		}
	}
	rows.Factors = []records.Factor{{Name: "family", Levels: []string{"forest", "net"}},
		{Name: "n", Levels: []string{"200", "400"}}, {Name: "common", Levels: []string{"none", "some"}}}
	study.Factors = nil
	found := makeTable(t, study, rows, nil).Findings().Found
	isOfCommon := func(s string) bool {
		return strings.HasPrefix(s, "For net, averaged over n: for common = none, NB has the smallest") &&
			strings.Contains(s, "; for common = some, it is NB")
	}
	if !slices.ContainsFunc(found, isOfCommon) {
		t.Errorf("%q", found)
	}
}

// Averages at two levels are not compared if they are over different levels of another factor, even if these are
// equally many.
func TestFindingsCompareOnlyTheSameCells(t *testing.T) {
	study, rows := fixture.Sample(4)
	if margins, comparable := makeTable(t, study, rows, nil).margins("cpd"); len(margins) != 2 || !comparable {
		t.Errorf("all cells: %+v", margins)
	}
	recordstest.Delete(rows, func(r records.Record) bool { return r.Cell == "c02" || r.Cell == "c10" })
	content := makeTable(t, study, rows, nil)
	if _, comparable := content.margins("cpd"); comparable { // n = 200, 400 and n = 400, 1000
		t.Error("averages over different cells")
	}
	texttest.Contains(t, content.incomparableSentence(), "Averages at the levels of densities and n are not compared")
}

// A sentence on one row prints the interval of the row's test; averages over rows have Student's interval.
func TestFindingsOfOneRowHaveItsInterval(t *testing.T) {
	study, rows := fixture.Sample(8)
	content, err := New(fixture.DefaultView(study, rows), func() Options {
		o := Defaults()
		o.Where = map[string][]string{"n": {"200"}, "cpd": {"gaussian"}}
		return o
	}())
	if err != nil {
		t.Fatal(err)
	}
	ranked, _ := content.ranking([]int{0})
	second := ranked[1]
	q := content.Rows[0].comparison(second)
	want := content.gapWords(stats.Shift{Estimate: -100 * q.Mean.Mean, Low: -100 * q.Shift.High,
		High: -100 * q.Shift.Low})
	f := content.Findings()
	if len(f.Found) != 1 || !strings.Contains(f.Found[0], want) {
		t.Errorf("%q, want %q", f.Found, want)
	}
	student, _ := content.lead([]int{0}, 1)
	student.testInterval = nil
	if other := content.gapWords(student.interval()); other == want {
		t.Errorf("Student's interval is the same: %s", other)
	}
	if !strings.HasSuffix(f.IntervalMethod, "from the test of the row (shift_low and shift_high in the CSV file).") {
		t.Error(f.IntervalMethod)
	}
	all := newTable(t, fixture.DefaultView(study, rows), Defaults())
	if f = all.Findings(); !strings.Contains(f.IntervalMethod,
		"(Student's t with Welch-Satterthwaite degrees of freedom, with a Bonferroni correction for 3 pairs") {
		t.Error(f.IntervalMethod)
	}
}

// If rows use the same draws, the standard error of their average comes from the mean difference of
// each draw. If some draws are only in one row, the standard errors of the rows are added. There is
// no ratio of gaps, and levels that lack some of the rows are not averaged.
func TestFindingsOfDependentRows(t *testing.T) {
	study, rows := fixture.Sample(12)
	independent, _ := makeTable(t, study, rows, nil).gap([]int{0, 3}, "slb", "nb")
	ofDraw := make([]float64, 12) // mean over both rows of the difference in percentage points
	for r := range recordstest.Each(rows) {
		r.Data = string(rune('a' + r.Replicate))
		if sign := map[string]float64{"nb": 1, "slb": -1}[r.Classifier]; r.Cell == "c00" || r.Cell == "c10" {
			ofDraw[r.Replicate-1] += sign * r.Error * 100 / 2
		}
	}
	shared := makeTable(t, study, rows, nil)
	both, isBound := shared.gap([]int{0, 3}, "slb", "nb")
	wantError := stat.StdDev(ofDraw, nil) / math.Sqrt(12)
	if isBound || both.DF != 11 || math.Abs(both.MCSE-wantError) > 1e-12 ||
		math.Abs(both.Mean-independent.Mean) > 1e-12 {
		t.Errorf("all draws are shared: %+v, bound %v, want the standard error %v", both, isBound, wantError)
	}
	for r := range recordstest.Each(rows) {
		if r.Cell == "c10" && r.Replicate == 12 {
			r.Data = "another draw"
		}
	}
	for r := range recordstest.Each(rows) {
		if r.Cell == "c01" {
			r.Data = "own " + r.Data
		}
	}
	partly := makeTable(t, study, rows, nil)
	one, _ := partly.gap([]int{0}, "slb", "nb")
	other, _ := partly.gap([]int{3}, "slb", "nb")
	both, isBound = partly.gap([]int{0, 3}, "slb", "nb")
	if !isBound || math.Abs(both.MCSE-(one.MCSE+other.MCSE)/2) > 1e-12 {
		t.Errorf("one draw is not shared: %+v of %+v and %+v, bound %v", both, one, other, isBound)
	}
	independentRow, _ := partly.gap([]int{1}, "slb", "nb")
	all, isBound := partly.gap([]int{0, 1, 3}, "slb", "nb")
	if want := math.Hypot(2*both.MCSE, independentRow.MCSE) / 3; !isBound || math.Abs(all.MCSE-want) > 1e-12 {
		t.Errorf("two of three rows share data: standard error %v, want %v", all.MCSE, want)
	}
	if f := shared.factorFinding("n").text; f == "" || strings.Contains(f, "times that") {
		t.Errorf("rows on the same data: %q", f)
	}
	study, rows = fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool { return r.Cell == "c00" })
	if f := makeTable(t, study, rows, nil).factorFinding("n").text; f != "" {
		t.Errorf("n = 200 has one row, the others two: %s", f)
	}
}

// Findings describe the intervals that they contain. Rows on the same draws have the degrees of freedom of one sample,
// and without an average over rows, findings limit no average to the data sets of the rows.
func TestFindingsDescribeTheirIntervals(t *testing.T) {
	for name, change := range map[string]func(*view.Study, *records.Record){
		"draws": func(_ *view.Study, r *records.Record) { r.Data = string(rune('a' + r.Replicate)) },
		"sets": func(s *view.Study, r *records.Record) {
			s.Sampling[r.Cell] = view.Sampling{Source: r.Cell, OneDataSet: true, Folds: 12, TestRatio: 1.0 / 11}
		},
	} {
		for _, oneRowPerLevel := range []bool{false, true} {
			study, rows := fixture.Sample(12)
			study.Sampling = map[string]view.Sampling{}
			for r := range recordstest.Each(rows) {
				change(&study, r)
			}
			method := makeTable(t, study, rows, func(o *Options) {
				if oneRowPerLevel {
					o.Where = records.Condition{"n": {"200"}}
				}
			}).Findings().IntervalMethod
			isSets := name == "sets"
			if strings.Contains(method, "hold for these data sets only") != (isSets && !oneRowPerLevel) ||
				strings.Contains(method, "Welch") != (isSets && !oneRowPerLevel) {
				t.Errorf("%s, one row per level %v: %s", name, oneRowPerLevel, method)
			}
		}
	}
}

// Failed fits can leave two rows equally many results of different draws. The average is over the results of each row,
// whatever the size of the results.
func TestGapOfDifferentDraws(t *testing.T) {
	for _, size := range []float64{1, 1e-10} {
		checkGapOfDifferentDraws(t, size)
	}
}

// checkGapOfDifferentDraws multiplies all errors by size.
func checkGapOfDifferentDraws(t *testing.T, size float64) {
	t.Helper()
	study, rows := fixture.Sample(30)
	for r := range recordstest.Each(rows) {
		r.Data = fmt.Sprint("draw ", r.Replicate)
		r.Error *= size
	}
	fixture.FailDraw(rows, "c00", 3)
	fixture.Fail(rows, "c10", "5nn", 5, "no")
	content := makeTable(t, study, rows, nil)
	first, _ := content.gap([]int{0}, "slb", "nb")
	second, _ := content.gap([]int{3}, "slb", "nb")
	both, isBound := content.gap([]int{0, 3}, "slb", "nb")
	if first.DF != 28 || second.DF != 28 || !isBound || math.Abs(both.Mean-(first.Mean+second.Mean)/2) > 1e-12*size {
		t.Errorf("size %g: %+v of %+v and %+v, bound %v", size, both, first, second, isBound)
	}
}

// A table without tests has no findings.
func TestNoFindingsWithoutTests(t *testing.T) {
	study, rows := fixture.Sample(12)
	content, err := New(fixture.PapersView(study, rows),
		func() Options { o := Defaults(); o.Bold = false; return o }())
	f := content.Findings()
	if err != nil || len(f.Found)+len(f.NotShown)+len(f.Excluded) > 0 || f.IntervalMethod != "" {
		t.Errorf("%+v, %v", f, err)
	}
}

// A classifier that did not run in every row is left out of averages over rows, and the sentence names it.
func TestFindingsNameClassifiersLeftOut(t *testing.T) {
	study, rows := fixture.Sample(20)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Levels.Of("n") == "400"
	})
	found := makeTable(t, study, rows, nil).Findings().Found
	if len(found) == 0 {
		t.Fatal("nothing found")
	}
	for _, sentence := range found {
		if !strings.HasSuffix(sentence,
			". NB could not be compared in some rows; averages that include these rows leave it out.") {
			t.Errorf("%q", sentence)
		}
	}
}

// If one of the two leading classifiers at the first level has no results at the last level, the sentence
// states only who leads there.
func TestFindingsWithoutAGapAtTheLastLevel(t *testing.T) {
	study, rows := fixture.Sample(20)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "5nn" && r.Levels.Of("n") == "1000"
	})
	found := makeTable(t, study, rows, nil).factorFinding("n").text
	texttest.Lacks(t, found, "NaN")
	texttest.Contains(t, found, "; at n = 1000, ")
}

// Either classifier of a pair may be the best of a row, but the pair is counted once.
func TestPairsWithoutADifferenceAreCountedOnce(t *testing.T) {
	study, rows := fixture.Sample(20)
	for r := range recordstest.Each(rows) { // all means are close; the best classifier differs between rows
		place := map[string]int{"slb": 0, "5nn": 1, "nb": 2, "oracle": 3}[r.Classifier]
		r.Error = 0.2 + 0.001*float64((place+int(r.Cell[2]))%3) + 0.01*float64((r.Replicate*(place+2))%5)
	}
	content := makeTable(t, study, rows, nil)
	best := map[string]bool{}
	for i := range content.Rows {
		best[content.Rows[i].bestSet.Against] = true
	}
	words := content.notShownSentence()
	listed := strings.Count(words, " and ") // one in each pair
	if len(best) < 2 || listed > 3 || strings.Contains(words, "more pair") {
		t.Errorf("three classifiers have three pairs; best in some row: %v; %q", best, words)
	}
}

// setErrors sets the error of each record to a mean plus noise that differs between classifiers and replicates.
func setErrors(rows *records.Records, mean func(r *records.Record) float64) {
	for r := range recordstest.Each(rows) {
		r.Error = mean(r) + 0.001*noise(r)
	}
}

// noise returns a number from 0 to 4.
func noise(r *records.Record) float64 {
	place := map[string]int{"slb": 1, "5nn": 2, "nb": 3}[r.Classifier]
	return float64((r.Replicate * r.Replicate * place) % 5)
}

// A gap in one row has the interval of the test of this row, whichever of the two classifiers is the better one there.
func TestGapOfAnotherLeaderHasTheIntervalOfItsRow(t *testing.T) {
	study, rows := fixture.Sample(12)
	setErrors(rows, func(r *records.Record) float64 { // slb leads, but nb leads at n = 1000
		leads := map[string]string{"slb": "200", "nb": "1000"}[r.Classifier] == r.Levels.Of("n")
		return map[bool]float64{true: 0.1, false: 0.12}[leads] + map[string]float64{"5nn": 0.1}[r.Classifier]
	})
	o := Defaults()
	o.Where = records.Condition{"cpd": {"gaussian"}}
	content := newTable(t, fixture.DefaultView(study, rows), o)
	q := content.Rows[2].comparison("slb")
	if q == nil {
		t.Fatal("nb does not lead at n = 1000")
	}
	shift := q.Shift.Times(100) // loss of nb minus loss of slb
	found := content.factorFinding("n").text
	want := "; at n = 1000, NB has the smallest mean test error, " + content.gapWords(shift.Times(-1)) + " below SLB."
	if !strings.HasSuffix(found, want) {
		t.Errorf("no %q in %s", want, found)
	}
}

// If another classifier is the closest rival at the last level, the sentence states the lead over this rival, too.
func TestFindingsNameTheNewRival(t *testing.T) {
	study, rows := fixture.Sample(12)
	setErrors(rows, func(r *records.Record) float64 {
		second := map[string]string{"200": "slb", "400": "slb", "1000": "5nn"}[r.Levels.Of("n")]
		switch r.Classifier {
		case "nb":
			return 0.1
		case second:
			return 0.2
		}
		return 0.3
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Where = records.Condition{"cpd": {"gaussian"}} })
	found := content.factorFinding("n").text
	form := regexp.MustCompile(`^At n = 200, NB has the smallest mean test error, 10\.[^;]* below SLB; ` +
		`by n = 1000, the gap is 2\.00 times that [^;]*, and NB is 10\.[^;]* below 5-NN\.$`)
	if !form.MatchString(found) {
		t.Error(found)
	}
}

// If the intervals of metrics have different explanations, each explanation names its metrics.
func TestIntervalsOfEachMetric(t *testing.T) {
	study, rows := fixture.Sample(20)
	setErrors(rows, func(r *records.Record) float64 {
		return 0.1 + map[string]float64{"nb": 0, "slb": 0.1, "5nn": 0.2}[r.Classifier]
	})
	for r := range recordstest.Each(rows) {
		r.BER = 0.3 + 0.05*noise(r) + 0.01*r.Error
	}
	both := func(o *Options) { o.Metrics = []string{"ber", "error"} }
	method := makeTable(t, study, rows, both).Findings().IntervalMethod
	if !strings.HasPrefix(method, "Balanced test error (%): The numbers in parentheses") ||
		!strings.Contains(method, ". Test error (%): The numbers in parentheses") ||
		strings.Count(method, "Fieller") != 1 ||
		!strings.HasSuffix(method, "intervals for ratios use Fieller's method.") {
		t.Error(method)
	}
	for r := range recordstest.Each(rows) {
		r.BER = r.Error
	}
	if method = makeTable(t, study, rows, both).Findings().IntervalMethod; !strings.HasPrefix(method, "The numbers") ||
		strings.Count(method, "Fieller") != 1 {
		t.Error(method)
	}
}

// If the best two classifiers have equal results, the findings name both, without an interval.
func TestFindingsOfTies(t *testing.T) {
	study, rows := fixture.Sample(20)
	errorOfSLB := map[string]float64{}      // by cell and replicate
	for r := range recordstest.Each(rows) { // slb comes first
		key := r.Cell + strconv.Itoa(r.Replicate)
		switch r.Classifier {
		case "slb":
			errorOfSLB[key] = r.Error
		case "5nn":
			r.Error = errorOfSLB[key]
		case "nb":
			r.Error = errorOfSLB[key] + 0.1
		}
	}
	const both = "SLB and 5-NN both have the smallest mean test error"
	f := makeTable(t, study, rows, nil).Findings()
	if want := []string{"Averaged over n: for gaussian, " + both + "; for complex, " + both + ".",
		"Averaged over densities: at n = 200, " + both + "; at n = 1000, " + both + "."}; f.IntervalMethod != "" ||
		!slices.Equal(f.Found, want) {
		t.Errorf("%q, %s", f.Found, f.IntervalMethod)
	}
	for r := range recordstest.Each(rows) {
		if r.Classifier == "5nn" && (r.Levels.Of("n") == "200" || r.Levels.Of("cpd") == "gaussian") {
			r.Error += 0.05 + 0.001*float64(r.Replicate%3)
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Where = records.Condition{"cpd": {"complex"}} })
	if found := content.factorFinding("n").text; !strings.HasSuffix(found, "; at n = 1000, "+both+".") {
		t.Error(found)
	}
}

// The findings name all classifiers that share the best mean, also if the study has a champion. Rounding errors of
// large results do not break ties.
func TestFindingsNameAllTies(t *testing.T) {
	study, rows := fixture.Sample(5)
	order := map[string]int{"slb": 0, "5nn": 1, "nb": 2}
	for r := range recordstest.Each(rows) {
		r.Error = 1e9 * math.Sqrt(float64(2+(r.Replicate+order[r.Classifier])%5))
	}
	o := Defaults()
	o.Rows = []string{}
	for _, champion := range []string{"", "nb"} {
		inference := view.PapersInference()
		inference.Champion = champion
		content := newTable(t, view.New(study, rows, inference), o)
		found := content.Findings().Found // rounding errors determine the order of the three names
		if len(found) != 1 || !strings.HasSuffix(found[0], " all have the smallest mean test error.") {
			t.Errorf("champion %q: %q", champion, found)
		}
	}
}

// Tables of tiny and huge results use scientific notation. Means of tiny results are not tied if their difference is
// large for results of this size.
func TestTinyAndHugeResults(t *testing.T) {
	for _, size := range []float64{1e-9, 1e10} {
		study, rows := fixture.Sample(12)
		setErrors(rows, func(r *records.Record) float64 {
			return map[string]float64{"slb": 0.1, "nb": 0.3, "5nn": 0.4}[r.Classifier] + noise(r)/100
		})
		for r := range recordstest.Each(rows) {
			r.Error *= size
		}
		content := makeTable(t, study, rows, func(o *Options) { o.Scale, o.MCSE = "fraction", true })
		first, want := content.Sheet().Rows[0].Cells[0], content.Rows[0].Entries[0]
		numbers := []string{fmt.Sprintf("%.2e", want.Mean), fmt.Sprintf("(%.2e)", want.SD)}
		largestError := content.Foot[0].Cells[0].Main
		if !slices.Equal([]string{first.Main, first.Spread}, numbers) || len(largestError) != len("1.23e-12") {
			t.Errorf("%s %s, want %q; foot %q", first.Main, first.Spread, numbers, largestError)
		}
		found := strings.Join(content.Findings().Found, " ")
		const number = `[0-9]\.[0-9]{2}e[-+][0-9]{2}`
		gap := regexp.MustCompile(`, ` + number + ` \(` + number + ` to ` + number + `\) below NB`)
		if strings.Contains(found, "both have") || strings.Contains(found, "all have") || !gap.MatchString(found) {
			t.Errorf("size %g: %s", size, found)
		}
	}
}

// The end of an interval is printed as 0 only if it is 0.
func TestGapWordsShowWhetherTheyExcludeZero(t *testing.T) {
	study, rows := fixture.Sample(4)
	content := makeTable(t, study, rows, nil)
	for want, gap := range map[string]stats.Shift{
		"2.20 (0.03 to 4.40) percentage points":    {Estimate: 2.2, Low: 0.029, High: 4.4},
		"−2.20 (−4.40 to −0.03) percentage points": {Estimate: -2.2, Low: -4.4, High: -0.029},
		"2.2 (0.0 to 4.4) percentage points":       {Estimate: 2.2, Low: 0, High: 4.4},
	} {
		if got := content.gapWords(gap); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A champion is above SLB at the first level and below it at the last level.
func TestGapOfAChampionChangesDirection(t *testing.T) {
	study, rows := fixture.Sample(12)
	setErrors(rows, func(r *records.Record) float64 {
		return map[string]float64{"slb": 0.1, "nb": 0.3, "5nn": 0.4}[r.Classifier] + noise(r)/100
	})
	inference := view.DefaultInference()
	inference.Champion, inference.Alternative, inference.Test = "nb", "less", "t"
	o := Defaults()
	o.Where = records.Condition{"cpd": {"gaussian"}}
	content := newTable(t, view.New(study, rows, inference), o)
	first, last := content.newLead([]int{0}, "nb", "slb", 0.975), content.newLead([]int{1}, "nb", "slb", 0.975)
	last.gap.Mean *= -1 // the champion is better at the last level
	text, _ := content.gapChange("n = 1000", first, last)
	if !strings.HasPrefix(text, "at n = 1000, NB is ") || !strings.HasSuffix(text, " points below SLB") {
		t.Error(text)
	}
}

// A sentence that begins with a mean begins in upper case.
func TestFindingOfAChampionBeginsInUpperCase(t *testing.T) {
	study, rows := fixture.Sample(20)
	inference := view.DefaultInference()
	inference.Champion, inference.Alternative = "nb", "less"
	o := Defaults()
	o.Rows = []string{}
	content := newTable(t, view.New(study, rows, inference), o)
	found := content.Findings().Found
	if len(found) != 1 || !strings.HasPrefix(found[0], "The mean test error of NB is") {
		t.Errorf("%q", found)
	}
}

// Findings count the comparisons that show equivalence within the margin.
func TestFindingsCountEquivalentPairs(t *testing.T) {
	study, rows := fixture.Sample(12)
	for margin, want := range map[float64]string{
		0:    "",
		0.03: "In 6 of 12 comparisons, the difference is shown to be smaller than 3 percentage points.",
		0.9:  "In 12 of 12 comparisons, the difference is shown to be smaller than 90 percentage points.",
	} {
		inference := view.PapersInference()
		inference.Margin = margin
		if got := newTable(t, view.New(study, rows, inference), Defaults()).equivalenceSentence(); got != want {
			t.Errorf("margin %v: %q, want %q", margin, got, want)
		}
	}
	// No test is possible over the folds of one data set, so their comparisons do not count.
	fixture.SetSampling(&study, rows, view.Sampling{OneDataSet: true, TestRatio: 0.2})
	inference := view.DefaultInference()
	inference.Margin = 0.9
	o := Defaults()
	o.Rows = []string{}
	if got := newTable(t, view.New(study, rows, inference), o).equivalenceSentence(); got != "" {
		t.Errorf("pooled folds of one data set: %q", got)
	}
}
