package table

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// Findings contains sentences about the results of the tests in a table.
type Findings struct {
	Found          []string // lead of the best classifier; one sentence per row factor
	IntervalMethod string   // explanation of the intervals in Found
	NotShown       []string // pairs that show no difference, rows that cannot show any, and equivalent pairs
	Excluded       []string // classifiers that failed too often, or ran on too few data, to be compared
}

// Findings returns sentences about the results of the tests, ordered by metric.
func (t *Table) Findings() (all Findings) {
	tables := t.MetricTables()
	methods := map[*Table]string{}
	for _, ofMetric := range tables {
		f := ofMetric.metricFindings()
		if len(t.OtherMetrics) > 0 {
			f.NotShown = withMetric(f.NotShown, ofMetric.Measure.Name)
			f.Excluded = withMetric(f.Excluded, ofMetric.Measure.Name)
		}
		all.Found = append(all.Found, f.Found...)
		all.NotShown = append(all.NotShown, f.NotShown...)
		all.Excluded = append(all.Excluded, f.Excluded...)
		methods[ofMetric] = f.IntervalMethod
	}
	all.IntervalMethod = commonText(tables, func(ofMetric *Table) string { return methods[ofMetric] })
	return all
}

// commonText returns the text of the tables if it is the same for all. Otherwise, it returns the result of
// perMetric.
func commonText(tables []*Table, text func(*Table) string) string {
	if len(stats.Grouped(tables, text)) == 1 {
		return text(tables[0])
	}
	return perMetric(tables, text)
}

// perMetric joins the texts of several metrics: "AUC and test error (%): mean over R = 50 replicates per row."
func perMetric(tables []*Table, text func(*Table) string) string {
	var parts []string
	texts := map[*Table]string{} // some are slow to compute
	for _, t := range tables {
		texts[t] = text(t)
	}
	for _, alike := range stats.Grouped(tables, func(t *Table) string { return texts[t] }) {
		if texts[alike[0]] == "" {
			continue
		}
		titles := view.And(stats.Map(alike, (*Table).measureTitle))
		parts = append(parts, view.Capital(titles)+": "+texts[alike[0]])
	}
	return strings.Join(parts, " ")
}

// withMetric puts the name of a metric before the first sentence, as in "AUC: No difference is shown
// ...".
func withMetric(sentences []string, name string) []string {
	if len(sentences) > 0 {
		sentences[0] = view.Capital(name) + ": " + sentences[0]
	}
	return sentences
}

// A leadSentence is a sentence about leads, or a part of one.
type leadSentence struct {
	text        string // "" if no sentence applies
	hasInterval bool   // text contains an interval; false if it only describes equal means
	hasRatio    bool   // text contains the ratio of the gaps at two levels
	leads       []lead
}

// metricFindings returns the sentences about the table's first metric.
func (t *Table) metricFindings() (f Findings) {
	f.Excluded = appendText(nil, t.leftOutOfTests(),
		t.view.UndefinedSentence("Not compared", t.groups, &t.Measure, t.tested))
	if len(t.testedRows()) == 0 {
		return f
	}
	sentences, comparesLevels := t.leadSentences()
	for _, s := range sentences {
		f.Found = appendText(f.Found, s.text)
	}
	if last := len(f.Found) - 1; last >= 0 { // the rows are left out of all these sentences
		f.Found[last] += t.undecidedRowsSentence(comparesLevels)
	}
	combined := combine(sentences)
	if combined.hasInterval {
		f.IntervalMethod = t.intervalWords(combined, comparesLevels)
	}
	f.Found = appendText(f.Found, t.equivalenceSentence())
	f.NotShown = appendText(nil, t.notShownSentence(), t.untestableSentence(), t.incomparableSentence())
	f.Excluded = appendText(f.Excluded, t.excludedSentence())
	return f
}

// combine merges the properties of sentences. The result has no text.
func combine(sentences []leadSentence) (combined leadSentence) {
	for _, s := range sentences {
		combined.hasInterval = combined.hasInterval || s.hasInterval
		combined.hasRatio = combined.hasRatio || s.hasRatio
		combined.leads = append(combined.leads, s.leads...)
	}
	return combined
}

// leadSentences returns a sentence on the lead at each level, for each varying factor whose levels can be
// compared.
//
// If there is no such factor, leadSentences returns one sentence on the lead over all rows, and comparesLevels
// is false.
func (t *Table) leadSentences() (sentences []leadSentence, comparesLevels bool) {
	for _, name := range t.varyingFactors(t.decidableRows()) {
		if s := t.factorFinding(name); s.text != "" {
			sentences = append(sentences, s)
		}
	}
	if sentences != nil {
		return sentences, true
	}
	return []leadSentence{t.overallFinding()}, false
}

func appendText(list []string, texts ...string) []string {
	return append(list, view.Except(texts, "")...)
}

func (t *Table) varyingFactors(rows []int) []string {
	pooled := func(name string) bool { return !slices.Contains(t.Factors, name) }
	return slices.DeleteFunc(t.view.Varying(t.cellsIn(rows)), pooled)
}

// allGroups returns the groups of cells whose results the table uses. In a table of contrasts,
// groups at the first level come first.
func (t *Table) allGroups() []view.Group { return slices.Concat(t.firstLevelGroups, t.groups) }

func (t *Table) cells() (list []records.Cell) {
	for _, g := range t.allGroups() {
		list = append(list, g.Cells...)
	}
	return list
}

// A margin is the set of rows that share one level of a factor.
type margin struct {
	level string
	label string // level as shown to readers
	rows  []int
}

// margins groups rows by their level of a factor, in the order of the levels. It omits rows without
// the factor. It also omits levels with an undecided row, because their other rows alone would not
// be comparable with other levels.
//
// The averages at the levels are comparable only if the cells at different levels do not differ in other
// factors. differOnlyInFactor reports whether this is the case.
func (t *Table) margins(factor string) (decided []margin, differOnlyInFactor bool) {
	level := func(i int) string { return t.Rows[i].Levels.Of(factor) }
	lacksFactor := func(i int) bool { return level(i) == "" }
	rows := slices.DeleteFunc(slices.Concat(t.decidableRows(), t.undecidedRows()), lacksFactor)
	all := stats.Map(stats.Grouped(rows, level), func(alike []int) margin {
		label := t.view.InWords([]string{factor}, t.Rows[alike[0]].Levels)
		return margin{level: level(alike[0]), label: label, rows: alike}
	})
	cellsByLevel := stats.Map(all, func(m margin) view.Group {
		return view.Group{Factors: []string{factor}, Cells: t.cellsIn(m.rows)}
	})
	incomparable, _ := t.view.OtherCells(cellsByLevel)
	hasUndecided := func(m margin) bool { return slices.ContainsFunc(m.rows, t.isUndecided) }
	decided = view.Without(all, hasUndecided)
	position := t.levelPositions(factor)
	slices.SortStableFunc(decided, func(a, b margin) int { return position[a.level] - position[b.level] })
	return decided, incomparable == ""
}

func (t *Table) cellsIn(rows []int) (cells []records.Cell) {
	for _, i := range rows {
		cells = append(cells, t.groups[i].Cells...)
	}
	return cells
}

// maxLevels is the maximum number of levels that a sentence lists, unless the levels are numbers.
const maxLevels = 4

// factorFinding describes the lead at each level of a factor: "at n = 200, TAN has the smallest mean test
// error, 5.4 (4.4 to 6.4) percentage points below SLB; ...". For a numeric factor, it describes only the first and
// the last level. If only some rows have the factor, it names them: "for climate: for noise = none, ...".
//
// The result is empty if the levels cannot be compared, if there are too few or too many, or if the lead at one of
// them is unknown.
func (t *Table) factorFinding(factor string) leadSentence {
	margins, differOnlyInFactor := t.margins(factor) // a margin contains the rows at one level
	isNumeric := t.isNumericFactor(slices.Index(t.Factors, factor))
	tooMany := !isNumeric && len(margins) > maxLevels
	if !differOnlyInFactor || len(margins) < 2 || tooMany {
		return leadSentence{}
	}
	rows := stats.Map(margins, func(m margin) []int { return m.rows })
	// Rows with a single test set have no gap (see newLead), so a change between levels is unknown.
	if isNumeric && slices.ContainsFunc(slices.Concat(rows...), t.isOnOneTestSet) {
		return leadSentence{}
	}
	leads := t.leadsOf(margins) // the best classifier and its gap at each level; nil if one is unknown
	if leads == nil {
		return leadSentence{}
	}
	havingFactor := t.view.OnlyFor(factor, t.cellsIn(t.testedRows())) // such as "climate"; "" if all rows have it
	if havingFactor != "" {
		t.addFactorToLabels(factor, margins) // "none" becomes "noise = none"
	}
	var s leadSentence
	if isNumeric {
		s = t.firstAndLastLevel(margins, leads)
	} else {
		s = t.eachLevel(margins, leads)
	}
	scope := scopeWords(havingFactor, t.averagedOver(margins)) // such as "for climate, averaged over n: ", or ""
	s.text = view.Capital(scope+s.text) + "." + t.leftOutSentence(rows...)
	s.leads = leads
	return s
}

// addFactorToLabels adds the factor to labels that state only the level: "noise = none".
func (t *Table) addFactorToLabels(factor string, margins []margin) {
	for i := range margins {
		if m := &margins[i]; m.label == t.view.LevelLabel(factor, m.level) {
			m.label = t.view.FactorLabel(factor) + " = " + m.label
		}
	}
}

// scopeWords begins a sentence about some cells, as in "for climate, averaged over n: ". Each argument may be "".
func scopeWords(only, averagedOver string) string {
	switch {
	case only == "":
		return averagedOver
	case averagedOver == "":
		return "for " + only + ": "
	}
	return "for " + only + ", " + averagedOver
}

// leadsOf returns the lead at each level of a factor, or nil if some level has none.
func (t *Table) leadsOf(margins []margin) (leads []lead) {
	for _, m := range margins {
		l, ok := t.lead(m.rows, len(margins))
		if !ok {
			return nil
		}
		leads = append(leads, l)
	}
	return leads
}

// averagedOver names the factors that vary among the rows of one margin, as in "averaged over family: ".
func (t *Table) averagedOver(margins []margin) string {
	if len(margins[0].rows) == 1 {
		return ""
	}
	var others []string
	for _, m := range margins {
		others = view.AddNew(others, t.varyingFactors(m.rows)...)
	}
	return "averaged over " + view.And(t.view.FactorLabels(others)) + ": "
}

// firstAndLastLevel describes the lead at the first level of a numeric factor, and how the gap between the same
// two classifiers changes up to the last level.
//
// In three cases, it describes the lead at the last level instead of the change:
//   - At the first level, several classifiers share the best mean.
//   - At the last level, leader and rival are exchanged.
//   - At the last level, the gap between them is unknown.
func (t *Table) firstAndLastLevel(margins []margin, leads []lead) leadSentence {
	end := len(margins) - 1
	first, last, lastLabel := leads[0], leads[end], margins[end].label
	atFirst := fmt.Sprintf("at %s, %s; ", margins[0].label, t.leadWords(first))
	// The gap at the last level between the classifiers that are leader and rival at the first level.
	laterGap, known := t.gapIn(last.rows, first)
	exchanged := last.leader == first.rival && last.rival == first.leader
	if first.tied != nil || exchanged || !known {
		atLast := fmt.Sprintf("at %s, %s", lastLabel, t.leadWords(last))
		return leadSentence{text: atFirst + atLast, hasInterval: first.showsInterval() || last.showsInterval()}
	}
	change, hasRatio := t.gapChange(lastLabel, first, laterGap)
	switch {
	case last.leader != first.leader || last.tied != nil: // another classifier leads at the last level
		change += ", and " + t.leadWords(last)
	case last.rival != first.rival: // the same leader has another rival
		change += ", and " + t.comparisonWords(last)
	}
	const hasInterval = true // known gaps have one
	return leadSentence{text: atFirst + change, hasInterval: hasInterval, hasRatio: hasRatio}
}

// gapIn returns the gap between the leader and the rival of l in the given rows, even if another classifier
// leads there.
//
// The gap is unknown if the leader or the rival has too few results in these rows, or if it has no interval.
func (t *Table) gapIn(rows []int, l lead) (other lead, known bool) {
	other = t.newLead(rows, l.leader, l.rival, l.confidence)
	hasResults := func(id string) bool { return t.isRanked(slices.Index(t.IDs, id), rows) }
	return other, other.hasInterval() && hasResults(l.leader) && hasResults(l.rival)
}

// gapChange describes the gap at the last level relative to the gap at the first: "by n = 400, the
// gap is 0.5 times that (0.4 to 0.6)". If the ratio has no bounded interval, it describes the last
// gap itself: "at n = 400, SLB is 2.1 (1.0 to 3.2) percentage points below TAN".
func (t *Table) gapChange(level string, first, last lead) (text string, hasRatio bool) {
	critical := stats.StudentQuantile(first.confidence, min(first.gap.DF, last.gap.DF))
	ratio, bounded := stats.Ratio(last.gap, first.gap, critical)
	rows := slices.Concat(first.rows, last.rows)
	independent := len(t.dependentRows(rows)) == len(rows) // as Fieller's interval of a ratio assumes
	if bounded && independent && ratio.Estimate > 0 {
		return fmt.Sprintf("by %s, the gap is %s times that (%s to %s)", level, sheet.Fixed(ratio.Estimate, 2),
			sheet.Fixed(ratio.Low, 2), sheet.Fixed(ratio.High, 2)), true
	}
	return fmt.Sprintf("at %s, %s", level, t.comparisonWords(last)), false
}

// eachLevel describes the lead at each level of a factor: "for forest, CNC has the smallest mean test error,
// 0.8 (0.3 to 1.3) percentage points below TAN; for polybeta, it is RF, ...".
func (t *Table) eachLevel(margins []margin, leads []lead) leadSentence {
	var parts []string
	for i, l := range leads {
		words := t.leadWords(l)
		// The words at the first level name the measure. Later levels need only a shorter text, unless
		// there is a tie or a champion.
		if i > 0 && t.view.Champion == "" && l.tied == nil {
			words = fmt.Sprintf("it is %s, %s %s", t.view.Label(l.leader), t.gapBelow(l), t.view.Label(l.rival))
		}
		parts = append(parts, fmt.Sprintf("for %s, %s", margins[i].label, words))
	}
	hasInterval := slices.ContainsFunc(leads, lead.showsInterval)
	return leadSentence{text: strings.Join(parts, "; "), hasInterval: hasInterval}
}

// overallFinding describes the average lead over the rows that findings describe (see
// decidableRows). The text may be "".
func (t *Table) overallFinding() (s leadSentence) {
	rows := t.decidableRows()
	if len(rows) == 0 {
		return s
	}
	l, ok := t.lead(rows, oneAverage)
	if !ok {
		return s
	}
	words := t.leadWords(l)
	over := t.overWords(rows)
	beginsWithLabel := t.view.Champion == "" || l.tied != nil // otherwise, with "the mean test error of"
	if over == "" && !beginsWithLabel {
		words = view.Capital(words)
	}
	return leadSentence{text: over + words + "." + t.leftOutSentence(rows), hasInterval: l.showsInterval(),
		leads: []lead{l}}
}

// overWords returns the beginning of a sentence about the given rows: "Averaged over 4 of the 6 rows of the
// table, " or, for a single row, "For n = 20, ".
func (t *Table) overWords(rows []int) string {
	switch {
	case len(t.Rows) == 1:
		return ""
	case len(rows) == len(t.Rows):
		return fmt.Sprintf("Averaged over the %d rows of the table, ", len(rows))
	case len(rows) > 1:
		return fmt.Sprintf("Averaged over %d of the %d rows of the table, ", len(rows), len(t.Rows))
	}
	return fmt.Sprintf("For %s, ", t.levelWords(rows[0]))
}

// levelWords describes the levels of row i, as in "n = 200, d = 10".
func (t *Table) levelWords(i int) string { return t.view.InWords(t.Factors, t.Rows[i].Levels) }

// intervalWords explains the intervals in the findings. A lead is the gap between the best classifier and another
// one, averaged over some rows. The argument combined contains all leads. comparesLevels is true if they compare the
// levels of a factor.
func (t *Table) intervalWords(combined leadSentence, comparesLevels bool) string {
	student := t.studentWords(combined.leads, comparesLevels) // on intervals that no test gives
	text := "The numbers in parentheses are " + t.intervalKinds(student)
	if combined.hasRatio {
		text += "; confidence intervals for ratios use Fieller's method"
	}
	hasBound := func(l lead) bool { return l.isBound }
	if slices.ContainsFunc(combined.leads, hasBound) {
		text += "; averages over rows that share data use an upper bound of their standard error, so their " +
			"intervals may be too wide"
	}
	if slices.ContainsFunc(combined.leads, t.averagesDataSets) {
		text += "; averages over rows hold for these data sets only"
	}
	return text + "."
}

// averagesDataSets reports whether the gap of a lead is an average over several rows, some of which
// are folds or splits of a single data set.
func (t *Table) averagesDataSets(l lead) bool {
	isDataSet := func(i int) bool {
		cells := t.groups[i].Cells
		return len(cells) == 1 && t.view.Sampling[cells[0].ID].OneDataSet
	}
	return len(l.rows) > 1 && slices.ContainsFunc(l.rows, isDataSet)
}

// intervalKinds describes the confidence intervals of the differences between classifiers in the findings:
//
//	"simultaneous 95% confidence intervals for paired differences (Student's t, with a
//	Bonferroni correction for 3 pairs)"
//
// If a finding describes a single row whose test gives an interval, the finding uses this interval. The
// argument student describes the other intervals.
func (t *Table) intervalKinds(student string) string {
	singleRows := t.singleRows()
	usesTests := slices.ContainsFunc(singleRows, t.testGivesInterval)
	onReplicates := view.Without(singleRows, t.isOnOneTestSet) // rows whose tests do not compare test rows
	intervals := fmt.Sprintf("simultaneous %.3g%% confidence intervals", 100*(1-t.view.Alpha))
	const ofRow = "from the test of the row (shift_low and shift_high in the CSV file)"
	switch {
	case !usesTests: // all intervals use Student's t
		return fmt.Sprintf("%s for paired differences (%s)", intervals, student)
	case len(onReplicates) == 0:
		return fmt.Sprintf("%s for the difference on the test rows, %s", intervals, ofRow)
	case len(t.decidableRows()) == 1: // findings describe only this row
		return fmt.Sprintf("%s for paired differences, %s", intervals, ofRow)
	}
	return fmt.Sprintf("%s for paired differences. If a row tests the two classifiers against each other, their "+
		"interval is %s. This interval is simultaneous within the row. Other intervals and averages over rows use %s",
		intervals, ofRow, student)
}

// studentWords describes the intervals that use Student's t: "Student's t, with a Bonferroni
// correction for 3 pairs". comparesLevels is true if findings compare levels of a factor.
func (t *Table) studentWords(leads []lead, comparesLevels bool) string {
	words := "Student's t"
	// The degrees of freedom of an average over several cells with different data depend on the variance in each cell.
	averagesCells := func(l lead) bool {
		return len(t.dependentRows(l.rows)) > 1 || slices.ContainsFunc(l.rows, t.hasErrorWithinCells)
	}
	if slices.ContainsFunc(leads, averagesCells) {
		words += " with Welch-Satterthwaite degrees of freedom"
	}
	words += ", with a Bonferroni correction for " + view.Plural(t.pairCount(), "pair", "pairs")
	if comparesLevels {
		words += " at every level of the factor"
	}
	return words
}

// singleRows returns the rows that findings describe one by one, without an average over rows: the
// row that alone is decidable, or otherwise each row that is alone at a level of some factor.
func (t *Table) singleRows() (list []int) {
	decidable := t.decidableRows()
	if len(decidable) == 1 {
		return decidable
	}
	for _, name := range t.varyingFactors(decidable) {
		margins, comparable := t.margins(name)
		for _, m := range margins {
			if comparable && len(m.rows) == 1 {
				list = append(list, m.rows[0])
			}
		}
	}
	return list
}

// decidableRows returns the indices of the rows that findings describe.
func (t *Table) decidableRows() []int { return slices.DeleteFunc(t.testedRows(), t.isUndecided) }

func (t *Table) undecidedRows() []int { return t.rowsWhere(t.isUndecided) }

// isUndecided reports whether row i cannot show a difference because too many of its results lack the metric.
func (t *Table) isUndecided(i int) bool {
	row := &t.Rows[i]
	return row.lacksMetric && !row.bestSet.Attainable && !t.view.Untested(t.groups[i]) && !t.isUntestedOnOneTestSet(i)
}

// undecidedRowsSentence names the rows that findings leave out: " Left out, because too many
// results lack the metric: 2 of 6 rows (n = 20 and n = 40)." comparesLevels is true if findings
// compare levels of a factor.
func (t *Table) undecidedRowsSentence(comparesLevels bool) string {
	names := stats.Map(t.undecidedRows(), t.levelWords)
	if names == nil {
		return ""
	}
	text := fmt.Sprintf(" Left out, because too many results lack the metric: %d of %d rows (%s).", len(names),
		len(t.Rows), listed(names))
	if comparesLevels {
		text += " Averages omit each level that has such a row."
	}
	return text
}

func (t *Table) testedRows() []int {
	return t.rowsWhere(func(i int) bool { return t.Rows[i].hasTests() })
}

func (t *Table) rowsWhere(holds func(i int) bool) (rows []int) {
	for i := range t.Rows {
		if holds(i) {
			rows = append(rows, i)
		}
	}
	return rows
}
