// Package datasettest helps tests to compare samples and to draw folds.
package datasettest

import (
	"fmt"
	"strings"

	"copse/stats/dataset"
)

// Show returns the attributes, classes and rows of a sample as text. All missing values look the same.
func Show(s *dataset.Set) string {
	var b strings.Builder
	for _, a := range s.Attributes {
		fmt.Fprintf(&b, "%s:%d%q ", a.Name, a.Kind, a.Levels)
	}
	fmt.Fprintf(&b, "| %q |", s.Classes)
	for i, y := range s.Y {
		fmt.Fprintf(&b, " %v>%d", s.X.RawRowView(i), y)
	}
	return b.String()
}
