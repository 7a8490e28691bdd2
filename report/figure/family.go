package figure

import (
	"fmt"
	"slices"

	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// asks say what the kinds of figures that test anything test in a panel.
var asks = map[string]func(v *view.View, o Options, m *view.Measure, ids []string, panel view.Group) []view.Family{
	"cd":          askRanks,
	"wins":        askWins,
	"differences": askDifferences,
}

// Families are the hypotheses that a figure tests, named as shown.
func Families(v *view.View, o Options, shown string) ([]view.Family, error) {
	ask, tests := asks[o.Kind]
	if !tests {
		return nil, nil
	}
	if _, err := Draw(v, o); err != nil {
		return nil, err
	}
	v = v.Comparing(o.Family)
	cells, err := v.Where(o.Where)
	if err != nil {
		return nil, err
	}
	m, err := v.Measure(o.Metric, o.Scale, cells)
	if err != nil {
		return nil, err
	}
	columns, err := v.Columns(o.Columns)
	if err != nil {
		return nil, err
	}
	panels, err := v.Groups(cells, slices.Concat(o.Page, o.Panel))
	if err != nil {
		return nil, err
	}
	ids := v.Compared(&m, columns)
	var list []view.Family
	for _, panel := range panels {
		for _, f := range ask(v, o, &m, ids, panel) {
			f.Shown, f.Measure, f.Count = shown, m.Name, 1
			if f.Members == nil {
				f.Members = ids
			}
			list = append(list, f)
		}
	}
	return view.Gather(list), nil
}

// askRanks: all pairs over the cells of a panel.
func askRanks(v *view.View, o Options, m *view.Measure, ids []string, panel view.Group) []view.Family {
	blocks, _ := v.Blocks(panel.Cells, m, ids)
	if len(blocks) == 0 {
		return nil
	}
	cells := "cells of the panel"
	if len(panel.Factors) == 0 {
		cells = view.Plural(len(blocks), "cell", "cells")
	}
	cells += " that all of them run in, those on the same data taken as one, beside Friedman's test of all"
	f := view.Family{Each: "panel", Hypotheses: view.Pairs(len(ids))}
	if o.Cliques == "nemenyi" {
		f.Asked = fmt.Sprintf("Every pair is compared by Nemenyi's test of the average ranks over the %s.", cells)
		f.Level = fmt.Sprintf("family-wise level %s, of the test itself", view.Number(v.Alpha))
		return []view.Family{f}
	}
	f.Asked = fmt.Sprintf("Every pair is compared by a two-sided Wilcoxon signed-rank test on the means of the %s.", cells)
	f.Level = fmt.Sprintf("family-wise level %s, Holm", view.Number(v.Alpha))
	f.Needed = fmt.Sprintf("%d cells", stats.Tests[0].Needed(1, v.Alpha/float64(f.Hypotheses), stats.TwoSided))
	return []view.Family{f}
}

// askWins: for each rival all cells of a panel.
func askWins(v *view.View, o Options, _ *view.Measure, ids []string, panel view.Group) []view.Family {
	cells := view.Singles(panel.Cells)
	var list []view.Family
	for _, id := range ids {
		if n := verdicts.Shared(panel.Cells, o.Champion, id); id != o.Champion && n > 0 {
			list = append(list, view.Family{Each: "rival", Hypotheses: n, Level: fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(v.Alpha)),
				Asked: fmt.Sprintf("Whether %s has less loss than its rival is asked in each cell by a one-sided %s on paired %s.", v.Label(o.Champion), v.TestLabels(cells), v.Units(cells))})
		}
	}
	return list
}

// askDifferences: one interval for each comparison of a panel.
func askDifferences(v *view.View, o Options, _ *view.Measure, ids []string, panel view.Group) []view.Family {
	groups, pooled := []view.Group{panel}, v.Pool(&panel)
	ran := verdicts.Ran(&pooled, ids)
	if len(ran) < 2 || o.Champion != "" && !slices.Contains(ran, o.Champion) {
		return nil
	}
	f := view.Family{Each: "panel", Members: ran, Hypotheses: comparisonsOf(v, len(ran), o.Champion), Level: fmt.Sprintf("simultaneous %s %.3g%%, Bonferroni", simultaneousLevel(v, comparisonsOf(v, len(ran), o.Champion), o.Champion), 100*(1-v.Alpha))}
	first := "the method with the best mean of the panel"
	if o.Champion != "" {
		first = v.Label(o.Champion)
	}
	f.Asked = fmt.Sprintf("How far each other lies from %s is said by the %s on paired %s with its confidence interval.", first, v.Estimates(groups), v.Units(groups))
	return []view.Family{f}
}
