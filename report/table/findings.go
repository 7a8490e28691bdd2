package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// Findings are the sentences on what a table shows.
type Findings struct {
	Found     []string // lead of the best classifier, one sentence per factor of the rows
	Intervals string   // explanation of the intervals in Found
	Open      []string // differences not shown, and the size that the tests would have found
	SetAside  []string // classifiers that failed too often to be compared
}

// Findings returns the sentences on what the tests of the table show; none without tests.
func (t *Table) Findings() (f Findings) {
	if !t.HasTests() {
		return f
	}
	factors := t.view.Varying(t.cells())
	factors = slices.DeleteFunc(factors, func(name string) bool { return !slices.Contains(t.Factors, name) })
	for _, name := range factors {
		f.add(&f.Found, t.factorFinding(name))
	}
	if len(f.Found) == 0 {
		f.add(&f.Found, t.overallFinding())
	}
	if len(f.Found) > 0 {
		f.Intervals = t.intervalWords(f.Found, factors)
	}
	f.add(&f.Open, t.notShown())
	f.add(&f.Open, t.untestable())
	f.add(&f.SetAside, t.setAside())
	return f
}

// add appends a sentence, if there is one.
func (*Findings) add(list *[]string, sentence string) {
	if sentence != "" {
		*list = append(*list, sentence)
	}
}

// cells returns the cells of all rows.
func (t *Table) cells() (list []records.Cell) {
	for _, g := range t.groups {
		list = append(list, g.Cells...)
	}
	return list
}

// A lead compares a classifier with its closest rival, averaged over rows.
type lead struct {
	rows          []int
	first, second string
	gap           stats.Summary // loss of the second minus loss of the first; N of the row with fewest pairs
}

// lead returns the lead of the champion, or else of the best classifier, over some rows. It
// returns false if fewer than two classifiers have results in all these rows, or one of
// several rows has one test set, or the lead does not vary.
func (t *Table) lead(rows []int) (lead, bool) {
	ids := t.ranking(rows)
	if len(ids) < 2 {
		return lead{}, false
	}
	l := lead{rows: rows, first: cmp.Or(t.view.Champion, ids[0])}
	if l.second = ids[0]; l.second == l.first {
		l.second = ids[1]
	}
	if slices.ContainsFunc(rows, t.fixedTest) {
		_, tested := t.rowInterval(l)
		return l, tested
	}
	l.gap = t.gap(rows, l.first, l.second)
	return l, l.gap.MCSE > 0
}

// fixedTest reports whether row i has one test set.
func (t *Table) fixedTest(i int) bool { return t.view.FixedTest(&t.groups[i]) }

// rowInterval returns the interval in which the test of a lead's single row puts the lead, in
// the table's unit. It returns false for several rows, a pair that the row does not test and
// a row without such intervals (hasInterval).
func (t *Table) rowInterval(l lead) (stats.Shift, bool) {
	if len(l.rows) != 1 || !t.hasInterval(l.rows[0]) {
		return stats.Shift{}, false
	}
	row := &t.Rows[l.rows[0]]
	q := row.comparison(l.second)
	if row.best.Against != l.first || q == nil || !(q.Shift.Level > 0 && q.Shift.Low < q.Shift.High) {
		return stats.Shift{}, false
	}
	tested, scale := q.Shift, t.Measure.Scale // the test has the opposite sign
	tested.Estimate, tested.Low, tested.High = -tested.Estimate*scale, -tested.High*scale, -tested.Low*scale
	return tested, true
}

// hasInterval reports whether the intervals of row i are of means and hold simultaneously.
func (t *Table) hasInterval(i int) bool {
	row := &t.Rows[i]
	if t.fixedTest(i) {
		return len(row.best.Comparisons) > 0
	}
	k := len(row.best.Family)
	simultaneous := k == 2 || t.view.Joint(k)
	return row.testsMeans() && simultaneous
}

// interval returns a lead with its interval: its row's or Student's.
func (t *Table) interval(l lead, critical float64) stats.Shift {
	if tested, ok := t.rowInterval(l); ok {
		return tested
	}
	half := critical * l.gap.MCSE
	return stats.Shift{Estimate: l.gap.Mean, Low: l.gap.Mean - half, High: l.gap.Mean + half}
}

// ranking returns the compared classifiers with several results in each of the rows, or
// with one on a tested test set, by their mean over the rows, best first. It returns nil if
// these lack the champion.
func (t *Table) ranking(rows []int) (ids []string) {
	means := map[string]float64{}
	for k, id := range t.IDs {
		sum, complete := 0.0, slices.Contains(t.Family, id)
		for _, i := range rows {
			e := &t.Rows[i].Entries[k]
			enough := e.N > 1 || e.N == 1 && t.fixedTest(i)
			sum, complete = sum+e.Mean, complete && enough && !e.Aside
		}
		if complete {
			means[id], ids = sum, append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		if t.Measure.LargerIsBetter() {
			a, b = b, a
		}
		return cmp.Compare(means[a], means[b])
	})
	if c := t.view.Champion; c != "" && !slices.Contains(ids, c) {
		return nil
	}
	return ids
}

// gap returns the mean over rows of the paired difference, second minus first, with its
// standard error. N is the smallest of a row. Rows on the same data are dependent: their
// standard errors are added, which gives an upper bound.
func (t *Table) gap(rows []int, first, second string) stats.Summary {
	over := t.Measure
	over.Over = first
	add := math.Hypot
	if t.sharesData(rows) {
		add = func(a, b float64) float64 { return a + b }
	}
	total := stats.Summary{N: math.MaxInt}
	for _, i := range rows {
		pooled := t.view.Pool(&t.groups[i])
		s := t.view.Summary(&t.groups[i], &pooled, &over, second)
		total.N = min(total.N, s.N)
		total.Mean, total.MCSE = total.Mean+s.Mean, add(total.MCSE, s.MCSE)
	}
	k := float64(len(rows))
	total.Mean, total.MCSE = total.Mean/k, total.MCSE/k
	return total
}

// sharesData reports whether two of the rows have results on the same data.
func (t *Table) sharesData(rows []int) bool {
	owner := map[string]int{}
	cell := 0
	for _, i := range rows {
		for k := range t.groups[i].Cells {
			cell++
			name := t.view.DataName(&t.groups[i].Cells[k], cell)
			if other, known := owner[name]; known && other != i {
				return true
			}
			owner[name] = i
		}
	}
	return false
}

// A margin is the rows with one level of a factor.
type margin struct {
	level string
	words string // the level as readers see it
	rows  []int
}

// margins returns the tested rows by the level of a factor, in the order of the levels. It
// returns nil if levels have different numbers of rows: such averages are not comparable.
func (t *Table) margins(factor string) (list []margin) {
	for i := range t.Rows {
		level := t.Rows[i].Levels.Of(factor)
		if level == "" || len(t.Rows[i].best.Comparisons) == 0 {
			continue
		}
		k := slices.IndexFunc(list, func(m margin) bool { return m.level == level })
		if k < 0 {
			words := t.view.InWords([]string{factor}, t.Rows[i].Levels)
			k, list = len(list), append(list, margin{level: level, words: words})
		}
		list[k].rows = append(list[k].rows, i)
	}
	if slices.ContainsFunc(list, func(m margin) bool { return len(m.rows) != len(list[0].rows) }) {
		return nil
	}
	slices.SortStableFunc(list, func(a, b margin) int { return t.order(factor, a.level) - t.order(factor, b.level) })
	return list
}

// maxLevels is the largest number of non-numeric levels that a sentence lists.
const maxLevels = 4

// factorFinding returns the sentence on one factor; "" if it has fewer than two levels, a
// level has no lead, or it has too many names to list.
func (t *Table) factorFinding(factor string) string {
	margins := t.margins(factor)
	leads := make([]lead, 0, len(margins))
	for _, m := range margins {
		l, ok := t.lead(m.rows)
		if !ok {
			return ""
		}
		leads = append(leads, l)
	}
	numeric := t.numericFactor(slices.Index(t.Factors, factor))
	fixed := func(l lead) bool { return slices.ContainsFunc(l.rows, t.fixedTest) }
	if len(margins) < 2 || !numeric && len(margins) > maxLevels || numeric && slices.ContainsFunc(leads, fixed) {
		return ""
	}
	describe := t.byLevel
	if numeric {
		describe = t.alongLevels
	}
	words := describe(margins, leads, t.critical(leads, len(margins)))
	return view.Capital(t.averagedOver(factor, margins) + words + ".")
}

// averagedOver returns "averaged over family, "; "" if each level has one row.
func (t *Table) averagedOver(factor string, margins []margin) string {
	if !slices.ContainsFunc(margins, func(m margin) bool { return len(m.rows) > 1 }) {
		return ""
	}
	var others []string
	for _, name := range t.view.Varying(t.cells()) {
		if name != factor && slices.Contains(t.Factors, name) {
			others = append(others, t.view.FactorLabel(name))
		}
	}
	return "averaged over " + view.And(others) + ", "
}

// alongLevels returns "at n = 200 TAN has the smallest mean test error, 5.4 percentage points
// below SLB (4.4 to 6.4); by n = 400 the gap is 0.5 times that (0.4 to 0.6)".
func (t *Table) alongLevels(margins []margin, leads []lead, critical float64) string {
	last := len(margins) - 1
	text := fmt.Sprintf("at %s %s", margins[0].words, t.leadWords(leads[0], critical))
	then := lead{rows: margins[last].rows, first: leads[0].first, second: leads[0].second}
	then.gap = t.gap(then.rows, then.first, then.second)
	ratio, ok := stats.NewRatio(then.gap, leads[0].gap, critical)
	if ok && !t.sharesData(slices.Concat(margins[0].rows, margins[last].rows)) {
		text += fmt.Sprintf("; by %s the gap is %s times that (%s to %s)", margins[last].words,
			sheet.Fixed(ratio.Estimate, 2), sheet.Fixed(ratio.Low, 2), sheet.Fixed(ratio.High, 2))
	} else {
		text += fmt.Sprintf("; at %s the gap is %s", margins[last].words, t.gapWords(t.interval(then, critical)))
	}
	if leads[last].first != leads[0].first {
		text += fmt.Sprintf(", and %s", t.leadWords(leads[last], critical))
	}
	return text
}

// byLevel returns "for forest CNC has the smallest mean test error, 0.8 (0.3 to 1.3) percentage
// points below TAN; for polybeta RF, 3.1 (1.0 to 5.2) percentage points below DCC".
func (t *Table) byLevel(margins []margin, leads []lead, critical float64) string {
	var parts []string
	for i, m := range margins {
		words := t.leadWords(leads[i], critical)
		if i > 0 {
			words = strings.Replace(words, t.extremeWords(), "", 1)
		}
		parts = append(parts, fmt.Sprintf("for %s %s", m.words, words))
	}
	return strings.Join(parts, "; ")
}

// extremeWords returns " has the smallest mean test error".
func (t *Table) extremeWords() string {
	extreme := "smallest"
	if t.Measure.LargerIsBetter() {
		extreme = "largest"
	}
	return fmt.Sprintf(" has the %s mean %s", extreme, t.Measure.Name)
}

// overallFinding returns the sentence on all rows.
func (t *Table) overallFinding() string {
	rows := t.testedRows()
	l, ok := t.lead(rows)
	if !ok {
		return ""
	}
	words := t.leadWords(l, t.critical([]lead{l}, 1)) + "."
	if len(rows) > 1 {
		words = fmt.Sprintf("Averaged over the %d rows of the table, %s", len(rows), words)
	}
	return words
}

// leadWords returns "TAN has the smallest mean test error, 5.4 (4.4 to 6.4) percentage
// points below SLB"; for a champion, "the mean test error of NB is 2.0 (1.0 to 3.0)
// percentage points above that of SLB".
func (t *Table) leadWords(l lead, critical float64) string {
	first, second := t.view.Label(l.first), t.view.Label(l.second)
	better, worse := "below", "above"
	if t.Measure.LargerIsBetter() {
		better, worse = worse, better
	}
	gap := t.interval(l, critical)
	if gap.Estimate < 0 { // the champion is behind
		gap.Estimate, gap.Low, gap.High, better = -gap.Estimate, -gap.High, -gap.Low, worse
	}
	words := t.gapWords(gap)
	if t.view.Champion != "" {
		return fmt.Sprintf("the mean %s of %s is %s %s that of %s", t.Measure.Name, first, words, better, second)
	}
	return fmt.Sprintf("%s%s, %s %s %s", first, t.extremeWords(), words, better, second)
}

// gapWords returns "5.4 (4.4 to 6.4) percentage points", with two significant digits of the
// half-width, at most those of the table.
func (t *Table) gapWords(gap stats.Shift) string {
	half := (gap.High - gap.Low) / 2
	digits := max(1, min(1-int(math.Floor(math.Log10(half))), t.Digits))
	return fmt.Sprintf("%s (%s to %s)%s", sheet.Fixed(gap.Estimate, digits), sheet.Fixed(gap.Low, digits),
		sheet.Fixed(gap.High, digits), pad(t.Measure.DifferenceUnit()))
}

// critical returns Student's quantile for simultaneous intervals (Bonferroni) of all pairs
// at the given number of levels. The smallest sample gives the degrees of freedom.
func (t *Table) critical(leads []lead, levels int) float64 {
	n := math.MaxInt
	for _, l := range leads {
		if l.gap.N > 0 { // else the lead has its row's interval
			n = min(n, l.gap.N)
		}
	}
	comparisons := float64(t.intervals() * levels)
	return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(1 - t.view.Alpha/(2*comparisons))
}

// intervals returns the number of pairs from which a lead is chosen: all pairs or, with a
// champion, its pairs.
func (t *Table) intervals() int {
	if t.view.Champion != "" {
		return len(t.Family) - 1
	}
	return view.Pairs(len(t.Family))
}

// intervalWords returns the explanation of the intervals in sentences on these factors, or
// in the one on all rows.
func (t *Table) intervalWords(sentences, factors []string) string {
	level := fmt.Sprintf("simultaneous %.3g%% intervals of paired differences", 100*(1-t.view.Alpha))
	student := fmt.Sprintf("Student's t, Bonferroni over %s and the levels of the sentence",
		view.Plural(t.intervals(), "pair", "pairs"))
	const ofRow = "those of the row's test (shift_low and shift_high of the CSV file)"
	single := t.singleRows(factors)
	var text string
	switch {
	case single == nil || !slices.ContainsFunc(single, t.hasInterval):
		text = fmt.Sprintf("Parentheses hold %s (%s)", level, student)
	case !slices.ContainsFunc(single, func(i int) bool { return !t.fixedTest(i) }):
		text = "Parentheses hold intervals of the difference on the test rows, " + ofRow
	default:
		text = fmt.Sprintf("Parentheses hold %s: for a pair that the test of one row compares, %s; for others and "+
			"for averages over rows, %s", level, ofRow, student)
		if len(t.Rows) == 1 {
			text = fmt.Sprintf("Parentheses hold %s, %s", level, ofRow)
		}
	}
	if strings.Contains(strings.Join(sentences, " "), "times that") {
		text += "; those of ratios are Fieller's"
	}
	return text + "."
}

// singleRows returns the tested rows that are all of a level of one of these factors, or all
// of the table.
func (t *Table) singleRows(factors []string) (list []int) {
	for _, name := range factors {
		for _, m := range t.margins(name) {
			if len(m.rows) == 1 {
				list = append(list, m.rows[0])
			}
		}
	}
	if rows := t.testedRows(); len(rows) == 1 {
		list = rows
	}
	return list
}

// testedRows returns the rows with comparisons.
func (t *Table) testedRows() (rows []int) {
	for i := range t.Rows {
		if len(t.Rows[i].best.Comparisons) > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// Largest numbers of pairs and of rows per pair that notShown lists.
const maxPairs, maxRows = 3, 2

// An openPair is two classifiers that some row does not show to differ.
type openPair struct{ against, other string }

// openPairs are the pairs that rows with enough results do not show to differ.
type openPairs struct {
	pairs     []openPair
	rows      map[openPair][]string // the rows of each pair, in words
	low, high float64               // range of detectable differences, in loss; high is 0: unknown
}

// openPairs collects the pairs that are not shown to differ.
func (t *Table) openPairs() openPairs {
	open := openPairs{rows: map[openPair][]string{}, low: math.Inf(1)}
	for i := range t.Rows {
		best := &t.Rows[i].best
		if !best.Attainable {
			continue // no result could have shown a difference
		}
		for _, q := range best.Comparisons {
			if q.Worse || q.Better {
				continue
			}
			p := openPair{best.Against, q.Other}
			open.pairs = view.AddNew(open.pairs, p)
			open.rows[p] = append(open.rows[p], t.view.InWords(t.Factors, t.Rows[i].Levels))
			if detectable(&q) && q.Detectable > 0 {
				open.low, open.high = min(open.low, q.Detectable), max(open.high, q.Detectable)
			}
		}
	}
	return open
}

// notShown returns "No difference is shown between SLB and SLB- (three-parent, n = 200), RF
// and DCC (4 rows). The tests find differences of 0.5 to 2.4 percentage points with 80
// percent power."; "" if all differences are shown.
func (t *Table) notShown() string {
	open := t.openPairs()
	if open.pairs == nil {
		return ""
	}
	var parts []string
	for _, p := range open.pairs[:min(len(open.pairs), maxPairs)] {
		parts = append(parts, t.openPairWords(p, open.rows[p]))
	}
	text := "No difference is shown between "
	if t.view.Champion != "" {
		text = t.view.Label(t.view.Champion) + " is not shown to be better than "
	}
	text += strings.Join(parts, ", ")
	if n := len(open.pairs) - maxPairs; n > 0 {
		text += fmt.Sprintf(" and %s", view.Plural(n, "more pair", "more pairs"))
	}
	return text + "." + t.detectableWords(open.low, open.high)
}

// openPairWords returns "SLB and SLB- (three-parent, n = 200)"; with a champion, the other
// classifier alone.
func (t *Table) openPairWords(p openPair, rows []string) string {
	words := t.view.Label(p.other)
	if t.view.Champion == "" {
		words = t.view.Label(p.against) + " and " + words
	}
	if len(rows) > maxRows {
		return fmt.Sprintf("%s (%d rows)", words, len(rows))
	}
	if len(t.Rows) > 1 {
		words += " (" + strings.Join(rows, "; ") + ")"
	}
	return words
}

// detectableWords returns " The tests find differences of 0.5 to 2.4 percentage points with
// 80 percent power."; "" if high is 0.
func (t *Table) detectableWords(low, high float64) string {
	if high == 0 {
		return ""
	}
	found := sheet.Fixed(low*t.Measure.Scale, t.Digits)
	if most := sheet.Fixed(high*t.Measure.Scale, t.Digits); most != found {
		found += " to " + most
	}
	return fmt.Sprintf(" The tests find differences of %s%s with 80 percent power.", found,
		pad(t.Measure.DifferenceUnit()))
}

// untestable returns "In 2 rows no difference could have been shown: there are too few replicates."
func (t *Table) untestable() string {
	few, coarse := 0, 0
	for i := range t.Rows {
		r := &t.Rows[i]
		switch {
		case len(r.best.Comparisons) == 0 || r.best.Attainable: // untested, or testable
		case r.needed(t.view.Side()) > 0:
			few++
		default:
			coarse++
		}
	}
	var parts []string
	if few > 0 {
		parts = append(parts, fmt.Sprintf("In %s no difference could have been shown: there are too few %s.",
			view.Plural(few, "row", "rows"), t.view.Units(t.groups)))
	}
	if coarse > 0 {
		parts = append(parts, fmt.Sprintf("In %s no difference could have been shown: the test gives no p-value as "+
			"small as its level.", view.Plural(coarse, "row", "rows")))
	}
	return strings.Join(parts, " ")
}

// setAside returns "Not compared, since more than 5% of their fits failed: QDA in 2 rows.";
// "" if there are none.
func (t *Table) setAside() string {
	var parts []string
	for k, id := range t.IDs {
		rows := 0
		for i := range t.Rows {
			if t.Rows[i].Entries[k].Aside {
				rows++
			}
		}
		if rows > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", t.view.Label(id), view.Plural(rows, "row", "rows")))
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Not compared, since more than %s%% of their fits failed: %s.",
		view.Number(100*t.view.SetAside), view.And(parts))
}

// testWords describes the test of up to k classifiers: "a two-sided sign test on paired
// folds".
func testWords(v *view.View, groups []view.Group, k int) string {
	side := "two-sided"
	if v.Side() != stats.TwoSided {
		side = "one-sided"
	}
	tested := slices.DeleteFunc(slices.Clone(groups), func(g view.Group) bool { return v.Untested(&g) })
	labels := v.TestLabels(tested)
	if v.Joint(k) {
		labels = v.JointLabels(tested)
	}
	return fmt.Sprintf("a %s %s on paired %s", side, labels, v.TestedUnits(tested))
}

// familyWise names the kind of level that a row with this number of comparisons has.
func familyWise(v *view.View, comparisons int) string {
	if v.Nominal(v.Champion, comparisons) {
		return "nominal family-wise level"
	}
	return "family-wise level"
}

// levelWords describes the level and the correction of a row with this number of
// comparisons.
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
