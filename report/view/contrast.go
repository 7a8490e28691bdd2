package view

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// Partners returns the cells of g and base that have a partner in the other group: a cell with the same levels of
// all factors except those that separate the groups. A difference between cells without a partner would mix
// effects of other factors into a contrast. Partners ignores a factor that all cells of one group lack.
func (v *View) Partners(g, base *Group) (matched, matchedBase Group) {
	factors := v.comparedFactors([]Group{*g, *base})
	in, inBase := countLevels(g.Cells, factors), countLevels(base.Cells, factors)
	matched, matchedBase = *g, *base
	hasNoPartner := func(c records.Cell) bool {
		levels := c.Levels.Restrict(factors)
		return in[levels] == 0 || inBase[levels] == 0
	}
	matched.Cells, matchedBase.Cells = Without(g.Cells, hasNoPartner), Without(base.Cells, hasNoPartner)
	return matched, matchedBase
}

// ShareWeights reports whether Contrast gives the cells of a group unequal weights. This occurs if a factor that the
// other group lacks gives some cell more partners than others.
func (v *View) ShareWeights(g, base *Group) bool {
	factors := v.comparedFactors([]Group{*g, *base})
	return slices.ContainsFunc([]*Group{g, base}, func(group *Group) bool {
		counts := slices.Collect(maps.Values(countLevels(group.Cells, factors)))
		return len(counts) > 0 && slices.Min(counts) < slices.Max(counts)
	})
}

// NoPartnerSentence names the cells that contrasts leave out (see Partners), or returns "" if there are none.
func NoPartnerSentence(cells []string) string {
	if len(cells) == 0 {
		return ""
	}
	return "Left out, because no cell at the other level has the same levels of all other factors: " +
		shortList(cells) + "."
}

// A Contrast summarises the mean of a classifier in one group minus its mean in another.
type Contrast struct {
	stats.Summary
	Dependent bool  // whether the groups share draws, folds or a data set
	Results   Range // numbers of results in the two groups or, for paired differences, the number of pairs
}

// Contrast returns the contrast of a classifier between the groups g and base. The cells of a group
// are strata: standard errors use the standard deviations within cells. There are three cases:
//   - If the groups share draws or folds, Contrast uses paired differences. They are dependent.
//   - If they use different folds of the same data set, the difference has no standard error. They
//     are dependent.
//   - Otherwise, Contrast treats the groups as independent samples.
func (v *View) Contrast(g, base *Group, m *Measure, id string) Contrast {
	ids := []string{id}
	pooled, pooledBase := v.PoolFor(g, m, ids), v.PoolFor(base, m, ids)
	differences := sharedDifferences(v.valuesByDraw(&pooled, m, id), v.valuesByDraw(&pooledBase, m, id))
	if len(differences) > 0 {
		// The larger ratio of test rows to other rows gives the larger, conservative standard error.
		// Groups of several cells have the ratio 0.
		testRatio := max(v.Sampling[pooled.ID].TestRatio, v.Sampling[pooledBase.ID].TestRatio)
		summarize := func(list []drawnValue) stats.Summary {
			values := stats.Map(list, func(d drawnValue) float64 { return d.value })
			return stats.Summarize(values).Sharing(testRatio) // corrects for shared rows
		}
		overall := summarize(differences)
		strata := stats.Grouped(differences, func(d drawnValue) string { return d.cell })
		pairs := len(differences)
		return Contrast{stratified(overall, stats.Map(strata, summarize)), true, Range{pairs, pairs}}
	}
	factors := v.comparedFactors([]Group{*g, *base})
	mean := v.balancedSummary(g, &pooled, m, id, factors)
	baseMean := v.balancedSummary(base, &pooledBase, m, id, factors)
	c := Contrast{Summary: stats.WeightedSum([]stats.Summary{mean, baseMean}, []float64{1, -1})}
	c.Results.Add(mean.N)
	c.Results.Add(baseMean.N)
	if v.PoolsOneDataSet(Group{Cells: slices.Concat(g.Cells, base.Cells)}) {
		c.Dependent, c.MCSE = true, math.NaN()
	}
	return c
}

// A drawnValue is the value of a measure on one draw of data: its value in one cell, or the
// difference between its values in two cells.
type drawnValue struct {
	value float64
	cell  string
}

// sharedDifferences returns values minus baseValues for each draw that both contain, sorted by the
// name of the draw.
func sharedDifferences(values, baseValues map[string]drawnValue) (differences []drawnValue) {
	for _, draw := range slices.Sorted(maps.Keys(values)) {
		if base, shared := baseValues[draw]; shared {
			v := values[draw]
			differences = append(differences, drawnValue{v.value - base.value, v.cell + " minus " + base.cell})
		}
	}
	return differences
}

// valuesByDraw returns the values of measure m for one classifier in a cell, by the name of the training and
// test data. Contrast pairs the values of two cells with equal names.
func (v *View) valuesByDraw(c *records.Cell, m *Measure, id string) map[string]drawnValue {
	byDraw := map[string]drawnValue{}
	replicate := func(r records.Record) int { return r.Replicate }
	for _, rows := range stats.Grouped(c.Rows, replicate) {
		onlyReplicate := c.With(rows)
		if values := m.values(&onlyReplicate, id); len(values) == 1 {
			draw := v.drawName(c, rows[0].Replicate, rows[0].Data)
			if s := v.Sampling[c.ID]; s.OneDataSet { // each fold or split of the data set has its own name
				draw += fmt.Sprintf("/%s/%d", s.Split, rows[0].Replicate)
			}
			byDraw[draw] = drawnValue{values[0], rows[0].Levels.String()}
		}
	}
	return byDraw
}

// Interval returns Student's confidence interval of a mean at level 1 - Alpha. Both ends are NaN if
// the standard error is unknown (see stats.Summary.Varies).
func (v *View) Interval(s stats.Summary) (low, high float64) {
	if s.DF < 1 || !s.Varies() {
		return math.NaN(), math.NaN()
	}
	half := stats.StudentQuantile(1-v.Alpha/2, s.DF) * s.MCSE
	return s.Mean - half, s.Mean + half
}
