package verdicts

import (
	"math"
	"slices"
)

// An Extreme contains the losses in our study that are compared with a minimum or maximum from a paper.
type Extreme struct {
	Largest bool      // the paper prints the largest loss, not the smallest
	Ours    []float64 // one per replicate
}

// Statistic returns the name of the compared statistic: mean, minimum or maximum.
func (c *Counterpart) Statistic() string {
	switch {
	case c.Extreme == nil:
		return "mean"
	case c.Extreme.Largest:
		return "maximum"
	}
	return "minimum"
}

// Measured returns our value of the statistic, or NaN if there are no losses.
func (c *Counterpart) Measured() float64 {
	e := c.Extreme
	switch {
	case e == nil:
		return c.Ours.Mean
	case len(e.Ours) == 0:
		return math.NaN()
	case e.Largest:
		return slices.Max(e.Ours)
	default:
		return slices.Min(e.Ours)
	}
}

// precedence returns the two-sided p-value of the precedence test (Nelson 1963). The test compares
// our R losses with the printed minimum or maximum of N losses.
//
// Let J be the number of our losses below the minimum, or above the maximum. Under the null
// hypothesis,
//
//	P(J >= j) = prod_{i<j} (R-i) / (R+N-i).
//
// Because the printed number is rounded, J lies between two numbers, least and most. Each tail uses
// the one with the larger p-value.
func (e *Extreme) precedence(printed Reported) float64 {
	least, most := e.countBeyond(printed)
	upperTail := e.atLeast(least, printed.N) // P(J >= least)
	lowerTail := 1.0                         // P(J <= most)
	if most < len(e.Ours) {
		lowerTail = 1 - e.atLeast(most+1, printed.N)
	}
	return min(1, 2*min(upperTail, lowerTail))
}

// leastP returns the smallest p-value that precedence can return for the minimum or maximum of n
// losses. It returns this value if all our losses lie beyond this extreme.
func (e *Extreme) leastP(n int) float64 { return min(1, 2*e.atLeast(len(e.Ours), n)) }

// countBeyond returns the smallest and the largest possible number of our losses beyond the
// published extreme. The exact extreme may differ from printed.Mean by up to printed.Rounding.
func (e *Extreme) countBeyond(printed Reported) (least, most int) {
	for _, v := range e.Ours {
		excess := printed.Mean - v // positive if v is below the printed minimum
		if e.Largest {
			excess = -excess // positive if v is above the printed maximum
		}
		if excess > printed.Rounding {
			least++
		}
		if excess >= -printed.Rounding {
			most++
		}
	}
	return least, most
}

// atLeast returns P(J >= j) under the null hypothesis of the precedence test. The paper prints the
// minimum or maximum of n losses. J is the number of our losses below this minimum, or above this
// maximum.
func (e *Extreme) atLeast(j, n int) float64 {
	p := 1.0
	for i := range j {
		p *= float64(len(e.Ours)-i) / float64(len(e.Ours)+n-i)
	}
	return p
}
