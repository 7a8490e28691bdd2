package verdicts

import (
	"math"
	"slices"
)

// An Extreme describes the comparison of a printed minimum or maximum.
type Extreme struct {
	Largest bool      // the maximum of the loss; else the minimum
	Ours    []float64 // all our losses
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

// Measured returns our mean, minimum or maximum; NaN without losses.
func (c *Counterpart) Measured() float64 {
	if c.Extreme == nil {
		return c.Ours.Mean
	}
	return c.Extreme.of(c.Extreme.Ours)
}

// of returns the extreme of values; NaN if there are none.
func (e *Extreme) of(values []float64) float64 {
	switch {
	case len(values) == 0:
		return math.NaN()
	case e.Largest:
		return slices.Max(values)
	}
	return slices.Min(values)
}

// precedence returns the two-sided p-value of the precedence test (Nelson 1963). J is the
// number of our R losses below the minimum of the paper's N, or above the maximum. If all
// R + N losses are independent and from one continuous distribution,
//
//	P(J >= j) = prod_{i<j} (R-i) / (R+N-i).
//
// Losses within the rounding of the printed number count in favour of equality.
func (e *Extreme) precedence(printed Reported) float64 {
	surely, perhaps := 0, 0 // bounds of J, given the rounding of the printed number
	for _, v := range e.Ours {
		beyond := printed.Mean - v
		if e.Largest {
			beyond = -beyond
		}
		if beyond > printed.Rounding {
			surely++
		}
		if beyond >= -printed.Rounding {
			perhaps++
		}
	}
	upper, lower := e.beyond(surely, printed.N), 1.0
	if perhaps < len(e.Ours) {
		lower = 1 - e.beyond(perhaps+1, printed.N)
	}
	return min(1, 2*min(upper, lower))
}

// beyond returns P(J >= j) against n replicates of the paper.
func (e *Extreme) beyond(j, n int) float64 {
	p := 1.0
	for i := range j {
		p *= float64(len(e.Ours)-i) / float64(len(e.Ours)+n-i)
	}
	return p
}

// smallest returns the least p-value that precedence can give against n replicates.
func (e *Extreme) smallest(n int) float64 { return min(1, 2*e.beyond(len(e.Ours), n)) }
