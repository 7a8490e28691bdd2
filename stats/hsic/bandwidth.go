package hsic

import (
	"math"
	"slices"
)

// degenerateBandwidth replaces the median heuristic if at least half of the distances are 0. It is in units
// of the range; in dHSIC it is in the units of x.
const degenerateBandwidth = 0.001

// bandwidth returns the standard deviation b of the Gaussian kernel by the median heuristic: b^2 = M/2,
// where M is the upper median of the N = n(n-1)/2 squared distances, element N/2 from 0 in ascending
// order. It is in the units of x.
//
// For n > 1000, dHSIC takes the median over 1000 random rows; here it is exact for every n.
func bandwidth(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	if len(sorted) < 2 {
		return degenerateBandwidth
	}
	// The squares of distances have the order of the distances, so M is the square of their median.
	m := upperMedianDistance(sorted)
	if spread := sorted[len(sorted)-1] - sorted[0]; m == 0 && spread > 0 {
		return degenerateBandwidth * spread
	} else if m == 0 {
		return degenerateBandwidth
	}
	return m / math.Sqrt2
}

// upperMedianDistance returns the upper median of the n(n-1)/2 distances of ascending values: the smallest
// distance t that more than half of the pairs do not exceed.
//
// Non-negative floats have the order of their bit patterns, so t is found by bisection over these; a count
// of pairs takes O(n). When few distances are left, they are sorted. Many pairs may have the same
// distance, so bisection also ends at a single one.
func upperMedianDistance(sorted []float64) float64 {
	n := len(sorted)
	wanted := n*(n-1)/2/2 + 1
	low, high := uint64(0), math.Float64bits(sorted[n-1]-sorted[0])
	below, within := 0, n*(n-1)/2                              // pairs closer than low, and not further than high
	middle := math.Float64bits((sorted[n-1] - sorted[0]) / 16) // most medians are larger
	for ; low < high && within-below > n/4; middle = low + (high-low)/2 {
		if count := countWithin(sorted, math.Float64frombits(middle)); count >= wanted {
			high, within = middle, count
		} else {
			low, below = middle+1, count
		}
	}
	if low == high {
		return math.Float64frombits(low)
	}
	distances := distancesBetween(sorted, math.Float64frombits(low), math.Float64frombits(high))
	slices.Sort(distances)
	return distances[wanted-below-1]
}

// countWithin returns the number of pairs of ascending values with a distance of at most t.
func countWithin(sorted []float64, t float64) int {
	count, first := 0, 0 // first: index of the smallest value within t of the current one
	for k, v := range sorted {
		for v-sorted[first] > t {
			first++
		}
		count += k - first
	}
	return count
}

// distancesBetween returns the distances from low to high of pairs of ascending values.
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
