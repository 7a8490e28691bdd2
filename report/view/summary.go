package view

import (
	"fmt"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// Summary summarises the results of a classifier in a group. pooled is the result of Pool for g.
//
// The standard error of folds of one data set allows for their correlation (Nadeau and Bengio 2003).
// Over several cells, it is the standard error of a stratified sample (Cochran 1977, section 5.4),
// because the design fixes the cells.
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	values, failed := v.Values(g, pooled, m, classifier)
	s := stats.Summarize(values).Sharing(v.Sampling[pooled.ID].TestRatio)
	s.Failed = failed
	if len(g.Cells) > 1 {
		s.MCSE, s.DF = pooledError(v.ofCells(g, pooled, m, classifier), s)
	}
	return s
}

// ofCells summarises the results of a classifier in each cell of a group. It omits cells without results.
// Data sets are not pooled with others, so each has a single result.
func (v *View) ofCells(g *Group, pooled *records.Cell, m *Measure, classifier string) (list []stats.Summary) {
	cells := strata(pooled)
	if m.Cost != nil {
		cells = v.TreatFailures(g) // times and memory are not pooled
	}
	for i := range cells {
		if s := stats.Summarize(v.values(&cells[i], m, classifier)); s.N > 0 {
			list = append(list, s)
		}
	}
	return list
}

// pooledError returns the standard error of s.Mean, the mean over several cells, and its degrees of freedom. The
// standard error is sqrt(sum (n_c se_c)^2) / sum n_c, where cell c has n_c results with the standard error
// se_c. The cell with the fewest results determines the degrees of freedom. If some cell has a single
// result, as with data sets, it returns s.MCSE and s.DF, which treat all results as one sample.
func pooledError(cells []stats.Summary, s stats.Summary) (se float64, df int) {
	df = s.DF
	sum := 0.0
	for _, c := range cells {
		if c.N == 1 {
			return s.MCSE, s.DF
		}
		df = min(df, c.DF)
		sum += math.Pow(float64(c.N)*c.MCSE, 2)
	}
	return math.Sqrt(sum) / float64(s.N), df
}

// balancedSummary is like Summary, but gives each cell the same weight, also if failed fits leave fewer results
// in some cells. Two groups then differ only by the factor that distinguishes them. If some cell has a single
// result, as with data sets, it returns the result of Summary.
func (v *View) balancedSummary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	s := v.Summary(g, pooled, m, classifier)
	cells := v.ofCells(g, pooled, m, classifier)
	isSingle := func(c stats.Summary) bool { return c.N == 1 }
	hasOtherNumber := func(c stats.Summary) bool { return c.N != cells[0].N }
	if slices.ContainsFunc(cells, isSingle) || !slices.ContainsFunc(cells, hasOtherNumber) {
		return s
	}
	mean, sum := 0.0, 0.0
	for _, c := range cells {
		mean += c.Mean / float64(len(cells))
		sum += math.Pow(c.MCSE/float64(len(cells)), 2)
	}
	s.Mean, s.MCSE = mean, math.Sqrt(sum)
	return s
}

// strata divides the results of a pooled cell into cells with the same factor levels.
func strata(pooled *records.Cell) (cells []records.Cell) {
	levels := func(r records.Record) string { return fmt.Sprint(r.Levels) }
	for _, rows := range Grouped(pooled.Rows, levels) {
		stratum := records.Records{Classifiers: pooled.Classifiers, Rows: rows}
		cells = append(cells, stratum.Cells()[0])
	}
	return cells
}
