package view

import (
	"fmt"
	"math"

	"copse/stats"
	"copse/stats/records"
)

// Summary summarises a classifier over a group in the measure's unit. The
// Monte-Carlo standard error of folds of one data set is that of correlated
// results (Nadeau and Bengio 2003), that over several cells the one of a stratified
// sample: the cells are those of the design and no draws, so that what lies between
// them is no Monte-Carlo error (Cochran 1977, section 5.4).
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	values, failed := v.Values(g, pooled, m, classifier)
	s := stats.Summarize(values).Sharing(v.Sampling[pooled.ID].Share)
	s.Failed = failed
	if len(g.Cells) > 1 {
		s.MCSE = v.pooledError(g, pooled, m, classifier, s)
	}
	return s
}

// pooledError is the standard error of a mean over several cells; where a cell has one
// result, as data sets have, that of results which are all alike.
func (v *View) pooledError(g *Group, pooled *records.Cell, m *Measure, classifier string, s stats.Summary) float64 {
	cells := strata(pooled)
	if m.Cost != nil {
		cells = v.On(g)
	}
	sum := 0.0
	for i := range cells {
		switch part := stats.Summarize(v.values(&cells[i], m, classifier)); part.N {
		case 0:
		case 1:
			return s.MCSE
		default:
			sum += math.Pow(float64(part.N)*part.MCSE, 2)
		}
	}
	return math.Sqrt(sum) / float64(s.N)
}

// strata are the results of a pooled cell by the cells that they are of.
func strata(pooled *records.Cell) []records.Cell {
	at := map[string]int{}
	var parts []records.Records
	for _, row := range pooled.Rows {
		key := fmt.Sprint(row.Levels)
		k, known := at[key]
		if !known {
			k = len(parts)
			at[key], parts = k, append(parts, records.Records{Classifiers: pooled.Classifiers})
		}
		parts[k].Rows = append(parts[k].Rows, row)
	}
	cells := make([]records.Cell, len(parts))
	for k := range parts {
		cells[k] = parts[k].Cells()[0]
	}
	return cells
}
