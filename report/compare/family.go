package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// Families are the hypotheses of a comparison with printed numbers: differences and
// equivalences of them all, and which classifiers of a cell are best on either side.
func Families(o Options) []view.Family {
	printed := slices.DeleteFunc(slices.Clone(o.Pairs),
		func(p verdicts.Counterpart) bool { return math.IsNaN(p.Published.Mean) })
	if len(printed) == 0 {
		return nil
	}
	var measures []string
	for _, p := range printed {
		measures = view.AddNew(measures, p.Metric.Label)
	}
	one := view.Family{Shown: cmp.Or(sheet.SafeName(o.Name), "comparison") + " with " + o.Source,
		Measure: strings.Join(measures, " and "), Count: 1, Hypotheses: len(printed),
		Level: fmt.Sprintf("family-wise level %s, %s", view.Number(o.Test.Alpha), o.Test.Correction)}
	if o.Test.Correction == stats.Uncorrected {
		one.Level = fmt.Sprintf("each at level %s, uncorrected", view.Number(o.Test.Alpha))
	}
	differ, agree := one, one
	differ.Asked = "Whether ours differs from the printed number by more than its rounding is asked by Welch's test, " +
		"of a minimum or maximum by the precedence test."
	agree.Asked = fmt.Sprintf("Whether it lies within %s percentage points of the printed one is asked by two "+
		"one-sided Welch tests.", view.Number(o.Test.Margin*points))
	return view.Gather(append([]view.Family{differ, agree}, bestFamilies(one, printed, o.Test.Alpha)...))
}

// bestFamilies are those of the cells with several means: the best, ours and, where it
// prints standard deviations, the paper's, against each other one.
func bestFamilies(one view.Family, printed []verdicts.Counterpart, alpha float64) []view.Family {
	means := map[string]int{}   // by cell
	spread := map[string]bool{} // cells with a printed standard deviation
	var cells []string
	for _, p := range printed {
		if p.Extreme == nil {
			if means[p.Cell] == 0 {
				cells = append(cells, p.Cell)
			}
			means[p.Cell]++
			spread[p.Cell] = spread[p.Cell] || !math.IsNaN(p.Published.SD)
		}
	}
	var list []view.Family
	for _, cell := range cells {
		if means[cell] < 2 {
			continue
		}
		f := one
		f.Asked = "Which methods of a cell are compatible with its best is asked of ours and of the printed means by " +
			"Welch tests against the best."
		f.Each, f.Count, f.Hypotheses = "cell of either side", 2, means[cell]-1
		if !spread[cell] {
			f.Asked = "Which methods of a cell are compatible with its best is asked of ours by Welch tests against " +
				"the best, not of the printed means, which lack standard deviations."
			f.Each, f.Count = "cell", 1
		}
		f.Level = fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(alpha))
		list = append(list, f)
	}
	return list
}
