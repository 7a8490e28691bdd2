package hsic

import (
	"math"
	"slices"
)

// degenerateBandwidth is the bandwidth, as a share of the range of the values, if more than half of
// the distances between values are 0.
//
// The R package dHSIC uses the same number, but as the bandwidth itself, in the units of x.
const degenerateBandwidth = 0.001

// bandwidth returns the standard deviation b of the Gaussian kernel by the median heuristic, b^2 =
// M/2. M is the upper median of the n(n-1)/2 squared distances.
//
// If M is 0, b is a small share of the range of x. Unlike the R package dHSIC, it uses all rows
// even if n > 1000.
func bandwidth(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	if len(sorted) < 2 {
		return degenerateBandwidth
	}
	// M is the square of the upper median of the distances
	median := upperMedianDistance(sorted)
	spread := sorted[len(sorted)-1] - sorted[0]
	switch {
	case median > 0:
		return median / math.Sqrt2
	case spread > 0:
		return degenerateBandwidth * spread
	}
	return degenerateBandwidth // x is constant
}

// upperMedianDistance returns the upper median of the distances between all pairs of sorted values.
// It is the smallest t such that more than half of the pairs are at most t apart.
func upperMedianDistance(sorted []float64) float64 {
	rank := pairsOf(len(sorted))/2 + 1 // rank of t among the distances, from 1
	low, high, below := bracket(sorted, rank)
	if low == high {
		return low
	}
	distances := distancesBetween(sorted, low, high)
	slices.Sort(distances)
	return distances[rank-below-1] // distances[0] has the rank below+1
}

func pairsOf(n int) int { return n * (n - 1) / 2 }

// bracket returns an interval [low, high] that contains the distance t with the given rank, from 1,
// among the distances between all pairs of the ascending values. below is the number of distances
// smaller than low.
//
// The interval contains at most len(sorted)/4 distances, or low equals high.
func bracket(sorted []float64, rank int) (low, high float64, below int) {
	n := len(sorted)
	spread := sorted[n-1] - sorted[0]
	few := n / 4 // sorting so few is faster than bisection
	// Bisect bit patterns. Floats >= 0 have the same order as their bit patterns, so lowBits+1 is
	// the next float above low.
	lowBits, highBits := uint64(0), math.Float64bits(spread)
	upToHigh := pairsOf(n)                  // number of distances that are at most high
	middle := math.Float64bits(spread / 16) // first trial value; most medians are larger
	for lowBits < highBits && upToHigh-below > few {
		count := countWithin(sorted, math.Float64frombits(middle))
		if count >= rank { // t is at most middle
			highBits, upToHigh = middle, count
		} else { // t is larger than middle
			lowBits, below = middle+1, count
		}
		middle = lowBits + (highBits-lowBits)/2
	}
	return math.Float64frombits(lowBits), math.Float64frombits(highBits), below
}

// countWithin returns the number of distances that are at most t.
func countWithin(sorted []float64, t float64) int {
	count, first := 0, 0 // sorted[first] is the smallest value within t of v
	for k, v := range sorted {
		for v-sorted[first] > t {
			first++
		}
		count += k - first
	}
	return count
}

// distancesBetween returns all distances in [low, high] between two of the ascending values.
func distancesBetween(sorted []float64, low, high float64) []float64 {
	var distances []float64
	first := 0
	for k, v := range sorted {
		for v-sorted[first] > high {
			first++
		}
		for _, u := range sorted[first:k] {
			if v-u < low {
				break
			}
			distances = append(distances, v-u)
		}
	}
	return distances
}
