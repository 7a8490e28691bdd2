package tree

import (
	"cmp"
	"math"
	"slices"

	"copse/classifiers/internal/columns"
)

// Two weights that differ by no more than 2^-39 of the largest, 2e-12, are equal
// but for the order in which their terms were summed.
const significantBits = 39

// leastInformation, in nats, is far above the rounding errors of mutual information.
const leastInformation = 0x1p-40

// quantise makes weights that are equal but for rounding equal, chains of such
// weights included, and all of them multiples of one power of two, so that sums
// and differences of up to 2^13 of them are exact. Those that are 0 but for
// rounding become 0; the order of the others is kept. Differences of up to least, 0 or a
// power of two, are rounding, too. NaN panics.
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
	for from := 0; from < len(order); {
		first, to := weights[order[from]], from+1
		for last := first; to < len(order) && weights[order[to]]-last <= quantum; to++ {
			last = weights[order[to]]
		}
		level := math.Round(first/quantum) * quantum
		if first <= quantum && weights[order[to-1]] >= -quantum {
			level = 0
		}
		for _, k := range order[from:to] {
			weights[k] = level
		}
		from = to
	}
}
