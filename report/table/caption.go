package table

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
)

// captionOf says what the numbers are, over how many replicates, and what
// bold means.
func captionOf(v *view.View, t *Table, family []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: mean", view.Capital(t.Measure.Title()))
	switch t.Spread {
	case "sd":
		b.WriteString(" (standard deviation)")
	case "se":
		b.WriteString(" (Monte-Carlo standard error of the mean)")
	}
	fmt.Fprintf(&b, " over %s %s per row", t.replicates(), v.Units())
	if v.Unit == "task" {
		b.WriteString(", each the mean over its folds")
	}
	b.WriteString(".")
	if family != nil {
		b.WriteString(" " + BoldCaption(v, t.IDs, family, t.Measure.Flip))
	}
	if t.missing() {
		b.WriteString(" A dash marks a cell without any result.")
	}
	return b.String()
}

// BoldCaption states the test behind the bold face.
func BoldCaption(v *view.View, columns, family []string, flip bool) string {
	var b strings.Builder
	extreme := "smallest"
	if flip {
		extreme = "largest"
	}
	fmt.Fprintf(&b, "Bold: the classifier with the %s mean of the row and those not distinguishable from it by a two-sided Wilcoxon signed-rank test on paired %s, family-wise level %s, %s",
		extreme, v.Units(), view.Number(v.Alpha), v.Adjustment())
	switch n := len(family) - 1; {
	case n == 1:
		b.WriteString(" (one comparison per row)")
	case v.Correction == "holm":
		fmt.Fprintf(&b, " (%d comparisons per row)", n)
	default:
		fmt.Fprintf(&b, " (%d comparisons per row, each at %s/%d)", n, view.Number(v.Alpha), n)
	}
	if v.Exact {
		b.WriteString(", exact p-values")
	}
	b.WriteString(".")
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

func (t *Table) missing() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.N == 0 })
	})
}
