package hsic

import (
	"math"
	"slices"
)

// degenerateBandwidth replaces the bandwidth if more than half of the distances are 0. It is a
// share of the range of the values. The R package dHSIC uses the same number in the units of x.
const degenerateBandwidth = 0.001

// bandwidth returns the standard deviation b of the Gaussian kernel by the median heuristic, b^2 =
// M/2. M is the upper median of the n(n-1)/2 squared distances. If M is 0, b is a small share of
// the range of x. Unlike the R package dHSIC, it uses all rows even if n > 1000.
func bandwidth(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	if len(sorted) < 2 {
		return degenerateBandwidth
	}
	// Squaring preserves the order of distances, so M is the square of their upper median.
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
	n := len(sorted)
	pairs := n * (n - 1) / 2
	wanted := pairs/2 + 1 // rank of t among the distances, counted from 1
	spread := sorted[n-1] - sorted[0]
	// Bisection narrows an interval [low, high] that contains t. low and high are bit patterns of
	// floats, which have the same order as the floats >= 0. So low + 1 is the next larger float.
	low, high := uint64(0), math.Float64bits(spread)
	below, within := 0, pairs               // numbers of pairs with a distance < low, and <= high
	middle := math.Float64bits(spread / 16) // first trial value; most medians are larger
	few := n / 4                            // sorting so few distances takes less time than more bisection
	for low < high && within-below > few {
		count := countWithin(sorted, math.Float64frombits(middle))
		if count >= wanted { // t is at most middle
			high, within = middle, count
		} else { // t is larger than middle
			low, below = middle+1, count
		}
		middle = low + (high-low)/2
	}
	if low == high {
		return math.Float64frombits(low)
	}
	// Few distances are left in the interval. Sort them to find the one with rank wanted.
	distances := distancesBetween(sorted, math.Float64frombits(low), math.Float64frombits(high))
	slices.Sort(distances)
	return distances[wanted-below-1] // below distances are smaller than low, so the first of these has rank below+1
}

// countWithin returns the number of pairs of values that are at most t apart. sorted contains the values
// in ascending order.
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

// distancesBetween returns the distances of pairs of ascending values that lie in [low, high].
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
