package view

import (
	"fmt"
	"math"

	"copse/stats"
	"copse/stats/records"
)

// Summary summarises a classifier over a group in the measure's unit; pooled is Pool's result
// for g. The standard error of folds of one data set allows for their correlation (Nadeau
// and Bengio 2003). Over several cells it is the standard error of a stratified sample
// (Cochran 1977, section 5.4): the design fixes the cells, so that the differences between
// them are not Monte-Carlo error.
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	values, failed := v.Values(g, pooled, m, classifier)
	s := stats.Summarize(values).Sharing(v.Sampling[pooled.ID].Share)
	s.Failed = failed
	if len(g.Cells) > 1 {
		s.MCSE, s.DF = v.pooledError(g, pooled, m, classifier, s)
	}
	return s
}

// pooledError returns the standard error of a mean over several cells, with the degrees of
// freedom of the cell with the fewest results: the same as for the average over rows of one
// cell each. If a cell has a single result, as with data sets, it returns s.MCSE and s.DF,
// which treat all results as one sample.
func (v *View) pooledError(
	g *Group, pooled *records.Cell, m *Measure, classifier string, s stats.Summary,
) (se float64, df int) {
	df = s.DF
	cells := strata(pooled)
	if m.Cost != nil {
		cells = v.On(g)
	}
	sum := 0.0
	for i := range cells {
		switch part := stats.Summarize(v.values(&cells[i], m, classifier)); part.N {
		case 0: // contributes nothing
		case 1:
			return s.MCSE, s.DF
		default:
			df = min(df, part.DF)
			sum += math.Pow(float64(part.N)*part.MCSE, 2)
		}
	}
	return math.Sqrt(sum) / float64(s.N), df
}

// strata splits the results of a pooled cell by the levels of their original cells.
func strata(pooled *records.Cell) []records.Cell {
	byLevels := map[string]*records.Records{}
	var order []string // in order of first appearance
	for _, row := range pooled.Rows {
		levels := fmt.Sprint(row.Levels)
		if byLevels[levels] == nil {
			byLevels[levels] = &records.Records{Classifiers: pooled.Classifiers}
			order = append(order, levels)
		}
		byLevels[levels].Rows = append(byLevels[levels].Rows, row)
	}
	var cells []records.Cell
	for _, levels := range order {
		cells = append(cells, byLevels[levels].Cells()[0])
	}
	return cells
}
