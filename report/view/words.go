package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

// Labels returns the labels of the classifiers, separated by commas.
func (v *View) Labels(ids []string) string { return strings.Join(v.LabelList(ids), ", ") }

// LabelList returns the labels of the classifiers.
func (v *View) LabelList(ids []string) []string {
	var labels []string
	for _, id := range ids {
		labels = append(labels, v.Label(id))
	}
	return labels
}

// Capital returns s with its first letter in upper case.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Number formats v with at most 12 digits, which hides binary rounding.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// Caption joins the author's sentences, the generated sentences and a remark. It adds a full stop
// to the author's sentences if necessary.
func Caption(authors, generated, remark string) string {
	if authors != "" && !strings.ContainsAny(authors[len(authors)-1:], ".!?:") {
		authors += "."
	}
	return strings.Join(strings.Fields(authors+" "+generated+" "+remark), " ")
}

// CellsSentence describes the cells that a table or figure uses, as in "Cells: d = 8, n = 60 or
// 240." The argument where is the condition that the cells meet. If it is empty, the sentence is
// "".
func (v *View) CellsSentence(where records.Condition) string {
	var parts []string
	for _, name := range v.FactorNames() {
		if levels := where[name]; len(levels) > 0 {
			parts = append(parts, v.alternatives(name, levels))
		}
	}
	if parts == nil {
		return ""
	}
	return "Cells: " + strings.Join(parts, ", ") + "."
}

// alternatives lists the levels of one factor, as in "n = 60 or 240".
func (v *View) alternatives(factor string, levels []string) string {
	var words []string
	for i, level := range levels {
		switch {
		case level == "": // the cells lack the factor
			words = append(words, "without "+v.FactorLabel(factor))
		case i > 0 && Numeric(level): // the first level names the factor
			words = append(words, v.LevelLabel(factor, level))
		default:
			own := records.Align([]string{factor}, []string{level})
			words = append(words, v.InWords([]string{factor}, own))
		}
	}
	return strings.Join(words, " or ")
}

// PoolingSentence returns PooledCellsSentence and a sentence on the weights of the cells in means
// of m. It returns "" if every group is a single cell.
func (v *View) PoolingSentence(subject string, groups []Group, m *Measure, ids []string) string {
	text := v.PooledCellsSentence(subject, groups)
	if text == "" {
		return ""
	}
	return text + v.weightSentence(groups, m, ids, "Each "+singular.Replace(v.UnitNoun(groups))+" has the same weight.")
}

// ContrastPoolingSentence is like PoolingSentence, but for differences between two levels (see
// Contrast). paired is true if some differences are paired.
func (v *View) ContrastPoolingSentence(groups []Group, m *Measure, paired bool) string {
	text := v.PooledCellsSentence("Each level of a row", groups)
	if text == "" {
		return ""
	}
	weights := "Each cell has the same weight."
	if paired {
		weights = fmt.Sprintf("Each %s has the same weight in paired differences. In all other differences, each cell "+
			"has the same weight.", singular.Replace(v.UnitNoun(groups)))
	}
	return text + v.weightSentence(groups, m, nil, weights)
}

// PooledCellsSentence describes which cells are combined: "Each row pools 3 cells of the design,
// which differ in n, family." The argument subject begins the sentence, as "Each row" does here.
// The sentence is "" if every group is a single cell.
func (v *View) PooledCellsSentence(subject string, groups []Group) string {
	other, most := v.OtherCells(groups)
	if most < 2 {
		return ""
	}
	var differing []string // labels of the factors in which cells of a group differ
	for _, g := range groups {
		differing = AddNew(differing, v.FactorLabels(v.Varying(g.Cells))...)
	}
	count, comparability := fmt.Sprint(most), ""
	if slices.ContainsFunc(groups, func(g Group) bool { return len(g.Cells) < most }) {
		count = "up to " + count
	}
	if other != "" {
		comparability = " Other cells: " + other + ". Comparing these with the others also compares different cells."
	}
	return fmt.Sprintf("%s pools %s cells of the design, which differ in %s.%s", subject, count,
		strings.Join(differing, ", "), comparability)
}

// OtherCells lists the groups whose cells have other levels than the cells of the largest group,
// as in "n = 10; even, n = 20 (2)". A number in parentheses counts the cells of a smaller group. The
// list is "" if the groups differ only in the factors that separate them.
//
// If several groups are largest, OtherCells compares the others with the first of them. It also
// returns the number of cells in the largest group.
func (v *View) OtherCells(groups []Group) (list string, most int) {
	var largest map[records.Levels]int // levels of the cells in the first of the largest groups
	var levels []map[records.Levels]int
	compared := v.comparedFactors(groups)
	for _, g := range groups {
		levels = append(levels, countLevels(g.Cells, compared))
		if len(g.Cells) > most {
			most, largest = len(g.Cells), levels[len(levels)-1]
		}
	}
	var others []string
	for i, g := range groups {
		name := v.sharedLevels(&g)
		if n := len(g.Cells); n < most {
			name += fmt.Sprintf(" (%d)", n)
		}
		if !maps.Equal(levels[i], largest) {
			others = append(others, name)
		}
	}
	return listFirst(others), most
}

// comparedFactors returns the factors whose levels must agree between comparable groups. They do not
// separate the groups, and each group has a cell with the factor. A group may lack a nested factor.
func (v *View) comparedFactors(groups []Group) []string {
	return Without(v.FactorNames(), func(name string) bool {
		hasFactor := func(c records.Cell) bool { return c.Levels.Of(name) != "" }
		return slices.ContainsFunc(groups, func(g Group) bool {
			return slices.Contains(g.Factors, name) || !slices.ContainsFunc(g.Cells, hasFactor)
		})
	})
}

// countLevels counts the cells with each combination of levels of the given factors.
func countLevels(cells []records.Cell, factors []string) map[records.Levels]int {
	counts := map[records.Levels]int{}
	for _, c := range cells {
		counts[c.Levels.Restrict(factors)]++
	}
	return counts
}

// PartialMeans describes the classifiers that were not run on all data:
//
//	"SLB was not run on all data: its mean is over 64 of 80 replicates."
//
// If the list tested contains the classifier, the sentence also states which results its tests use.
func (v *View) PartialMeans(groups []Group, m *Measure, ids, tested []string) (sentences []string) {
	counts := map[string][]string{} // by classifier, such as "5 of 10 replicates for n = 200"
	hasResults := map[string]bool{} // whether one of these numbers exceeds 0, by classifier
	units := v.UnitNoun(m.Pooled(groups))
	for _, g := range groups {
		for id, s := range v.partialShares(&g, m, ids) {
			words := fmt.Sprintf("%d of %d %s", s.n, s.total, units)
			if len(groups) > 1 {
				words += " for " + v.sharedLevels(&g)
			}
			counts[id] = append(counts[id], words)
			hasResults[id] = hasResults[id] || s.n > 0
		}
	}
	for _, id := range ids {
		if counts[id] == nil {
			continue // the classifier was run on all data
		}
		sentence := v.Label(id) + " was not run on all data: its mean is over " + listFirst(counts[id])
		if hasResults[id] && slices.Contains(tested, id) {
			sentence += ", and its tests use the results that both classifiers have"
		}
		sentences = append(sentences, sentence+".")
	}
	return sentences
}

// partialShares returns the classifiers that were not run on all data of a group. The share of a
// classifier is its number of results out of the largest number in the group.
func (v *View) partialShares(g *Group, m *Measure, ids []string) map[string]share {
	means := v.Summaries(g, m, ids)
	most := 0 // results of a classifier
	for _, s := range means {
		most = max(most, s.N)
	}
	partial := map[string]share{}
	for k, id := range ids {
		if n := means[k].N; n < most && v.hasFewerFits(g, id, ids) {
			partial[id] = share{n, most}
		}
	}
	return partial
}

// hasFewerFits reports whether a classifier has fits in a group, but fewer than another one of ids.
// It returns false for classifiers in ExcludedFrom, which other sentences describe.
func (v *View) hasFewerFits(g *Group, id string, ids []string) bool {
	most := 0 // fits, whether or not they failed
	for _, other := range ids {
		tried, _ := g.Attempts(other)
		most = max(most, tried)
	}
	tried, _ := g.Attempts(id)
	return 0 < tried && tried < most && !slices.Contains(v.ExcludedFrom(g), id)
}

// weightSentence warns that cells have different numbers of results, and states the weights of the
// results:
//
//	" The cells have 33 to 40 replicates with results. Each replicate has the same weight."
//
// The argument weights is its last sentence, here "Each replicate has the same weight." If results
// with undefined m are omitted, the text begins with a sentence on this omission.
func (v *View) weightSentence(groups []Group, m *Measure, ids []string, weights string) (text string) {
	sizes := v.countCellSizes(groups, m, ids)
	if sizes.omitsResults {
		text = fmt.Sprintf(" Pooled means use the %s in which the metric is defined for all classifiers.",
			v.UnitNoun(groups))
	}
	if sizes.differ {
		text += fmt.Sprintf(" The cells have %d to %d %s with results. %s", sizes.low, sizes.high,
			v.UnitNoun(sizes.groups), weights)
	}
	return text
}

// A cellSizes value describes the numbers of results that cells contribute to pooled means.
type cellSizes struct {
	low, high    int     // smallest and largest number of a cell
	differ       bool    // within at least one group
	groups       []Group // with at least one cell that counts (see View.cellSizes)
	omitsResults bool    // results are omitted, because the metric is undefined for some classifier
}

// countCellSizes returns the numbers of results in pooled means of m for the classifiers ids.
func (v *View) countCellSizes(groups []Group, m *Measure, ids []string) cellSizes {
	sizes := cellSizes{low: math.MaxInt}
	for _, g := range groups {
		cells, omitsResults := v.cellsInMean(&g, m, ids)
		sizes.omitsResults = sizes.omitsResults || omitsResults
		low, high := v.cellSizes(cells)
		if low > high {
			continue // no cell counts
		}
		sizes.low, sizes.high = min(sizes.low, low), max(sizes.high, high)
		sizes.differ = sizes.differ || low < high
		sizes.groups = append(sizes.groups, g)
	}
	return sizes
}

// cellsInMean returns the cells of a group with the results that pooled means of m average. It also
// reports whether replicates are omitted because m is undefined for some classifier.
func (v *View) cellsInMean(g *Group, m *Measure, ids []string) (cells []records.Cell, omitsResults bool) {
	all, pooled := v.Pool(g), v.PoolFor(g, m, ids)
	if len(pooled.Replicates) < len(all.Replicates) {
		return strata(&pooled), true
	}
	return v.TreatFailures(g), false
}

// cellSizes returns the smallest and the largest number of results that a cell contributes to a
// mean over cells. It skips cells whose data set is given and not drawn.
//
// If it skips all cells, low is greater than high.
func (v *View) cellSizes(cells []records.Cell) (low, high int) {
	low = math.MaxInt
	for _, c := range cells {
		s, n := v.Sampling[c.ID], len(c.Replicates)
		if s.isDataSet() { // given, not drawn; Pool reduces it to one result
			continue
		}
		if s.OneDataSet {
			n = 1 // Pool reduces the folds of one drawn problem to one result
		}
		low, high = min(low, n), max(high, n)
	}
	return low, high
}

// singular replaces each noun that counts results, such as "replicates" or "folds", with its singular form.
var singular = strings.NewReplacer("replicates", "replicate", "tasks", "task", "folds", "fold", "splits", "split",
	"data sets", "data set", "fits on", "fit on")

// A Range contains the minimum and the maximum of several counts of results. The zero value is empty.
type Range struct{ Least, Most int }

// Add extends the range so that it includes n, a count of results. It ignores a count of 0.
func (r *Range) Add(n int) {
	if n > 0 && (r.Least == 0 || n < r.Least) {
		r.Least = n
	}
	r.Most = max(r.Most, n)
}

// String returns the range in words: "100" if both ends are the same, or "98 to 100".
func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Most)
	}
	return fmt.Sprintf("%d to %d", r.Least, r.Most)
}

// Replicated returns a phrase such as "R = 98 to 100 replicates". units is the plural noun.
func (r Range) Replicated(units string) string {
	if r.Most == 1 {
		return "R = 1 " + singular.Replace(units)
	}
	return "R = " + r.String() + " " + units
}

// Replication returns the number of results that the mean of each classifier in ids combines, as in
// "R = 100 replicates". If this number differs between means, it returns a range, as in "R = 98 to
// 100 replicates".
func (v *View) Replication(groups []Group, m *Measure, ids []string) string {
	var results Range
	for _, g := range groups {
		for _, s := range v.Summaries(&g, m, ids) {
			results.Add(s.N)
		}
	}
	return v.ResultWords(results, m.Pooled(groups))
}

// ResultWords describes the number of results behind each mean, such as "R = 10 folds (2 splits
// into 5)" for repeated cross-validation. It omits the splits if some folds have no result.
func (v *View) ResultWords(results Range, groups []Group) string {
	words := results.Replicated(v.UnitNoun(groups))
	if splits := v.Splits(groups); splits != "" && results.Least == len(groups[0].Cells[0].Replicates) {
		words += " " + splits
	}
	return words
}

// FailedRanksSentence is like FailedFitsSentence but for ranks. It counts only cells in which all
// classifiers have results.
func (v *View) FailedRanksSentence(cells []records.Cell, m *Measure, ids []string) string {
	lacks := func(c records.Cell) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return len(m.values(&c, id)) == 0 })
	}
	return v.FailedFitsSentence("Ranks", Without(cells, lacks), ids)
}

// FailedFitsSentence describes failures: "Failed fits: SLB 3 of 100; LDA, QDA 2 of 100 each." It
// returns "" if nothing failed.
//
// Further sentences describe failed draws of data and how failed fits are treated. The argument
// subject, such as "Means", is the subject in TreatmentSentence.
func (v *View) FailedFitsSentence(subject string, cells []records.Cell, ids []string) string {
	failed := v.countWords(ids, func(id string) share {
		tried, failed := (&Group{Cells: cells}).Attempts(id)
		return share{failed, tried}
	})
	draws := FailedDrawsSentence(cells) // may be ""
	if failed == "" {
		return draws
	}
	omitted := v.OmittedSentence(cells) // may be ""
	return strings.TrimSpace(fmt.Sprintf("%s Failed fits: %s. %s %s", draws, failed,
		v.TreatmentSentence(subject), omitted))
}

// A share is a number n out of a total, such as 3 failed fits out of 100 fits.
type share struct{ n, total int }

// countWords lists the classifiers with their shares, as in "SLB 3 of 100; LDA, QDA 2 of 100 each".
// It starts with the largest counts, and omits counts of 0.
func (v *View) countWords(ids []string, count func(id string) share) string {
	isZero := func(id string) bool { return count(id).n == 0 }
	groups := stats.Grouped(Without(ids, isZero), count) // classifiers with equal shares
	slices.SortStableFunc(groups, func(a, b []string) int { return count(b[0]).n - count(a[0]).n })
	var parts []string
	for _, alike := range groups {
		s := count(alike[0])
		words := fmt.Sprintf("%s %d of %d", v.Labels(alike), s.n, s.total)
		if len(alike) > 1 {
			words += " each"
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, "; ")
}

// FailedDrawsSentence counts the replicates whose data could not be drawn, as in "Failed draws of data: 13 of 30,
// left out for all classifiers." It returns "" if there are none.
func FailedDrawsSentence(cells []records.Cell) string {
	failed, all := countReplicates(cells, drawFailed)
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf("Failed draws of data: %d of %d, left out for all classifiers.", failed, all)
}

// CountDrawn returns the number of replicates of a cell whose data could be drawn.
func CountDrawn(c records.Cell) int {
	failed, all := countReplicates([]records.Cell{c}, drawFailed)
	return all - failed
}

// countReplicates returns the number n of replicates with a property, and the number of all
// replicates in the given cells. hasProperty receives the results of one replicate.
func countReplicates(cells []records.Cell, hasProperty func([]*records.Record) bool) (n, all int) {
	for i := range cells {
		for _, rows := range cells[i].ByReplicate() {
			all++
			if hasProperty(rows) {
				n++
			}
		}
	}
	return n, all
}

// OmittedSentence counts the replicates in which all fits failed: "Omitted: 1 of 20 replicates,
// because all fits failed." It returns "" if there are none, or if failed fits are not replaced.
func (v *View) OmittedSentence(cells []records.Cell) string {
	if !v.ReplacesFailures() {
		return "" // TreatmentSentence describes the omitted replicates
	}
	allFailed := func(rows []*records.Record) bool {
		succeeded := func(r *records.Record) bool { return !isFailure(*r) }
		return !drawFailed(rows) && !slices.ContainsFunc(rows, succeeded)
	}
	omitted, all := countReplicates(cells, allFailed)
	if omitted == 0 {
		return ""
	}
	return fmt.Sprintf("Omitted: %d of %d %s, because all fits failed.", omitted, all,
		v.UnitNoun(SingleCellGroups(cells)))
}

// Curves is the argument of TreatmentSentence for curves from stored predictions, such as ROC
// curves. Unlike means and tests, these never replace a failed fit by another result.
const Curves = "Curves"

// TreatmentSentence describes how failed fits are treated:
//
//	"Means give a failed fit the score of the worst classifier of its replicate, metric by
//	metric."
//
// The argument subject begins the sentence. It is a plural, such as "Means" or "Means and tests",
// or the constant Curves.
func (v *View) TreatmentSentence(subject string) string {
	if subject == Curves && v.ReplacesFailures() {
		return "Curves and the areas under them are means over successful fits only; tables also score failed fits."
	}
	switch v.treatment() {
	case Worst:
		return subject + " give a failed fit the score of the worst classifier of its replicate, metric by metric."
	case Fallback:
		rule := "a rule that uses only the class shares of the test rows"
		if v.Fallback == "" {
			return fmt.Sprintf("%s give a failed fit the score of %s on the same data.", subject, rule)
		}
		return fmt.Sprintf("%s give a failed fit the score of %s on the same data, or of %s if %[2]s failed too.",
			subject, v.Label(v.Fallback), rule)
	}
	return fmt.Sprintf("%s use the replicates in which all fits succeeded. They leave out classifiers that fail in "+
		"more than %s%% of the fits of a cell.", subject, Number(100*v.MaxFailureRate))
}

// Plural returns a count with its noun, such as "1 cell" or "3 cells".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

const maxListed = 5

// listFirst joins the parts of a list. It shortens a long list: "a; b; c; d; e; and 3 more".
func listFirst(parts []string) string {
	if more := len(parts) - maxListed; more > 0 {
		parts = append(slices.Clone(parts[:maxListed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// AddNew appends the values that a list does not contain yet.
func AddNew[T comparable](list []T, values ...T) []T {
	for _, value := range values {
		if !slices.Contains(list, value) {
			list = append(list, value)
		}
	}
	return list
}

// Without returns a copy of a list without the elements for which drop returns true.
func Without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// And joins items into an English list, such as "a, b and c".
func And(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
