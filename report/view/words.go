package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Labels lists classifiers as readers see them.
func (v *View) Labels(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = v.Label(id)
	}
	return strings.Join(names, ", ")
}

// Capital writes the first letter large.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Number writes v with the digits it has, but for what its binary form adds to them.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// Caption joins the study's own sentences, the generated ones and a remark.
func Caption(own, generated, remark string) string {
	if own != "" && !strings.ContainsAny(own[len(own)-1:], ".!?:") {
		own += "."
	}
	return strings.Join(strings.Fields(own+" "+generated+" "+remark), " ")
}

// Pooling says in which factors the cells of one group differ; empty when every
// group is one cell.
func (v *View) Pooling(what string, groups []Group) string {
	most := 0
	var hidden []string
	for _, g := range groups {
		most = max(most, len(g.Cells))
		for _, name := range v.Varying(g.Cells) {
			if label := v.FactorLabel(name); !slices.Contains(hidden, label) {
				hidden = append(hidden, label)
			}
		}
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf("%s pools up to %d cells of the design, which differ in: %s.", what, most, strings.Join(hidden, ", "))
}

// Plural counts: "1 cell", "3 cells".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
