package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// failureNotes adds remarks on failed draws and on the treatment of failed fits, and footnotes on
// failed fits. Classifiers with the same numbers of failures share a footnote.
func (t *Table) failureNotes() {
	t.addRemarks(view.FailedDrawsSentence(t.cells()))
	switch {
	case !slices.ContainsFunc(t.allGroups(), view.AnyFailed): // no remark on the treatment
	case !t.Measure.OfPredictions() && t.view.ReplacesFailures():
		t.addRemarks(fmt.Sprintf("Failed fits have no %s, so means, tests and ranks omit them.", t.Measure.Name))
	default:
		t.addRemarks(t.view.TreatmentSentence("Means, tests and ranks"), t.view.OmittedSentence(t.cells()))
	}
	noteOfOne := func(column int) string { return t.failureNote(column, "") }
	for _, alike := range stats.Grouped(stats.Indices(len(t.IDs)), noteOfOne) { // columns with equal notes
		if noteOfOne(alike[0]) != "" {
			t.addFailureNote(alike)
		}
	}
}

// addFailureNote adds a footnote on failed fits and marks the entries with failed fits. The classifiers in the
// given columns must have the same numbers of failures.
func (t *Table) addFailureNote(columns []int) {
	ofEach := ""
	if len(columns) > 1 {
		ofEach = " of each classifier"
	}
	number := t.addFootnote(t.view.Labels(dataset.At(t.IDs, columns)) + ": " + t.failureNote(columns[0], ofEach))
	for _, k := range columns {
		for i := range t.Rows {
			if e := &t.Rows[i].Entries[k]; e.Failed > 0 {
				e.Note = number
			}
		}
	}
}

// failureNote describes the failed fits of the classifier in column k. It returns "" if no fit failed. The
// argument ofEach is " of each classifier" if other classifiers share the note, and otherwise "".
func (t *Table) failureNote(k int, ofEach string) string {
	rows := len(t.rowsWhere(func(i int) bool { return t.Rows[i].Entries[k].Failed > 0 }))
	if rows == 0 {
		return ""
	}
	failed, tried := t.failedFits(k)
	where := view.Plural(rows, "marked row", "marked rows")
	// "3 of the 200 fits of each classifier in 2 marked rows failed."
	text := fmt.Sprintf("%d of the %d fits%s in %s failed.", failed, tried, ofEach, where)
	if t.view.UnitNoun(t.groups) == "tasks" {
		// "a fit failed in 3 of the 100 tasks in 2 marked rows."
		text = fmt.Sprintf("a fit failed in %d of the %d tasks%s in %s.", failed, tried, ofEach, where)
	}
	if excludedRows := t.countExcluded(k); excludedRows > 0 {
		text += fmt.Sprintf(" In %s, too many fits failed for a mean, test or rank.",
			view.Plural(excludedRows, "row", "rows"))
	}
	return text
}

// countExcluded returns the number of rows in which the classifier in column k fails too often to be compared.
func (t *Table) countExcluded(k int) int {
	return len(t.rowsWhere(func(i int) bool { return t.Rows[i].Entries[k].Excluded }))
}

// failedFits counts the fits of the classifier in column k, and how many of them failed. It counts only the marked
// rows, which have a failed fit.
func (t *Table) failedFits(k int) (failed, tried int) {
	var cells []records.Cell
	for i := range t.Rows {
		row := &t.Rows[i]
		if row.Entries[k].Failed == 0 {
			continue
		}
		cells = append(cells, t.groups[i].Cells...)
		if row.subtracted != nil { // a contrast
			cells = append(cells, row.subtracted.Cells...)
		}
	}
	// Several contrasts can subtract the same cell.
	for _, alike := range stats.Grouped(cells, func(c records.Cell) string { return c.ID }) {
		all, withoutResult := alike[0].Attempts(t.IDs[k])
		failed, tried = failed+withoutResult, tried+all
	}
	return failed, tried
}

// betterRemark names each classifier that a test shows to be better than the classifier with the best mean.
// This can happen if the test and the means use different results.
func (t *Table) betterRemark() {
	for i, row := range t.Rows {
		for k, e := range row.Entries {
			if q := e.Comparison; q != nil && q.Better {
				t.addRemarks(fmt.Sprintf("%s is shown to be better than %s on the results available for both%s, "+
					"although its mean is worse: both are bold.", t.Columns[k], t.view.Label(row.bestSet.Against),
					inRow(t, i)))
			}
		}
	}
}

// doubtfulRemarks names the comparisons whose results may be misleading (see Comparison.Doubtful), in
// a remark for each reason:
//   - The test shows a difference, but the estimated shift is 0.
//   - The test compares means, but the differences are skewed.
//   - The test does not compare means. The mean and the tested estimate differ in sign, or the
//     differences are skewed.
//   - A t test is impossible, because all differences are equal and not 0.
func (t *Table) doubtfulRemarks() {
	isOtherwiseDoubtful := func(q *verdicts.Comparison) bool { return q.Doubtful() && !q.HidesDifference() }
	isSkewed := func(r *Row, q *verdicts.Comparison) bool { return isOtherwiseDoubtful(q) && r.testsMeans() }
	mayDisagree := func(r *Row, q *verdicts.Comparison) bool { return isOtherwiseDoubtful(q) && !r.testsMeans() }
	reference := cmp.Or(t.view.Label(t.view.Champion), "the best") // the tests compare this classifier with all others
	t.remarkOn(hidesDifference, "The tests show a difference from "+reference+" although the estimated shift is 0, "+
		"because most differences are 0 or cancel each other: ", ". Here, the mean difference is the better summary.")
	t.remarkOn(isSkewed, "The absolute skewness of the paired differences exceeds 2, so the level of the test is only "+
		"approximate: ", ".")
	t.remarkOn(mayDisagree, "Means and tests may disagree, because the mean difference from "+reference+" and the "+
		"tested estimate differ in sign, or the absolute skewness of the differences exceeds 2: ", ". With test: t or "+
		"permutation, the tests compare means.")
	t.remarkOn(hasNoVariation, "The difference from "+reference+" does not vary, so there is no test: ", ".")
}

// remarkOn adds a remark that names the comparisons for which isSelected returns true, between the texts before and
// after. It adds nothing if there are none.
func (t *Table) remarkOn(isSelected func(r *Row, q *verdicts.Comparison) bool, before, after string) {
	if names := t.namesByRow(isSelected); names != "" {
		t.addRemarks(before + names + after)
	}
}

// hidesDifference calls q.HidesDifference. namesByRow and anyComparison need the unused argument.
func hidesDifference(_ *Row, q *verdicts.Comparison) bool { return q.HidesDifference() }

func hasNoVariation(r *Row, q *verdicts.Comparison) bool {
	return q.P == 1 && r.test.LacksVariation(q.Mean)
}

// namesByRow lists, for each row, the classifiers with a comparison that isSelected accepts, as in "RF, NB in n
// 200; RF in n 400".
func (t *Table) namesByRow(isSelected func(r *Row, q *verdicts.Comparison) bool) string {
	var parts []string
	for i, row := range t.Rows {
		var ids []string
		for k, e := range row.Entries {
			if q := e.Comparison; q != nil && isSelected(&row, q) {
				ids = append(ids, t.IDs[k])
			}
		}
		if ids != nil {
			parts = append(parts, t.view.Labels(ids)+inRow(t, i))
		}
	}
	if more := len(parts) - maxRowsListed; more > 0 {
		parts = append(parts[:maxRowsListed], fmt.Sprintf("and in %d more rows", more))
	}
	return strings.Join(parts, "; ")
}

func (t *Table) anyComparison(isSelected func(r *Row, q *verdicts.Comparison) bool) bool {
	return t.namesByRow(isSelected) != ""
}

// inRow returns a phrase such as " in n 200, d 10" for row i, or "" if it is the only row.
func inRow(t *Table, i int) string {
	if len(t.Rows) == 1 {
		return ""
	}
	return " in " + t.rowName(&t.Rows[i])
}

// rowName returns the name of a row in sentences, such as "n 200, d 10".
func (t *Table) rowName(r *Row) string {
	var levels []string
	for j, label := range r.Labels {
		levels = append(levels, t.Heads[j]+" "+label)
	}
	return strings.Join(levels, ", ")
}

const maxRowsListed = 24

// replicatesRemark lists the number of replicates in each row if these numbers differ and there are few
// rows.
func (t *Table) replicatesRemark() {
	differ := slices.ContainsFunc(t.Rows, func(r Row) bool { return resultsIn(r) != resultsIn(t.Rows[0]) })
	if !differ || len(t.Rows) > maxRowsListed {
		return
	}
	var parts []string
	for i := range t.Rows {
		parts = append(parts, resultsIn(t.Rows[i]).String()+inRow(t, i))
	}
	t.addRemarks("R by row: " + strings.Join(parts, "; ") + ".")
}

// commonRemark states which results are compared if some results lack the metric: the results that all compared
// classifiers have or, in tests of pairs, those that both classifiers have.
func (t *Table) commonRemark() {
	units := t.view.UnitNoun(t.groups)
	subject := "Tests, findings, ranks and the choice of the best mean"
	testsUseOtherResults := func(r Row) bool {
		return r.lacksMetric && !r.usesCommonResults() && len(r.bestSet.Comparisons) > 1
	}
	if slices.ContainsFunc(t.Rows, testsUseOtherResults) {
		t.addRemarks(fmt.Sprintf("A test uses the %s in which the metric is defined for both classifiers.", units))
		subject = "Ranks and the choice of the best mean"
	}
	var numbers []string // such as "17 in n 200", for rows that do not compare all results of their means
	for i, row := range t.Rows {
		compared, inMeans := row.comparedResults(), resultsIn(row).Most
		if 0 < compared && compared < inMeans {
			numbers = append(numbers, fmt.Sprint(compared)+inRow(t, i))
		}
	}
	if numbers != nil {
		t.addRemarks(fmt.Sprintf("%s use the %s in which the metric is defined for all compared classifiers: %s.",
			subject, units, strings.Join(numbers, "; ")))
	}
}

// comparedResults returns the largest number of results with which the row compares a classifier, or
// 0 if it compares none.
func (r *Row) comparedResults() (most int) {
	for _, e := range r.Entries {
		most = max(most, e.compared.N)
	}
	return most
}

// partialSentence names the classifiers that tests of all pairs leave out, because they ran on only some of the
// data. The argument verdict is, for example, "Not compared".
func (t *Table) partialSentence(verdict string) string {
	partial := stats.Map(t.Rows, func(r Row) []string { return r.partial })
	return t.view.PartialSentence(verdict, t.groups, partial)
}

// isTooPartial reports whether row i has no test because fewer than two classifiers ran on all its data.
func (t *Table) isTooPartial(i int) bool { return t.Rows[i].partial != nil && !t.Rows[i].hasTests() }

const nothingMarked = "so this row cannot show a difference and marks no classifier"

// attainabilityNote adds a footnote with the reason to each row that cannot show a difference.
func (t *Table) attainabilityNote() {
	for i := range t.Rows {
		if text := t.whyNoDifference(i); text != "" {
			t.Rows[i].Note = t.addFootnote(text)
		}
	}
}

// whyNoDifference returns a sentence on why row i cannot show a difference. It returns "" if the row can show
// one, or if another note states the reason.
func (t *Table) whyNoDifference(i int) string {
	row, champion := &t.Rows[i], t.view.Champion
	if t.isTooPartial(i) {
		return "Fewer than two classifiers were run on all data of this row, so it has no tests " +
			"and marks no classifier."
	}
	if row.hasTests() {
		switch {
		case t.poolsOneDataSet(i):
			return "This row pools cells of one data set, whose results count as one, " + nothingMarked + "."
		case !row.bestSet.Attainable: // no p-value can be small enough
			return t.unattainableWords(i)
		}
		return ""
	}
	anyResult := row.bestSet.Best != "" // otherwise, another note states why nothing is compared
	switch {
	case anyResult && champion != "" && !slices.Contains(row.bestSet.Family, champion):
		return t.view.Label(champion) + " did not run, so this row has no tests and marks no classifier."
	case t.isUndecided(i):
		return "Too many results lack the metric, " + nothingMarked + "."
	}
	return ""
}

// unattainableWords returns the footnote of a row in which no difference can be significant.
func (t *Table) unattainableWords(i int) string {
	row := &t.Rows[i]
	level := row.bestSet.Level
	switch present, needed := row.resultsForSignificance(t.view.Side()); {
	case needed > present:
		return fmt.Sprintf("Too few %s: a difference can only be significant at level %.3g with at least %d, %s.",
			t.view.TestedUnitNoun(t.groups[i:i+1]), level, needed, nothingMarked)
	case needed == 0:
		return fmt.Sprintf("The smallest p-value that the %s can give exceeds the level %.3g, %s: %s.", row.test.Label,
			level, nothingMarked, row.test.Floor)
	default: // for example, because many differences are equal
		return fmt.Sprintf("With the values of these results, the smallest p-value that the %s can give exceeds the "+
			"level %.3g, %s.", row.test.Label, level, nothingMarked)
	}
}

// resultsForSignificance returns the number of results that the row has and the number with which a difference
// could be significant. The latter is 0 if no number is large enough.
func (r *Row) resultsForSignificance(a stats.Alternative) (present, needed int) {
	for _, q := range r.bestSet.Comparisons {
		present = max(present, q.Pairs)
	}
	return present, r.test.Needed(present, r.bestSet.Level, a)
}

const (
	testedOnRows = "There is one test set, and tests compare classifiers on its rows: conclusions apply to these " +
		"fits on new test rows, not to other training sets. The tests assume that the test rows are independent."
	notTestedInGroups = "There is one test set, and some groups have several test rows. These are not independent, " +
		"so there are no tests: " + view.GroupedTestsHint
	notTested = "All replicates have the same test set, so differences between classifiers do not show how these " +
		"differ on other test rows. There are no tests. With predictions: keep, tests compare classifiers on the " +
		"rows of the test set"
)

// oneTestSetNotes adds notes on rows with a single test set.
func (t *Table) oneTestSetNotes() {
	if slices.ContainsFunc(t.testedRows(), t.isOnOneTestSet) {
		t.addRemarks(testedOnRows)
	}
	hasDependentRows := func(i int) bool { return t.isUntestedOnOneTestSet(i) && t.view.HasDependentRows(t.groups[i]) }
	lacksPredictions := func(i int) bool { return t.isUntestedOnOneTestSet(i) && !hasDependentRows(i) }
	t.noteUntested(t.rowsWhere(hasDependentRows), notTestedInGroups)
	t.noteUntested(t.rowsWhere(lacksPredictions), notTested)
}

// noteUntested adds a note to rows without tests. If all rows lack tests, it adds a remark instead.
func (t *Table) noteUntested(rows []int, note string) {
	if len(rows) == len(t.Rows) {
		t.addRemarks(note + ".")
		return
	}
	for _, i := range rows {
		t.Rows[i].Note = t.addFootnote(note + ". This row marks no classifier.")
	}
}

func (t *Table) trainingNote() {
	if slices.ContainsFunc(t.groups, t.view.ScoresTraining) {
		text := "With scored: training, errors are measured on the training rows. They describe the fit, not its " +
			"accuracy on new rows"
		if t.contrastFactor == "" {
			text += ", so there are no tests and no marked classifiers"
		}
		t.addRemarks(text + ".")
	}
}

// isUntestedOnOneTestSet reports whether row i has a single test set and no tests, because no predictions are stored
// or the test rows are dependent.
func (t *Table) isUntestedOnOneTestSet(i int) bool {
	row := &t.Rows[i]
	return row.bestSet.Best != "" && !row.hasTests() && t.isOnOneTestSet(i)
}

const maxNamesListed = 5

// warningRemarks adds a remark for each kind of warning from successful fits: "SLB warned in 3 fits, LDA in 2:
// 5 to 7 of 20 pairs have no data."
func (t *Table) warningRemarks() {
	for _, w := range records.GroupWarnings(t.records()) {
		counts, text := t.warningCounts(w.Fits), strings.TrimSuffix(w.Text(), ".")
		switch {
		case w.Vary:
			t.addRemarks(fmt.Sprintf("%s, for example: %s.", counts, text))
		case len(w.Names) > 1:
			t.addRemarks(fmt.Sprintf("%s: %s; also %s.", counts, text, listed(w.Names[1:])))
		default:
			t.addRemarks(fmt.Sprintf("%s: %s.", counts, text))
		}
	}
}

// records returns the records that the table summarises, sorted by classifier and then by row.
func (t *Table) records() (list []*records.Record) {
	for _, id := range t.IDs {
		for _, c := range t.cells() {
			list = append(list, c.RowsOf(id)...)
		}
	}
	return list
}

// warningCounts lists how many fits of each classifier gave a warning: "SLB warned in 3 fits, LDA in
// 2".
func (t *Table) warningCounts(fits map[string]int) string {
	var counts []string
	for k, id := range t.IDs {
		n := fits[id]
		switch {
		case n == 0:
		case counts == nil:
			counts = append(counts, fmt.Sprintf("%s warned in %s", t.Columns[k], view.Plural(n, "fit", "fits")))
		default:
			counts = append(counts, fmt.Sprintf("%s in %d", t.Columns[k], n))
		}
	}
	return strings.Join(counts, ", ")
}

// listed joins names, but only the first ones of a long list.
func listed(names []string) string {
	if others := len(names) - maxNamesListed; others > 1 {
		names = append(slices.Clone(names[:maxNamesListed]), fmt.Sprintf("%d others", others))
	}
	return view.And(names)
}

// missingMetricRemarks names the classifiers that lack the metric of the table although their fits succeeded.
func (t *Table) missingMetricRemarks() {
	if t.Measure.Metric.Needs == metrics.Process { // memory
		t.unmeasuredRemark()
	}
	t.addRemarks(strings.TrimSpace(t.view.LeftOutResults(t.allGroups(), &t.Measure, t.IDs)))
}

// classifierRemarks adds the remarks that the classifiers themselves have (Component.Remark).
func (t *Table) classifierRemarks() {
	remark := func(id string) string { return t.view.Component(id).Remark }
	for _, ids := range stats.Grouped(t.IDs, remark) {
		if text := remark(ids[0]); text != "" {
			t.addRemarks(fmt.Sprintf("%s: %s.", t.view.Labels(ids), text))
		}
	}
}

// unmeasuredRemark names the classifiers whose memory was not measured in some row.
func (t *Table) unmeasuredRemark() {
	var without []string
	for k, id := range t.IDs {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Entries[k].N == 0 }) {
			without = append(without, id)
		}
	}
	if len(without) > 0 {
		t.addRemarks(fmt.Sprintf("%s: a dash means that the %s was not measured. copse measures the memory of "+
			"external programs, which run in separate processes.", t.view.Labels(without), t.Measure.Name))
	}
}

// dataRemarks adds remarks on missing results, on changes of the study and of its number of replicates, and on
// the data. Missing results count only in cells that meet the condition where.
func (t *Table) dataRemarks(where records.Condition) {
	v := t.view
	texts := []string{v.MissingSentence(where), v.OutdatedSentence(), v.ExtensionSentence(), v.ChangeSentence(),
		v.ReductionSentence()}
	for _, c := range t.cells() {
		texts = view.AddNew(texts, v.Remarks[c.ID])
	}
	t.addRemarks(texts...)
}
