package tree

import (
	"math"

	"copse/stats"
)

// significantBits is the number of significant bits of a weight. If two weights differ by at most 2^-39
// (2e-12) times the largest weight, the difference is attributed to rounding.
const significantBits = 39

// leastInformation is a difference between values of mutual information, in nats, that is well above their
// rounding errors. Differences up to leastInformation are attributed to rounding.
const leastInformation = 0x1p-40

// onlyRelative is 0, for the argument least of quantise. This argument is a lower bound on the quantum, the
// largest difference that counts as rounding. Without a lower bound, the quantum depends only on the largest
// weight. This suits weights whose rounding errors are proportional to the largest weight.
const onlyRelative = 0

// quantise makes weights equal if they differ only by rounding. It attributes a difference of at most one
// quantum to rounding. The quantum depends on the largest weight and on the argument least (see quantumOf).
//
// quantise sorts the weights and divides them into chains, in which neighbouring weights differ by at most one
// quantum. All weights of a chain get the same value, the level of the chain. The level is 0 if a weight of the
// chain is within one quantum of 0. Otherwise it is the first weight of the chain, rounded to a multiple of the
// quantum. If the quantum is 1, for example,
//
//	-0.5  0.4 | 2.6  3.3  4.1 | 5.2  become  0  0 | 3  3  3 | 5.
//
// The levels of different chains differ and keep their order, unless both are 0. A level needs at most 40 of
// the 53 bits of a float64, so sums and differences of up to 2^13 weights are exact. If a weight is infinite,
// all weights stay unchanged. quantise panics on NaN.
func quantise(weights []float64, least float64) {
	quantum := quantumOf(weights, least)
	if quantum == 0 {
		return
	}
	order := stats.Ascending(weights)
	for len(order) > 0 {
		chain := chainOf(order, weights, quantum) // the smallest weights that differ only by rounding
		first, last := weights[chain[0]], weights[chain[len(chain)-1]]
		level := math.Round(first/quantum) * quantum   // the new value of all weights in the chain
		isZero := first <= quantum && last >= -quantum // the chain overlaps [-quantum, quantum]
		if isZero {
			level = 0
		}
		for _, k := range chain {
			weights[k] = level
		}
		order = order[len(chain):]
	}
}

// quantumOf returns the largest difference of weights that counts as rounding. It is 2^-39 times the largest
// absolute weight, rounded down to a power of two, but at least the argument least. If rounding errors do not
// depend on the largest weight, least must be a bound of these errors, and a power of two. Otherwise it is
// onlyRelative. quantumOf returns 0 if the weights must stay unchanged: if all are 0 or one is infinite.
func quantumOf(weights []float64, least float64) float64 {
	largest := 0.0
	for _, w := range weights {
		if math.IsNaN(w) {
			panic("tree: the weight of an edge is NaN")
		}
		largest = max(largest, math.Abs(w))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return 0
	}
	const smallestExponent = -1022 // of normal numbers
	rounding := math.Ldexp(1, max(math.Ilogb(largest)-significantBits, smallestExponent))
	return max(rounding, least)
}

// chainOf returns the first elements of order, up to the first gap of more than one quantum between the weights of
// two neighbours. The elements of order are indices of weights, sorted by weight in ascending order.
func chainOf(order []int, weights []float64, quantum float64) []int {
	end := 1
	for end < len(order) && weights[order[end]]-weights[order[end-1]] <= quantum {
		end++
	}
	return order[:end]
}
