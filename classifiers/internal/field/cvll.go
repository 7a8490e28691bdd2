package field

import (
	"math"

	"copse/stats/vecmath"
)

// families contains several candidate sets of parents for one node. The common parents belong to
// all sets, and each set may contain one more parent. The n rows are sorted by the variable y,
// normally the node.
//
// Columns are padded with the constant far, at which all kernels are 0. The padded length is a
// multiple of vecmath.BumpRows.
type families struct {
	n       int
	y       []float64 // ascending
	x       []float64 // columns of the common parents, one after another, in the row order of y
	common  int       // number of common parents
	parents int       // number of parents of each family, including its additional parent

	list []family
	tile *vecmath.BumpTile // scratch
}

// A family is one candidate set of parents.
type family struct {
	extra       int             // the additional parent, or noParent
	extraValues []float64       // column of this parent; zeros for noParent
	kernelSums  [2][2][]float64 // kernelSums[l][k][i]: sum of row i for bandwidths (h1[k], h2[l])
	scores      [2][2]float64   // scores[k][l] is the score of bandwidths (h1[k], h2[l])
	search      search
	bestSums    []float64 // the kernel sums for the best bandwidths so far, by row
	lanes       vecmath.BumpLanes
}

// atOnce is the largest number of families that are evaluated together. Their sums for 500 rows fit
// in the L2 cache.
const atOnce = 32

// far is the value that pads columns. Its square is still finite.
const far = 1e150

// padded returns n rounded up to a multiple of vecmath.BumpRows.
func padded(n int) int { return vecmath.RoundedUp(n, vecmath.BumpRows) }

// newFamilies allocates memory for the given number of families, each with n rows.
func newFamilies(n, count int) families {
	f := families{n: n, y: make([]float64, padded(n)), list: make([]family, count), tile: new(vecmath.BumpTile)}
	for c := range f.list {
		f.list[c].extraValues, f.list[c].bestSums = make([]float64, padded(n)), make([]float64, padded(n))
		for l := range f.list[c].kernelSums {
			for k := range f.list[c].kernelSums[l] {
				f.list[c].kernelSums[l][k] = make([]float64, padded(n))
			}
		}
	}
	return f
}

// load sets f.y to columns[variable] and f.x to the columns of the common parents, with the rows in
// the given order. In this order, f.y must be ascending.
func (f *families) load(columns [][]float64, order []int, variable int, common []int) {
	size := len(f.y)
	fill(f.y, columns[variable], order)
	f.common = len(common)
	if len(f.x) < size*len(common) {
		f.x = make([]float64, size*len(common))
	}
	for p, j := range common {
		fill(f.x[p*size:][:size], columns[j], order)
	}
}

func fill(column, values []float64, order []int) {
	for t, i := range order {
		column[t] = values[i]
	}
	for t := len(order); t < len(column); t++ {
		column[t] = far
	}
}

// A kernelY is the kernel max(0, 1 - p u^2) for |u| < h, otherwise 0, where u is the difference
// between two values of the node.
type kernelY struct{ h, p float64 }

// bump returns the Epanechnikov kernel with bandwidth h, without its constant factor.
func bump(h float64) kernelY { return kernelY{h, 1 / (h * h)} }

// zero is 0 everywhere.
var zero = kernelY{h: math.Inf(-1)}

// sumUp computes two kernel sums of each row i for each family c in group, and stores them in
// c.kernelSums[l]:
//
//	c.kernelSums[l][k][i] = sum_{j != i} B_k(y_i-y_j) max(0, 1 - |x_i-x_j|^2/h2^2),  k = 0, 1.
//
// B_k is kernels[k], and kernels[0] must not be wider than kernels[1]. The vector x contains the
// values of the family's parents: the common parents and c.extra.
//
// Let w be the number of rows j with a nonzero kernel B_1(y_i-y_j) for a row i. With F families and
// P common parents, sumUp takes O(n w (F + P)) time.
func (f *families) sumUp(kernels [2]kernelY, h2 float64, l int, group []*family) {
	clearSums(group, l)
	// The terms of (i,j) and (j,i) are equal, so each is computed once, for i < j. A tile contains
	// the pairs of BumpRows rows i with up to BumpColumns rows j.
	shapes := [2]float64{kernels[0].p, kernels[1].p} // within its bandwidth, a kernel is max(0, 1 - p u^2)
	narrowEnd, wideEnd := 0, 0
	for i := 0; i < f.n; i += vecmath.BumpRows {
		last := min(i+vecmath.BumpRows, f.n) - 1 // the tile contains the rows i, ..., last
		// The rows are sorted by y. So kernels[0] is 0 for j >= narrowEnd, and kernels[1] is 0 for j >=
		// wideEnd.
		narrowEnd = f.window(last, narrowEnd, kernels[0].h)
		wideEnd = f.window(last, wideEnd, kernels[1].h)
		for j := i; j < wideEnd; j += vecmath.BumpColumns {
			width := padded(min(wideEnd-j, vecmath.BumpColumns)) // number of rows j in the tile, with padding
			onlyWide := j >= narrowEnd                           // kernels[0] is 0 for all pairs of the tile
			// The families share both kernels of y, and the squared distances in the common
			// parents.
			f.tile.Set(f.y, f.x, len(f.y), f.common, i, j, width, shapes, onlyWide)
			for _, c := range group { // add each term to the sum of row j and, in c.lanes, to the sum of row i
				f.tile.Add(c.kernelSums[l], &c.lanes, c.extraValues, 1/(h2*h2))
			}
		}
		for _, c := range group { // add c.lanes to the sums of rows i, ..., last
			c.lanes.Fold(c.kernelSums[l], i)
		}
	}
}

// clearSums sets the sums for bandwidth h2[l] to 0.
func clearSums(group []*family, l int) {
	for _, c := range group {
		for _, sums := range c.kernelSums[l] {
			clear(sums)
		}
	}
}

// sumUpOne computes the sums of sumUp for a single kernel of y. It returns the sums of each family, by
// row. The next call overwrites them.
func (f *families) sumUpOne(kernel kernelY, h2 float64, group []*family) [][]float64 {
	f.sumUp([2]kernelY{zero, kernel}, h2, 0, group) // sumUp needs two kernels, the narrower first
	sums := make([][]float64, len(group))
	for m, c := range group {
		sums[m] = c.kernelSums[0][1][:f.n]
	}
	return sums
}

// sums returns the kernel sums for the bandwidths (h1[k], h2[l]), by row.
func (c *family) sums(k, l int) []float64 { return c.kernelSums[l][k] }

// window returns the index of the first row with y >= y_i + h, or f.n if there is no such row. The
// search begins at index end, which must be 0 or the result for an earlier row.
func (f *families) window(i, end int, h float64) int {
	for end < f.n && f.y[end]-f.y[i] < h {
		end++
	}
	return end
}

// setScores sets the scores of each family in group. scores[k][l] is the cross-validated
// log-likelihood (Eq. 9) of a node y with parents x for the bandwidths (h1[k], h2[l]) in g,
//
//	CVLL = 1/n sum_i log( 1/(n-1) sum_{j != i} K_h1(y_i-y_j) K_h2(x_i-x_j) ).
//
// The argument floor replaces smaller densities.
//
// To save time, setScores skips the larger h2 for families that certainly score better with the
// smaller h2. Their scores for the larger h2 become -Inf. withoutParents(h1) must return the kernel
// sums of the node alone.
func (f *families) setScores(g grid, floor float64, group []*family, withoutParents func(h1 float64) []float64) {
	f.setScoresFor(smaller, g, floor, group)
	var open []*family // families for which the larger h2 may be better
	for _, c := range group {
		if !f.smallerH2Wins(c, g, floor, withoutParents) {
			open = append(open, c)
			continue
		}
		for k := range g.h1 {
			c.scores[k][larger] = math.Inf(-1)
		}
	}
	f.setScoresFor(larger, g, floor, open)
}

// setScoresFor sets scores[0][l] and scores[1][l] of each family in group, the scores for h2[l].
func (f *families) setScoresFor(l int, g grid, floor float64, group []*family) {
	f.sumUp([2]kernelY{bump(g.h1[0]), bump(g.h1[1])}, g.h2[l], l, group)
	for _, c := range group {
		for k, h1 := range g.h1 {
			c.scores[k][l] = f.score(c.sums(k, l), h1, g.h2[l], floor)
		}
	}
}

// smallerH2Wins reports whether the smaller h2, whose scores must be known, certainly gives family c a
// better score than the larger h2. It overwrites the kernel sums for the larger h2.
func (f *families) smallerH2Wins(c *family, g grid, floor float64, withoutParents func(h1 float64) []float64) bool {
	best := max(c.scores[smaller][smaller], c.scores[larger][smaller])
	for _, k := range [...]int{larger, smaller} { // the larger h1 first, because its bound fails more often
		bound := f.scoreBound(c, k, g, floor, withoutParents(g.h1[k]))
		if bound+rounding > best {
			return false
		}
	}
	return true
}

// scoreBound returns an upper bound of the score of c for h1[k] and the larger h2. withoutParents
// contains the kernel sums of the node alone, for the same h1[k]. As in setScores, floor replaces
// smaller densities.
//
// Let |x| be the distance between the parents of two rows. For the larger h2, called L, and the smaller
// one, called S, the kernels satisfy
//
//	(1 - |x|^2/L^2)_+ <= r (1 - |x|^2/S^2)_+ + (1 - r),  r = (S/L)^2,
//
// where (z)_+ = max(0, z). Multiplying both sides by the kernel of the node and summing over rows
// gives upper bounds of the kernel sums for the larger h2, and therefore of the score.
func (f *families) scoreBound(c *family, k int, g grid, floor float64, withoutParents []float64) float64 {
	ratio := g.h2[smaller] / g.h2[larger]
	r := ratio * ratio
	known := c.sums(k, smaller)
	bounds := c.sums(k, larger) // overwritten with upper bounds
	for i, alone := range withoutParents {
		bounds[i] = r*known[i] + (1-r)*alone
	}
	return f.score(bounds, g.h1[k], g.h2[larger], floor)
}

// smallerH2Wins adds rounding to each bound. It is much larger than the rounding error of a score.
const rounding = 1e-9

// score returns the cross-validated log-likelihood (Eq. 9) for bandwidths h1 of the node and h2 of
// the parents. The kernel sums in sums lack the constant factors of the kernels, which are 0.75/h1
// for the node and 0.75/h2^m for m > 0 parents.
func (f *families) score(sums []float64, h1, h2, floor float64) float64 {
	n := float64(f.n)
	scale := 0.75 / h1 / (n - 1)
	if f.parents > 0 {
		scale *= 0.75 * math.Pow(h2, -float64(f.parents))
	}
	return sumLogs(sums[:f.n], scale, floor) / n
}
