package stats

import "math"

// Ratio returns the ratio a/b of two independent means with Fieller's confidence interval (1954).
// The argument critical is a number of standard errors, such as 1.96. If b lies within so many
// standard errors of 0, the interval is unbounded, and Ratio returns an empty Shift and false. The
// field Level is always 0.
func Ratio(a, b Summary, critical float64) (ratio Shift, bounded bool) {
	va, vb := math.Pow(critical*a.MCSE, 2), math.Pow(critical*b.MCSE, 2)
	quadratic := b.Mean*b.Mean - vb
	if !(quadratic > 0) {
		return Shift{}, false
	}
	middle := a.Mean * b.Mean
	root := math.Sqrt(middle*middle - quadratic*(a.Mean*a.Mean-va))
	return Shift{Estimate: a.Mean / b.Mean, Low: (middle - root) / quadratic, High: (middle + root) / quadratic}, true
}
