package tree

import (
	"cmp"
	"math"
	"slices"

	"copse/classifiers/internal/columns"
)

// significantBits is the number of bits that count: two weights that differ by at most 2^-39
// of the largest one, 2e-12, differ by rounding alone.
const significantBits = 39

// leastInformation, in nats, is far above the rounding errors of mutual information.
const leastInformation = 0x1p-40

// quantise makes weights equal that differ by rounding alone, directly or in a chain of such
// weights. All become multiples of one power of two, so that sums and differences of up to
// 2^13 of them are exact. Weights that are 0 but for rounding become 0. Differences of up to
// least, 0 or a power of two, also count as rounding. The order of other weights is kept. It
// panics on NaN.
func quantise(weights []float64, least float64) {
	largest := 0.0
	for _, w := range weights {
		if math.IsNaN(w) {
			panic("tree: an edge has no weight (NaN)")
		}
		largest = max(largest, math.Abs(w))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return
	}
	quantum := max(math.Ldexp(1, max(math.Ilogb(largest)-significantBits, -1022)), least)
	order := columns.Head(len(weights))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	for len(order) > 0 {
		chain := chainOf(order, weights, quantum)
		first, last := weights[chain[0]], weights[chain[len(chain)-1]]
		level := math.Round(first/quantum) * quantum
		if first <= quantum && last >= -quantum {
			level = 0
		}
		for _, k := range chain {
			weights[k] = level
		}
		order = order[len(chain):]
	}
}

// chainOf returns the longest head of order in which neighbouring weights, ascending, differ by
// at most quantum.
func chainOf(order []int, weights []float64, quantum float64) []int {
	end := 1
	for end < len(order) && weights[order[end]]-weights[order[end-1]] <= quantum {
		end++
	}
	return order[:end]
}
