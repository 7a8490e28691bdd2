package view

import (
	"fmt"
	"math"

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
		s.MCSE, s.DF = v.pooledError(g, pooled, m, classifier, s)
	}
	return s
}

// pooledError returns the standard error of a mean over several cells and its degrees of freedom. The
// standard error is sqrt(sum (n_c se_c)^2) / sum n_c, where cell c has n_c results with the standard error
// se_c. The cell with the fewest results determines the degrees of freedom. If some cell has a single
// result, as with data sets, it returns s.MCSE and s.DF, which treat all results as one sample.
func (v *View) pooledError(
	g *Group, pooled *records.Cell, m *Measure, classifier string, s stats.Summary,
) (se float64, df int) {
	df = s.DF
	cells := strata(pooled)
	if m.Cost != nil {
		cells = v.TreatFailures(g) // times and memory are not pooled
	}
	sum := 0.0
	for i := range cells {
		ofCell := stats.Summarize(v.values(&cells[i], m, classifier))
		switch ofCell.N {
		case 0: // the classifier has no results in this cell
		case 1:
			return s.MCSE, s.DF
		default:
			df = min(df, ofCell.DF)
			sum += math.Pow(float64(ofCell.N)*ofCell.MCSE, 2)
		}
	}
	return math.Sqrt(sum) / float64(s.N), df
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
