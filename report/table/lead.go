package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// A lead is the gap between the mean losses of a leader and its rival, averaged over some rows.
//
// The leader is the champion or, without a champion, the classifier with the best mean. The rival is the best
// of the others.
type lead struct {
	rows          []int
	leader, rival string
	gap           stats.Summary // loss of rival minus loss of leader
	testInterval  *stats.Shift  // interval of the gap if the test of a single row gives one; may be nil
	isBound       bool          // whether the standard error of the gap is only an upper bound
	confidence    float64       // level of each end of the interval of the gap
	tied          []string      // all classifiers with the best mean, if leader and rival share it; or nil
}

// oneAverage is the number of averages in a finding over all rows. Other findings have an average
// at each level of a factor.
const oneAverage = 1

// lead returns the lead of the champion or, without a champion, of the best classifier in the given
// rows. Its interval is simultaneous for the given number of averages, such as one at each level of
// a factor.
//
// The result ok is false if fewer than two classifiers have results. It is also false if the lead
// has no interval, is not constant and is not a tie for the best mean.
func (t *Table) lead(rows []int, averages int) (l lead, ok bool) {
	ids, sums := t.ranking(rows) // best first; sums[id] adds the means of id over the rows
	if len(ids) < 2 {
		return l, false
	}
	leader, rival := ids[0], ids[1]
	if champion := t.view.Champion; champion != "" && champion != ids[0] {
		leader, rival = champion, ids[0]
	}
	// Leader and rival are chosen from the same data, so Bonferroni's correction counts all pairs in all averages,
	// and both ends of each interval.
	ends := 2 * t.pairCount() * averages
	l = t.newLead(rows, leader, rival, 1-t.view.Alpha/float64(ends))
	best := t.tiedForBest(rows, ids, sums)
	if len(best) > 1 && slices.Contains(best, leader) { // the champion need not be one of the best
		l.tied = best
	}
	ok = l.tied != nil || l.hasInterval() || l.isConstant()
	return l, ok
}

// tiedForBest returns the classifiers whose sums equal the sum of ids[0], except for rounding errors.
func (t *Table) tiedForBest(rows []int, ids []string, sums map[string]float64) []string {
	size := func(id string) (sum float64) {
		for _, i := range rows {
			sum += magnitude(t.Rows[i].Entries[slices.Index(t.IDs, id)].compared)
		}
		return sum
	}
	best := ids[0]
	return view.Without(ids, func(id string) bool {
		return !nearlyEqual(sums[id], sums[best], max(size(id), size(best)))
	})
}

// nearlyEqual reports whether a and b, computed from numbers of about the given size, differ by rounding errors
// only.
func nearlyEqual(a, b, size float64) bool { return math.Abs(a-b) <= 1e-9*size }

// magnitude returns the approximate size of the results that s summarises.
func magnitude(s stats.Summary) float64 {
	if s.N < 2 {
		return math.Abs(s.Mean)
	}
	return math.Abs(s.Mean) + s.SD
}

func (l *lead) hasInterval() bool { return l.testInterval != nil || l.gap.Varies() }

// showsInterval reports whether the description of the lead contains an interval.
func (l lead) showsInterval() bool { return l.tied == nil && l.hasInterval() }

// isConstant reports whether the gap has the same nonzero value in several results.
func (l *lead) isConstant() bool {
	return l.gap.DF > 0 && l.gap.MCSE >= 0 && !l.hasInterval() && stats.RoundedSteps(l.gap.Mean) != 0
}

// newLead compares the classifiers leader and rival in the given rows. If any row has a single test
// set, lead.gap remains zero, because the results on one test set are dependent.
func (t *Table) newLead(rows []int, leader, rival string, confidence float64) lead {
	l := lead{rows: rows, leader: leader, rival: rival, confidence: confidence}
	if len(rows) == 1 {
		l.testInterval = t.testedInterval(rows[0], leader, rival)
	}
	if !slices.ContainsFunc(rows, t.isOnOneTestSet) {
		l.gap, l.isBound = t.gap(rows, leader, rival)
	}
	return l
}

func (t *Table) isOnOneTestSet(i int) bool { return t.view.HasOneTestSet(t.groups[i]) }

func (t *Table) poolsOneDataSet(i int) bool { return t.view.PoolsOneDataSet(t.groups[i]) }

func (t *Table) hasErrorWithinCells(i int) bool {
	return t.view.HasErrorWithinCells(t.groups[i], &t.Measure)
}

// testsPooledCells reports whether the note view.TestsOfPooledCells applies to a tested row.
func (t *Table) testsPooledCells() bool {
	return slices.ContainsFunc(t.testedRows(), t.hasErrorWithinCells)
}

// testedInterval returns the confidence interval of the loss of rival minus the loss of leader in row i, in the
// unit of the table. It may be nil.
func (t *Table) testedInterval(i int, leader, rival string) *stats.Shift {
	if !t.testGivesInterval(i) {
		return nil
	}
	// Each comparison estimates the loss of Against minus the loss of another classifier.
	row := &t.Rows[i]
	switch row.bestSet.Against {
	case rival:
		return scaledInterval(row.comparison(leader), t.Measure.Scale)
	case leader:
		return scaledInterval(row.comparison(rival), -t.Measure.Scale)
	}
	return nil
}

// scaledInterval returns the confidence interval of q, multiplied by scale. It returns nil if q is
// nil, if q has too few results, or if the interval has no width.
func scaledInterval(q *verdicts.Comparison, scale float64) *stats.Shift {
	if q == nil || !hasInterval(q) || !(q.Shift.Low < q.Shift.High) {
		return nil
	}
	shift := q.Shift.Times(scale)
	return &shift
}

// testGivesInterval reports whether the test of row i gives simultaneous intervals for differences of means.
func (t *Table) testGivesInterval(i int) bool {
	row := &t.Rows[i]
	if t.isOnOneTestSet(i) {
		return row.hasTests()
	}
	k := len(row.bestSet.Family)
	simultaneous := k == 2 || t.view.Joint(k)
	isInterval := func(q verdicts.Comparison) bool { return hasInterval(&q) }
	return row.testsMeans() && simultaneous && slices.ContainsFunc(row.bestSet.Comparisons, isInterval)
}

// interval returns a confidence interval for the gap, from the test if it gives one, and otherwise from
// Student's t distribution. A constant gap has an interval without width.
func (l *lead) interval() stats.Shift {
	if l.testInterval != nil {
		return *l.testInterval
	}
	if l.isConstant() {
		return stats.Shift{Estimate: l.gap.Mean, Low: l.gap.Mean, High: l.gap.Mean}
	}
	half := stats.StudentQuantile(l.confidence, l.gap.DF) * l.gap.MCSE
	return stats.Shift{Estimate: l.gap.Mean, Low: l.gap.Mean - half, High: l.gap.Mean + half}
}

// pairCount returns the number of pairs of classifiers that findings could compare.
func (t *Table) pairCount() int {
	if t.view.Champion != "" {
		return len(t.Family) - 1
	}
	return view.Pairs(len(t.Family))
}

// ranking returns the compared classifiers with results in all given rows, best mean first. It also returns the
// sum of each classifier's means.
//
// If the champion lacks results, ids and sums are nil.
func (t *Table) ranking(rows []int) (ids []string, sums map[string]float64) {
	sums = map[string]float64{}
	for k, id := range t.IDs {
		if !slices.Contains(t.Family, id) || !t.isRanked(k, rows) {
			continue
		}
		ids = append(ids, id)
		for _, i := range rows {
			sums[id] += t.Rows[i].Entries[k].compared.Mean
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		if t.Measure.LargerIsBetter() {
			return cmp.Compare(sums[b], sums[a])
		}
		return cmp.Compare(sums[a], sums[b])
	})
	if champion := t.view.Champion; champion != "" && !slices.Contains(ids, champion) {
		return nil, nil
	}
	return ids, sums
}

// leftOutSentence names the classifiers that the averages of a finding omit: " This leaves out LU and SLB,
// which could not be compared in some rows." averages[i] lists the rows of one average, such as the average at a
// level of a factor.
func (t *Table) leftOutSentence(averages ...[]int) string {
	var labels []string
	for k, id := range t.IDs {
		isOmitted := func(rows []int) bool { return !t.isRanked(k, rows) }
		if slices.Contains(t.Family, id) && slices.ContainsFunc(averages, isOmitted) {
			labels = append(labels, t.view.Label(id))
		}
	}
	if labels == nil {
		return ""
	}
	names := view.And(labels)
	switch {
	case len(averages) == 1 && len(t.decidableRows()) == 1: // findings describe a single row
		return fmt.Sprintf(" This leaves out %s, which could not be compared.", names)
	case len(averages) == 1:
		return fmt.Sprintf(" This leaves out %s, which could not be compared in some rows.", names)
	}
	them := "it"
	if len(labels) > 1 {
		them = "them"
	}
	return fmt.Sprintf(" %s could not be compared in some rows; averages that include these rows leave %s out.",
		names, them)
}

// isRanked reports whether classifier k is compared in all given rows, with at least two results of its own in
// each. In a row with a single test set, one result is enough.
func (t *Table) isRanked(k int, rows []int) bool {
	for _, i := range rows {
		e := &t.Rows[i].Entries[k]
		enough := e.compared.N > 1 || e.compared.N == 1 && t.isOnOneTestSet(i)
		if !enough || slices.Contains(t.Rows[i].partial, t.IDs[k]) {
			return false
		}
	}
	return true
}

// gap returns the mean loss of rival minus the mean loss of leader, averaged over the given rows. isBound is
// true if its standard error is only an upper bound, because some rows share data.
func (t *Table) gap(rows []int, leader, rival string) (gap stats.Summary, isBound bool) {
	difference := t.Measure
	difference.Baseline = leader // Summary subtracts the loss of this classifier
	var means []stats.Summary
	var weights []float64
	for _, alike := range t.dependentRows(rows) {
		mean, onlyBound := t.meanOfDependent(alike, &difference, rival)
		isBound = isBound || onlyBound
		means = append(means, mean)
		weights = append(weights, float64(len(alike))/float64(len(rows)))
	}
	return stats.WeightedSum(means, weights), isBound
}

// meanOfDependent averages a difference over rows that share data.
//
// If all rows have results on the same draws of data, each draw counts as one result, and isBound is false.
// Otherwise, isBound is true, and the standard error is an upper bound (see boundedMean).
func (t *Table) meanOfDependent(rows []int, difference *view.Measure, rival string) (mean stats.Summary, isBound bool) {
	var ofRows []stats.Summary
	for _, i := range rows {
		pooled := t.view.PoolFor(&t.groups[i], &t.Measure, t.IDs)
		if row := &t.Rows[i]; row.usesCommonResults() {
			pooled = pooled.Comparable(t.Measure.Metric, row.compared)
		}
		ofRows = append(ofRows, t.view.Summary(&t.groups[i], &pooled, difference, rival))
	}
	if len(rows) == 1 {
		return ofRows[0], false
	}
	overRows, overDraws := boundedMean(ofRows), t.summaryOverDraws(rows, difference, rival)
	// If all rows have the same draws, the numbers of results agree, and so do the means. Equal
	// numbers do not imply the same draws, because different fits can have failed.
	hasOtherNumber := func(s stats.Summary) bool { return s.N != overDraws.N }
	equalMeans := nearlyEqual(overDraws.Mean, overRows.Mean, magnitude(overDraws))
	if equalMeans && !slices.ContainsFunc(ofRows, hasOtherNumber) {
		return overDraws, false
	}
	return overRows, true
}

// boundedMean returns the mean of several means. Its standard error is an upper bound for any correlation of
// the means: the mean of their standard errors. Its degrees of freedom are the smallest of theirs.
func boundedMean(list []stats.Summary) (mean stats.Summary) {
	mean.DF = math.Inf(1)
	for _, s := range list {
		mean.DF = min(mean.DF, s.DF)
		mean.Mean += s.Mean / float64(len(list))
		mean.MCSE += s.MCSE / float64(len(list))
	}
	return mean
}

// summaryOverDraws summarises the differences between rival and leader over all given rows. Rows
// with the same draw of data give one result, their mean.
func (t *Table) summaryOverDraws(rows []int, difference *view.Measure, rival string) stats.Summary {
	all := view.Group{Cells: t.cellsIn(rows)}
	pooled := t.view.PoolFor(&all, difference, []string{rival})
	return t.view.Summary(&all, &pooled, difference, rival)
}

// dependentRows divides rows into lists. Rows in different lists use different data.
func (t *Table) dependentRows(rows []int) [][]int {
	var names [][]string // of the data that each row uses
	cell := 0
	for i := range t.groups {
		var ofRow []string
		for k := range t.groups[i].Cells {
			cell++
			ofRow = view.AddNew(ofRow, t.view.DataName(&t.groups[i].Cells[k], cell))
		}
		names = append(names, ofRow)
	}
	return stats.Connected(rows, names)
}

// leadWords describes a lead: "TAN has the smallest mean test error, 5.4 (4.4 to 6.4) percentage points below
// SLB".
func (t *Table) leadWords(l lead) string {
	first, second, measure := t.view.Label(l.leader), t.view.Label(l.rival), t.Measure.Name
	if l.tied != nil {
		quantifier := "both"
		if len(l.tied) > 2 {
			quantifier = "all"
		}
		return fmt.Sprintf("%s %s have the %s mean %s", view.And(t.view.LabelList(l.tied)), quantifier,
			t.Measure.BestMean(), measure)
	}
	gap := t.gapBelow(l)
	if t.view.Champion != "" {
		return fmt.Sprintf("the mean %s of %s is %s the mean of %s", measure, first, gap, second)
	}
	return fmt.Sprintf("%s has the %s mean %s, %s %s", first, t.Measure.BestMean(), measure, gap, second)
}

// comparisonWords compares leader and rival, as in "SLB is 2.1 (1.0 to 3.2) percentage points below
// TAN".
func (t *Table) comparisonWords(l lead) string {
	return fmt.Sprintf("%s is %s %s", t.view.Label(l.leader), t.gapBelow(l), t.view.Label(l.rival))
}

// gapBelow describes the gap between leader and rival, as in "5.4 (4.4 to 6.4) percentage points below".
func (t *Table) gapBelow(l lead) string {
	gap := l.interval()
	behind := gap.Estimate < 0
	direction := "below"
	if behind != t.Measure.LargerIsBetter() {
		direction = "above"
	}
	return t.gapWords(gap.Times(math.Copysign(1, gap.Estimate))) + " " + direction
}

// gapWords formats a gap, as in "5.4 (4.4 to 6.4) percentage points" (see gapDigits).
//
// If the interval has no width, the gap has the decimals of the table: "5.40 (without variation) percentage points".
func (t *Table) gapWords(gap stats.Shift) string {
	if gap.Low == gap.High {
		return fmt.Sprintf("%s (without variation)%s", sheet.Fixed(gap.Estimate, t.Digits),
			t.unitAfterNumber())
	}
	digits := t.gapDigits(gap)
	return fmt.Sprintf("%s (%s to %s)%s", sheet.Fixed(gap.Estimate, digits), sheet.Fixed(gap.Low, digits),
		sheet.Fixed(gap.High, digits), t.unitAfterNumber())
}

// gapDigits returns a number of decimals that gives two significant digits to half the width of a
// gap's interval, but at most one decimal more than the table. Unless the gap is large, there is at
// least one decimal. There are more decimals if 0 would be printed for an end that is not 0.
func (t *Table) gapDigits(gap stats.Shift) int {
	half := (gap.High - gap.Low) / 2
	exponent := int(math.Floor(math.Log10(half))) // of half's first digit: 0 for 1 to 9.99
	twoSignificant := 1 - exponent
	least := min(1, t.Measure.Digits(gap.Estimate)) // 0 if the measure prints numbers of this size without decimals
	digits := max(least, min(twoSignificant, t.Digits+1))
	for printsAsZero(gap.Low, digits) || printsAsZero(gap.High, digits) {
		digits++
	}
	return digits
}

// printsAsZero reports whether a number other than 0 is printed as 0. It ignores numbers below 1e-6.
func printsAsZero(x float64, digits int) bool {
	return math.Abs(x) > 1e-6 && sheet.Fixed(x, digits) == sheet.Fixed(0, digits)
}
