package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// PoolingSentence describes the cells that each mean of m combines, and the weights of their results (see
// PooledCellsSentence).
func (v *View) PoolingSentence(subject string, groups []Group, m *Measure, ids []string) string {
	text := v.PooledCellsSentence(subject, groups)
	if text == "" {
		return ""
	}
	return text + v.weightSentence(groups, m, ids, "Each "+singular.Replace(v.UnitNoun(groups))+" has the same weight.")
}

// ContrastPoolingSentence is like PoolingSentence, but for differences between two levels (see
// Contrast). rows contains the groups at one level of each row, and groups those at both levels. paired is
// true if some differences are paired.
func (v *View) ContrastPoolingSentence(rows, groups []Group, m *Measure, paired bool) string {
	text := v.PooledCellsSentence("Each level of a row", rows) // its cells have partners at the other level
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

// PooledCellsSentence describes which cells are combined: "Each row pools 3 cells of the design, which differ
// in n, family." The argument subject is "Each row" here. The sentence is "" if every group is a single cell.
func (v *View) PooledCellsSentence(subject string, groups []Group) string {
	other, most := v.OtherCells(groups)
	if most < 2 {
		return ""
	}
	var differing []string
	for _, g := range groups {
		differing = AddNew(differing, v.FactorLabels(v.Varying(g.Cells))...)
	}
	count := fmt.Sprint(most)
	if slices.ContainsFunc(groups, func(g Group) bool { return len(g.Cells) < most }) {
		count = "up to " + count
	}
	text := fmt.Sprintf("%s pools %s cells of the design, which differ in %s.", subject, count,
		strings.Join(differing, ", "))
	if other != "" {
		text += " These pool different cells from the rest: " + other + ". Their differences from the rest may be " +
			"due to the cells."
	}
	return text
}

// OtherCells lists the groups that are not comparable with the largest group. In comparable groups, each
// combination of levels of the factors in comparedFactors has the same number of cells. The list adds the
// number of cells of a group that has fewer than the largest one: in "n = 10; n = 20 (2)", the group n = 20 has
// only two cells.
//
// The list is "" if all groups are comparable. The result most is the number of cells in the largest group.
func (v *View) OtherCells(groups []Group) (list string, most int) {
	compared := v.comparedFactors(groups)
	var levels []map[records.Levels]int // number of cells with the same levels, by group
	largest := 0                        // index of the first of the largest groups
	for i, g := range groups {
		levels = append(levels, countLevels(g.Cells, compared))
		if len(g.Cells) > most {
			most, largest = len(g.Cells), i
		}
	}
	var others []string
	for i, g := range groups {
		if maps.Equal(levels[i], levels[largest]) {
			continue // comparable
		}
		name := v.sharedLevels(&g)
		if n := len(g.Cells); n < most {
			name += fmt.Sprintf(" (%d)", n)
		}
		others = append(others, name)
	}
	return shortList(others), most
}

// comparedFactors returns the factors whose levels comparable groups must share. It omits the factors that
// separate the groups, and factors that all cells of some group lack.
func (v *View) comparedFactors(groups []Group) []string {
	return Without(v.FactorNames(), func(name string) bool {
		hasFactor := func(c records.Cell) bool { return c.Levels.Of(name) != "" }
		return slices.ContainsFunc(groups, func(g Group) bool {
			return slices.Contains(g.Factors, name) || !slices.ContainsFunc(g.Cells, hasFactor)
		})
	})
}

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
	counts := map[string][]string{} // counts[id]: phrases such as "5 of 10 replicates for n = 200", by group
	hasResults := map[string]bool{}
	units := v.UnitNoun(m.Pooled(groups))
	for _, g := range groups {
		for id, results := range v.partialResults(&g, m, ids) {
			words := fmt.Sprintf("%d of %d %s", results.n, results.total, units)
			if len(groups) > 1 {
				words += " for " + v.sharedLevels(&g)
			}
			counts[id] = append(counts[id], words)
			hasResults[id] = hasResults[id] || results.n > 0
		}
	}
	for _, id := range ids {
		if counts[id] == nil {
			continue // the classifier was run on all data
		}
		sentence := v.Label(id) + " was not run on all data: its mean is over " + shortList(counts[id])
		if hasResults[id] && slices.Contains(tested, id) {
			sentence += ", and its tests use the results that both classifiers have"
		}
		sentences = append(sentences, sentence+".")
	}
	return sentences
}

// partialResults returns a share for each classifier that was not run on all data of a group: its number of
// results, and the largest number of results of any classifier.
func (v *View) partialResults(g *Group, m *Measure, ids []string) map[string]share {
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

// hasFewerFits reports whether a classifier has fits in a group, but fewer than another classifier in ids. It
// returns false for classifiers that ExcludedFrom returns.
func (v *View) hasFewerFits(g *Group, id string, ids []string) bool {
	most := 0
	for _, other := range ids {
		tried, _ := g.Attempts(other)
		most = max(most, tried)
	}
	tried, _ := g.Attempts(id)
	return 0 < tried && tried < most && !slices.Contains(v.ExcludedFrom(g), id)
}

// weightSentence warns that cells have different numbers of results, and states the weights of the results:
//
//	" The cells have 33 to 40 replicates with results. Each replicate has the same weight."
//
// The argument weights is the sentence on weights. If the means omit results because some classifier lacks m, a
// sentence on these results comes first.
func (v *View) weightSentence(groups []Group, m *Measure, ids []string, weights string) (text string) {
	sizes := v.countCellSizes(groups, m, ids)
	if sizes.omitsResults {
		text = fmt.Sprintf(" Pooled means use the %s in which the metric is defined for all classifiers.",
			v.UnitNoun(groups))
	}
	if sizes.differ {
		text += fmt.Sprintf(" The cells have %d to %d %s with results. %s", sizes.low, sizes.high,
			v.UnitNoun(sizes.counted), weights)
	}
	return text
}

// A cellSizes value describes the numbers of results that cells contribute to pooled means.
type cellSizes struct {
	low, high    int     // smallest and largest number of a cell
	differ       bool    // whether the numbers differ within some group
	counted      []Group // groups with at least one cell that counts (see resultCounts)
	omitsResults bool    // whether means omit results, because some classifier lacks the metric
}

func (v *View) countCellSizes(groups []Group, m *Measure, ids []string) cellSizes {
	sizes := cellSizes{low: math.MaxInt}
	for _, g := range groups {
		cells, omitsResults := v.cellsInMean(&g, m, ids)
		sizes.omitsResults = sizes.omitsResults || omitsResults
		counts := v.resultCounts(cells)
		if len(counts) == 0 {
			continue
		}
		low, high := slices.Min(counts), slices.Max(counts)
		sizes.low, sizes.high = min(sizes.low, low), max(sizes.high, high)
		sizes.differ = sizes.differ || low < high
		sizes.counted = append(sizes.counted, g)
	}
	return sizes
}

// cellsInMean returns the cells of a group, but only with the results that are included in pooled
// means of m. omitsResults is true if this leaves out replicates.
func (v *View) cellsInMean(g *Group, m *Measure, ids []string) (cells []records.Cell, omitsResults bool) {
	all, pooled := v.Pool(g), v.PoolFor(g, m, ids)
	if len(pooled.Replicates) < len(all.Replicates) {
		return strata(&pooled), true
	}
	return v.TreatFailures(g), false
}

// resultCounts returns the number of results that each cell of generated data contributes to a mean over cells.
func (v *View) resultCounts(cells []records.Cell) (counts []int) {
	for _, c := range cells {
		switch s := v.Sampling[c.ID]; {
		case s.isDataSet():
		case s.OneDataSet:
			counts = append(counts, 1)
		default:
			counts = append(counts, len(c.Replicates))
		}
	}
	return counts
}
