package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// contrastSpread is the Spread of a table of contrasts: the ends of their intervals.
const contrastSpread = "interval"

// addContrasts adds a row for each group but those at the first level of a factor, with the
// differences from that level. Nothing is tested.
func (t *Table) addContrasts(o Options) error {
	factor := o.Contrast
	if o.Bold {
		t.Bold = "Bold: the interval excludes 0."
	}
	at := slices.Index(t.Factors, factor)
	if at < 0 {
		return view.Mistaken([]string{"contrast"}, factor, "the rows have no levels of %q, only those of %q", factor,
			t.Factors)
	}
	others := slices.Delete(slices.Clone(t.Factors), at, at+1)
	t.Spread, t.contrast = contrastSpread, factor
	first := map[records.Levels]*view.Group{} // at the first level, by the levels of the other factors
	var groups []view.Group
	for i := range t.groups {
		g := &t.groups[i]
		if t.view.FixedTest(g) {
			return view.Mistaken([]string{"contrast"}, factor, "fits on one test set have no interval%s",
				t.view.Elsewhere(&g.Cells[0]))
		}
		key := g.Levels.On(others)
		if first[key] == nil {
			first[key] = g
			continue
		}
		row := t.contrastRow(g, first[key])
		row.Labels[at] += " − " + t.view.LevelLabel(factor, first[key].Levels.Of(factor))
		t.Rows = append(t.Rows, row)
		groups = append(groups, *g)
	}
	if groups == nil {
		return view.Mistaken([]string{"contrast"}, factor, "%q has one level in these cells", factor)
	}
	t.groups = groups
	return nil
}

// contrastRow returns the differences of the classifiers' means in a group from those in base.
// An entry counts the failed fits of both groups, and is bold if its interval excludes 0, unless
// the table has no bold type.
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

// contrastCaption explains a table of contrasts.
func (t *Table) contrastCaption() string {
	draws := "The levels have independent draws."
	if t.paired {
		draws = "Levels on the same draws or folds are compared on these pairs."
	}
	interval := "Student's t"
	if slices.ContainsFunc(t.cells(), func(c records.Cell) bool { return t.view.Sampling[c.ID].OneSet }) {
		interval = "corrected resampled t"
	}
	text := fmt.Sprintf("mean difference between two levels of %s, with its %.3g%% confidence interval (%s, each for "+
		"itself), over %s. %s %s", t.view.FactorLabel(t.contrast), 100*(1-t.view.Alpha), interval, t.resultWords(),
		draws, t.Bold)
	return strings.TrimSpace(text)
}
