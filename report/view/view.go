// Package view is a study and its records as readers see them: labels, groups of
// cells, units of inference and the measures that are shown.
package view

import (
	"errors"
	"fmt"
	"math"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A View is what tables and figures are made from: the study, its records laid
// out by cell.
type View struct {
	Study
	Records *records.Records
	Trials  []records.Cell // as they were run
	Cells   []records.Cell // in the units of the inference: trials or tasks
	Inference
	onRows *Measure // by which a table compares fits on the rows of one test set; nil: nothing does
}

// New lays records out as the inference wants them.
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

// Paired says how the results in a cell are tested against one another. A pooled
// cell's results are independent (Pool).
func (v *View) Paired(c *records.Cell) (verdicts.Paired, error) {
	s := v.Sampling[c.ID]
	if s.FixedTest {
		return verdicts.Paired{}, &Misfit{"test",
			fmt.Errorf("%w: the replicates%s are fits on one test set, which say "+
				"nothing of other test rows; tables compare on its rows where predictions are kept (predictions: keep)",
				stats.ErrAssumption, InCell(c.Levels, v.Records.Factors))}
	}
	test, err := v.test(s.design())
	if err != nil && c.ID == pooledID { // a test for the folds of one data set: the default over several
		pooled := Inference{Test: auto}
		test, err = pooled.test(s.design())
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
	return verdicts.Paired{Test: test, Design: s.design(), Share: s.Share, Random: v.Random, Made: v.Posteriors}, err
}

// calibratedFor refuses a test that was calibrated for another number of folds.
func calibratedFor(test stats.Test, s Sampling) error {
	folds := math.Round(1 + 1/s.Share)
	if test.Folds == 0 || folds == float64(test.Folds) {
		return nil
	}
	return fmt.Errorf("%w: %s was calibrated for %d folds, test rows are one part in %v here: use corrected-t",
		stats.ErrAssumption, test.Name, test.Folds, folds)
}

// Index is the position of a classifier in the study, oracles not counted; -1
// for an oracle.
func (v *View) Index(id string) int {
	index := 0
	for _, other := range v.Records.Classifiers {
		oracle := false
		if c := v.Component(other); c != nil {
			oracle = c.Oracle
		}
		switch {
		case other == id && oracle:
			return -1
		case other == id:
			return index
		case !oracle:
			index++
		}
	}
	return -1
}
