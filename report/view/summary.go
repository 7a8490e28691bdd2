package view

import (
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// Summary summarises the results of a classifier in a group. The argument pooled is the cell that
// Pool or PoolFor returns for g.
//
// If g has several cells, the standard error treats them as strata. If one of these cells has a
// single result, the standard error treats all results as one sample instead.
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	values := v.Values(g, pooled, m, classifier)
	// Summarize treats all results as independent. But folds share rows, so their results are
	// correlated. The method Sharing corrects the standard error for this correlation (Nadeau and
	// Bengio 2003).
	s := stats.Summarize(values).Sharing(v.Sampling[pooled.ID].TestRatio)
	if len(g.Cells) == 1 {
		return s
	}
	return stratified(s, v.ofCells(g, pooled, m, classifier))
}

// stratified replaces the standard error and the degrees of freedom in s, the summary of the results
// of all cells together. The new ones are for a stratified mean (Cochran 1977, section 5.4). The
// cells are the strata, because the design fixes them. The argument cells summarises each cell.
//
// A cell with a single result has no variance. If there is such a cell, stratified returns s
// unchanged.
func stratified(s stats.Summary, cells []stats.Summary) stats.Summary {
	if slices.ContainsFunc(cells, isSingle) {
		return s
	}
	weights := stats.Map(cells, func(c stats.Summary) float64 { return float64(c.N) })
	sum := stats.WeightedSum(cells, weights) // its mean, divided by s.N, is s.Mean
	s.MCSE, s.DF = sum.MCSE/float64(s.N), sum.DF
	return s
}

// Summaries returns the Summary of each classifier in a group.
func (v *View) Summaries(g *Group, m *Measure, ids []string) []stats.Summary {
	pooled := v.PoolFor(g, m, ids)
	return stats.Map(ids, func(id string) stats.Summary { return v.Summary(g, &pooled, m, id) })
}

// ofCells summarises the results of a classifier in each cell of a group. It omits cells without
// results. pooled is the result of Pool for g.
func (v *View) ofCells(g *Group, pooled *records.Cell, m *Measure, classifier string) (list []stats.Summary) {
	for _, c := range v.strataOf(g, pooled, m) {
		if s := stats.Summarize(m.values(&c, classifier)); s.N > 0 {
			list = append(list, s.Sharing(v.Sampling[c.ID].TestRatio))
		}
	}
	return list
}

// isSingle reports whether a cell has a single result, as the pooled cell of a data set does.
func isSingle(cell stats.Summary) bool { return cell.N == 1 }

// balancedSummary is like Summary, but gives all cells the same weight, even if more fits failed in
// some of them. Contrast subtracts two such means. Unequal weights of cells would mix effects of
// other factors into the difference.
func (v *View) balancedSummary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	s := v.Summary(g, pooled, m, classifier)
	cells := v.ofCells(g, pooled, m, classifier)
	if len(cells) < 2 {
		return s
	}
	n := float64(len(cells))
	sum := stats.WeightedSum(cells, slices.Repeat([]float64{1}, len(cells)))
	s.Mean = sum.Mean / n
	if !slices.ContainsFunc(cells, isSingle) { // a single result has no standard error
		s.MCSE, s.DF = sum.MCSE/n, sum.DF
	}
	return s
}

// strataOf returns the cells whose results Summary treats as strata. For times and memory, these are the cells of g,
// which are not pooled. For other measures, they are parts of the cell pooled.
func (v *View) strataOf(g *Group, pooled *records.Cell, m *Measure) []records.Cell {
	if !m.OfPredictions() {
		return v.TreatFailures(g)
	}
	return strata(pooled)
}

// strata divides a pooled cell into one cell for each combination of factor levels.
func strata(pooled *records.Cell) []records.Cell {
	levels := func(r records.Record) records.Levels { return r.Levels }
	return stats.Map(stats.Grouped(pooled.Rows, levels), pooled.With)
}
