// Package view prepares a study and its records for tables and figures.
//
// A cell is one combination of levels of the study's factors, with all its results. A group is
// the cells that one row of a table or one panel of a figure shows; Pool makes it one cell whose
// results are independent of one another, and Summary summarises a classifier in it. The other
// files have the labels of factors and classifiers, the tests that a design allows, and the
// sentences that several tables and figures share.
package view

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A View is a study with its records by cell and the inference that compares its classifiers.
type View struct {
	Study
	Records *records.Records
	Trials  []records.Cell // records as run
	Cells   []records.Cell // records in the units of the inference: trials or tasks
	Inference
	onRows *Measure // measure of tests on the rows of one test set; nil: no such tests
}

// New returns the view of records, averaged over folds where the inference counts tasks.
func New(study Study, rows *records.Records, inference Inference) *View {
	v := &View{Study: study, Records: rows, Trials: rows.Cells(), Inference: inference}
	folds := map[string]int{}
	for cell, s := range study.Sampling {
		if inference.overFolds(s) {
			folds[cell] = s.Folds
		}
	}
	v.Cells = v.Trials
	if len(folds) > 0 {
		v.Cells = rows.OverFolds(folds).Cells()
	}
	return v
}

// Paired returns the test that compares two classifiers on the paired results of a cell, which
// may be a pooled one (Pool). It returns a Misfit if the design rules out the study's test.
func (v *View) Paired(c *records.Cell) (verdicts.Paired, error) {
	s := v.Sampling[c.ID] // zero for a pooled cell: its results are independent
	if s.FixedTest {
		return verdicts.Paired{}, &Misfit{"test",
			fmt.Errorf("%w: the replicates%s are fits on one test set, which say "+
				"nothing of other test rows; tables compare on its rows where predictions are kept (predictions: keep)",
				stats.ErrAssumption, InCell(c.Levels, v.Records.Factors))}
	}
	test, err := v.test(s.design())
	if err != nil && c.ID == pooledID {
		// The study's test is for the folds of one data set: over several, the default is valid.
		test, err = stats.FindTest("", s.design())
	}
	if err == nil && s.OneSet {
		err = calibratedFor(test, s)
	}
	if errors.Is(err, stats.ErrAssumption) {
		if s.OneSet {
			err = fmt.Errorf("%w%s. Over several data sets, in rows that pool them (rows: []), tests of independent "+
				"results are valid", err, InCell(c.Levels, v.Records.Factors))
		}
		err = &Misfit{"test", err}
	}
	return verdicts.Paired{Test: test, Design: s.design(), Share: s.Share, Random: v.Random,
		Posteriors: v.Posteriors}, err
}

// calibratedFor returns an error if a test was calibrated for another number of folds.
func calibratedFor(test stats.Test, s Sampling) error {
	folds := math.Round(1 + 1/s.Share)
	if test.Folds == 0 || folds == float64(test.Folds) {
		return nil
	}
	return fmt.Errorf("%w: %s was calibrated for %d folds, test rows are one part in %v here: use corrected-t",
		stats.ErrAssumption, test.Name, test.Folds, folds)
}

// Index returns the position of a classifier in the study, oracles not counted; -1 for an
// oracle or an unknown id.
func (v *View) Index(id string) int {
	var oracles []string // few, while a study may have thousands of classifiers
	for i := range v.Classifiers {
		if v.Classifiers[i].Oracle {
			oracles = append(oracles, v.Classifiers[i].ID)
		}
	}
	index := 0
	for _, other := range v.Records.Classifiers {
		isOracle := slices.Contains(oracles, other)
		switch {
		case other == id && isOracle:
			return -1
		case other == id:
			return index
		case !isOracle:
			index++
		}
	}
	return -1
}
