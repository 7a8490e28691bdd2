package compare

import (
	"fmt"
	"math"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// Families returns the families of hypotheses that a comparison tests: differences from the published
// numbers, equivalence with them, and the best classifiers in each cell.
func Families(o Options) []view.Family {
	isMissing := func(p verdicts.Counterpart) bool { return math.IsNaN(p.Published.Mean) }
	printed := view.Without(o.Pairs, isMissing)
	if len(printed) == 0 {
		return nil
	}
	var measures []string
	for _, p := range printed {
		measures = view.AddNew(measures, p.Metric.Label)
	}
	// common contains the fields that the families share. The first two have a hypothesis for each printed number.
	common := view.Family{ShownIn: Name + " with " + o.Source,
		Measure: strings.Join(measures, " and "), Count: 1, Hypotheses: len(printed),
		Level: fmt.Sprintf("family-wise level %s, %s", view.Number(o.Test.Alpha), o.Test.Correction)}
	if o.Test.Correction == stats.Uncorrected {
		common.Level = fmt.Sprintf("each at level %s, uncorrected", view.Number(o.Test.Alpha))
	}
	differ, agree := common, common
	differ.Compares = "Welch's test compares our number with the printed one and allows for its rounding; the " +
		"precedence test compares a minimum or maximum."
	agree.Compares = fmt.Sprintf("Two one-sided Welch tests show whether our number lies within %s percentage points "+
		"of the printed one.", view.Number(o.Test.Margin*points))
	// Gather merges the equal families of several cells and adds up their counts.
	return view.Gather(append([]view.Family{differ, agree}, bestFamilies(common, printed, o.Test.Alpha)...))
}

// cellMeans describes the published means of one cell.
type cellMeans struct {
	count int
	hasSD bool // some of the means have a printed standard deviation
}

// bestFamilies returns a family of hypotheses for each cell with several published means. The hypotheses
// compare the best classifier with each of the others. common contains the fields that all families share.
func bestFamilies(common view.Family, printed []verdicts.Counterpart, alpha float64) []view.Family {
	var list []view.Family
	cells, means := printedMeans(printed)
	for _, cell := range cells {
		if means[cell].count < 2 {
			continue // nothing to compare with the best
		}
		f := common
		f.Hypotheses = means[cell].count - 1
		f.Level = fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(alpha))
		f.Unit, f.Count = "cell", 1
		f.Compares = "Welch tests against the best method of a cell show which methods are compatible with it. They " +
			"test our means only, since the printed means lack standard deviations."
		if means[cell].hasSD {
			f.Unit, f.Count = "cell and set of means", 2 // one family for our means and one for the printed means
			f.Compares = "Welch tests against the best method of a cell show which methods are compatible with it, " +
				"among our means and among the printed means."
		}
		list = append(list, f)
	}
	return list
}

// printedMeans describes the published means of each cell. It returns the cells in the order of their
// first mean.
func printedMeans(printed []verdicts.Counterpart) (cells []string, means map[string]cellMeans) {
	means = map[string]cellMeans{}
	for _, p := range printed {
		if p.Extreme != nil {
			continue // the number is a minimum or maximum
		}
		cells = view.AddNew(cells, p.Cell)
		m := means[p.Cell]
		m.count++
		m.hasSD = m.hasSD || !math.IsNaN(p.Published.SD)
		means[p.Cell] = m
	}
	return cells, means
}
