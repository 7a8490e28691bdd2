package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// tableCaption says what the numbers are, over how many replicates, and what
// bold means.
func (s *source) tableCaption(t *table, family []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: mean", capital(t.measure.title()))
	switch t.Spread {
	case "sd":
		b.WriteString(" (standard deviation)")
	case "se":
		b.WriteString(" (Monte-Carlo standard error of the mean)")
	}
	fmt.Fprintf(&b, " over %s %s per row", t.replicates(), s.units())
	if s.Unit == "task" {
		b.WriteString(", each the mean over its folds")
	}
	b.WriteString(".")
	if family != nil {
		b.WriteString(" " + s.boldCaption(t.IDs, family, t.measure.flip))
	}
	if t.missing() {
		b.WriteString(" A dash marks a cell without any result.")
	}
	return b.String()
}

// boldCaption states the test behind the bold face.
func (s *source) boldCaption(columns, family []string, flip bool) string {
	var b strings.Builder
	extreme := "smallest"
	if flip {
		extreme = "largest"
	}
	fmt.Fprintf(&b, "Bold: the classifier with the %s mean of the row and those not distinguishable from it by a two-sided Wilcoxon signed-rank test on paired %s, family-wise level %s, %s",
		extreme, s.units(), number(s.Alpha), s.correction())
	switch n := len(family) - 1; {
	case n == 1:
		b.WriteString(" (one comparison per row)")
	case s.Correction == "holm":
		fmt.Fprintf(&b, " (%d comparisons per row)", n)
	default:
		fmt.Fprintf(&b, " (%d comparisons per row, each at %s/%d)", n, number(s.Alpha), n)
	}
	if s.Exact {
		b.WriteString(", exact p-values")
	}
	b.WriteString(".")
	var outside []string
	for _, id := range columns {
		if !slices.Contains(family, id) {
			outside = append(outside, s.label(id))
		}
	}
	if len(outside) > 0 {
		fmt.Fprintf(&b, " Family: %s; outside it, for reference: %s.", s.labels(family), strings.Join(outside, ", "))
	}
	return b.String()
}

func (s *source) labels(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.label(id)
	}
	return strings.Join(names, ", ")
}

func (t *table) missing() bool {
	return slices.ContainsFunc(t.Rows, func(r tableRow) bool {
		return slices.ContainsFunc(r.Cells, func(c tableCell) bool { return c.N == 0 })
	})
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// caption joins the study's own sentences, the generated ones and a remark.
func caption(own, generated, remark string) string {
	if own != "" && !strings.ContainsAny(own[len(own)-1:], ".!?:") {
		own += "."
	}
	return strings.Join(strings.Fields(own+" "+generated+" "+remark), " ")
}
