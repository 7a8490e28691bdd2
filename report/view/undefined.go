package view

import (
	"fmt"
	"math"
	"slices"

	"copse/stats/metrics"
	"copse/stats/records"
)

// UndefinedIn returns the classifiers in ids that lack m in too many results of some cell of g, but not in all
// results (see exceedsRate). All cells with a single pooled result count as one cell.
func (v *View) UndefinedIn(g *Group, m *Measure, ids []string) []string {
	pooled := v.Pool(g)
	return v.oftenUndefined(&pooled, m, ids)
}

// oftenUndefined implements UndefinedIn for the pooled results of a group. It returns the classifiers that lack m in
// too many results of some cell, but not in all results. Replicates in which all classifiers lack m do not count.
func (v *View) oftenUndefined(pooled *records.Cell, m *Measure, ids []string) (often []string) {
	ids = Except(ids, m.Baseline)
	complete := pooled.Comparable(m.Metric, ids)
	if len(complete.Rows) == len(pooled.Rows) {
		return nil // each classifier has m in all its results or in none
	}
	known := knownReplicates(pooled, m.Metric)
	cells := cellsWithJoinedSingles(&known)
	for _, id := range ids {
		values, _ := known.Values(m.Metric, id)
		hasMetric := len(values) > 0 // other sentences name classifiers that never have m
		lacksTooMany := func(c records.Cell) bool { return v.exceedsRate(&c, m.Metric, id) }
		if hasMetric && slices.ContainsFunc(cells, lacksTooMany) {
			often = append(often, id)
		}
	}
	return often
}

// knownReplicates returns a cell without the replicates in which all classifiers lack the metric:
// the data are then the cause, for example because a class is missing.
func knownReplicates(c *records.Cell, m *metrics.Metric) records.Cell {
	isDefined := func(r *records.Record) bool { return !math.IsNaN(r.Loss(m)) }
	byReplicate := c.ByReplicate()
	return c.With(Without(c.Rows, func(r records.Record) bool {
		return !slices.ContainsFunc(byReplicate[r.Replicate], isDefined)
	}))
}

// cellsWithJoinedSingles divides pooled results into cells. Data sets and other cells with a single
// replicate become one cell, because exceedsRate requires at least two results without a value.
func cellsWithJoinedSingles(pooled *records.Cell) (cells []records.Cell) {
	var singles []records.Record
	for _, c := range strata(pooled) {
		if len(c.Replicates) == 1 {
			singles = append(singles, c.Rows...)
		} else {
			cells = append(cells, c)
		}
	}
	return append(cells, pooled.With(singles))
}

// exceedsRate reports whether a classifier lacks the metric in at least two results of a cell, and in more than
// the proportion MaxFailureRate of its results.
func (v *View) exceedsRate(c *records.Cell, m *metrics.Metric, id string) bool {
	values, _ := c.Values(m, id)
	results, _ := c.Attempts(id)
	lacking := results - len(values)
	return lacking > 1 && float64(lacking)/float64(results) > v.MaxFailureRate
}

// PoolFor returns the pooled results of g (see Pool) that are used to compare the classifiers ids by m. It
// omits the classifiers that UndefinedIn returns.
//
// It also omits replicates in which m is undefined for the baseline or, if g has several cells, for any
// remaining classifier.
func (v *View) PoolFor(g *Group, m *Measure, ids []string) records.Cell {
	pooled := v.Pool(g)
	if often := v.oftenUndefined(&pooled, m, ids); len(often) > 0 {
		isOften := func(r records.Record) bool { return slices.Contains(often, r.Classifier) }
		pooled = pooled.With(Without(pooled.Rows, isOften))
	}
	if len(g.Cells) == 1 { // keep replicates in which m is undefined for a classifier
		ids = nil
	}
	return pooled.Comparable(m.Metric, append(slices.Clone(ids), m.Baseline))
}

// UndefinedSentence names the classifiers that UndefinedIn returns, and their groups: "Not compared, since more
// than 5% of their results in a cell lack the metric: SVM in n = 200."
func (v *View) UndefinedSentence(verdict string, groups []Group, m *Measure, ids []string) string {
	lists := make([][]string, len(groups))
	for i := range groups {
		lists[i] = v.UndefinedIn(&groups[i], m, ids)
	}
	reason := fmt.Sprintf("more than %s%% of their results in a cell lack the metric", Number(100*v.MaxFailureRate))
	return v.sinceSentence(verdict, reason, groups, lists)
}

// countResultsWithout counts the successful results of each classifier that have no value of m and for which
// isCounted returns true. In "SLB 12 of 20", SLB has 20 successful results.
func (v *View) countResultsWithout(groups []Group, m *Measure, ids []string,
	isCounted func(*records.Record) bool) string {
	cells := v.averagedCells(groups, m)
	return v.countWords(ids, func(id string) (s share) { // s.n of s.total results lack m
		for _, c := range cells {
			for _, r := range c.RowsOf(id) {
				if isFailure(*r) {
					continue // other sentences count failed fits
				}
				s.total++
				if math.IsNaN(r.Loss(m.Metric)) && isCounted(r) {
					s.n++
				}
			}
		}
		return s
	})
}

// averagedCells returns cells with the results behind the means of m. If m is computed from confusion matrices,
// these are pooled: Pool adds the matrices of folds, and m can be defined for the sum, but for no single fold.
func (v *View) averagedCells(groups []Group, m *Measure) (cells []records.Cell) {
	for _, g := range groups {
		if m.Metric.Needs == metrics.Counts {
			cells = append(cells, v.Pool(&g))
		} else {
			cells = append(cells, v.TreatFailures(&g)...)
		}
	}
	return cells
}

// LeftOutResults describes the results that the means leave out. It gives the reasons and the
// number of results for each classifier, as in "SLB 12 of 20".
//
// A result is left out if m is undefined, or if data that m needs are missing, such as
// probabilities.
func (v *View) LeftOutResults(groups []Group, m *Measure, ids []string) (text string) {
	if !m.OfPredictions() {
		return ""
	}
	isUndefined := func(r *records.Record) bool { return r.Undefined(m.Metric) }
	if counts := v.countResultsWithout(groups, m, ids, isUndefined); counts != "" {
		text = fmt.Sprintf("The metric is undefined if %s. Results left out for this reason: %s.",
			m.Metric.UndefinedIf, counts)
	}
	isDefined := func(r *records.Record) bool { return !isUndefined(r) } // so a result without a value lacks data
	if counts := v.countResultsWithout(groups, m, ids, isDefined); counts != "" {
		text += fmt.Sprintf(" Some results have no %s, which needs %s: %s.", m.Name, m.Metric.Needs, counts)
	}
	return text
}
