package view

import (
	"fmt"
	"slices"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

// overDataSets is the unit of groups that pool data sets.
const overDataSets = "data sets"

// Units names what the inference counts as one result in the groups: replicates, tasks, folds,
// splits, fits on one test set or data sets. Different groups are joined by "or".
func (v *View) Units(groups []Group) string { return v.units(groups, "fits on one test set") }

// TestedUnits names what the tests of the groups compare in pairs. These are the units of Units
// except on one test set, where tests compare its rows.
func (v *View) TestedUnits(groups []Group) string { return v.units(groups, "test rows") }

// units joins the units of the cells of groups; fixed is the unit of a cell with one test set.
func (v *View) units(groups []Group, fixed string) string {
	var words []string
	for _, g := range groups {
		for _, c := range g.Cells {
			s := v.Sampling[c.ID]
			unit := v.unit(s, fixed)
			if s.OneSet && len(g.Cells) > 1 {
				unit = overDataSets
			}
			words = AddNew(words, unit)
		}
	}
	if len(words) == 0 {
		return "replicates"
	}
	return strings.Join(words, " or ")
}

// unit names the results of a cell; fixed is the name for a cell with one test set.
func (v *View) unit(s Sampling, fixed string) string {
	switch {
	case s.FixedTest:
		return fixed
	case s.OneSet && s.Folds == 0:
		return "splits"
	case s.OneSet:
		return "folds"
	case v.overFolds(s):
		return "tasks"
	}
	return "replicates"
}

// UnitOf returns the number of the result to which a replicate belongs: the task if the
// inference counts tasks, else the replicate itself. replicates is how many belong to one result.
func (v *View) UnitOf(cell string, replicate int) (unit, replicates int) {
	if s := v.Sampling[cell]; v.overFolds(s) {
		return records.FoldTask(replicate, s.Folds), s.Folds
	}
	return replicate, 1
}

// Splits describes repeated cross-validation of one data set per group: "(10 splits into 5)"
// are ten times five folds. It returns "" unless all groups have the same number of folds and
// the same number of complete splits, at least two.
func (v *View) Splits(groups []Group) string {
	splits, folds := 0, 0
	for i := range groups {
		cells := groups[i].Cells
		s := v.Sampling[cells[0].ID]
		if len(cells) > 1 || !s.OneSet || s.Folds < 2 {
			return ""
		}
		seen := map[int]bool{}
		for _, r := range cells[0].Replicates {
			seen[records.FoldTask(r, s.Folds)] = true
		}
		complete := len(seen)*s.Folds == len(cells[0].Replicates)
		same := i == 0 || len(seen) == splits && s.Folds == folds
		if !complete || !same {
			return ""
		}
		splits, folds = len(seen), s.Folds
	}
	if splits < 2 {
		return ""
	}
	return fmt.Sprintf("(%d splits into %d)", splits, folds)
}

// Errors names the standard errors of means over the groups. Variation between data sets is
// not Monte-Carlo error.
func (v *View) Errors(groups []Group) string {
	if v.Units(groups) == overDataSets {
		return "standard errors over data sets"
	}
	return "Monte-Carlo standard errors"
}

// FixedTest reports whether a group is one cell with one test set.
func (v *View) FixedTest(g *Group) bool {
	return len(g.Cells) == 1 && v.Sampling[g.Cells[0].ID].FixedTest
}

// ScoresTraining reports whether a group has a cell whose rules are scored on training rows.
func (v *View) ScoresTraining(g *Group) bool {
	return slices.ContainsFunc(g.Cells, func(c records.Cell) bool { return v.Sampling[c.ID].Training })
}

// Untested reports whether no test can compare the classifiers of a group: it has scored
// training rows, or one test set whose row tests are off or lack predictions.
func (v *View) Untested(g *Group) bool {
	return v.ScoresTraining(g) || v.FixedTest(g) && (v.Predictions == nil || v.onRows == nil)
}

// TestLabels returns the labels of the tests of groups, for captions. It skips groups whose
// design rules out the test.
func (v *View) TestLabels(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Label })
}

// JointLabels returns the labels of the tests over all pairs of groups.
func (v *View) JointLabels(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { joint := JointTest(*t); return joint.Label })
}

// JointTest returns t, the test of a design, with the name, label and estimate of the
// design's test over all pairs. A test on test rows has none and is unchanged.
func JointTest(t stats.Test) stats.Test {
	if t.Designs[0] == stats.TestRows {
		return t
	}
	t.Name, t.Label = "max-type", "max-type test of the mean differences of all pairs, by sign flips,"
	if t.Designs[0] == stats.Resampled {
		t.Name, t.Label = "corrected-t-pairs", "corrected resampled t test of all pairs"
	}
	t.Estimate = "mean difference"
	return t
}

// Estimates returns the names of the estimates of the tests of groups.
func (v *View) Estimates(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Estimate })
}

// testWords joins a text of each different test of groups. It skips groups whose design rules
// out the study's test.
func (v *View) testWords(groups []Group, word func(*stats.Test) string) string {
	var words []string
	for i := range groups {
		if test, err := v.testOf(&groups[i]); err == nil {
			words = AddNew(words, word(&test))
		}
	}
	return strings.Join(words, " or ")
}

// testOf returns the test of a group: on the rows of its one test set or on paired results.
func (v *View) testOf(g *Group) (stats.Test, error) {
	if len(g.Cells) > 1 {
		paired, err := v.Paired(&records.Cell{ID: pooledID})
		return paired.Test, err
	}
	if v.FixedTest(g) && !v.Untested(g) {
		return v.rowTest(&g.Cells[0])
	}
	paired, err := v.Paired(&g.Cells[0])
	return paired.Test, err
}
