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

// addContrasts adds rows of differences from the first level of the factor o.Contrast. Each group
// of cells at another level is compared with the group at the first level that agrees in all other
// factors. The rows have no tests. addContrasts returns an error if there is nothing to compare.
func (t *Table) addContrasts(o Options) error {
	factor := o.Contrast
	if o.Bold {
		t.Bold = "Bold: the interval excludes 0."
	}
	position := slices.Index(t.Factors, factor)
	if position < 0 {
		return view.ValueError("contrast", factor,
			"%q is not a factor of the rows; the row factors are %q",
			factor, t.Factors)
	}
	for i := range t.groups {
		if g := &t.groups[i]; t.view.HasOneTestSet(*g) {
			return view.ValueError("contrast", factor, "the replicates share one test set, so differences "+
				"have no interval%s", t.view.CellHint(&g.Cells[0]))
		}
	}
	others := slices.Delete(slices.Clone(t.Factors), position, position+1)
	t.Spread, t.contrastFactor = contrastSpread, factor
	first := map[records.Levels]*view.Group{} // group at the first level, by the levels of the other factors
	var compared []view.Group                 // groups at other levels
	for i := range t.groups {
		g := &t.groups[i]
		key := g.Levels.Restrict(others)
		if first[key] == nil { // groups are sorted, so g is at the first level that occurs with the other levels
			first[key] = g
			t.firstLevelGroups = append(t.firstLevelGroups, *g)
			continue
		}
		row := t.contrastRow(g, first[key])
		row.subtractedLevel = first[key].Levels.Of(factor)
		row.Labels[position] += " − " + t.view.LevelLabel(factor, row.subtractedLevel)
		t.Rows = append(t.Rows, row)
		compared = append(compared, *g)
	}
	if compared == nil {
		return view.ValueError("contrast", factor, "%q has only one level in these cells", factor)
	}
	t.groups = compared
	return nil
}

// contrastRow returns the difference of means between g and base for each classifier, with its confidence
// interval. Entries count the failed fits of both groups. In a table with bold type, an entry is bold if its
// interval excludes 0. contrastRow also records whether any difference is paired, for the caption.
func (t *Table) contrastRow(g, base *view.Group) Row {
	row := Row{Levels: g.Levels, Labels: rowLabels(t.view, t.Factors, g.Levels)}
	for _, id := range t.IDs {
		difference, paired := t.view.Contrast(g, base, &t.Measure, id)
		t.pairedContrasts = t.pairedContrasts || paired
		isExcluded := slices.Contains(append(t.view.ExcludedFrom(g), t.view.ExcludedFrom(base)...), id)
		entry := Entry{Summary: difference, Excluded: isExcluded, FirstShare: math.NaN()} // no best is resampled
		tried, failed := g.Attempts(id)
		baseTried, baseFailed := base.Attempts(id)
		entry.Tried, entry.Failed = tried+baseTried, failed+baseFailed
		entry.Undrawn = g.Undrawn(id) + base.Undrawn(id)
		entry.Low, entry.High = t.view.Interval(difference)
		t.lacksIntervals = t.lacksIntervals || entry.N > 0 && !isExcluded && math.IsNaN(entry.Low)
		excludesZero := entry.Low > 0 || entry.High < 0
		usesBold := t.Bold != "" // Bold is the caption's sentence about bold type
		entry.Bold = usesBold && excludesZero
		row.Entries = append(row.Entries, entry)
	}
	return row
}

// contrastCaption returns the caption of a table of contrasts without the metric's name: "mean difference
// between two levels of n, with its 95% confidence interval (Student's t, not simultaneous), over R = 50
// replicates per row. Levels with the same draws or folds are compared in pairs."
func (t *Table) contrastCaption() string {
	var results, notes string
	if t.pairedContrasts {
		results = t.resultWords()
		notes = "Levels with the same draws or folds are compared in pairs."
	} else {
		perLevel := t.view.Replication(t.allGroups(), &t.Measure, t.IDs)
		results = perLevel + " per level" + unitWords(t.Measure.Metric, perLevel)
		notes = "The levels are independent samples; an interval uses the smaller degrees of freedom of its two levels."
	}
	if t.lacksIntervals {
		notes += " An entry without an interval has one result, or results that do not vary."
	}
	interval := "Student's t"
	if slices.ContainsFunc(t.cells(), func(c records.Cell) bool { return t.view.Sampling[c.ID].OneDataSet }) {
		interval = "corrected resampled t"
	}
	text := fmt.Sprintf("mean difference between two levels of %s, with its %.3g%% confidence interval (%s, not "+
		"simultaneous), over %s. %s %s", t.view.FactorLabel(t.contrastFactor), 100*(1-t.view.Alpha), interval,
		results, notes, t.Bold)
	return strings.TrimSpace(text)
}
