package view

import (
	"fmt"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

// overDataSets is the unit of groups that pool data sets.
const overDataSets = "data sets"

// Units names what the inference counts in the groups: replicates, tasks, folds, splits,
// fits on one test set or data sets.
func (v *View) Units(groups []Group) string { return v.units(groups, "fits on one test set") }

// TestedUnits names what tests pair: units, of one test set its rows.
func (v *View) TestedUnits(groups []Group) string { return v.units(groups, "test rows") }

// units names the units of groups; fixed is that of one test set.
func (v *View) units(groups []Group, fixed string) string {
	var words []string
	add := func(word string) { words = AddNew(words, word) }
	for _, g := range groups {
		for _, c := range g.Cells {
			switch s := v.Sampling[c.ID]; {
			case s.OneSet && len(g.Cells) > 1:
				add(overDataSets)
			case s.FixedTest:
				add(fixed)
			case s.OneSet && s.Folds == 0:
				add("splits")
			case s.OneSet:
				add("folds")
			case v.overFolds(s):
				add("tasks")
			default:
				add("replicates")
			}
		}
	}
	if len(words) == 0 {
		return "replicates"
	}
	return strings.Join(words, " or ")
}

// UnitOf is what a replicate of a cell counts for in the inference, itself or a task, and
// how many replicates make one.
func (v *View) UnitOf(cell string, replicate int) (unit, replicates int) {
	if s := v.Sampling[cell]; v.overFolds(s) {
		return records.FoldTask(replicate, s.Folds), s.Folds
	}
	return replicate, 1
}

// Splits says into how many folds how many splits of the rows of each group's one data set
// are, where these are several and complete and all groups have as many: "(10 splits into
// 5)"; else "".
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
		if complete := len(seen)*s.Folds == len(cells[0].Replicates); !complete || i > 0 &&
			(len(seen) != splits || s.Folds != folds) {
			return ""
		}
		splits, folds = len(seen), s.Folds
	}
	if splits < 2 {
		return ""
	}
	return fmt.Sprintf("(%d splits into %d)", splits, folds)
}

// Errors names the standard errors of means over the groups: what lies between data sets
// is no Monte-Carlo error.
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

// Untested reports whether nothing can compare the classifiers of a group: its replicates have one test set, and no
// table compares on its rows or no predictions are kept.
func (v *View) Untested(g *Group) bool {
	return v.FixedTest(g) && (v.Predictions == nil || v.onRows == nil)
}

// TestLabels names the tests behind groups, as captions do; what the design rules
// out has none.
func (v *View) TestLabels(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Label })
}

// JointLabels names the tests over all pairs behind groups.
func (v *View) JointLabels(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { joint := JointTest(*t); return joint.Label })
}

// JointTest describes the test over all pairs of a design by the entry of the design's own
// test: its name, label and estimate.
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

// Estimates names what those tests estimate.
func (v *View) Estimates(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Estimate })
}

func (v *View) testWords(groups []Group, word func(*stats.Test) string) string {
	var labels []string
	for i := range groups {
		c := records.Cell{ID: pooledID}
		if len(groups[i].Cells) == 1 {
			c.ID = groups[i].Cells[0].ID
		}
		if v.FixedTest(&groups[i]) && !v.Untested(&groups[i]) {
			if test, err := v.rowTest(&groups[i].Cells[0]); err == nil {
				labels = AddNew(labels, word(&test))
			}
			continue
		}
		if paired, err := v.Paired(&c); err == nil {
			labels = AddNew(labels, word(&paired.Test))
		}
	}
	return strings.Join(labels, " or ")
}
