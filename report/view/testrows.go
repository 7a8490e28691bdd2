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

// WithRowTests returns a view that can test the measure m on the rows of a test set.
func (v *View) WithRowTests(m *Measure) *View {
	other := *v
	other.rowMeasure = m
	return &other
}

// rowTest returns the test that compares classifiers on the rows of the single test set of c. If the study file
// does not request a test (v.Test is auto), this is the standard test for the measure.
//
// It returns a Misfit, an error about the option `test`, if the requested test is not valid for this cell.
func (v *View) rowTest(c *records.Cell) (stats.Test, error) {
	standard := v.standardRowTest(c)
	if v.Test == auto {
		return stats.FindTest(standard, stats.TestRows)
	}
	requested, err := v.test(stats.TestRows)
	if err != nil {
		return requested, v.testMisfit(c, err)
	}
	isValid := requested.Name == standard || requested.Name == rowBootstrap // the bootstrap is always valid
	if !isValid {
		return requested, v.testMisfit(c, v.violatedAssumption(requested, c))
	}
	return requested, nil
}

// violatedAssumption returns an error that states what a test on test rows assumes, and which
// results in c it would compare instead.
func (v *View) violatedAssumption(test stats.Test, c *records.Cell) error {
	fits := "one fit"
	if len(c.Replicates) > 1 {
		fits = "several fits"
	}
	return fmt.Errorf("%w: %s assumes %s, but here it would compare %s of %s of each classifier, with %d classes; "+
		"use `%s` or remove the key `test`", stats.ErrAssumption, test.Name, test.Assumption, v.rowMeasure.Name, fits,
		classesOf(c), rowBootstrap)
}

// testMisfit returns a Misfit about the option `test`.
func (v *View) testMisfit(c *records.Cell, err error) error {
	return &Misfit{Key: "test", Cause: fmt.Errorf("%w%s", err, v.InCell(c.Levels))}
}

const rowBootstrap = "row-bootstrap"

// standardRowTest returns the name of the default test on test rows: McNemar's test for the error of one fit,
// DeLong's test for the AUC of two classes, and otherwise the bootstrap.
func (v *View) standardRowTest(c *records.Cell) string {
	metric := v.rowMeasure.Metric.Name
	switch {
	case (metric == "error" || metric == "accuracy") && len(c.Replicates) == 1:
		return "mcnemar"
	case metric == "auc" && classesOf(c) == 2:
		return "delong"
	}
	return rowBootstrap
}

func classesOf(c *records.Cell) int {
	if len(c.Rows) == 0 {
		return 0
	}
	return c.Rows[0].Confusion.Classes()
}

// PairedOnRows returns the test that compares classifiers on the rows of a single test set. It also
// returns their predictions, or nil if these are not stored.
func (v *View) PairedOnRows(c *records.Cell, ids []string) (verdicts.Paired, verdicts.Fits, error) {
	test, err := v.rowTest(c)
	if err != nil {
		return verdicts.Paired{}, nil, err
	}
	fits, err := v.fitsOf(c, ids)
	return verdicts.Paired{Test: test, Design: stats.TestRows, Random: v.Random}, fits, err
}

// fitsOf returns the predictions of all classifiers in family that have results, by classifier. It uses only
// the complete replicates, in which each of them has a result.
//
// It returns nil if no replicate is complete, or if any of these predictions are not stored.
func (v *View) fitsOf(c *records.Cell, family []string) (verdicts.Fits, error) {
	ids, complete := completeReplicates(c, v.rowMeasure.Metric, family)
	stored, err := v.predictionsOf(c, ids)
	if err != nil || len(ids) == 0 || len(complete) == 0 {
		return nil, err
	}
	fits := verdicts.Fits{}
	for _, replicate := range complete {
		for _, id := range ids {
			p := v.fitOf(c, replicate, id, stored[replicate])
			if p == nil {
				return nil, nil // not stored
			}
			fits[id] = append(fits[id], p)
		}
	}
	return fits, nil
}

// fitOf returns the predictions of a classifier in a replicate, or nil if they are not stored. If the fit
// failed, it returns predictions of another fit or rule. The map stored contains the predictions in this
// replicate, by classifier.
func (v *View) fitOf(c *records.Cell, replicate int, id string,
	stored map[string]*metrics.Predictions) *metrics.Predictions {
	if p := stored[id]; p != nil {
		return p
	}
	if len(stored) != v.countSucceeded(c.ID, replicate) {
		return nil // the predictions of some successful fit are not stored
	}
	return v.replacementPredictions(stored, c.Rows[0].Confusion.Classes())
}

func (v *View) countSucceeded(cell string, replicate int) (n int) {
	for _, r := range v.Records.Rows {
		if r.Cell == cell && r.Replicate == replicate && !isFailure(r) {
			n++
		}
	}
	return n
}

// completeReplicates returns the classifiers of the family that have a result: a successful fit for which the
// metric m is defined. The list complete contains the replicates in which each of them has a result.
func completeReplicates(c *records.Cell, m *metrics.Metric, family []string) (ids []string, complete []int) {
	resultCounts := map[int]int{} // numbers of classifiers with a result, by replicate
	for i := range c.Rows {
		r := &c.Rows[i]
		if !isFailure(*r) && !m.Undefined(r.Confusion) && slices.Contains(family, r.Classifier) {
			resultCounts[r.Replicate]++
			ids = AddNew(ids, r.Classifier)
		}
	}
	for _, replicate := range c.Replicates {
		if resultCounts[replicate] == len(ids) {
			complete = append(complete, replicate)
		}
	}
	return ids, complete
}

// predictionsOf returns the stored predictions of a cell by replicate and classifier. It omits classifiers
// outside ids, unless their predictions may replace failed fits.
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

// replacementPredictions returns the predictions that replace a failed fit (see replacement). If
// the treatment omits failed fits, it returns nil.
func (v *View) replacementPredictions(succeeded map[string]*metrics.Predictions, classes int) *metrics.Predictions {
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

// worstPredictions returns the predictions of the fit with the largest loss. A tie goes to the classifier that
// the study lists first. The result is nil if the metric is undefined for every fit.
func (v *View) worstPredictions(succeeded map[string]*metrics.Predictions, classes int) *metrics.Predictions {
	var worst *metrics.Predictions
	largest := math.Inf(-1)
	metric := v.rowMeasure.Metric
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

// needed returns only the part of the predictions that the measure uses, to save memory.
func (v *View) needed(p *metrics.Predictions) *metrics.Predictions {
	switch v.rowMeasure.Metric.Needs {
	case metrics.Counts:
		return &metrics.Predictions{Truth: p.Truth, Labels: p.Labels}
	case metrics.Probabilities:
		return &metrics.Predictions{Truth: p.Truth, Labels: p.Labels, Probabilities: p.Probabilities}
	}
	return p
}
