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

// SDBound returns the upper confidence bound of a normal sample's standard
// deviation, by the chi-squared distribution on n-1 degrees of freedom: what
// planning from a pilot of n replicates should count with.
func SDBound(sd float64, n int, level float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	df := float64(n - 1)
	return sd * math.Sqrt(df/distuv.ChiSquared{K: df}.Quantile(1-level))
}

// ReplicatesForHalfWidth returns how many independent replicates give a mean a two-sided
// confidence interval with this half-width at most, when one replicate has standard
// deviation sd: the least R of at least 2 with t sd / sqrt(R) <= half, t being Student's
// quantile on R-1 degrees of freedom. It plans the width of an interval, not significance.
func ReplicatesForHalfWidth(sd, half, level float64) (int, error) {
	if !(half > 0) || !(sd >= 0) || math.IsInf(sd, 1) || !(level > 0 && level < 1) {
		return 0, fmt.Errorf("replicates for a half-width: sd %v must be finite and at least 0, the half-width %v "+
			"above 0, the level %v in (0,1)",
			sd, half, level)
	}
	wideEnough := func(r int) bool {
		t := distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Quantile(1 - (1-level)/2)
		return t*sd/math.Sqrt(float64(r)) <= half*(1+1e-12)
	}
	high := 2
	for !wideEnough(high) {
		if high > math.MaxInt32/2 {
			return 0, fmt.Errorf("replicates for a half-width: more than %d would be needed for %v at a standard "+
				"deviation of %v",
				math.MaxInt32/2, half, sd)
		}
		high *= 2
	}
	low := max(high/2, 2) // too few, or 2
	for low < high {
		middle := low + (high-low)/2
		if wideEnough(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return high, nil
}
