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

// Families returns the families of hypotheses of a comparison with printed numbers: that ours
// and the printed numbers differ, that they are equivalent, and which classifiers of a cell are
// best on either side.
func Families(o Options) []view.Family {
	isMissing := func(p verdicts.Counterpart) bool { return math.IsNaN(p.Published.Mean) }
	printed := slices.DeleteFunc(slices.Clone(o.Pairs), isMissing)
	if len(printed) == 0 {
		return nil
	}
	var measures []string
	for _, p := range printed {
		measures = view.AddNew(measures, p.Metric.Label)
	}
	common := view.Family{Shown: cmp.Or(sheet.SafeName(o.Name), "comparison") + " with " + o.Source,
		Measure: strings.Join(measures, " and "), Count: 1, Hypotheses: len(printed),
		Level: fmt.Sprintf("family-wise level %s, %s", view.Number(o.Test.Alpha), o.Test.Correction)}
	if o.Test.Correction == stats.Uncorrected {
		common.Level = fmt.Sprintf("each at level %s, uncorrected", view.Number(o.Test.Alpha))
	}
	differ, agree := common, common
	differ.Asked = "Welch's test asks whether ours differs from the printed number by more than its rounding; the " +
		"precedence test asks it of a minimum or maximum."
	agree.Asked = fmt.Sprintf("Two one-sided Welch tests ask whether ours lies within %s percentage points of the "+
		"printed number.", view.Number(o.Test.Margin*points))
	return view.Gather(append([]view.Family{differ, agree}, bestFamilies(common, printed, o.Test.Alpha)...))
}

// cellMeans are the printed means of a cell.
type cellMeans struct {
	count int
	hasSD bool // any of them has a printed standard deviation
}

// bestFamilies returns the families of the cells with several printed means: the best against
// each other one, ours and, if there are standard deviations, the paper's. common has what all
// families of the comparison share.
func bestFamilies(common view.Family, printed []verdicts.Counterpart, alpha float64) []view.Family {
	means := map[string]cellMeans{}
	var cells []string // in order of first appearance
	for _, p := range printed {
		if p.Extreme != nil {
			continue // not a mean
		}
		cells = view.AddNew(cells, p.Cell)
		m := means[p.Cell]
		m.count++
		m.hasSD = m.hasSD || !math.IsNaN(p.Published.SD)
		means[p.Cell] = m
	}
	var list []view.Family
	for _, cell := range cells {
		if means[cell].count < 2 {
			continue // nothing to compare with the best
		}
		f := common
		f.Hypotheses = means[cell].count - 1
		f.Level = fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(alpha))
		if means[cell].hasSD {
			f.Each, f.Count = "cell of either side", 2
			f.Asked = "Welch tests against the best of a cell ask which methods are compatible with it, of ours and " +
				"of the printed means."
		} else {
			f.Each, f.Count = "cell", 1
			f.Asked = "Welch tests against the best of a cell ask which methods are compatible with it, of ours but " +
				"not of the printed means, which lack standard deviations."
		}
		list = append(list, f)
	}
	return list
}
