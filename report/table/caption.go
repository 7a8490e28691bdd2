package table

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// caption states the measure, the spread, the number of replicates and the meaning of bold
// type. A nil family means that nothing is tested.
func (t *Table) caption(family []string) string {
	v := t.view
	var b strings.Builder
	fmt.Fprintf(&b, "%s: mean", view.Capital(t.Measure.Title()))
	switch t.Spread {
	case "sd":
		b.WriteString(" (standard deviation)")
	case "se":
		fmt.Fprintf(&b, " (%s)", strings.Replace(v.Errors(t.groups), "errors", "error of the mean", 1))
	case "range":
		b.WriteString(" (smallest–largest)")
	}
	least, most := t.replicates()
	units := view.Replicated(least, most, v.Units(t.groups))
	if splits := v.Splits(t.groups); splits != "" && least == most {
		units += " " + splits
	}
	fmt.Fprintf(&b, " over %s per row", units)
	b.WriteString(unitWords(t.Measure.Metric, units))
	b.WriteString(".")
	if t.Measure.Metric.Needs == metrics.Clock {
		b.WriteString(" What several classifiers derive alike from the data is computed once and its time counts " +
			"for each of them; results of earlier versions of copse count it for the first alone.")
	}
	if family != nil {
		t.Bold = BoldCaption(v, t.groups, t.IDs, family, t.Measure.LargerIsBetter())
		b.WriteString(" " + t.Bold)
	}
	if t.missing() {
		b.WriteString(" A dash marks a cell without any result.")
	}
	return b.String()
}

// unitWords explains how a result is computed from its folds; "" if it has none.
func unitWords(m *metrics.Metric, units string) string {
	// Other metrics of counts are computed from the summed counts of all folds.
	added := m.Needs == metrics.Counts && !slices.Contains([]string{"error", "accuracy", "ber"}, m.Name)
	switch task := strings.Contains(units, "task"); {
	case task && added:
		return ", a task being the folds of one problem, whose counts are added"
	case task:
		return ", a task being the mean over the folds of one problem"
	case added && strings.Contains(units, "data set"):
		return ", the counts of whose folds are added"
	}
	return ""
}

// BoldCaption states the test behind bold type, its units, its level and its family. Columns
// outside the family are named as references; higher means that larger values are better.
func BoldCaption(v *view.View, groups []view.Group, columns, family []string, higher bool) string {
	var b strings.Builder
	extreme := "smallest"
	if higher {
		extreme = "largest"
	}
	_, most := v.Sizes(groups, family, v.Champion)
	words := testWords(v, groups, most)
	if v.Champion != "" {
		fmt.Fprintf(&b, "Bold: %s, named by the study, and those that it is not shown to be better than by %s, ",
			v.Label(v.Champion), words)
	} else {
		fmt.Fprintf(&b, "Bold: the classifier with the %s mean of the row and those not shown to be worse by %s, ",
			extreme, words)
	}
	b.WriteString(correctionWords(v, groups, family))
	b.WriteString(".")
	fmt.Fprintf(&b, " Tested: %s.", testedQuantity(v, groups, most))
	var outside []string
	for _, id := range columns {
		if !slices.Contains(family, id) {
			outside = append(outside, v.Label(id))
		}
	}
	if len(outside) > 0 {
		fmt.Fprintf(&b, " Family: %s; outside it, for reference: %s.", v.Labels(family), strings.Join(outside, ", "))
	}
	return b.String()
}

// testedQuantity names the estimate that the test of up to k classifiers concerns. For a
// rank test it adds that this is not the printed mean.
func testedQuantity(v *view.View, groups []view.Group, k int) string {
	estimate := v.Estimates(groups)
	onRows := slices.ContainsFunc(groups, func(g view.Group) bool { return v.FixedTest(&g) })
	if v.Joint(k) && !onRows {
		estimate = "mean difference"
	}
	if onRows || estimate == "mean difference" {
		return "the " + estimate
	}
	return fmt.Sprintf("the %s, not the mean", estimate)
}

// missing reports whether an entry has no result and is not set aside.
func (t *Table) missing() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Entries, func(c Entry) bool { return c.N == 0 && !c.Aside })
	})
}

// correctionWords describes the level, the correction and the number of comparisons that
// share it, which depends on the classifiers that run in a row.
func correctionWords(v *view.View, groups []view.Group, family []string) string {
	low, high := v.Sizes(groups, family, v.Champion)
	fewest, most := v.Comparisons(low), v.Comparisons(high)
	count, each := fmt.Sprint(most), fmt.Sprintf("each at %s/%d", view.Number(v.Alpha), most)
	if fewest < most {
		count, each = fmt.Sprintf("%d to %d", fewest, most), fmt.Sprintf("each at %s over the row's number",
			view.Number(v.Alpha))
	}
	level := fmt.Sprintf("%s %s, %s", familyWise(v, most), view.Number(v.Alpha), v.Adjustment())
	switch {
	case v.Joint(high):
		return fmt.Sprintf("family-wise level %s over all pairs (%s per row)", view.Number(v.Alpha), count)
	case v.Adjustment() == stats.Uncorrected && most == 1:
		return fmt.Sprintf("each of 1 comparison per row at level %s, uncorrected", view.Number(v.Alpha))
	case v.Adjustment() == stats.Uncorrected:
		return fmt.Sprintf("each of %s comparisons per row at level %s, uncorrected", count, view.Number(v.Alpha))
	case most == 1:
		return level + " (one comparison per row)"
	case v.AllPairs():
		return fmt.Sprintf("%s over all pairs (%s per row, %s)", level, count, each)
	case v.Adjustment() == stats.Holm:
		return fmt.Sprintf("%s (%s comparisons per row)", level, count)
	}
	return fmt.Sprintf("%s (%s comparisons per row, %s)", level, count, each)
}
