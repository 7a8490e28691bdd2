package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// counts are what the rows of a table show, in rows, and by classifier.
type counts struct {
	rows     int // with a best classifier
	ties     int // in which several have the best mean
	testable int // in which a difference could be shown
	best     map[string]int
	alone    map[string]int // shown to be better than all others
	notWorse map[string]int // not shown to be worse than the best; with it
	beaten   map[string]int // by the champion
	aside    map[string]int // set aside, since too many of its fits failed
	few      int            // rows with too few results for any significance
	coarse   int            // rows whose test gives no p-value as small as its level

	low, high float64 // smallest detectable differences of pairs that are not shown to differ; NaN: none
}

// count counts what the rows show.
func (t *Table) count() counts {
	c := counts{best: map[string]int{}, alone: map[string]int{}, notWorse: map[string]int{}, beaten: map[string]int{},
		aside: map[string]int{}, low: math.NaN(), high: math.NaN()}
	for i := range t.Rows {
		c.add(&t.Rows[i], t.view.Side())
	}
	return c
}

// add counts a row.
func (c *counts) add(r *Row, side stats.Alternative) {
	for _, a := range r.aside {
		c.aside[a.ID]++
	}
	if r.best.Best == "" {
		return // no classifier has a result, or nothing is compared
	}
	c.rows++
	for _, id := range r.best.Tied {
		c.best[id]++
	}
	if len(r.best.Tied) > 1 {
		c.ties++
	}
	if !r.best.Attainable {
		c.addUntestable(r, side)
		return
	}
	c.testable++
	for _, id := range r.best.Members {
		c.notWorse[id]++
	}
	if len(r.best.Members) == 1 {
		c.alone[r.best.Members[0]]++
	}
	for _, q := range r.best.Comparisons {
		if q.Worse {
			c.beaten[q.Other]++
		} else {
			c.addMissable(q.Detectable)
		}
	}
}

// addMissable widens the range of detectable differences.
func (c *counts) addMissable(detectable float64) {
	switch {
	case math.IsNaN(detectable) || math.IsInf(detectable, 1):
	case math.IsNaN(c.low):
		c.low, c.high = detectable, detectable
	default:
		c.low, c.high = min(c.low, detectable), max(c.high, detectable)
	}
}

// addUntestable counts a row in which no difference could be shown, by the reason.
func (c *counts) addUntestable(r *Row, side stats.Alternative) {
	switch {
	case len(r.best.Comparisons) == 0: // nothing is compared
	case r.needed(side) > 0:
		c.few++
	default:
		c.coarse++
	}
}

// Findings returns sentences on what the tests of the table show, "" without tests. The
// test is named unless it was named before.
func (t *Table) Findings(named bool) string {
	if !t.HasTests() {
		return ""
	}
	c := t.count()
	return t.bestMeans(&c) + t.differences(&c, named) + t.untestable(&c) + t.setAside(&c)
}

// setAside: " QDA is set aside in 2 rows, where too many of its fits failed."
func (t *Table) setAside(c *counts) string {
	text := t.tally(c.aside, "is set aside in", "")
	if text == "" {
		return ""
	}
	return fmt.Sprintf(" %s of the rows, where more than %s%% of a cell's fits failed.", text, view.Number(100*t.view.SetAside))
}

// bestMeans: "SLB has the smallest mean test error in 5 of 6 rows and NB in 1."
func (t *Table) bestMeans(c *counts) string {
	extreme := "smallest"
	if t.Measure.LargerIsBetter() {
		extreme = "largest"
	}
	verb := fmt.Sprintf("has the %s mean %s in", extreme, t.Measure.Name)
	text := t.tally(c.best, verb, " of "+view.Plural(c.rows, "row", "rows"))
	if c.ties > 0 {
		text += fmt.Sprintf("; a tie, as in %s, counts for each", view.Plural(c.ties, "row", "rows"))
	}
	return text + "."
}

// differences: " By a two-sided sign test ... SLB is shown to be better than all others in
// 2; with no difference from the best shown, ..."; "" where none could be shown.
func (t *Table) differences(c *counts, named bool) string {
	switch {
	case c.testable == 0:
		return ""
	case t.view.Champion != "":
		return fmt.Sprintf(" By %s %s.", t.test(), t.beaten(c))
	case named:
		return " By the same test " + t.shownBest(c) + "."
	}
	return fmt.Sprintf(" By %s %s.", t.test(), t.shownBest(c))
}

// shownBest: "SLB is shown to be better than all others in 2; with no difference from the
// best shown, SLB is among the best in 4 and NB in 1".
func (t *Table) shownBest(c *counts) string {
	text := t.tally(c.alone, "is shown to be better than all others in", "")
	if text == "" {
		text = "no classifier is shown to be better than all others in any row"
	}
	if maps.Equal(c.alone, c.notWorse) {
		return text
	}
	text += "; " + t.tally(c.notWorse, "is not shown to be worse than the best in", "")
	return text + t.missable(c)
}

// missable: ", where the tests find differences of 1.2 to 4.5 percentage points with 80
// percent power": the range over the pairs that are not shown to differ.
func (t *Table) missable(c *counts) string {
	if math.IsNaN(c.low) {
		return ""
	}
	low, high := sheet.Fixed(c.low*t.Measure.Scale, t.Digits), sheet.Fixed(c.high*t.Measure.Scale, t.Digits)
	if low != high {
		low += " to " + high
	}
	return fmt.Sprintf(", where the tests find differences of %s%s with 80 percent power", low, pad(t.Measure.DifferenceUnit()))
}

// test names the test of the rows with its level: "a two-sided sign test on paired
// replicates (family-wise level 0.05, Bonferroni, within each row)".
func (t *Table) test() string {
	_, most := t.view.Sizes(t.groups, t.Family, t.view.Champion)
	level := levelWords(t.view, t.view.Comparisons(most))
	return fmt.Sprintf("%s (%s, within each row)", testWords(t.view, t.groups, most), level)
}

// beaten: "SLB is shown to be better than NB in 2, than 5-NN in 1 of 6 rows".
func (t *Table) beaten(c *counts) string {
	champion := t.view.Label(t.view.Champion)
	var parts []string
	for _, id := range t.IDs {
		if n := c.beaten[id]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", t.view.Label(id), n))
		}
	}
	if parts == nil {
		return champion + " is not shown to be better than any other classifier in any row"
	}
	rows := view.Plural(len(t.Rows), "row", "rows")
	return fmt.Sprintf("%s is shown to be better than %s of %s", champion, strings.Join(parts, ", than "), rows)
}

// untestable: " In 2 rows no difference could have been shown, for there are too few
// replicates."
func (t *Table) untestable(c *counts) (text string) {
	if c.few > 0 {
		text += fmt.Sprintf(" In %s no difference could have been shown, for there are too few %s.",
			view.Plural(c.few, "row", "rows"), t.view.Units(t.groups))
	}
	if c.coarse > 0 {
		text += fmt.Sprintf(" In %s no difference could have been shown, for the test gives no p-value as small as its level.",
			view.Plural(c.coarse, "row", "rows"))
	}
	return text
}

// tally writes the counts, largest first: "A has x in 20 of 30 rows, B in 8 and C in 2".
func (t *Table) tally(counts map[string]int, verb, of string) string {
	ids := slices.DeleteFunc(slices.Clone(t.IDs), func(id string) bool { return counts[id] == 0 })
	slices.SortStableFunc(ids, func(a, b string) int { return counts[b] - counts[a] })
	var parts []string
	for i, id := range ids {
		if i == 0 {
			parts = append(parts, fmt.Sprintf("%s %s %d%s", t.view.Label(id), verb, counts[id], of))
		} else {
			parts = append(parts, fmt.Sprintf("%s in %d", t.view.Label(id), counts[id]))
		}
	}
	return view.And(parts)
}

// testWords names the test of up to k classifiers and what it pairs: "a two-sided sign test
// on paired folds".
func testWords(v *view.View, groups []view.Group, k int) string {
	side := "two-sided"
	if v.Side() != stats.TwoSided {
		side = "one-sided"
	}
	tested := slices.DeleteFunc(slices.Clone(groups), func(g view.Group) bool { return v.Refits(&g) })
	labels := v.TestLabels(tested)
	if v.Joint(k) {
		labels = v.JointLabels(tested)
	}
	return fmt.Sprintf("a %s %s on paired %s", side, labels, v.Units(tested))
}

// familyWise names the level of so many comparisons in a row.
func familyWise(v *view.View, comparisons int) string {
	if v.Nominal(v.Champion, comparisons) {
		return "nominal family-wise level"
	}
	return "family-wise level"
}

// levelWords name the level of so many comparisons in a row, and the correction.
func levelWords(v *view.View, comparisons int) string {
	if v.Adjustment() == stats.Uncorrected {
		return fmt.Sprintf("level %s, uncorrected", view.Number(v.Alpha))
	}
	correction := v.Adjustment().String()
	switch {
	case v.Joint(3) && comparisons > 1:
		correction = "over all pairs"
	case v.AllPairs():
		correction = "Bonferroni over all pairs"
	}
	return fmt.Sprintf("%s %s, %s", familyWise(v, comparisons), view.Number(v.Alpha), correction)
}
