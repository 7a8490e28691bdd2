package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ReplicatesFor returns the smallest number R >= 1 of replicates with sd / sqrt(R) <= mcse
// (Koehler, Brown and Haneuse 2009). sd is the standard deviation between replicates. mcse is the
// wanted Monte-Carlo standard error of a mean.
func ReplicatesFor(sd, mcse float64) (int, error) {
	if !(sd >= 0) || math.IsInf(sd, 1) {
		return 0, fmt.Errorf("number of replicates: the standard deviation between replicates is %v; "+
			"it must be finite and at least 0", sd)
	}
	if !(mcse > 0) {
		return 0, fmt.Errorf("number of replicates: the desired standard error is %v; it must be above 0", mcse)
	}
	r := math.Ceil(sd * sd / (mcse * mcse) * (1 - 1e-12)) // 1e-12: rounding must not add a replicate
	if r > math.MaxInt32 {
		return 0, fmt.Errorf("number of replicates: a standard deviation of %v requires %.3g replicates for a "+
			"standard error of %v; choose a larger standard error", sd, r, mcse)
	}
	return max(int(r), 1), nil
}

// SDBound returns an upper confidence bound for the standard deviation of a normal distribution. sd is the
// standard deviation of a sample of size n. The bound is NaN if n < 2.
func SDBound(sd float64, n int, level float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	df := float64(n - 1)
	return sd * math.Sqrt(df/distuv.ChiSquared{K: df}.Quantile(1-level))
}
