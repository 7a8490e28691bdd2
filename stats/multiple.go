package stats

import (
	"fmt"
	"slices"
)

// A Correction adjusts the p-values of a family of tests for multiple testing.
type Correction int

const (
	Bonferroni  Correction = iota // multiplies every p-value by the number of tests
	Holm                          // Holm's step-down procedure, at least as powerful as Bonferroni
	Uncorrected                   // no adjustment: m tests make a false rejection with probability up to m alpha
)

// String returns the name of the correction for captions.
func (c Correction) String() string {
	return [...]string{Bonferroni: "Bonferroni", Holm: "Holm", Uncorrected: "uncorrected"}[c]
}

// Adjust returns the adjusted p-values, like R's p.adjust(p, method, n = family). The argument
// family is the number of tests. It may exceed len(p), because some tests may have no p-value.
func (c Correction) Adjust(p []float64, family int) []float64 {
	if family < len(p) {
		panic(fmt.Sprintf("stats: got %d p-values for a family of only %d tests", len(p), family))
	}
	adjusted := slices.Clone(p)
	switch c {
	case Bonferroni:
		for i, v := range p {
			adjusted[i] = min(1, v*float64(family))
		}
	case Holm: // for p_(1) <= p_(2) <= ..., the i-th is the largest min(1, (family+1-j) p_(j)) with j <= i
		largest := 0.0
		for step, i := range Ascending(p) {
			largest = max(largest, min(1, p[i]*float64(family-step)))
			adjusted[i] = largest
		}
	}
	return adjusted
}
