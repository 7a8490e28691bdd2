package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// EffectsLegend explains the abbreviations in the table of effect sizes.
func (t *Table) EffectsLegend() string {
	parts := []string{"s.e.: paired standard error of the mean difference"}
	if t.anyComparison(hasCorrelation) {
		parts = append(parts, "r: matched-pairs rank-biserial correlation (1: always worse, 0: no difference)")
	}
	p := "p: p-value, adjusted for all comparisons in the row"
	if t.view.Adjustment() == stats.Uncorrected {
		p = "p: p-value without correction"
	}
	test := "a t test" // detectable differences are computed for t tests, even in a table with other tests
	if t.usesStudent() {
		test = "the test"
	}
	parts = append(parts, p, "d: smallest true difference that "+test+" detects with 80 percent power",
		"1st: share of resamples of the row's results in which the classifier has the best mean. If the results are "+
			"folds, the share is too close to 0 or 100%, because folds have rows in common.")
	legend := strings.Join(parts, "; ")
	if t.testsPooledCells() {
		legend += " In rows that pool cells, intervals, s.e. and d include the variation between cells."
	}
	return legend
}

// Effects returns the table of effect sizes. A positive difference means that a classifier is worse than the
// best one of the row or the champion.
func (t *Table) Effects() *sheet.Sheet {
	printed := &sheet.Sheet{ID: "table-" + sheet.SafeName(t.Name) + "-effects", Title: "Effect sizes: " + t.Title}
	printed.Caption = t.effectsCaption()
	heads, factors := t.columnHeads(), len(t.Heads)
	printed.Heads = slices.Clone(heads[:factors])
	var family []int
	for k, id := range t.IDs {
		if slices.Contains(t.Family, id) {
			family = append(family, k)
			printed.Heads = append(printed.Heads, heads[factors+k])
		}
	}
	printed.Rows = t.emptyRows()
	for i := range t.Rows {
		row := &printed.Rows[i]
		for _, k := range family {
			row.Cells = append(row.Cells, t.effectCell(&t.Rows[i], &t.Rows[i].Entries[k]))
		}
	}
	return printed
}

// effectsCaption explains the compared classifiers and the lines of each entry.
func (t *Table) effectsCaption() string {
	v := t.view
	units := v.TestedUnitNoun(t.groups)
	sentences := []string{
		// "Each classifier is compared with the best of its row on paired replicates. Each entry gives the median
		// nonzero difference in test error (percentage points) and its 95% confidence interval."
		fmt.Sprintf("Each classifier is compared with %s on paired %s. Each entry gives the %s in %s and its %s.",
			t.comparedWith(), units, view.DistinctWords(t.testedRows(), t.estimate), t.differenceTitle(),
			t.intervalKind()),
		t.EffectsLegend(),
		t.daggerLegend(),
	}
	knowsNeeded := func(r *Row, q *verdicts.Comparison) bool { return !math.IsNaN(t.resultsForHalfWidth(r, q)) }
	if t.anyComparison(knowsNeeded) {
		sentences = append(sentences, fmt.Sprintf("R: number of %s needed for an interval of half-width %s.",
			units, t.withUnit(v.HalfWidth)))
	}
	if v.Margin > 0 {
		sentences = append(sentences, fmt.Sprintf("eq: %sp-value of the two one-sided tests; if it is at most %s, the "+
			"two differ by less than %s.", t.adjustedWord(), view.Number(v.Alpha), t.withUnit(v.Margin)))
	}
	if v.Rope > 0 {
		sentences = append(sentences, fmt.Sprintf("The average of two random differences shows the classifier as "+
			"better, equivalent within %s, or worse. P: posterior probabilities, from the Bayesian signed-rank test, "+
			"that each of these outcomes is the most frequent one.", t.withUnit(v.Rope)))
	}
	return strings.Join(sentences, " ")
}

func (t *Table) comparedWith() string {
	return cmp.Or(t.view.Label(t.view.Champion), "the best of its row")
}

// differenceTitle names the loss whose differences the table shows: "test error (percentage points)". If larger
// values are better, the loss is, for example, "1 - AUC".
func (t *Table) differenceTitle() string {
	loss := t.Measure
	loss.Unit = t.Measure.DifferenceUnit()
	if t.Measure.LargerIsBetter() {
		loss.Name = "1 - " + loss.Name
	}
	return loss.Title()
}

func (t *Table) withUnit(loss float64) string {
	number, unit := view.Number(loss*t.Measure.Scale), t.unitAfterNumber()
	if number == "1" {
		unit = strings.Replace(unit, "points", "point", 1)
	}
	return number + unit
}

// daggerLegend explains the dagger, which marks doubtful comparisons. It does not mention signs if all tests
// estimate the mean difference, because this estimate has the sign of the mean.
func (t *Table) daggerLegend() string {
	const skewed = "the absolute skewness of the differences exceeds 2."
	switch {
	case view.DistinctWords(t.testedRows(), t.estimate) == "mean difference":
		return "†: " + skewed
	case t.anyComparison(hidesDifference):
		return "†: mean and tested estimate differ in sign, a significant difference has the estimate 0, or " + skewed
	}
	return "†: mean and tested estimate differ in sign, or " + skewed
}

func (t *Table) adjustedWord() string {
	if t.view.Adjustment() == stats.Uncorrected {
		return ""
	}
	return "adjusted "
}

func (r *Row) testsMeans() bool { return r.test.Estimate == "mean difference" }

// effectCell returns the effect sizes of a classifier, compared with the champion or, without one, the best
// classifier of its row. Positive numbers mean that the classifier is worse. A dash means that there is no
// comparison.
func (t *Table) effectCell(r *Row, e *Entry) sheet.Entry {
	q := e.Comparison
	switch {
	case e.IsReference:
		word := "champion"
		if e.Best {
			word = "best"
		}
		const noDifference = "0" // from itself
		return sheet.Entry{Main: word, Bold: true, SortKey: noDifference, Lines: e.firstShareLine()}
	case q == nil:
		return sheet.Entry{Main: "–"}
	}
	// q.Shift is the loss of the reference minus the loss of the entry.
	entryMinusReference := -q.Shift.Estimate * t.Measure.Scale
	cell := sheet.Entry{Main: sheet.Signed(entryMinusReference, t.Digits), SortKey: sheet.Sortable(entryMinusReference)}
	cell.Bold = !q.Worse
	if q.Doubtful() {
		cell.Main += " †"
	}
	cell.Lines = slices.Concat(t.estimateLines(r, q), t.testLines(r, q), e.firstShareLine())
	return cell
}

// firstShareLine returns a line such as "1st 71%", the share of resamples in which the classifier has the best
// mean.
func (e *Entry) firstShareLine() []string {
	if math.IsNaN(e.FirstShare) {
		return nil
	}
	return []string{fmt.Sprintf("1st %.0f%%", 100*e.FirstShare)}
}

// estimateLines returns lines with the intervals, the standard error and the rank correlation of a
// comparison. In q, positive differences mean that the classifier is better. In the lines, they mean
// that it is worse.
func (t *Table) estimateLines(r *Row, q *verdicts.Comparison) (lines []string) {
	scale := t.Measure.Scale
	opposite := func(low, high float64) string { return t.interval(-high*scale, -low*scale) }
	if hasInterval(q) {
		lines = append(lines, opposite(q.Shift.Low, q.Shift.High))
	}
	if q.Mean.MCSE > 0 { // false for NaN
		lines = append(lines, "s.e. "+sheet.Fixed(q.Mean.MCSE*scale, t.Digits+1))
	}
	if b := q.Resampled; b != nil {
		lines = append(lines, "percentile "+opposite(b.Percentile[0], b.Percentile[1]))
		lines = append(lines, "BCa "+opposite(b.BCa[0], b.BCa[1]))
	}
	if hasCorrelation(r, q) {
		lines = append(lines, "r "+sheet.Signed(-q.Effect, 2))
	}
	return lines
}

// hasCorrelation reports whether a comparison has a rank correlation, which requires independent results.
func hasCorrelation(r *Row, q *verdicts.Comparison) bool {
	return !r.fromOneDataSet() && !math.IsNaN(q.Effect)
}

func (t *Table) interval(low, high float64) string {
	return fmt.Sprintf("[%s, %s]", sheet.Signed(low, t.Digits), sheet.Signed(high, t.Digits))
}

// testLines returns lines with the p-values and the posterior probabilities of a comparison. They also contain the
// smallest detectable difference, and the number of results needed for an interval of half-width
// Inference.HalfWidth.
func (t *Table) testLines(r *Row, q *verdicts.Comparison) []string {
	lines := []string{"p " + sheet.PValue(q.Adjusted)}
	if !math.IsNaN(q.Equivalence) {
		lines = append(lines, "eq "+sheet.PValue(q.Equivalence))
	}
	if p := q.Posterior; p != nil { // posterior of the best classifier minus this one
		lines = append(lines, fmt.Sprintf("P %.2f, %.2f, %.2f", p.Above, p.Equivalent, p.Below))
	}
	if t.canDetect(q) {
		lines = append(lines, "d "+sheet.Fixed(q.Detectable*t.Measure.Scale, t.Digits))
	}
	if needed := t.resultsForHalfWidth(r, q); !math.IsNaN(needed) {
		lines = append(lines, fmt.Sprintf("R %.0f", needed))
	}
	return lines
}

// fromOneDataSet reports whether the results of a row are folds or splits of one data set.
func (r *Row) fromOneDataSet() bool { return r.test.Design == stats.Resampled }

// usesStudent reports whether all tests of the table use t statistics.
func (t *Table) usesStudent() bool {
	isOther := func(r Row) bool { return r.test.Name != "" && !r.test.Student }
	return !slices.ContainsFunc(t.Rows, isOther)
}

// canDetect reports whether the smallest detectable difference is known and within the range of the metric.
func (t *Table) canDetect(q *verdicts.Comparison) bool {
	metric := t.Measure.Metric
	return !math.IsInf(q.Detectable, 1) && q.Detectable <= metric.High-metric.Low // false for NaN
}

// intervalKind describes the confidence intervals of effect sizes in words. If some rows compare classifiers on
// one fixed test set, it describes the intervals of these rows.
func (t *Table) intervalKind() string {
	if slices.ContainsFunc(t.testedRows(), t.isOnOneTestSet) {
		return t.intervalKindOnTestRows()
	}
	level := fmt.Sprintf("%.3g%%", 100*(1-t.view.Alpha))
	mostCompared := t.familySizes().Most // largest number of classifiers that a row compares
	switch {
	case t.view.Joint(mostCompared): // one test of all pairs
		return "simultaneous " + level + " confidence interval"
	case mostCompared <= 2: // a row has a single interval
		return level + " confidence interval"
	case t.view.Champion != "":
		return level + " confidence interval (not simultaneous)"
	}
	// The best of several classifiers is chosen from the same data, and these intervals ignore the choice.
	return "interval of nominal level " + level + " (not simultaneous, although the best is chosen on the same " +
		"data)"
}

// intervalKindOnTestRows implements intervalKind for rows with one fixed test set.
func (t *Table) intervalKindOnTestRows() string {
	words := "confidence interval at the " + t.adjustedWord() + "level of its row"
	isDeLong := t.usesStudent() // no other test on test rows has a t statistic
	if isDeLong {
		return words
	}
	return words + ", and percentile and BCa intervals from the bootstrap of test rows"
}

// unitAfterNumber returns the unit of differences with a space before it.
func (t *Table) unitAfterNumber() string {
	unit := t.Measure.DifferenceUnit()
	if unit == "" {
		return ""
	}
	return " " + unit
}

// HasTests reports whether any row has tests.
func (t *Table) HasTests() bool { return len(t.testedRows()) > 0 }

// StandardErrorTable returns a copy of the table with standard errors in parentheses. It omits
// tests, bold type, notes and foot rows.
func (t *Table) StandardErrorTable() *Table {
	e := &Table{Name: t.Name + "-mcse", Title: "Standard errors: " + t.Title, Digits: t.Digits + 1, Spread: "se",
		Measure: t.Measure, Factors: t.Factors, Heads: t.Heads, IDs: t.IDs, Columns: t.Columns,
		view: t.view, groups: t.groups}
	for _, row := range t.Rows {
		plain := Row{Levels: row.Levels, Labels: row.Labels}
		for _, entry := range row.Entries {
			plain.Entries = append(plain.Entries, Entry{Summary: entry.Summary})
		}
		e.Rows = append(e.Rows, plain)
	}
	for _, ofMetric := range t.OtherMetrics {
		e.OtherMetrics = append(e.OtherMetrics, ofMetric.StandardErrorTable())
	}
	e.Caption = e.caption()
	return e
}

// HasResults reports whether any entry has a result.
func (t *Table) HasResults() bool {
	return resultsIn(t.Rows...).Most > 0
}

// HasStandardErrorTable reports whether StandardErrorTable would show standard errors that the table itself
// does not show.
func (t *Table) HasStandardErrorTable() bool {
	return resultsIn(t.Rows...).Most > 1 && t.Spread != "se" && t.contrastFactor == ""
}
