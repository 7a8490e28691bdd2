package view

import (
	"fmt"
	"math"
	"slices"

	"copse/stats/records"
)

// UndefinedIn returns the classifiers among ids that lack m in more than MaxFailureRate of their results in some cell
// of a group. Means and tests omit them in the whole group, as they omit the classifiers of ExcludedFrom. If a cell
// has a single pooled result, as a data set does, the share is over the whole group. UndefinedIn ignores data for which
// no classifier has m, classifiers that never have it, and the baseline of m.
func (v *View) UndefinedIn(g *Group, m *Measure, ids []string) []string {
	pooled := v.Pool(g)
	return v.oftenUndefined(&pooled, m, ids)
}

// oftenUndefined is like UndefinedIn, but for the result of Pool.
func (v *View) oftenUndefined(pooled *records.Cell, m *Measure, ids []string) []string {
	ids = Except(ids, m.Baseline)
	if len(pooled.Comparable(m.Metric, ids).Rows) == len(pooled.Rows) {
		return nil // m is always defined, or never
	}
	byReplicate := pooled.ByReplicate()
	isDefined := func(r *records.Record) bool { return !math.IsNaN(pooled.Loss(m.Metric, r)) }
	known := pooled.With(Without(pooled.Rows, func(r records.Record) bool {
		return !slices.ContainsFunc(byReplicate[r.Replicate], isDefined)
	}))
	cells := strata(&known)
	if slices.ContainsFunc(cells, func(c records.Cell) bool { return len(c.Replicates) == 1 }) {
		cells = []records.Cell{known}
	}
	return Without(ids, func(id string) bool {
		exceedsRate := func(c records.Cell) bool {
			values, _ := c.Values(m.Metric, id)
			results, _ := c.Attempts(id)
			return float64(results-len(values))/float64(results) > v.MaxFailureRate // false for 0/0
		}
		all, _ := known.Values(m.Metric, id)
		return len(all) == 0 || !slices.ContainsFunc(cells, exceedsRate)
	})
}

// PoolFor returns the pooled results that means and tests of m use to compare the classifiers ids. They exclude the
// classifiers that UndefinedIn returns and the data for which the baseline of m lacks m. If the group has several
// cells, they also exclude the data for which any other of the classifiers lacks m.
func (v *View) PoolFor(g *Group, m *Measure, ids []string) records.Cell {
	pooled := v.Pool(g)
	if often := v.oftenUndefined(&pooled, m, ids); often != nil {
		isOften := func(r records.Record) bool { return slices.Contains(often, r.Classifier) }
		pooled = pooled.With(Without(pooled.Rows, isOften))
	}
	if len(g.Cells) == 1 {
		ids = nil
	}
	return pooled.Comparable(m.Metric, append(slices.Clone(ids), m.Baseline))
}

// UndefinedSentence names the classifiers that UndefinedIn returns for some groups: "Left out, since more than 5% of
// their results in a cell lack the metric: SVM in n = 200." It returns "" if there are none.
func (v *View) UndefinedSentence(groups []Group, m *Measure, ids []string) string {
	lists := make([][]string, len(groups))
	for i := range groups {
		lists[i] = v.UndefinedIn(&groups[i], m, ids)
	}
	names := v.namesByGroup(groups, lists)
	if names == "" {
		return ""
	}
	return fmt.Sprintf("Left out, since more than %s%% of their results in a cell lack the metric: %s.",
		Number(100*v.MaxFailureRate), names)
}
