// Package view prepares a study and its records for tables and figures.
//
// A cell is one combination of factor levels, with all its results. A group is a set of cells that one row of a table
// or one panel of a figure shows.
package view

import (
	"errors"
	"fmt"
	"slices"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A View contains a study, its records and the options of the tests that compare classifiers.
type View struct {
	Study
	Records  *records.Records
	FitCells []records.Cell // results of single fits, as run
	Cells    []records.Cell // results that tests compare: of single fits or of tasks
	Inference
	rowMeasure *Measure // measure of tests on the rows of one test set; nil without such tests

	lackedMetrics map[string][]string // keys are classifiers; nil if no fit failed
}

// New returns the view of a study and its records. View.FitCells contains the results of single fits.
//
// View.Cells contains the results that tests compare: the means over the folds of each task if tests compare
// tasks (Inference.Unit), and otherwise the results in View.FitCells.
func New(study Study, rows *records.Records, inference Inference) *View {
	v := &View{Study: study, Records: rows, FitCells: rows.Cells(), Inference: inference}
	folds := map[string]int{} // folds[cell]: number of folds to average
	for cell, s := range study.Sampling {
		if inference.averagesFolds(s) {
			folds[cell] = s.Folds
		}
	}
	v.Cells = v.FitCells
	if len(folds) > 0 {
		v.Cells = rows.OverFolds(folds).Cells()
	}
	if AnyFailed(Group{Cells: v.Cells}) {
		// If another classifier's result replaces a failed fit, it loses these metrics (see creditedTo).
		v.lackedMetrics = v.findLackedMetrics()
	}
	return v
}

// Paired returns the test that compares two classifiers on the paired results of a cell. It returns
// a Misfit if the test in the study file is not valid for the design of the cell.
func (v *View) Paired(c *records.Cell) (verdicts.Paired, error) {
	sampling := v.Sampling[c.ID] // zero value (independent results) for pooled cells
	test, err := v.pairedTest(c, sampling)
	if errors.Is(err, stats.ErrAssumption) {
		err = &Misfit{Key: "test", Cause: err}
	}
	paired := verdicts.Paired{Test: test, Design: sampling.design(), Share: sampling.TestRatio, Random: v.Random,
		Posteriors: v.Posteriors}
	if v.Rehearsal {
		paired.Flips = rehearsedFlips
	}
	return paired, err
}

const rehearsedFlips = 99

// pairedTest returns the test for the results of cell c: the test in the study file or, without
// one, the default test. If the test is not valid for the sampling, the error wraps
// stats.ErrAssumption.
func (v *View) pairedTest(c *records.Cell, sampling Sampling) (stats.Test, error) {
	where := v.InCell(c.Levels)
	switch {
	case sampling.DependentRows:
		return stats.Test{}, fmt.Errorf("%w: the replicates%s share one test set, and several of its rows belong to "+
			"one group (`data.groups`), so neither replicates nor rows are independent; %s", stats.ErrAssumption, where,
			GroupedTestsHint)
	case sampling.OneTestSet:
		return stats.Test{}, fmt.Errorf("%w: the replicates%s share one test set, so they cannot show differences on "+
			"other test rows; with `predictions: keep`, tables compare classifiers on the rows of the test set",
			stats.ErrAssumption, where)
	case sampling.OneDataSet:
		return v.testOfFolds(c, sampling, where)
	case c.ID == pooledID:
		return v.testOfPooled()
	}
	return v.test(sampling.design())
}

// testOfFolds returns the test for folds or splits of one data set. The argument where, such as " (cell
// n=200)", names the cell in errors.
//
// Some tests are calibrated for a fixed number of results (see stats.Test.Folds). If the study file requests
// such a test and results of the cell are missing, testOfFolds returns the default test.
func (v *View) testOfFolds(c *records.Cell, sampling Sampling, where string) (stats.Test, error) {
	test, err := v.validTest(sampling)
	if errors.Is(err, stats.ErrAssumption) {
		err = fmt.Errorf("%w%s. Tests for independent results are valid in rows that pool several data sets "+
			"(`rows: []`)", err, where)
	}
	if err == nil && test.Folds > 0 && v.lacksResults(c) {
		return stats.FindTest("", sampling.design())
	}
	return test, err
}

// GroupedTestsHint states how to get valid tests if the rows of a single test set are dependent.
const GroupedTestsHint = "for tests, keep one test row of each group, or use folds or holdout sets of whole groups"

// lacksResults reports whether a classifier in a cell has some results, but fewer than the study requests. It
// returns false for made-up results, which are always few.
func (v *View) lacksResults(c *records.Cell) bool {
	isPartial := func(id string) bool {
		n := len(c.RowsOf(id)) // 0 if the cell does not have the classifier
		return 0 < n && n < v.Replicates
	}
	return !v.Rehearsal && slices.ContainsFunc(c.Classifiers, isPartial)
}

// testOfPooled returns the test for a pooled cell, which has independent results. This is the test
// in the study file if it is valid.
//
// If that test is valid only for the results of some single cells, such as their folds,
// testOfPooled returns the default test. If it is not valid for any cell of the study, testOfPooled
// returns an error.
func (v *View) testOfPooled() (stats.Test, error) {
	test, err := v.test(stats.Independent)
	isValidFor := func(cell records.Cell) bool {
		_, err := v.validTest(v.Sampling[cell.ID])
		return err == nil
	}
	if err != nil && slices.ContainsFunc(v.Cells, isValidFor) {
		return stats.FindTest("", stats.Independent)
	}
	return test, err
}

// validTest returns the test for the results of a single cell. It returns an error if the test in the study
// file is not valid for s.
func (v *View) validTest(s Sampling) (stats.Test, error) {
	test, err := v.test(s.design())
	n := test.Folds
	if err != nil || n == 0 || s.Folds == n && v.Replicates == n*n {
		return test, err
	}
	return test, fmt.Errorf("%w: %s was calibrated for %d repeats of %[3]d folds and needs `folds: %[3]d` and "+
		"`repeats: %[3]d`; use `test: corrected-t`", stats.ErrAssumption, test.Name, n)
}

// Index returns the position of a classifier among the classifiers of the records, not counting oracles. It
// returns -1 for an oracle or an unknown id.
func (v *View) Index(id string) int {
	return slices.Index(Without(v.Records.Classifiers, v.IsOracle), id)
}

// IsOracle reports whether a classifier is the Bayes rule.
func (v *View) IsOracle(id string) bool { return v.Component(id).Oracle }
