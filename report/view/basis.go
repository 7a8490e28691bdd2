package view

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// These are the treatments of failed fits. Means and tests use the first one that the study file lists.
const (
	// Common uses only replicates in which all classifiers succeeded. It excludes classifiers that
	// fail too often.
	Common = "common"
	// Fallback replaces a failed fit with the result of another classifier on the same data.
	Fallback = "fallback"
	// Worst replaces a failed fit with the worst result in its replicate, separately for each metric.
	Worst = "worst"
)

func (o *Inference) treatment() string { return o.Failures[0] }

// ReplacesFailures reports whether means and tests replace failed fits by other results.
func (o *Inference) ReplacesFailures() bool { return o.treatment() != Common }

// ExcludedFrom returns the classifiers whose proportion of failed fits exceeds MaxFailureRate in
// some cell of the group. It returns nil unless the treatment is Common.
func (v *View) ExcludedFrom(g *Group) []string {
	if v.treatment() != Common {
		return nil
	}
	// If only some cells omitted a classifier, its mean would cover fewer problems than other means.
	return Without(v.Records.Classifiers, func(id string) bool {
		failsOften := func(c records.Cell) bool {
			tried, failed := c.Attempts(id)
			return float64(failed)/float64(tried) > v.MaxFailureRate // false for 0/0
		}
		return !slices.ContainsFunc(g.Cells, failsOften)
	})
}

// Attempts returns the number of fits of a classifier in a group, and how many of them failed. Replicates
// without drawn data do not count.
func (g *Group) Attempts(classifier string) (tried, failed int) {
	for i := range g.Cells {
		n, without := g.Cells[i].Attempts(classifier)
		tried, failed = tried+n, failed+without
	}
	return tried, failed
}

// TunedFits returns the result of tuning for every tuned fit of one classifier in a group.
func (g *Group) TunedFits(classifier string) (fits []records.Tuned, err error) {
	for _, c := range g.Cells {
		for _, row := range c.RowsOf(classifier) {
			if row.Tuned == "" {
				continue // a classifier without tuning, or a failed fit
			}
			tuned, err := records.ParseTuned(row.Tuned)
			if err != nil {
				return nil, err
			}
			fits = append(fits, tuned)
		}
	}
	return fits, nil
}

// Undrawn returns the number of results of a classifier in a group that are missing because the data could
// not be drawn.
func (g *Group) Undrawn(classifier string) (n int) {
	for _, c := range g.Cells {
		for _, row := range c.RowsOf(classifier) {
			if row.Cause == records.NotDrawn {
				n++
			}
		}
	}
	return n
}

// TreatFailures returns the cells of a group after failed fits have been omitted or replaced.
// Means, tests and ranks use these cells.
func (v *View) TreatFailures(g *Group) []records.Cell {
	if !g.contains(isFailure) {
		return g.Cells
	}
	if v.treatment() == Common {
		return v.onlyCommonDraws(g)
	}
	return stats.Map(g.Cells, v.replaceFailures)
}

// TreatFailuresInEach applies TreatFailures to each cell separately.
func (v *View) TreatFailuresInEach(cells []records.Cell) []records.Cell {
	var list []records.Cell
	for _, g := range SingleCellGroups(cells) {
		list = append(list, v.TreatFailures(&g)...)
	}
	return list
}

// AnyFailed reports whether any fit of a group failed. A replicate whose data could not be drawn has no fits.
func AnyFailed(g Group) bool {
	return g.contains(func(r records.Record) bool { return isFailure(r) && r.Cause != records.NotDrawn })
}

func (g *Group) contains(property func(records.Record) bool) bool {
	return slices.ContainsFunc(g.Cells, func(c records.Cell) bool { return slices.ContainsFunc(c.Rows, property) })
}

// isFailure reports whether a result is missing. Either the fit failed or the data could not be drawn.
func isFailure(r records.Record) bool { return r.Status != records.OK }

// drawFailed reports whether the data of a replicate could not be drawn. rows are its results.
// Every treatment of failed fits omits such a replicate, because no classifier caused the failure.
func drawFailed(rows []*records.Record) bool {
	return slices.ContainsFunc(rows, func(r *records.Record) bool { return r.Cause == records.NotDrawn })
}

// onlyCommonDraws returns the cells of a group without the draws on which some fit failed. A draw is the data
// of a replicate, which several cells can share.
//
// onlyCommonDraws also removes the classifiers that ExcludedFrom returns. Their failures remove no draws.
func (v *View) onlyCommonDraws(g *Group) []records.Cell {
	excluded := v.ExcludedFrom(g)
	draws := v.drawNames(g)   // draws[i][r] is the draw of replicate r in cell i
	lost := map[string]bool{} // draws with a failed fit in any cell; all cells omit them
	for i, c := range g.Cells {
		for _, r := range c.Rows {
			if isFailure(r) && !slices.Contains(excluded, r.Classifier) {
				lost[draws[i][r.Replicate]] = true
			}
		}
	}
	var cells []records.Cell
	for i, c := range g.Cells {
		isOmitted := func(r records.Record) bool {
			return lost[draws[i][r.Replicate]] || slices.Contains(excluded, r.Classifier)
		}
		cells = append(cells, c.With(Without(c.Rows, isOmitted)))
	}
	return cells
}

// drawNames returns names[i][r], the name of the draw of replicate r in cell i. Replicates that share a draw
// have the same name.
func (v *View) drawNames(g *Group) []map[int]string {
	names := make([]map[int]string, len(g.Cells))
	for i, c := range g.Cells {
		names[i] = map[int]string{}
		for replicate, rows := range c.ByReplicate() {
			if v.Sampling[c.ID].OneDataSet { // a fold or split, whose failure does not affect other cells
				names[i][replicate] = fmt.Sprintf("%s/%d", c.ID, replicate)
			} else {
				names[i][replicate] = v.drawName(&c, replicate, fingerprint(rows, i))
			}
		}
	}
	return names
}

// replaceFailures returns a cell in which a result on the same data replaces each failed fit (see
// replacement). It omits replicates in which all fits failed or the data could not be drawn.
func (v *View) replaceFailures(c records.Cell) records.Cell {
	byReplicate := c.ByReplicate()
	var rows []records.Record
	for _, r := range c.Rows {
		ofReplicate := byReplicate[r.Replicate]
		switch {
		case drawFailed(ofReplicate): // omitted
		case !isFailure(r):
			rows = append(rows, r)
		default:
			classes := v.Classes[c.ID]                                      // names of the classes
			if other := v.replacement(ofReplicate, classes); other != nil { // nil if all fits failed
				rows = append(rows, v.creditedTo(r.Classifier, other))
			}
		}
	}
	return c.With(rows)
}

// creditedTo returns the result that replaces a failed fit of a classifier. It copies other, a result on the
// same data, without times and memory use.
func (v *View) creditedTo(classifier string, other *records.Record) records.Record {
	r := *other
	r.Classifier = classifier
	r.Fit, r.Predict, r.Peak = 0, 0, 0
	r.Metrics = maps.Clone(other.Metrics)
	// Delete metrics that the classifier lacks. Otherwise, their means would contain only results of other
	// classifiers.
	for _, name := range v.lackedMetrics[classifier] {
		delete(r.Metrics, name)
	}
	return r
}

// findLackedMetrics returns, for each classifier, the metrics that none of its successful fits has.
func (v *View) findLackedMetrics() map[string][]string {
	lacked := map[string][]string{}
	for _, id := range v.Records.Classifiers {
		hasMetric := func(name string) bool {
			m, err := metrics.Lookup(name)
			return err == nil && v.hasMetric(m, id)
		}
		lacked[id] = Without(v.Records.Metrics, hasMetric)
	}
	return lacked
}

// replacement returns the result that replaces failed fits in a replicate, or nil if all fits
// failed. If the fallback classifier failed too, a rule that predicts the class proportions
// replaces it.
func (v *View) replacement(rows []*records.Record, classes []string) *records.Record {
	succeeded := Without(rows, func(r *records.Record) bool { return isFailure(*r) })
	if len(succeeded) == 0 {
		return nil
	}
	if v.treatment() == Worst {
		return records.WorstOf(succeeded)
	}
	for _, r := range succeeded {
		if r.Classifier == v.Fallback {
			return r
		}
	}
	anyResult := succeeded[0] // all have the same test rows
	return anyResult.ClassShares(v.Records.Metrics, classes)
}
