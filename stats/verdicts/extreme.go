package verdicts

import (
	"math"
	"slices"
)

// An Extreme is what a comparison of a printed minimum or maximum needs: all
// losses of ours.
type Extreme struct {
	Largest bool // a maximum of the loss, else a minimum
	Ours    []float64
}

// Statistic names what is compared: mean, minimum or maximum of the losses.
func (c *Counterpart) Statistic() string {
	switch {
	case c.Extreme == nil:
		return "mean"
	case c.Extreme.Largest:
		return "maximum"
	}
	return "minimum"
}

// Measured is our side of the comparison: our mean, minimum or maximum.
func (c *Counterpart) Measured() float64 {
	if c.Extreme == nil {
		return c.Ours.Mean
	}
	return c.Extreme.of(c.Extreme.Ours)
}

func (e *Extreme) of(values []float64) float64 {
	switch {
	case len(values) == 0:
		return math.NaN()
	case e.Largest:
		return slices.Max(values)
	}
	return slices.Min(values)
}

// precedence is the two-sided p-value of the precedence test: if all R + N
// replicates are of one continuous distribution, the j smallest are all of our R
// with probability
//
//	P(J >= j) = prod_{i<j} (R-i) / (R+N-i),
//
// J being the number of ours below the minimum of the paper's N (Nelson 1963), and
// likewise above a maximum. What rounding hides counts for equality. The test
// takes replicates as independent.
func (e *Extreme) precedence(printed Reported) float64 {
	surely, perhaps := 0, 0 // of ours more extreme than the printed number
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

// beyond is P(J >= j) against n replicates of the paper.
func (e *Extreme) beyond(j, n int) float64 {
	p := 1.0
	for i := range j {
		p *= float64(len(e.Ours)-i) / float64(len(e.Ours)+n-i)
	}
	return p
}

// smallest is the least p-value that precedence can give against n replicates.
func (e *Extreme) smallest(n int) float64 { return min(1, 2*e.beyond(len(e.Ours), n)) }
