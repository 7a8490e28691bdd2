package view

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
	"copse/stats/records"
)

// Contrast summarises a classifier's mean in one group minus its mean in another, in the unit
// of the measure. If the groups share draws or folds, as with pair in the design, the summary
// is of the differences on each of them, and paired is true; else the groups are independent.
func (v *View) Contrast(g, base *Group, m *Measure, id string) (difference stats.Summary, paired bool) {
	pooled, pooledBase := v.Pool(g), v.Pool(base)
	values, baseValues := v.valuesByDraw(&pooled, m, id), v.valuesByDraw(&pooledBase, m, id)
	var differences []float64
	for _, draw := range slices.Sorted(maps.Keys(values)) {
		if other, shared := baseValues[draw]; shared {
			differences = append(differences, values[draw]-other)
		}
	}
	if len(differences) > 1 {
		share := max(v.Sampling[pooled.ID].Share, v.Sampling[pooledBase.ID].Share) // the larger error
		return stats.Summarize(differences).Sharing(share), true
	}
	x, y := v.Summary(g, &pooled, m, id), v.Summary(base, &pooledBase, m, id)
	return stats.Summary{N: min(x.N, y.N), Mean: x.Mean - y.Mean, SD: math.NaN(),
		MCSE: math.Hypot(x.MCSE, y.MCSE), DF: min(x.DF, y.DF)}, false
}

// valuesByDraw returns a classifier's values by the name of their draw or fold, which other
// cells may share.
func (v *View) valuesByDraw(c *records.Cell, m *Measure, id string) map[string]float64 {
	byDraw := map[string]float64{}
	for number, rows := range c.ByReplicate() {
		draw := v.source(c, number, rows[0].Data)
		if v.Sampling[c.ID].OneSet {
			draw = fmt.Sprintf("%s/%d", draw, number) // a fold or split of the data set
		}
		var results []records.Record
		for _, r := range rows {
			results = append(results, *r)
		}
		replicate := c.With(results)
		if values := v.values(&replicate, m, id); len(values) == 1 {
			byDraw[draw] = values[0]
		}
	}
	return byDraw
}

// Interval returns Student's confidence interval of a mean at the level 1 - Alpha; NaN if the
// standard error is unknown.
func (v *View) Interval(s stats.Summary) (low, high float64) {
	if s.DF < 1 {
		return math.NaN(), math.NaN()
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(s.DF)}
	half := student.Quantile(1-v.Alpha/2) * s.MCSE
	return s.Mean - half, s.Mean + half
}
