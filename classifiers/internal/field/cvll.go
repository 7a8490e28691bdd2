package field

import (
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A family is one node with its parents, its n rows sorted by the node's value,
// so that the rows within h1 of a row are a window beside it. Columns go on for
// vecmath.BumpLanes elements that are far from all others: windows are filled up
// to whole vectors with rows whose kernel is 0.
type family struct {
	n int
	y []float64 // ascending
	x []float64 // parents' columns in the same order, one after the other

	parents int

	dist  []float64 // scratch: squared parent distances of one window
	total []float64 // scratch: per row a sum
	joint []float64 // scratch: the sums of bandwidth pair k and row i at k*stride+i
}

// far is what columns are filled up with; its square is finite.
const far = 1e150

func newFamily(n int) family {
	size := n + vecmath.BumpLanes
	return family{n: n, y: make([]float64, size), dist: make([]float64, size), total: make([]float64, size), joint: make([]float64, 4*size)}
}

// fill sets a column to the values of a variable in the given order.
func fill(column, values []float64, order []int) {
	for t, i := range order {
		column[t] = values[i]
	}
	for t := len(order); t < len(column); t++ {
		column[t] = far
	}
}

// sums returns bandwidth pair k's per row, valid until the next call of cvll.
func (f *family) sums(k int) []float64 { return f.joint[k*len(f.y):][:f.n] }

// window returns the end of the rows after i whose y is less than h away, moved up
// from the window of the row before and on to a whole number of vectors.
func (f *family) window(i, from int, h float64) (end, filled int) {
	end = max(from, i+1)
	for end < f.n && f.y[end]-f.y[i] < h {
		end++
	}
	return end, i + 1 + (end-i-1+vecmath.BumpLanes-1)/vecmath.BumpLanes*vecmath.BumpLanes
}

// sumUp computes, for each row i and each (h1[k], h2[l]) of the grid,
//
//	joint[2k+l][i] = sum_{j != i} (1 - (y_i-y_j)^2/h1^2)_+ (1 - |x_i-x_j|^2/h2^2)_+,
//
// the sum of Eq. 9 without the kernels' constants. Pairs are visited once, i
// before j in the order of y, and only while y_j - y_i < h1[1]: O(n w p) for w rows
// in a window and p parents.
func (f *family) sumUp(g grid) {
	clear(f.joint)
	b := vecmath.Bumps{
		P: [2]float64{1 / (g.h1[0] * g.h1[0]), 1 / (g.h1[1] * g.h1[1])},
		Q: [2]float64{1 / (g.h2[0] * g.h2[0]), 1 / (g.h2[1] * g.h2[1])},
	}
	stride, end, filled := len(f.y), 0, 0
	for i := range f.n {
		end, filled = f.window(i, end, g.h1[1])
		b.At = f.y[i]
		b.Add(f.joint[i+1:], stride, f.y[i+1:filled], f.distances(i, filled))
		for k, total := range b.Totals {
			f.joint[k*stride+i] += total
		}
	}
}

// marginal returns, per row, sum_{j != i} (1 - |x_i-x_j|^2/h^2)_+, for a family
// whose y is its first parent: then only rows within h in y have a term. The
// result is valid until the next call.
func (f *family) marginal(h float64) []float64 {
	clear(f.total)
	end, filled := 0, 0
	for i := range f.n {
		end, filled = f.window(i, end, h)
		f.total[i] += vecmath.AddBump(f.total[i+1:filled], f.distances(i, filled), 1/(h*h))
	}
	return f.total[:f.n]
}

// distances returns |x_i-x_j|^2 for the rows j = i+1 .. end-1; zeros without parents.
func (f *family) distances(i, end int) []float64 {
	d := f.dist[:end-i-1]
	vecmath.Distances(d, f.x[min(i, len(f.x)):], len(f.y), f.parents)
	return d
}

// cvll returns Eq. 9 for the four pairs of the grid,
//
//	CVLL = 1/n sum_i log( 1/(n-1) sum_{j != i} K_h1(y_i-y_j) K_h2(x_i-x_j) ),
//
// with every density raised to the floor.
func (f *family) cvll(g grid, floor float64) (scores [2][2]float64) {
	f.sumUp(g)
	n := float64(f.n)
	for k := range 2 {
		for l := range 2 {
			scale := 0.75 / g.h1[k] / (n - 1)
			if f.parents > 0 {
				scale *= 0.75 * math.Pow(g.h2[l], -float64(f.parents))
			}
			s := sumLog{product: 1}
			for _, sum := range f.sums(2*k + l) {
				s.add(clip(scale*sum, floor))
			}
			scores[k][l] = s.value() / n
		}
	}
	return scores
}

// sortedOrder returns the row numbers in ascending order of y, stable.
func sortedOrder(y []float64) []int {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case y[a] < y[b]:
			return -1
		case y[a] > y[b]:
			return 1
		}
		return 0
	})
	return order
}
