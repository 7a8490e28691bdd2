package field

import (
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A family is one node with its parents, its n rows sorted by the node's value,
// so that the rows within h1 of a row are a window beside it. Columns go on for
// vecmath.BumpLanes elements or more that are far from all others: windows are
// filled up to whole vectors with rows whose kernel is 0.
type family struct {
	n int
	y []float64 // ascending
	x []float64 // parents' columns in the same order, one after the other

	parents int

	total []float64 // scratch: per row a sum
	joint []float64 // scratch: the sums of (h1[k], h2[l]) and row i at (2l+k)*stride+i
}

// far is what columns are filled up with; its square is finite.
const far = 1e150

func newFamily(n int) family {
	size := (n/vecmath.BumpLanes + 2) * vecmath.BumpLanes
	return family{n: n, y: make([]float64, size), total: make([]float64, size), joint: make([]float64, 4*size)}
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

// sums returns those of (h1[k], h2[l]) per row, valid until the next call of cvll.
func (f *family) sums(k, l int) []float64 { return f.joint[(2*l+k)*len(f.y):][:f.n] }

// window returns the end of the rows after i whose y is less than h away, moved up
// from the window of the row before and on to a whole number of vectors.
func (f *family) window(i, from int, h float64) (end, filled int) {
	end = max(from, i+1)
	for end < f.n && f.y[end]-f.y[i] < h {
		end++
	}
	return end, i + 1 + (end-i-1+vecmath.BumpLanes-1)/vecmath.BumpLanes*vecmath.BumpLanes
}

// sumUp computes, for each row i and each h1[k] of the grid with its h2[l],
//
//	joint[2l+k][i] = sum_{j != i} (1 - (y_i-y_j)^2/h1^2)_+ (1 - |x_i-x_j|^2/h2^2)_+,
//
// the sum of Eq. 9 without the kernels' constants. Pairs are visited once, i
// before j in the order of y, and only while y_j - y_i < h1[1]: O(n w p) for w rows
// in a window and p parents.
func (f *family) sumUp(g grid, l int) {
	stride, near, end, filled := len(f.y), 0, 0, 0
	joint := f.joint[2*l*stride:][:2*stride]
	clear(joint)
	b := vecmath.Bumps{
		P: [2]float64{1 / (g.h1[0] * g.h1[0]), 1 / (g.h1[1] * g.h1[1])},
		Q: 1 / (g.h2[l] * g.h2[l]),
	}
	for i := range f.n {
		near, _ = f.window(i, near, g.h1[0]*(1+rounding))
		end, filled = f.window(i, end, g.h1[1])
		first, second := b.Add(joint, f.y, f.x, stride, f.parents, i, near, filled)
		joint[i] += first
		joint[stride+i] += second
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
		f.total[i] += vecmath.AddBump(f.total, f.x, len(f.y), f.parents, i, filled, 1/(h*h))
	}
	return f.total[:f.n]
}

// cvll returns Eq. 9 for the four pairs of the grid,
//
//	CVLL = 1/n sum_i log( 1/(n-1) sum_{j != i} K_h1(y_i-y_j) K_h2(x_i-x_j) ),
//
// with every density raised to the floor; -Inf for those with h2[1] where they are
// known to be lower than the best.
func (f *family) cvll(g grid, floor float64, alone func(h1 float64) []float64) (scores [2][2]float64) {
	scores[0][1], scores[1][1] = math.Inf(-1), math.Inf(-1)
	for l := range 2 {
		if l == 1 && f.narrowIsBest(g, floor, max(scores[0][0], scores[1][0]), alone) {
			break
		}
		f.sumUp(g, l)
		for k := range 2 {
			scores[k][l] = f.score(f.sums(k, l), g.h1[k], g.h2[l], floor)
		}
	}
	return scores
}

// narrowIsBest reports whether best, the higher score of the pairs with h2[0], is
// above those with h2[1]. A kernel of the parents is at most
//
//	(1 - |x|^2/h2[1]^2)_+ <= r (1 - |x|^2/h2[0]^2)_+ + (1 - r),  r = (h2[0]/h2[1])^2,
//
// so that the sums with h2[0] and alone(h1), the sums of the node's kernels with all
// of the parents' at 1, bound those with h2[1].
func (f *family) narrowIsBest(g grid, floor, best float64, alone func(h1 float64) []float64) bool {
	r := g.h2[0] / g.h2[1]
	r *= r
	for k := 1; k >= 0; k-- { // the bound that is more often too high comes first
		bound, own := f.sums(k, 1), alone(g.h1[k])
		for i, sum := range f.sums(k, 0) {
			bound[i] = r*sum + (1-r)*own[i]
		}
		if f.score(bound, g.h1[k], g.h2[1], floor)+rounding > best {
			return false
		}
	}
	return true
}

// rounding is far more than two ways to sum up may differ by in a score.
const rounding = 1e-9

// score returns Eq. 9 for sums per row that sumUp gave for (h1, h2).
func (f *family) score(sums []float64, h1, h2, floor float64) float64 {
	n := float64(f.n)
	scale := 0.75 / h1 / (n - 1)
	if f.parents > 0 {
		scale *= 0.75 * math.Pow(h2, -float64(f.parents))
	}
	return sumLogs(sums, scale, floor) / n
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
