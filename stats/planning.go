package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ReplicatesFor returns how many replicates bring the Monte-Carlo standard error
// of a mean down to mcse when one replicate has standard deviation sd (Koehler,
// Brown and Haneuse 2009): the least R with sd / sqrt(R) <= mcse.
func ReplicatesFor(sd, mcse float64) (int, error) {
	if !(mcse > 0) || !(sd >= 0) || math.IsInf(sd, 1) {
		return 0, fmt.Errorf("replicates for a standard error: sd %v must be finite and at least 0, "+
			"the standard error %v above 0", sd, mcse)
	}
	r := math.Ceil(sd * sd / (mcse * mcse) * (1 - 1e-12)) // so that rounding adds no replicate
	if r > math.MaxInt32 {
		return 0, fmt.Errorf("replicates for a standard error: %.3g would be needed for %v at a standard deviation of "+
			"%v", r, mcse, sd)
	}
	return max(int(r), 1), nil
}

// SDBound returns the upper confidence bound of the standard deviation of a normal sample of size n,
// by the chi-squared distribution on n-1 degrees of freedom. Planning from a pilot should use it.
func SDBound(sd float64, n int, level float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	df := float64(n - 1)
	return sd * math.Sqrt(df/distuv.ChiSquared{K: df}.Quantile(1-level))
}
