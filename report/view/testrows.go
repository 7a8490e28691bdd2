package view

import (
	"fmt"
	"slices"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// OnTestRows returns the view whose tests compare the rows of one test set by a measure.
func (v *View) OnTestRows(m *Measure) *View {
	other := *v
	other.onRows = m
	return &other
}

// rowTest returns the test on the rows of a cell's one test set: McNemar's for the errors of
// one fit, DeLong's for the AUC of two classes, otherwise the bootstrap.
func (v *View) rowTest(c *records.Cell) (stats.Test, error) {
	test, err := v.test(stats.TestRows)
	if err != nil {
		return test, &Misfit{"test", fmt.Errorf("%w%s", err, InCell(c.Levels, v.Records.Factors))}
	}
	name := "row-bootstrap"
	if test.Name == name { // named by the study for all measures
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

// PairedOnRows returns the test on the rows of a cell's one test set and the predictions of
// the classifiers; nil predictions: they are not stored.
func (v *View) PairedOnRows(c *records.Cell, ids []string) (verdicts.Paired, verdicts.Fits, error) {
	test, err := v.rowTest(c)
	if err != nil {
		return verdicts.Paired{}, nil, err
	}
	fits, err := v.fits(c, ids)
	return verdicts.Paired{Test: test, Design: stats.TestRows, Random: v.Random}, fits, err
}

// fits returns the predictions of the classifiers that succeeded at least once in a cell, for
// the replicates in which all of these succeeded; nil: some are not stored.
func (v *View) fits(c *records.Cell, family []string) (verdicts.Fits, error) {
	succeeded := map[int]int{} // number of classifiers by replicate
	var ids []string
	for i := range c.Rows {
		if r := &c.Rows[i]; !isFailure(*r) && slices.Contains(family, r.Classifier) {
			succeeded[r.Replicate]++
			ids = AddNew(ids, r.Classifier)
		}
	}
	fits := verdicts.Fits{}
	err := v.Predictions(c.ID, func(replicate int, classifier string, p *metrics.Predictions) error {
		if succeeded[replicate] == len(ids) && slices.Contains(ids, classifier) {
			fits[classifier] = append(fits[classifier], v.needed(p))
		}
		return nil
	})
	incomplete := func(id string) bool { return len(fits[id]) == 0 || len(fits[id]) != len(fits[ids[0]]) }
	if err != nil || slices.ContainsFunc(ids, incomplete) {
		return nil, err
	}
	return fits, nil
}

// needed returns the part of predictions that the measure needs.
func (v *View) needed(p *metrics.Predictions) *metrics.Predictions {
	if v.onRows.Metric.Needs == metrics.Counts {
		return &metrics.Predictions{Truth: p.Truth, Labels: p.Labels}
	}
	return p
}
