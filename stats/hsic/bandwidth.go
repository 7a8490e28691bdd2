package hsic

import (
	"math"
	"slices"
)

// degenerateBandwidth stands in for the median heuristic, in units of the range,
// when at least half of the distances are zero. dHSIC has it in the units of x.
const degenerateBandwidth = 0.001

// bandwidth returns the standard deviation b of the Gaussian kernel by the
// median heuristic: b^2 = M/2, M the upper median (element N/2, counted from 0,
// of the N = n(n-1)/2 in ascending order) of the squared distances. It is in
// the units of x.
//
// dHSIC takes the median over 1000 rows drawn at random when n > 1000; here it
// is exact for every n.
func bandwidth(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	if len(sorted) < 2 {
		return degenerateBandwidth
	}
	// The square is monotone, so the median is taken of the distances themselves.
	m := upperMedianDistance(sorted)
	if spread := sorted[len(sorted)-1] - sorted[0]; m == 0 && spread > 0 {
		return degenerateBandwidth * spread
	} else if m == 0 {
		return degenerateBandwidth
	}
	return m / math.Sqrt2
}

// upperMedianDistance returns the upper median of the n(n-1)/2 differences of
// ascending values: the smallest distance t that more than half of the pairs
// do not exceed. Non-negative floats are ordered like their bit patterns, so t
// is enclosed by bisection over these, in O(n) a count, until so few distances are
// left that they are sorted, or a single one, which many pairs may have.
func upperMedianDistance(sorted []float64) float64 {
	n := len(sorted)
	wanted := n*(n-1)/2/2 + 1
	low, high := uint64(0), math.Float64bits(sorted[n-1]-sorted[0])
	below, within := 0, n*(n-1)/2                              // pairs closer than low, and no further apart than high
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

// countWithin returns the number of pairs of ascending values whose distance
// is at most t.
func countWithin(sorted []float64, t float64) int {
	count, first := 0, 0
	for k, v := range sorted {
		for v-sorted[first] > t {
			first++
		}
		count += k - first
	}
	return count
}

// distancesBetween returns the distances of the pairs of ascending values that are
// at least low and at most high.
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
