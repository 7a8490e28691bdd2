package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Families returns the families of hypotheses that a comparison tests: differences from the
// published numbers, equivalence to them, and differences from the best classifier of each cell.
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
	// common contains the fields that the following families share.
	common := view.Family{ShownIn: Name + " with " + o.Source,
		Measure: strings.Join(measures, " and "), Count: 1, Hypotheses: len(printed),
		Level: fmt.Sprintf("family-wise level %s, %s", view.Number(o.Test.Alpha), o.Test.Correction)}
	if o.Test.Correction == stats.Uncorrected {
		common.Level = fmt.Sprintf("each at level %s, uncorrected", view.Number(o.Test.Alpha))
	}
	differ, agree := common, common
	differ.Compares = "Welch's test compares our number with the printed one and allows for its rounding; a " +
		"precedence test compares minima and maxima instead."
	agree.Compares = fmt.Sprintf("Two one-sided Welch tests show whether our number lies within %s percentage points "+
		"of the printed one.", view.Number(o.Test.Margin*points))
	// Gather merges the equal families of several cells and adds up their counts.
	return view.Gather(append([]view.Family{differ, agree}, bestFamilies(common, printed, o.Test.Alpha)...))
}

// bestFamilies describes the tests of the best classifier against the others, in each cell with
// several published means. Our means and the published means form separate families.
func bestFamilies(common view.Family, printed []verdicts.Counterpart, alpha float64) []view.Family {
	var list []view.Family
	// Omit minima and maxima, which are not ranked. Also omit variants, which repeat the published
	// number of another classifier.
	means := view.Without(printed, func(p verdicts.Counterpart) bool { return p.Extreme != nil || p.Variant })
	for _, ofCell := range stats.Grouped(means, func(p verdicts.Counterpart) records.Levels { return p.Levels }) {
		if len(ofCell) < 2 {
			continue // nothing to compare with the best
		}
		f := common
		f.Hypotheses = len(ofCell) - 1
		f.Level = fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(alpha))
		hasSD := func(p verdicts.Counterpart) bool { return !math.IsNaN(p.Published.SD) }
		if !slices.ContainsFunc(ofCell, hasSD) { // the printed means of the cell cannot be tested
			f.Unit = "cell"
			f.Compares = "Welch tests against the best method of a cell show which methods are significantly worse. " +
				"They test our means only, since the printed means lack standard deviations."
		} else {
			f.Unit, f.Count = "cell and set of means", 2 // one family for our means and one for the printed means
			f.Compares = "Welch tests against the best method of a cell show which methods are significantly worse, " +
				"among our means and among the printed means."
		}
		list = append(list, f)
	}
	return list
}
