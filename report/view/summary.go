package view

import (
	"maps"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// Summary summarises the results of a classifier in a group. pooled is the result of Pool or PoolFor for g.
//
// If g has several cells, the standard error treats them as strata (see stratified).
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	values := v.Values(g, pooled, m, classifier)
	// Folds share rows, so their results are correlated. The method Sharing corrects the standard error for this
	// correlation (Nadeau and Bengio 2003).
	s := stats.Summarize(values).Sharing(v.Sampling[pooled.ID].TestRatio)
	if len(g.Cells) == 1 {
		return s
	}
	cells, _ := v.ofCells(g, pooled, m, classifier)
	return stratified(s, cells)
}

// stratified returns s with the standard error and the degrees of freedom of a stratified mean (Cochran 1977,
// section 5.4). s summarises all cells together. The design fixes the cells, so they are the strata.
//
// If a cell has a single result and therefore no variance, stratified returns s unchanged.
func stratified(s stats.Summary, cells []stats.Summary) stats.Summary {
	if slices.ContainsFunc(cells, isSingle) {
		return s
	}
	weights := stats.Map(cells, func(c stats.Summary) float64 { return float64(c.N) })
	sum := stats.WeightedSum(cells, weights) // sum.Mean is s.Mean * s.N
	s.MCSE, s.DF = sum.MCSE/float64(s.N), sum.DF
	return s
}

// Summaries returns the Summary of each classifier in a group.
func (v *View) Summaries(g *Group, m *Measure, ids []string) []stats.Summary {
	pooled := v.PoolFor(g, m, ids)
	return stats.Map(ids, func(id string) stats.Summary { return v.Summary(g, &pooled, m, id) })
}

// ofCells summarises the results of a classifier in each stratum with results (see strataOf). levels contains the
// factor levels of these strata.
func (v *View) ofCells(
	g *Group, pooled *records.Cell, m *Measure, classifier string,
) (list []stats.Summary, levels []records.Levels) {
	for _, c := range v.strataOf(g, pooled, m) {
		if s := stats.Summarize(m.values(&c, classifier)); s.N > 0 {
			list = append(list, s.Sharing(v.Sampling[c.ID].TestRatio))
			levels = append(levels, c.Rows[0].Levels)
		}
	}
	return list, levels
}

func isSingle(cell stats.Summary) bool { return cell.N == 1 }

// balancedSummary is like Summary, but gives the same weight to each combination of levels of the given factors,
// even if more fits failed for some of them or a nested factor gives them more cells. Unequal weights would mix
// effects of these factors into a difference of two such means.
func (v *View) balancedSummary(
	g *Group, pooled *records.Cell, m *Measure, classifier string, factors []string,
) stats.Summary {
	s := v.Summary(g, pooled, m, classifier)
	cells, levels := v.ofCells(g, pooled, m, classifier)
	if len(cells) < 2 {
		return s
	}
	sharing := map[records.Levels]int{} // number of cells with the same levels of factors
	for _, l := range levels {
		sharing[l.Restrict(factors)]++
	}
	most := slices.Max(slices.Collect(maps.Values(sharing)))
	weights := stats.Map(levels, func(l records.Levels) float64 {
		return float64(most) / float64(sharing[l.Restrict(factors)])
	})
	total := float64(most * len(sharing))
	sum := stats.WeightedSum(cells, weights)
	s.Mean = sum.Mean / total
	switch {
	case !slices.ContainsFunc(cells, isSingle):
		s.MCSE, s.DF = sum.MCSE/total, sum.DF
	default: // a single result has no standard error, so use the SD of all results
		variance := 0.0 // of the weighted mean, in units of the variance of a result
		for i, c := range cells {
			share := weights[i] / total
			variance += share * share / float64(c.N)
		}
		s.MCSE *= math.Sqrt(variance * float64(s.N))
	}
	return s
}

// strataOf returns the cells whose results Summary treats as strata. Times and memory are not pooled.
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
