package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// contrastSpread is the value of Spread in tables of contrasts, which show intervals.
const contrastSpread = "interval"

// addContrasts adds rows of differences from the first level of the contrast factor. Each group at
// another level is compared with the group at the first level that has the same other levels. There
// are no tests.
func (t *Table) addContrasts(o Options) error {
	factor := o.Contrast
	if o.Bold {
		t.Bold = "Bold: the interval excludes 0."
	}
	position := slices.Index(t.Factors, factor)
	if position < 0 {
		return view.Mistaken([]string{"contrast"}, factor, "%q is not a factor of the rows, which have the factors %q",
			factor, t.Factors)
	}
	others := slices.Delete(slices.Clone(t.Factors), position, position+1)
	t.Spread, t.contrast = contrastSpread, factor
	first := map[records.Levels]*view.Group{} // group at the first level, by the levels of the other factors
	var compared []view.Group
	for i := range t.groups {
		g := &t.groups[i]
		if t.view.FixedTest(g) {
			return view.Mistaken([]string{"contrast"}, factor, "the replicates share one test set, so differences "+
				"have no interval%s", t.view.Elsewhere(&g.Cells[0]))
		}
		key := g.Levels.On(others)
		if first[key] == nil { // groups are sorted, so g is at the first level
			first[key] = g
			t.firsts = append(t.firsts, *g)
			continue
		}
		row := t.contrastRow(g, first[key])
		row.minus = first[key].Levels.Of(factor)
		row.Labels[position] += " − " + t.view.LevelLabel(factor, row.minus)
		t.Rows = append(t.Rows, row)
		compared = append(compared, *g)
	}
	if compared == nil {
		return view.Mistaken([]string{"contrast"}, factor, "%q has only one level in these cells", factor)
	}
	t.groups = compared
	return nil
}

// contrastRow returns the difference of means between g and base for each classifier. Entries count
// the failed fits of both groups. In a table with bold type, an entry is bold if its interval excludes
// 0.
func (t *Table) contrastRow(g, base *view.Group) Row {
	row := Row{Levels: g.Levels, Labels: rowLabels(t.view, t.Factors, g.Levels)}
	for _, id := range t.IDs {
		difference, paired := t.view.Contrast(g, base, &t.Measure, id)
		t.paired = t.paired || paired
		e := Entry{Summary: difference, First: math.NaN()}
		tried, failed := g.Attempts(id)
		baseTried, baseFailed := base.Attempts(id)
		e.Tried, e.Failed = tried+baseTried, failed+baseFailed
		e.Low, e.High = t.view.Interval(difference)
		excludesZero := e.Low > 0 || e.High < 0
		e.Bold = t.Bold != "" && excludesZero
		row.Entries = append(row.Entries, e)
	}
	return row
}

func (t *Table) contrastCaption() string {
	draws := "The levels are independent samples."
	if t.paired {
		draws = "Levels with the same draws or folds are compared in pairs."
	}
	interval := "Student's t"
	if slices.ContainsFunc(t.cells(), func(c records.Cell) bool { return t.view.Sampling[c.ID].OneSet }) {
		interval = "corrected resampled t"
	}
	text := fmt.Sprintf("mean difference between two levels of %s, with its %.3g%% confidence interval (%s, not "+
		"simultaneous), over %s. %s %s", t.view.FactorLabel(t.contrast), 100*(1-t.view.Alpha), interval,
		t.resultWords(), draws, t.Bold)
	return strings.TrimSpace(text)
}
