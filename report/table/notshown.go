package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// limits of notShownSentence
const maxPairsListed, maxRowsPerPair = 3, 2

// An undecidedComparison shows no difference between two classifiers in a row.
type undecidedComparison struct {
	row *Row
	*verdicts.Comparison
}

// undecidedComparisons returns the comparisons that show no difference. It skips rows that cannot show any.
func (t *Table) undecidedComparisons() (open []undecidedComparison) {
	for i := range t.Rows {
		best := &t.Rows[i].bestSet
		for k := range best.Comparisons {
			if q := &best.Comparisons[k]; best.Attainable && !q.Worse && !q.Better {
				open = append(open, undecidedComparison{&t.Rows[i], q})
			}
		}
	}
	return open
}

// notShownSentence lists comparisons without a significant difference: "No difference is shown between SLB and
// SLB- (three-parent, n = 200), RF and DCC (4 rows)." The sentence may be "".
func (t *Table) notShownSentence() string {
	open := t.undecidedComparisons()
	if open == nil {
		return ""
	}
	sortedPair := func(o undecidedComparison) [2]string { // the same whichever of the two is the best
		a, b := o.row.bestSet.Against, o.Other
		return [2]string{min(a, b), max(a, b)}
	}
	pairs := stats.Grouped(open, sortedPair) // a list of comparisons for each pair
	parts := stats.Map(pairs[:min(len(pairs), maxPairsListed)], t.pairWords)
	text := "No difference is shown between "
	if t.view.Champion != "" {
		text = t.view.Label(t.view.Champion) + " is not shown to be better than "
	}
	text += strings.Join(parts, ", ")
	if n := len(pairs) - maxPairsListed; n > 0 {
		text += fmt.Sprintf(" and %s", view.Plural(n, "more pair", "more pairs"))
	}
	return text + "." + t.detectableWords(open)
}

// pairWords names two classifiers and the rows that show no difference between them: "SLB and SLB-
// (three-parent, n = 200)". It omits the name of the champion. The list pairRows contains all undecided
// comparisons of the two classifiers.
func (t *Table) pairWords(pairRows []undecidedComparison) string {
	words := t.view.Label(pairRows[0].Other)
	if t.view.Champion == "" {
		best := pairRows[0].row.bestSet.Against
		words = t.view.Label(best) + " and " + words
	}
	if len(pairRows) > maxRowsPerPair {
		return fmt.Sprintf("%s (%d rows)", words, len(pairRows))
	}
	if len(t.Rows) == 1 {
		return words
	}
	rows := stats.Map(pairRows, func(o undecidedComparison) string { return t.view.InWords(t.Factors, o.row.Levels) })
	return words + " (" + strings.Join(rows, "; ") + ")"
}

// detectableWords describes the power of the tests in some comparisons: " The tests detect differences of 0.5
// to 2.4 percentage points with 80 percent power."
func (t *Table) detectableWords(comparisons []undecidedComparison) string {
	detectable, undetectable := t.detectableDifferences(comparisons)
	tests := "T tests" // detectable differences are computed for t tests
	if t.usesStudent() {
		tests = "The tests"
	}
	const power = "with 80 percent power"
	switch {
	case detectable == nil && undetectable == 0:
		return ""
	case detectable == nil:
		return fmt.Sprintf(" %s cannot detect any difference %s.", tests, power)
	}
	sizes := sheet.Fixed(slices.Min(detectable), t.Digits)
	if most := sheet.Fixed(slices.Max(detectable), t.Digits); most != sizes {
		sizes += " to " + most
	}
	text := fmt.Sprintf(" %s detect differences of %s%s %s", tests, sizes, t.unitAfterNumber(),
		power)
	if undetectable > 0 {
		text += fmt.Sprintf("; in %d of %d comparisons, they cannot detect any difference", undetectable,
			len(comparisons))
	}
	return text + "."
}

// detectableDifferences returns the smallest detectable difference of each comparison, except
// unknown ones. It omits and counts (undetectable) differences that exceed the range of the metric.
func (t *Table) detectableDifferences(comparisons []undecidedComparison) (detectable []float64, undetectable int) {
	for _, c := range comparisons {
		if t.canDetect(c.Comparison) {
			detectable = append(detectable, c.Detectable*t.Measure.Scale)
		} else if !math.IsNaN(c.Detectable) {
			undetectable++
		}
	}
	return detectable, undetectable
}

// equivalenceSentence counts the comparisons that show a difference smaller than Inference.Margin: "In 2 of 6
// comparisons, the difference is shown to be smaller than 1 percentage point."
func (t *Table) equivalenceSentence() string {
	equivalent, tested := 0, 0
	for i, row := range t.Rows {
		if t.poolsOneDataSet(i) {
			continue
		}
		for _, q := range row.bestSet.Comparisons {
			if math.IsNaN(q.Equivalence) {
				continue
			}
			tested++
			if q.Equivalence <= t.view.Alpha {
				equivalent++
			}
		}
	}
	if tested == 0 {
		return ""
	}
	return fmt.Sprintf("In %d of %s, the difference is shown to be smaller than %s.", equivalent,
		view.Plural(tested, "comparison", "comparisons"), t.withUnit(t.view.Margin))
}

// untestableSentence counts the rows in which no difference can be significant: "In 2 rows no
// difference could have been shown: there are too few replicates." It returns "" if there are none.
func (t *Table) untestableSentence() string {
	tooFew := "there are too few " + t.view.UnitNoun(t.groups)
	const (
		oneDataSet       = "the results of all cells of one data set count as one"
		neverSignificant = "the test cannot give a p-value as small as its level"
	)
	rows := map[string]int{} // by reason
	for i, row := range t.Rows {
		if row.bestSet.Attainable || !row.hasTests() {
			continue
		}
		present, needed := row.resultsForSignificance(t.view.Side())
		switch {
		case t.poolsOneDataSet(i):
			rows[oneDataSet]++
		case needed > present:
			rows[tooFew]++
		default:
			rows[neverSignificant]++
		}
	}
	var sentences []string
	for _, reason := range []string{tooFew, oneDataSet, neverSignificant} {
		if n := rows[reason]; n > 0 {
			sentences = append(sentences, fmt.Sprintf("In %s no difference could have been shown: %s.",
				view.Plural(n, "row", "rows"), reason))
		}
	}
	return strings.Join(sentences, " ")
}

// leftOutOfTests names the classifiers that tests of all pairs leave out, because they ran on only some of the
// data. It also counts the rows with fewer than two remaining classifiers.
func (t *Table) leftOutOfTests() string {
	text := t.partialSentence("Not compared")
	if rows := len(t.rowsWhere(t.isTooPartial)); rows > 0 {
		text += fmt.Sprintf(" Fewer than two classifiers remain in %s, so there is no test.",
			view.Plural(rows, "row", "rows"))
	}
	return text
}

// excludedSentence names the classifiers that failed too often: "Not compared, because more than 5%
// of the fits in some cell failed: QDA in 2 rows." It returns "" if there are none.
func (t *Table) excludedSentence() string {
	var parts []string
	for k, id := range t.IDs {
		if rows := t.countExcluded(k); rows > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", t.view.Label(id), view.Plural(rows, "row", "rows")))
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Not compared, because more than %s%% of the fits in some cell failed: %s.",
		view.Number(100*t.view.MaxFailureRate), view.And(parts))
}

// incomparableSentence names the factors whose levels are not compared in a sentence, because they
// pool different cells. It returns "" if there are none.
func (t *Table) incomparableSentence() string {
	var names []string
	for _, factor := range t.varyingFactors(t.decidableRows()) {
		if _, comparable := t.margins(factor); !comparable {
			names = append(names, t.view.FactorLabel(factor))
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("Averages at the levels of %s are not compared, because the levels pool different cells.",
		view.And(names))
}
