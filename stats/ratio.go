package stats

import "math"

// A Ratio is the ratio of two means with its confidence limits.
type Ratio struct{ Estimate, Low, High float64 }

// NewRatio returns the ratio a/b of two independent means with Fieller's confidence limits (1954).
// The argument critical is a number of standard errors, such as 1.96.
//
// If b differs from 0 by no more than this number of standard errors, the limits form no interval,
// and NewRatio returns false.
func NewRatio(a, b Summary, critical float64) (Ratio, bool) {
	va, vb := math.Pow(critical*a.MCSE, 2), math.Pow(critical*b.MCSE, 2)
	quadratic := b.Mean*b.Mean - vb
	if !(quadratic > 0) {
		return Ratio{}, false
	}
	middle := a.Mean * b.Mean
	root := math.Sqrt(middle*middle - quadratic*(a.Mean*a.Mean-va))
	return Ratio{a.Mean / b.Mean, (middle - root) / quadratic, (middle + root) / quadratic}, true
}
