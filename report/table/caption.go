package table

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// caption describes the measure, the numbers in parentheses, the number of results and the meaning of bold
// type.
func (t *Table) caption() string {
	return perMetric(t.MetricTables(), (*Table).captionText)
}

func (t *Table) measureTitle() string {
	shown := t.Measure
	if t.contrastFactor != "" {
		shown.Unit = shown.DifferenceUnit()
	}
	return shown.Title()
}

// captionText returns the part of the caption about one metric, without the metric's name.
func (t *Table) captionText() string {
	if t.contrastFactor != "" {
		return t.contrastCaption()
	}
	mean := "mean"
	if words := t.spread().words(t); words != "" {
		mean += " (" + words + ")"
	}
	sentences := []string{fmt.Sprintf("%s over %s.", mean, t.resultWords())}
	if t.Measure.Metric.Needs == metrics.Clock {
		sentences = append(sentences, "The time of each classifier includes the work that it shares with others.")
	}
	switch {
	case t.Bold == "": // no tests
	case len(view.Without(t.groups, t.view.PoolsOneDataSet)) == 0:
		sentences = append(sentences, "No test is possible, because each row pools cells of one data set, whose "+
			"results count as one.")
	default:
		sentences = append(sentences, t.Bold)
	}
	// Other marks show that a classifier failed or lacks the metric too often.
	isDash := func(e Entry) bool { return e.N == 0 && !e.Excluded && !e.Undefined }
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return slices.ContainsFunc(r.Entries, isDash) }) {
		sentences = append(sentences, "A dash marks an entry without results.")
	}
	return strings.Join(sentences, " ")
}

// resultWords describes how many results a mean averages, as in "R = 50 replicates per row".
func (t *Table) resultWords() string {
	words := t.view.ResultWords(resultsIn(t.Rows...), t.Measure.Pooled(t.groups))
	return words + " per row" + unitWords(&t.Measure, words)
}

// unitWords states how a result over several folds is computed: "; the result of a task is the mean over the
// folds of one problem".
func unitWords(m *view.Measure, units string) string {
	task := strings.Contains(units, "task")
	switch {
	case task && m.AddsCounts():
		return "; the confusion matrix of a task is the sum over the folds of one problem"
	case task:
		return "; the result of a task is the mean over the folds of one problem"
	case m.AddsCounts() && strings.Contains(units, "data set"):
		return "; the confusion matrices of the folds of a cross-validation are added"
	}
	return ""
}

// boldCaption explains bold type: the test, its units, its level and the compared classifiers. The argument
// bestWord describes the best mean, as in "smallest". At least one row must have tests.
func (t *Table) boldCaption(columns []string, bestWord string) string {
	v := t.view
	bold := fmt.Sprintf("the classifier with the %s mean in the row and those not shown to be worse", bestWord)
	if v.Champion != "" {
		bold = v.Label(v.Champion) + ", chosen by the study, and the classifiers that it is not shown to beat"
	}
	// Rows that compare two classifiers are separate only if other rows have a joint test of more than
	// two.
	mainRows, rowsOfTwo := t.rowsByTest()
	// "Test: a two-sided sign test on paired replicates; nominal family-wise level 0.05, Bonferroni (2 comparisons
	// per row, each at 0.05/2). Tested quantity: the median nonzero difference, not the mean."
	text := fmt.Sprintf("Bold: %s. Test: %s; %s. Tested quantity: %s.", bold, t.testWords(mainRows),
		correctionWords(v, t.familySizes()), t.testedQuantity(mainRows))
	if len(rowsOfTwo) > 0 {
		text += fmt.Sprintf(
			" In rows that compare two classifiers, the test is the %s, and the tested quantity is the %s.",
			view.DistinctWords(rowsOfTwo, t.testLabel), view.DistinctWords(rowsOfTwo, t.estimate))
	}
	if notCompared := t.shownForReference(columns); len(notCompared) > 0 {
		text += fmt.Sprintf(" Compared: %s; shown for reference only: %s.", v.Labels(t.comparedSomewhere()),
			v.Labels(notCompared))
	}
	if t.testsPooledCells() {
		text += " " + view.TestsOfPooledCells
	}
	return text
}

// rowsByTest divides the rows with tests into rows with a joint test of at least three classifiers (main) and
// rows with a test of two.
//
// If no row has a joint test, main contains all rows with tests, and ofTwo is nil.
func (t *Table) rowsByTest() (main, ofTwo []int) {
	isOfTwo := func(i int) bool { return !t.view.Joint(len(t.Rows[i].bestSet.Family)) }
	tested := t.testedRows()
	joint := view.Without(tested, isOfTwo)
	if len(joint) == 0 {
		return tested, nil
	}
	return joint, view.Except(tested, joint...)
}

// TestSentences returns sentences that explain the tests and the bold type in the rows.
func (t *Table) TestSentences() string {
	const best = "smallest"
	return t.boldCaption(t.Family, best)
}

// comparedSomewhere returns the classifiers that the tests of some row compare.
func (t *Table) comparedSomewhere() []string {
	nowhere := t.Family
	for i := range t.Rows {
		nowhere = view.Except(nowhere, t.Rows[i].compared...)
	}
	return view.Except(t.Family, nowhere...)
}

// shownForReference returns the columns that the tests do not compare although some row shows a result.
func (t *Table) shownForReference(columns []string) []string {
	return view.Without(view.Except(columns, t.Family...), func(id string) bool {
		k := slices.Index(t.IDs, id)
		return !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Entries[k].N > 0 })
	})
}

// familySizes returns the smallest and the largest number of classifiers that the tests of a row compare.
func (t *Table) familySizes() (sizes view.Range) {
	for _, i := range t.testedRows() {
		sizes.Add(len(t.Rows[i].bestSet.Family))
	}
	return sizes
}

// testedQuantity names the quantity that the tests of the given rows estimate, such as "the mean difference".
func (t *Table) testedQuantity(rows []int) string {
	estimate := view.DistinctWords(rows, t.estimate)
	switch {
	case strings.Contains(estimate, " or "): // different default tests; only signed-rank tests estimate a shift
		estimate = strings.Replace(estimate, "shift", "shift (not the mean)", 1)
	case !slices.ContainsFunc(rows, t.isOnOneTestSet) && estimate != "mean difference":
		estimate += ", not the mean"
	}
	return "the " + estimate
}

// correctionWords describes the level of the tests, the correction and the number of comparisons in a row. The
// argument compared contains the smallest and the largest number of classifiers that a row compares.
func correctionWords(v *view.View, compared view.Range) string {
	count := view.Range{Least: v.Comparisons(compared.Least), Most: v.Comparisons(compared.Most)}
	alpha, correction := view.Number(v.Alpha), v.Adjustment()
	if v.Joint(compared.Most) { // one test of all pairs needs no correction
		return fmt.Sprintf("family-wise level %s over all pairs (%s per row)", alpha, count)
	}
	if correction == stats.Uncorrected {
		if count.Most == 1 {
			return fmt.Sprintf("one comparison per row at level %s", alpha)
		}
		return fmt.Sprintf("each of %s comparisons per row at level %s, uncorrected", count, alpha)
	}
	level := fmt.Sprintf("%s %s, %s", familyWise(v, count.Most), alpha, correction) // "family-wise level 0.05, Holm"
	if count.Most == 1 {
		return level + " (one comparison per row)"
	}
	if correction == stats.Holm { // the levels of the comparisons differ
		return fmt.Sprintf("%s (%s comparisons per row)", level, count)
	}
	return level + bonferroniWords(v, count)
}

// bonferroniWords describes several comparisons with a Bonferroni correction: " over all pairs (3 per row, each at
// 0.05/3)" or " (2 comparisons per row, each at 0.05/2)".
func bonferroniWords(v *view.View, count view.Range) string {
	each := fmt.Sprintf("each at %s/%d", view.Number(v.Alpha), count.Most)
	if count.Least < count.Most {
		each = fmt.Sprintf("each at %s divided by their number", view.Number(v.Alpha))
	}
	if v.AllPairs() {
		return fmt.Sprintf(" over all pairs (%s per row, %s)", count, each)
	}
	return fmt.Sprintf(" (%s comparisons per row, %s)", count, each)
}

// testWords describes the tests of the given rows, such as "a two-sided sign test on paired folds". If the rows
// have different tests, this is the most frequent one, and a parenthesis lists the other tests and their rows.
func (t *Table) testWords(rows []int) string {
	side := "two-sided"
	if t.view.Side() != stats.TwoSided {
		side = "one-sided"
	}
	test := func(i int) string {
		return t.testLabel(i) + " on paired " + t.view.TestedUnitNoun(t.groups[i:i+1])
	}
	// Rows that pool cells of one data set have no valid test, so describe the others, if any.
	if possible := view.Without(rows, t.poolsOneDataSet); len(possible) > 0 {
		rows = possible
	}
	alike := stats.Grouped(rows, test)
	slices.SortStableFunc(alike, func(a, b []int) int { return len(b) - len(a) })
	others := stats.Map(alike[1:], func(group []int) string {
		return t.rowWords(group, rows) + ": " + test(group[0])
	})
	words := fmt.Sprintf("a %s %s", side, test(alike[0][0]))
	if others != nil {
		words += " (" + strings.Join(others, "; ") + ")"
	}
	return words
}

// rowWords returns a phrase such as "in data iris" that identifies some of the given rows. If no level of a
// factor does so, it lists these rows.
func (t *Table) rowWords(some, rows []int) string {
	for j, head := range t.Heads {
		shared := t.Rows[some[0]].Labels[j]
		differs := func(i int) bool { return t.Rows[i].Labels[j] != shared }
		if slices.Equal(some, view.Without(rows, differs)) {
			return "in " + head + " " + shared
		}
	}
	return listed(stats.Map(some, func(i int) string { return strings.TrimSpace(inRow(t, i)) }))
}

func (t *Table) testLabel(i int) string { return t.Rows[i].test.Label }

func (t *Table) estimate(i int) string { return t.Rows[i].test.Estimate }

func familyWise(v *view.View, comparisons int) string {
	if v.Nominal(v.Champion, comparisons) {
		return "nominal family-wise level"
	}
	return "family-wise level"
}

// correctedLevel describes the significance level of the tests in a table row, and their correction for
// multiple testing.
func correctedLevel(v *view.View, comparisons int) string {
	if v.Adjustment() == stats.Uncorrected {
		return fmt.Sprintf("level %s, uncorrected", view.Number(v.Alpha))
	}
	correction := v.Adjustment().String()
	const several = 3
	switch {
	case v.Joint(several) && comparisons > 1:
		correction = "over all pairs"
	case v.AllPairs():
		correction = "Bonferroni over all pairs"
	}
	return fmt.Sprintf("%s %s, %s", familyWise(v, comparisons), view.Number(v.Alpha), correction)
}
