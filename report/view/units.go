package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

const dataSetNoun = "data sets"

// UnitNoun returns the plural noun for the results that a mean combines: replicates, tasks, folds, splits, fits
// on one test set, or data sets. It joins different nouns by "or".
func (v *View) UnitNoun(groups []Group) string { return v.unitNoun(groups, "fits on one test set") }

// TestedUnitNoun returns the plural noun for the units of paired tests. On a single test set, the noun is "test
// rows".
func (v *View) TestedUnitNoun(groups []Group) string { return v.unitNoun(groups, "test rows") }

// unitNoun implements UnitNoun. The argument onOneTestSet is the noun for cells with a single test set.
func (v *View) unitNoun(groups []Group, onOneTestSet string) string {
	var words []string
	for _, g := range groups {
		for _, c := range g.Cells {
			words = AddNew(words, v.cellNoun(v.Sampling[c.ID], len(g.Cells) > 1, onOneTestSet))
		}
	}
	return cmp.Or(strings.Join(words, " or "), "replicates")
}

// cellNoun returns the plural noun for the results of a cell, such as "folds". A task is a data set that a
// generator draws and cross-validation splits.
//
// The argument isPooled is true if the cell is pooled with other cells of its group. The argument onOneTestSet is
// the noun for results that share a test set.
func (v *View) cellNoun(s Sampling, isPooled bool, onOneTestSet string) string {
	switch {
	case isPooled && s.DrawnProblems:
		return "tasks"
	case isPooled && s.OneDataSet: // Pool averages all folds or splits of a data set
		return dataSetNoun
	case s.OneTestSet:
		return onOneTestSet
	case s.OneDataSet && s.Folds == 0: // random splits of one data set
		return "splits"
	case s.OneDataSet: // cross-validation of one data set
		return "folds"
	case v.averagesFolds(s): // each result is the mean over the folds of a drawn problem
		return "tasks"
	}
	return "replicates"
}

// Pooled returns the groups of cells within which results of m are pooled. Times and memory are not pooled.
func (m *Measure) Pooled(groups []Group) []Group {
	if m.OfPredictions() {
		return groups
	}
	var cells []records.Cell
	for _, g := range groups {
		cells = append(cells, g.Cells...)
	}
	return SingleCellGroups(cells)
}

// AddedCountsSentence states that results of m are computed from a sum of confusion matrices: "The confusion
// matrices of the folds of a task are added." It may be "".
func (v *View) AddedCountsSentence(groups []Group, m *Measure) string {
	units := v.UnitNoun(m.Pooled(groups))
	switch {
	case !m.AddsCounts():
		return ""
	case strings.Contains(units, "task"):
		return "The confusion matrices of the folds of a task are added."
	case strings.Contains(units, dataSetNoun): // which may have several cross-validations
		return "The confusion matrices of the folds of a cross-validation are added."
	}
	return ""
}

// UnitOf returns the number of the unit to which a replicate belongs, counted from 1. It also returns the
// number of replicates in this unit.
//
// A unit is a task with all its folds if tests compare tasks, and otherwise a single replicate.
func (v *View) UnitOf(cell string, replicate int) (unit, replicates int) {
	if s := v.Sampling[cell]; v.averagesFolds(s) {
		return records.FoldTask(replicate, s.Folds), s.Folds
	}
	return replicate, 1
}

// Splits describes repeated cross-validation, such as "(10 splits into 5)" for ten times five
// folds. It returns "" unless each group is one data set with the same numbers of splits and folds.
func (v *View) Splits(groups []Group) string {
	if different := stats.Grouped(groups, v.splitWords); len(different) != 1 {
		return ""
	}
	return v.splitWords(groups[0])
}

// splitWords describes the splits of a group, such as "(10 splits into 5)". It returns "" if the group is not a data
// set under repeated cross-validation, or if a split lacks a fold. Each replicate is a fold.
func (v *View) splitWords(g Group) string {
	cell := &g.Cells[0]
	s := v.Sampling[cell.ID]
	if len(g.Cells) > 1 || !s.OneDataSet || s.Folds < 2 {
		return ""
	}
	splits := map[int]bool{} // numbers of the splits
	for _, replicate := range cell.Replicates {
		splits[records.FoldTask(replicate, s.Folds)] = true
	}
	lacksFold := len(cell.Replicates) < len(splits)*s.Folds
	if len(splits) < 2 || lacksFold {
		return ""
	}
	return fmt.Sprintf("(%d splits into %d)", len(splits), s.Folds)
}

// StandardErrorNoun returns the term for the standard errors of means in the groups, such as
// "Monte-Carlo standard errors". It joins several terms with "or".
func (v *View) StandardErrorNoun(groups []Group, measures ...*Measure) string {
	var nouns []string
	for _, m := range measures {
		for _, g := range groups {
			nouns = AddNew(nouns, v.standardErrorNoun(&g, m))
		}
	}
	return strings.Join(nouns, " or ")
}

// standardErrorNoun returns the term for the standard error that Summary computes for m in a group. The term
// ends in "within cells" if the standard error uses the standard deviations within several strata, and in "over
// cells" if it uses the standard deviation of all results.
func (v *View) standardErrorNoun(g *Group, m *Measure) string {
	if m.OfPredictions() && v.UnitNoun([]Group{*g}) == dataSetNoun {
		return "standard errors over data sets"
	}
	isPooled := len(g.Cells) > 1 && m.OfPredictions() // pooled results of several cells are independent
	noun := DistinctWords(g.Cells, func(c records.Cell) string {
		shareRows := v.Sampling[c.ID].TestRatio > 0 // results are folds or splits of one data set
		if shareRows && !isPooled {
			return "Nadeau-Bengio standard errors" // corrected for the shared rows
		}
		return "Monte-Carlo standard errors"
	})
	switch {
	case v.HasErrorWithinCells(*g, m):
		return noun + " within cells"
	case len(v.strataIn(g, m)) > 1: // a stratum with a single result has no standard deviation
		return "standard errors over cells"
	}
	return noun // a single stratum: there is one cell, or all cells share their draws
}

// TestsOfPooledCells describes tests in groups for which HasErrorWithinCells returns true.
const TestsOfPooledCells = "Tests treat the results of pooled cells as one sample. Standard errors and intervals of " +
	"tested differences therefore include the variation between cells."

// HasErrorWithinCells reports whether the standard errors of means of m in a group use the standard
// deviations within several cells.
func (v *View) HasErrorWithinCells(g Group, m *Measure) bool {
	hasOneResult := func(c records.Cell) bool { return len(c.Replicates) == 1 }
	cells := v.strataIn(&g, m)
	return len(cells) > 1 && !slices.ContainsFunc(cells, hasOneResult)
}

func (v *View) strataIn(g *Group, m *Measure) []records.Cell {
	pooled := v.Pool(g)
	return v.strataOf(g, &pooled, m)
}

// CheckPooling returns a BadOption if a group contains both a given data set and a generator.
//
// The argument keys lists the keys of the options that can separate them, such as RowKeys.
func (v *View) CheckPooling(groups []Group, m *Measure, keys string) error {
	for _, g := range m.Pooled(groups) {
		first := g.Cells[0]
		for _, c := range g.Cells {
			if v.Sampling[c.ID].isDataSet() != v.Sampling[first.ID].isDataSet() {
				return OptionError(keys, "generators and data sets cannot be pooled, because a data set counts as one "+
					"result, but each replicate of a generator is a result: separate them by %s, with the key `%s`",
					v.Varying([]records.Cell{first, c})[0], strings.ReplaceAll(keys, " ", "` or `"))
			}
		}
	}
	return nil
}

// PoolsOneDataSet reports whether a group pools several cells of one data set or drawn problem. No
// test is possible then, because all results count as one.
func (v *View) PoolsOneDataSet(g Group) bool {
	isOther := func(c records.Cell) bool {
		s := v.Sampling[c.ID]
		return !s.OneDataSet || s.Source != v.Sampling[g.Cells[0].ID].Source
	}
	return len(g.Cells) > 1 && !slices.ContainsFunc(g.Cells, isOther)
}

// FromDataSets reports whether any cell of a group uses a given data set instead of drawn problems.
func (v *View) FromDataSets(g Group) bool {
	return slices.ContainsFunc(g.Cells, func(c records.Cell) bool { return v.Sampling[c.ID].isDataSet() })
}

// HasOneTestSet reports whether a group is a single cell with a single test set.
func (v *View) HasOneTestSet(g Group) bool {
	return len(g.Cells) == 1 && v.Sampling[g.Cells[0].ID].OneTestSet
}

// ScoresTraining reports whether any cell of a group scores classifiers on their training rows.
func (v *View) ScoresTraining(g Group) bool {
	return slices.ContainsFunc(g.Cells, func(c records.Cell) bool { return v.Sampling[c.ID].OnTrainingRows })
}

// Untested reports whether no test can compare the classifiers in a group. On a single test set, a test needs
// stored predictions, a measure (see WithRowTests) and independent rows.
func (v *View) Untested(g Group) bool {
	lacksNeeds := v.Predictions == nil || v.rowMeasure == nil || v.HasDependentRows(g)
	return v.ScoresTraining(g) || v.HasOneTestSet(g) && lacksNeeds
}

// HasDependentRows reports whether a group is a single cell with a single test set, and several test rows belong to
// one group of rows.
func (v *View) HasDependentRows(g Group) bool {
	return v.HasOneTestSet(g) && v.Sampling[g.Cells[0].ID].DependentRows
}

// Values of the argument joint of TestLabels and Estimates.
const (
	PairedTests = false // one test for each comparison
	JointTests  = true  // one test of all pairs (see JointTest)
)

// TestLabels returns the labels of the tests that compare classifiers in the groups, for captions.
func (v *View) TestLabels(groups []Group, joint bool) string {
	return v.testWords(groups, joint, func(t *stats.Test) string { return t.Label })
}

// JointTest returns the joint test of all pairs for the design of t. Tests on test rows have no
// joint counterpart, so JointTest returns them unchanged.
func JointTest(t stats.Test) stats.Test {
	if t.Design == stats.TestRows {
		return t
	}
	t.Name, t.Label = "max-type", "max-type sign-flip test of the mean differences of all pairs"
	if t.Design == stats.Resampled {
		t.Name, t.Label = "corrected-t-pairs", "corrected resampled t test of all pairs"
	}
	t.Estimate, t.Student = "mean difference", true
	return t
}

// Estimates names the quantities that the tests in the groups estimate, such as "mean difference".
func (v *View) Estimates(groups []Group, joint bool) string {
	return v.testWords(groups, joint, func(t *stats.Test) string { return t.Estimate })
}

// testWords returns word(t) for the test t of each group, or for its joint test. It skips groups without a
// valid test.
func (v *View) testWords(groups []Group, joint bool, word func(*stats.Test) string) string {
	return DistinctWords(groups, func(g Group) string {
		test, err := v.testOf(&g)
		if err != nil {
			return ""
		}
		if joint {
			test = JointTest(test)
		}
		return word(&test)
	})
}

// testOf returns the test that compares classifiers in a group.
func (v *View) testOf(g *Group) (stats.Test, error) {
	cell := &g.Cells[0]
	if v.HasOneTestSet(*g) && !v.Untested(*g) {
		return v.rowTest(cell)
	}
	if len(g.Cells) > 1 {
		cell = &records.Cell{ID: pooledID}
	}
	paired, err := v.Paired(cell)
	return paired.Test, err
}
