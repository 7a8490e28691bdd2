package stats

import "math"

// NemenyiResult contains the data for a critical-difference diagram based on Nemenyi's test.
type NemenyiResult struct {
	FriedmanResult
	CD     float64 // critical difference: two mean ranks differ significantly if they are CD or more apart
	Groups [][]int // the bars of the diagram, see cliques
}

// Nemenyi is Nemenyi's post-hoc test after Friedman's test (Demsar 2006, section 3.2.2).
// values[i][j] is the loss of classifier j in block i. For k classifiers and n blocks, the critical
// difference is
//
//	CD = q_{alpha,k} / sqrt(2) * sqrt(k(k+1) / (6n)).
//
// q is the upper alpha quantile of the studentised range of k normal variables.
func Nemenyi(values [][]float64, alpha float64) (NemenyiResult, error) {
	friedman, err := friedmanAt(alpha, "Nemenyi test", values)
	if err != nil {
		return NemenyiResult{}, err
	}
	k := len(friedman.MeanRanks)
	cd := rangeQuantile(1-alpha, k) / math.Sqrt2 * math.Sqrt(float64(k)*float64(k+1)/(6*float64(friedman.N)))
	return NemenyiResult{
		FriedmanResult: friedman,
		CD:             cd,
		Groups: cliques(friedman.MeanRanks, func(i, j int) bool {
			return math.Abs(friedman.MeanRanks[i]-friedman.MeanRanks[j]) < cd
		}),
	}, nil
}

// rangeCDF returns the probability that the range of k standard normal variables is at most q:
//
//	k int phi(z) [Phi(z) - Phi(z-q)]^(k-1) dz.
//
// The integral is over the value z of the largest variable.
func rangeCDF(q float64, k int) float64 {
	const bound, step = 9.0, 1.0 / 32 // phi(9) < 1e-17
	sum := 0.0
	// The trapezoidal rule converges fast, as the integrand is smooth and vanishes at both ends.
	for i := range int(2*bound/step) + 1 {
		z := -bound + float64(i)*step
		inside := (math.Erfc((z-q)/math.Sqrt2) - math.Erfc(z/math.Sqrt2)) / 2
		sum += math.Exp(-z*z/2) * math.Pow(inside, float64(k-1))
	}
	return min(float64(k)*sum*step/math.Sqrt(2*math.Pi), 1)
}

// rangeQuantile returns the p-quantile of rangeCDF, found by bisection to the last bit.
func rangeQuantile(p float64, k int) float64 {
	// If p is close to 1, rangeCDF may stay below p because of rounding. The search for the upper
	// end then stops at 64.
	low, high := 0.0, 1.0
	for rangeCDF(high, k) < p && high < 64 {
		low, high = high, 2*high
	}
	for {
		mid := (low + high) / 2
		if mid <= low || mid >= high { // no float64 lies between low and high
			return high
		}
		if rangeCDF(mid, k) < p {
			low = mid
		} else {
			high = mid
		}
	}
}
