package stats

import (
	"fmt"
	"sort"
)

// A Correction bounds the probability of any false rejection in a family of tests.
type Correction int

const (
	Bonferroni  Correction = iota // every p-value times the size of the family
	Holm                          // Holm's step-down, never weaker than Bonferroni
	Uncorrected                   // each test at its own level: any of m false with chance up to m alpha
)

// String returns the name of the correction in captions.
func (c Correction) String() string {
	switch c {
	case Bonferroni:
		return "Bonferroni"
	case Holm:
		return "Holm"
	case Uncorrected:
		return "uncorrected"
	}
	return fmt.Sprintf("Correction(%d)", int(c))
}

// Adjust returns p-values adjusted for a family of the stated size, in the
// order given: reject at alpha where the adjusted value is <= alpha. It equals
// R's p.adjust(p, method, n = family). The family may be larger than len(p)
// when some of its tests could not be made, never smaller.
func (c Correction) Adjust(p []float64, family int) []float64 {
	if family < len(p) {
		panic(fmt.Sprintf("stats: %d p-values in a family of %d", len(p), family))
	}
	adjusted := make([]float64, len(p))
	switch c {
	case Bonferroni:
		for i, v := range p {
			adjusted[i] = min(1, v*float64(family))
		}
		return adjusted
	case Uncorrected:
		return append(adjusted[:0], p...)
	}
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p[order[a]] < p[order[b]] })
	largest := 0.0
	for step, i := range order {
		largest = max(largest, min(1, p[i]*float64(family-step)))
		adjusted[i] = largest
	}
	return adjusted
}
