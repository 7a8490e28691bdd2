package view

import (
	"fmt"
	"math"
	"slices"

	"copse/stats/metrics"
	"copse/stats/records"
)

// UndefinedIn returns the classifiers among ids that lack m too often to be compared. They lack it
// in at least two results of some cell, and in a proportion above MaxFailureRate. Classifiers that
// never have m are not returned. Cells with a single pooled result count together as one cell.
func (v *View) UndefinedIn(g *Group, m *Measure, ids []string) []string {
	pooled := v.Pool(g)
	return v.oftenUndefined(&pooled, m, ids)
}

// oftenUndefined returns the result of UndefinedIn for a group. pooled is the result of Pool for
// the group.
func (v *View) oftenUndefined(pooled *records.Cell, m *Measure, ids []string) []string {
	ids = Except(ids, m.Baseline)
	if len(pooled.Comparable(m.Metric, ids).Rows) == len(pooled.Rows) {
		return nil // each classifier has m in all its results, or in none
	}
	byReplicate := pooled.ByReplicate()
	isDefined := func(r *records.Record) bool { return !math.IsNaN(pooled.Loss(m.Metric, r)) }
	// known contains the replicates in which at least one classifier has m. If all classifiers lack
	// m, the cause is the data, such as a missing class.
	known := pooled.With(Without(pooled.Rows, func(r records.Record) bool {
		return !slices.ContainsFunc(byReplicate[r.Replicate], isDefined)
	}))
	// A cell with a single pooled result, such as a data set, cannot lack m twice. All such cells
	// therefore count together as one cell.
	var cells []records.Cell
	var singles []records.Record
	for _, c := range strata(&known) {
		if len(c.Replicates) == 1 {
			singles = append(singles, c.Rows...)
		} else {
			cells = append(cells, c)
		}
	}
	cells = append(cells, known.With(singles))
	return Without(ids, func(id string) bool {
		// A single result can lack m by chance, so it does not exceed the rate.
		exceedsRate := func(c records.Cell) bool {
			values, _ := c.Values(m.Metric, id)
			results, _ := c.Attempts(id)
			lacking := results - len(values)
			return lacking > 1 && float64(lacking)/float64(results) > v.MaxFailureRate
		}
		values, _ := known.Values(m.Metric, id)
		neverHasMetric := len(values) == 0 // another sentence names these classifiers (LeftOutResults)
		return neverHasMetric || !slices.ContainsFunc(cells, exceedsRate)
	})
}

// PoolFor returns the results of Pool that means and tests use to compare the classifiers ids by m.
// It omits classifiers that UndefinedIn returns, and replicates without a value of the baseline.
func (v *View) PoolFor(g *Group, m *Measure, ids []string) records.Cell {
	pooled := v.Pool(g)
	if often := v.oftenUndefined(&pooled, m, ids); len(often) > 0 {
		isOften := func(r records.Record) bool { return slices.Contains(often, r.Classifier) }
		pooled = pooled.With(Without(pooled.Rows, isOften))
	}
	// Several cells: also omit replicates in which m is undefined for a remaining classifier.
	if len(g.Cells) == 1 {
		ids = nil
	}
	return pooled.Comparable(m.Metric, append(slices.Clone(ids), m.Baseline))
}

// UndefinedSentence names the classifiers that UndefinedIn returns, and their groups: "Not
// compared, since more than 5% of their results in a cell lack the metric: SVM in n = 200." verdict
// begins the sentence.
func (v *View) UndefinedSentence(verdict string, groups []Group, m *Measure, ids []string) string {
	lists := make([][]string, len(groups))
	for i := range groups {
		lists[i] = v.UndefinedIn(&groups[i], m, ids)
	}
	reason := fmt.Sprintf("more than %s%% of their results in a cell lack the metric", Number(100*v.MaxFailureRate))
	return v.sinceSentence(verdict, reason, groups, lists)
}

// resultsWithout counts the successful results that lack m, as in "SLB 12 of 20". If undefined is
// true, it counts results whose confusion matrix makes m undefined. Otherwise, it counts results
// that lack m for other reasons.
func (v *View) resultsWithout(groups []Group, m *Measure, ids []string, undefined bool) string {
	return v.countWords(ids, func(id string) (s share) {
		for _, g := range groups {
			cells := v.TreatFailures(&g)
			if m.Metric.Needs == metrics.Counts {
				// Pool adds confusion matrices, so m may be defined for the sum.
				cells = []records.Cell{v.Pool(&g)}
			}
			for _, cell := range cells {
				for _, fit := range cell.Rows {
					if fit.Classifier != id || isFailure(fit) {
						continue
					}
					s.total++ // the share is s.n of s.total
					// Count the results that lack m for the wanted reason.
					if math.IsNaN(cell.Loss(m.Metric, &fit)) && m.Metric.Undefined(fit.Confusion) == undefined {
						s.n++
					}
				}
			}
		}
		return s
	})
}

// LeftOutResults counts the results that means leave out, such as "SLB 12 of 20", with the reasons.
// Either m is undefined, or data that it needs are missing, such as probabilities.
func (v *View) LeftOutResults(groups []Group, m *Measure, ids []string) (text string) {
	if !m.OfPredictions {
		return "" // time or memory
	}
	if counts := v.resultsWithout(groups, m, ids, true); counts != "" {
		text = fmt.Sprintf("The metric is undefined if %s. Results left out for this reason: %s.",
			m.Metric.UndefinedIf, counts)
	}
	if counts := v.resultsWithout(groups, m, ids, false); counts != "" {
		text += fmt.Sprintf(" Some results have no %s, which needs %s: %s. Either the classifier does not return what "+
			"the metric needs, or an earlier version of copse or of the study file did not record it.",
			m.Name, m.Metric.Needs, counts)
		if m.Metric.Needs == metrics.Probabilities {
			text += " To derive class probabilities from scores, use the setting probabilities: platt."
		}
	}
	return text
}
