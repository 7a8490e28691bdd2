package view

import (
	"math"
	"slices"

	"copse/stats/records"
)

// UndefinedIn returns the classifiers for which the metric of the table is undefined in more than MaxFailureRate of
// the results of some cell, if the group has several cells. Means and tests omit them in the whole group, as they
// omit the classifiers of ExcludedFrom.
func (v *View) UndefinedIn(g *Group) []string {
	if len(g.Cells) == 1 || v.rowMeasure == nil {
		return nil
	}
	pooled := v.poolAll(g)
	return v.oftenUndefined(&pooled, v.rowMeasure)
}

// PoolsUndefined reports whether a group has several cells, and results for which the metric of the table is undefined.
func (v *View) PoolsUndefined(g *Group) bool {
	if len(g.Cells) == 1 || v.rowMeasure == nil {
		return false
	}
	all, defined := v.poolAll(g), v.Pool(g)
	return len(defined.Rows) < len(all.Rows)
}

// oftenUndefined returns the classifiers that lack the metric of m in more than MaxFailureRate of the results in some
// stratum of a pooled cell. It ignores data for which no classifier has the metric, and classifiers that never have it.
func (v *View) oftenUndefined(pooled *records.Cell, m *Measure) []string {
	often := map[string]bool{}
	for _, cell := range strata(pooled) {
		all, undefined := map[string]int{}, map[string]int{} // numbers of results by classifier
		for _, rows := range cell.ByReplicate() {
			isDefined := func(r *records.Record) bool { return !math.IsNaN(cell.Loss(m.Metric, r)) }
			if !slices.ContainsFunc(rows, isDefined) {
				continue
			}
			for _, r := range rows {
				all[r.Classifier]++
				if !isDefined(r) {
					undefined[r.Classifier]++
				}
			}
		}
		for id, n := range undefined {
			often[id] = often[id] || float64(n)/float64(all[id]) > v.MaxFailureRate
		}
	}
	return Without(pooled.Classifiers, func(id string) bool {
		values, _ := pooled.Values(m.Metric, id)
		return !often[id] || len(values) == 0
	})
}

// onlyDefined returns a pooled cell without the classifiers that oftenUndefined returns, and without the data for
// which the metric is undefined for any other classifier.
func (v *View) onlyDefined(pooled *records.Cell, m *Measure) records.Cell {
	often := v.oftenUndefined(pooled, m)
	isOften := func(r records.Record) bool { return slices.Contains(often, r.Classifier) }
	if slices.ContainsFunc(pooled.Rows, isOften) {
		rest := pooled.With(Without(pooled.Rows, isOften))
		pooled = &rest
	}
	return pooled.Comparable(m.Metric, pooled.Classifiers)
}

// Comparable returns the results of a pooled cell that comparisons of some classifiers by m use: the replicates in
// which the metric is defined for all of them.
func (m *Measure) Comparable(pooled *records.Cell, ids []string) records.Cell {
	if m.Baseline != "" {
		ids = append(slices.Clone(ids), m.Baseline)
	}
	return pooled.Comparable(m.Metric, ids)
}
