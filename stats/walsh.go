package stats

import "math"

// sortedDifferences are n differences d in ascending order. Their n(n+1)/2 Walsh averages are
// (d_i+d_j)/2 with i <= j.
type sortedDifferences []float64

// averageCount returns the number of Walsh averages.
func (d sortedDifferences) averageCount() int { return len(d) * (len(d) + 1) / 2 }

// averagesUpTo returns the number of Walsh averages <= t, in O(n) time. The count is exact, because
// rounding preserves the order of averages.
func (d sortedDifferences) averagesUpTo(t float64) int {
	total := 0
	j := len(d) - 1
	for i := 0; i <= j; i++ {
		for j >= i && (d[i]+d[j])/2 > t {
			j--
		}
		total += j - i + 1
	}
	return total
}

// kthAverage returns the k-th smallest Walsh average, k = 1..n(n+1)/2. It finds the smallest
// float64 t with averagesUpTo(t) >= k by bisection over sort keys.
func (d sortedDifferences) kthAverage(k int) float64 {
	low, high := sortKey(d[0]), sortKey(d[len(d)-1])
	for low < high {
		mid := low + (high-low)/2
		if d.averagesUpTo(fromSortKey(mid)) >= k {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return fromSortKey(high) + 0 // -0 becomes 0
}

// fromSortKey is the inverse of sortKey.
func fromSortKey(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key ^ signBit)
	}
	return math.Float64frombits(^key)
}
