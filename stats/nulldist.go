package stats

import (
	"math"
	"slices"
)

// flipCounts counts the subsets of mid-ranks by their sum. Element s of the result is the number of
// subsets with sum s/2. The counts are exact for fewer than 54 ranks.
func flipCounts(ranks []float64) []float64 {
	total := 0
	for _, r := range ranks {
		total += int(2 * r)
	}
	count := make([]float64, total+1)
	count[0] = 1
	largestSum := 0
	for _, r := range ranks {
		doubled := int(2 * r)
		largestSum += doubled
		// Adding r to a subset with sum (s - doubled)/2 gives a subset with sum s/2. As s descends,
		// count[s-doubled] does not include r yet.
		for s := largestSum; s >= doubled; s-- {
			count[s] += count[s-doubled]
		}
	}
	return count
}

// flipTails returns P(V <= v) and P(V >= v) for the signed-rank statistic V under the null
// hypothesis. ranks are the mid-ranks of the absolute differences.
func flipTails(ranks []float64, v float64) (lower, upper float64) {
	count, at := flipCounts(ranks), int(2*v)
	// Both sums begin with the smallest counts, which preserves precision.
	for _, n := range count[:at+1] {
		lower += n
	}
	for _, n := range slices.Backward(count[at:]) {
		upper += n
	}
	return math.Ldexp(lower, -len(ranks)), math.Ldexp(upper, -len(ranks))
}
