package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
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
	label := func(p verdicts.Counterpart) string { return p.Metric.Label }
	measures := view.AddNew(nil, stats.Map(printed, label)...)
	base := view.Family{ShownIn: Name + " with " + o.Source, Measure: strings.Join(measures, " and "), Count: 1}

	differ := base
	differ.Hypotheses = len(printed)
	differ.Level = fmt.Sprintf("family-wise level %s, Holm", view.Number(o.Test.Alpha))
	differ.Compares = "Welch's test compares our number with the printed one and allows for its rounding; a " +
		"precedence test compares minima and maxima instead."

	agree := differ // with the same hypotheses and level
	agree.Compares = fmt.Sprintf("Two one-sided Welch tests show whether our number lies within %s percentage points "+
		"of the printed one.", view.Number(o.Test.Margin*points))

	assumesOurSD := func(p verdicts.Counterpart) bool { return p.AssumesOurSD() }
	if slices.ContainsFunc(printed, assumesOurSD) {
		differ.Compares += " Where the paper gives no standard deviation, a t test assumes ours for both means."
		agree.Compares += " Where the paper gives no standard deviation, these are t tests that assume ours for both " +
			"means."
	}

	families := append([]view.Family{differ, agree}, bestFamilies(base, printed, o.Test.Alpha)...)
	return view.Gather(families)
}

// bestFamilies describes the tests of the best classifier against the others, in each cell with several
// published means.
func bestFamilies(base view.Family, printed []verdicts.Counterpart, alpha float64) []view.Family {
	isUnranked := func(p verdicts.Counterpart) bool {
		isMinimumOrMaximum := p.Extreme != nil
		sharesNumber := p.Variant // another of our classifiers has the same published number and is ranked instead
		return isMinimumOrMaximum || sharesNumber
	}
	ranked := view.Without(printed, isUnranked)
	var list []view.Family
	for _, ofCell := range stats.Grouped(ranked, levelsOf) {
		if len(ofCell) < 2 {
			continue // nothing to compare with the best
		}
		f := base
		f.Hypotheses = len(ofCell) - 1
		f.Level = fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(alpha))
		f.Compares = "Welch tests against the best method of a cell show which methods are significantly worse"
		hasSD := func(p verdicts.Counterpart) bool { return !math.IsNaN(p.Published.SD) }
		if slices.ContainsFunc(ofCell, hasSD) {
			const setsOfMeans = 2 // our means and the printed means, each with its own family
			f.Count, f.Unit = setsOfMeans, "cell and set of means"
			f.Compares += ", among our means and among the printed means."
		} else {
			f.Unit = "cell"
			f.Compares += ". They test our means only, since the printed means lack standard deviations."
		}
		list = append(list, f)
	}
	return list
}
