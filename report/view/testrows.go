package view

import (
	"fmt"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// OnTestRows returns a view that compares classifiers by the measure m on the rows of one test set,
// in cells that have one.
func (v *View) OnTestRows(m *Measure) *View {
	other := *v
	other.onRows = m
	return &other
}

// rowTest returns the test on the rows of a cell's one test set: McNemar's for the error of one
// fit, DeLong's for the AUC of two classes, otherwise the bootstrap.
func (v *View) rowTest(c *records.Cell) (stats.Test, error) {
	test, err := v.test(stats.TestRows)
	if err != nil {
		return test, &Misfit{"test", fmt.Errorf("%w%s", err, InCell(c.Levels, v.Records.Factors))}
	}
	name := "row-bootstrap"
	if test.Name == name { // the study names the bootstrap for all metrics
		return test, nil
	}
	metric := v.onRows.Metric.Name
	if (metric == "error" || metric == "accuracy") && len(c.Replicates) == 1 {
		name = "mcnemar"
	}
	if metric == "auc" && len(c.Rows) > 0 && c.Rows[0].Confusion.Classes() == 2 {
		name = "delong"
	}
	return stats.FindTest(name, stats.TestRows)
}

// PairedOnRows returns the test on the rows of a cell's one test set, and the predictions of the
// compared classifiers; nil if they are not stored.
func (v *View) PairedOnRows(c *records.Cell, ids []string) (verdicts.Paired, verdicts.Fits, error) {
	test, err := v.rowTest(c)
	if err != nil {
		return verdicts.Paired{}, nil, err
	}
	fits, err := v.fits(c, ids)
	return verdicts.Paired{Test: test, Design: stats.TestRows, Random: v.Random}, fits, err
}

// fits returns the predictions of the classifiers that have a result in a cell, for the replicates
// in which all of them have one. It returns nil if any prediction is not stored. A failed fit that
// On replaced has the predictions of its replacement.
func (v *View) fits(c *records.Cell, family []string) (verdicts.Fits, error) {
	ids, complete := completeReplicates(c, family)
	stored, err := v.predictionsOf(c, ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	classes := c.Rows[0].Confusion.Classes()
	fits := verdicts.Fits{}
	for _, replicate := range complete {
		for _, id := range ids {
			p := stored[replicate][id]
			if p == nil {
				p = v.standInPredictions(stored[replicate], classes)
			}
			if p == nil {
				return nil, nil // not stored
			}
			fits[id] = append(fits[id], p)
		}
	}
	if len(fits) == 0 {
		return nil, nil
	}
	return fits, nil
}

// completeReplicates returns the classifiers of the family that have a result in a cell, and the
// replicates in which all of them have one.
func completeReplicates(c *records.Cell, family []string) (ids []string, complete []int) {
	results := map[int]int{} // number of results by replicate
	for i := range c.Rows {
		r := &c.Rows[i]
		if !isFailure(*r) && slices.Contains(family, r.Classifier) {
			results[r.Replicate]++
			ids = AddNew(ids, r.Classifier)
		}
	}
	for _, replicate := range c.Replicates {
		if results[replicate] == len(ids) {
			complete = append(complete, replicate)
		}
	}
	return ids, complete
}

// predictionsOf returns the stored predictions of a cell by replicate and classifier. If failed
// fits are left out, it reads only the classifiers in ids.
func (v *View) predictionsOf(c *records.Cell, ids []string) (map[int]map[string]*metrics.Predictions, error) {
	stored := map[int]map[string]*metrics.Predictions{}
	err := v.Predictions(c.ID, func(replicate int, classifier string, p *metrics.Predictions) error {
		if v.treatment() == Common && !slices.Contains(ids, classifier) {
			return nil
		}
		if stored[replicate] == nil {
			stored[replicate] = map[string]*metrics.Predictions{}
		}
		stored[replicate][classifier] = v.needed(p)
		return nil
	})
	return stored, err
}

// standInPredictions returns the predictions that replace a failed fit, as standIn does for
// results; nil if failed fits are left out.
func (v *View) standInPredictions(succeeded map[string]*metrics.Predictions, classes int) *metrics.Predictions {
	switch v.treatment() {
	case Worst:
		return v.worstPredictions(succeeded, classes)
	case Fallback:
		if p := succeeded[v.Fallback]; p != nil {
			return p
		}
		for _, p := range succeeded { // all have the same test rows
			return metrics.ClassShares(p.Truth, classes)
		}
	}
	return nil
}

// worstPredictions returns the predictions with the largest loss, the first in the study if several
// tie; nil if no fit has a loss.
func (v *View) worstPredictions(succeeded map[string]*metrics.Predictions, classes int) *metrics.Predictions {
	var worst *metrics.Predictions
	largest := math.Inf(-1)
	metric := v.onRows.Metric
	for _, id := range v.Records.Classifiers {
		p := succeeded[id]
		if p == nil {
			continue // the fit failed
		}
		if loss := metric.Loss(metric.Value(p, classes)); loss > largest {
			worst, largest = p, loss
		}
	}
	return worst
}

// needed returns the part of the predictions that the measure uses, to save memory.
func (v *View) needed(p *metrics.Predictions) *metrics.Predictions {
	if v.onRows.Metric.Needs == metrics.Counts {
		return &metrics.Predictions{Truth: p.Truth, Labels: p.Labels}
	}
	return p
}
