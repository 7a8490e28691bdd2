package spanning

import (
	"math"

	"copse/stats"
)

// significantBits is the number of significant bits of a weight. Differences up to 2^-39 (2e-12)
// times the largest weight are attributed to rounding.
const significantBits = 39

// leastInformation is the largest difference of mutual information, in nats, that is always
// attributed to rounding. It is well above the rounding errors.
const leastInformation = 0x1p-40

// With noLowerBound, the quantum of quantise has no lower bound. It suits weights whose rounding
// errors are proportional to the largest weight.
const noLowerBound = 0

// quantise makes weights equal if they differ by at most one quantum, directly or through weights in
// between. Other weights keep their order, except near 0.
//
// For example, a quantum of 1 divides the following weights into three groups:
//
//	-0.5  0.4 | 2.6  3.3  4.1 | 5.2  become  0  0 | 3  3  3 | 5.
//
// The new weights are integers times the quantum, and the integers are at most 2^40. A float64
// represents integers up to 2^53 exactly. So sums and differences of up to 2^13 weights are exact.
//
// The quantum is proportional to the largest absolute weight (see quantumOf), but at least
// lowerBound. lowerBound is a power of two, or noLowerBound, which has no effect. If a weight is
// infinite, all stay unchanged. quantise panics if a weight is NaN.
func quantise(weights []float64, lowerBound float64) {
	quantum := quantumOf(weights, lowerBound)
	if quantum == 0 {
		return
	}
	order := stats.Ascending(weights)
	for len(order) > 0 {
		chain := chainOf(order, weights, quantum) // the smallest weights that differ only by rounding
		first, last := weights[chain[0]], weights[chain[len(chain)-1]]
		level := math.Round(first/quantum) * quantum       // the new value of all weights in the chain
		isNearZero := first <= quantum && last >= -quantum // the chain overlaps [-quantum, quantum]
		if isNearZero {
			level = 0
		}
		for _, k := range chain {
			weights[k] = level
		}
		order = order[len(chain):]
	}
}

// quantumOf returns the largest difference of weights that counts as a rounding error. It returns 0
// if all weights are 0 or one is infinite. Otherwise, it returns 2^-39 times the largest absolute
// weight, rounded down to a power of two, but at least lowerBound.
func quantumOf(weights []float64, lowerBound float64) float64 {
	largest := 0.0
	for _, w := range weights {
		if math.IsNaN(w) {
			panic("spanning: the weight of an edge is NaN")
		}
		largest = max(largest, math.Abs(w))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return 0
	}
	const smallestExponent = -1022 // of normal numbers
	rounding := math.Ldexp(1, max(math.Ilogb(largest)-significantBits, smallestExponent))
	return max(rounding, lowerBound)
}

// chainOf returns the longest prefix of order in which successive weights differ by at most quantum.
// order lists indices of weights in ascending order of the weights.
func chainOf(order []int, weights []float64, quantum float64) []int {
	end := 1
	for end < len(order) && weights[order[end]]-weights[order[end-1]] <= quantum {
		end++
	}
	return order[:end]
}
