// Package nearest finds nearest neighbours in Euclidean distance.
package nearest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The problem: given rows z_1..z_n and a point q in d dimensions, the k rows with
// the least |q-z_i|^2 = sum_j (q_j-z_ij)^2, equal distances in the order of the rows.
//
// All rows are first screened by a_i = |z_i|^2 - 2<q,z_i>, which is the squared
// distance less |q|^2 and costs one matrix-vector product. Rounding moves a_i by
// less than a margin m, so that only rows within 2m of the k-th least a_i can be
// among the k nearest; those few are compared by the sum itself. Both norms are
// taken about the columns' means, which keeps m small for data far from zero.

//
// In few dimensions a tree finds them without looking at most rows.

// An Index holds the rows. It is immutable.
type Index struct {
	n, d int
	tree *tree // nil where screening is faster; else the rest is not there

	x       *mat.Dense // n x d
	mean    []float64
	centred *mat.Dense // x less mean
	zz      []float64  // squared lengths of the centred rows
	maxZZ   float64
}

// treePays says whether the tree is faster than screening, by measurement of
// normal data: from 700 rows of 2 columns, 6,000 of 6, 50,000 of 10.
func treePays(n, d int) bool { return float64(n) >= 250*math.Exp2(0.75*float64(d)) }

// New copies the rows of x.
func New(x *mat.Dense) *Index {
	n, d := x.Dims()
	if treePays(n, d) {
		return &Index{n: n, d: d, tree: newTree(x)}
	}
	return newScreen(x)
}

func newScreen(x *mat.Dense) *Index {
	n, d := x.Dims()
	ix := &Index{n: n, d: d, x: mat.DenseCopyOf(x), mean: make([]float64, d), centred: mat.DenseCopyOf(x), zz: make([]float64, n)}
	for i := range n {
		floats.AddScaled(ix.mean, 1/float64(n), x.RawRowView(i))
	}
	for i := range n {
		row := ix.centred.RawRowView(i)
		floats.Sub(row, ix.mean)
		ix.zz[i] = floats.Dot(row, row)
	}
	ix.maxZZ = floats.Max(ix.zz)
	return ix
}

// A Neighbour is a row and its squared distance from the point.
type Neighbour struct {
	Row    int
	Square float64
}

func closer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(a.Square, b.Square), cmp.Compare(a.Row, b.Row))
}

// A Search finds the neighbours of one point after another. Searches of one
// Index may run at the same time.
type Search struct {
	ix     *Index
	k      int
	q, a   []float64 // the centred point, the screening values
	least  []float64 // the k least of them, ascending
	result []Neighbour
}

// Search prepares searches for k neighbours, 1 <= k <= n.
func (ix *Index) Search(k int) *Search {
	if k < 1 || k > ix.n {
		panic(fmt.Sprintf("nearest: %d neighbours of %d rows", k, ix.n))
	}
	if ix.tree != nil {
		return &Search{ix: ix, k: k}
	}
	return &Search{ix: ix, k: k, q: make([]float64, ix.d), a: make([]float64, ix.n), least: make([]float64, k)}
}

// marginUnits bounds the rounding errors of a_i and of the compared sum in units
// of (d + marginUnits) 2^-53 (|q|^2 + max |z_i|^2) / 8: each of the two dot
// products and the sum contributes at most (d+2) 2^-53 times that bracket or twice
// it, the centring 4.
const marginUnits = 8

// Nearest returns the k rows nearest to q, nearest first. The result is valid
// until the next call.
func (s *Search) Nearest(q []float64) []Neighbour {
	ix := s.ix
	if ix.tree != nil {
		s.result = ix.tree.nearest(s.result[:0], s.k, q)
		return s.result
	}
	floats.SubTo(s.q, q, ix.mean)
	n, d := ix.n, ix.d
	margin := 8 * float64(d+marginUnits) * 0x1p-53 * (floats.Dot(s.q, s.q) + ix.maxZZ)
	bound := math.Inf(1)
	if margin < math.MaxFloat64 { // no overflow
		copy(s.a, ix.zz)
		blas64.Gemv(blas.NoTrans, -2, ix.centred.RawMatrix(), blas64.Vector{N: d, Inc: 1, Data: s.q}, 1,
			blas64.Vector{N: n, Inc: 1, Data: s.a})
		bound = s.kthLeast() + 2*margin
	}
	s.result = s.result[:0]
	for i, a := range s.a {
		if a <= bound || math.IsInf(bound, 1) {
			s.result = append(s.result, Neighbour{i, square(q, ix.x.RawRowView(i))})
		}
	}
	slices.SortFunc(s.result, closer)
	return s.result[:s.k]
}

// kthLeast returns the k-th least screening value.
func (s *Search) kthLeast() float64 {
	for j := range s.least {
		s.least[j] = math.Inf(1)
	}
	last := s.k - 1
	for _, a := range s.a {
		if a >= s.least[last] {
			continue
		}
		j := last
		for ; j > 0 && s.least[j-1] > a; j-- {
			s.least[j] = s.least[j-1]
		}
		s.least[j] = a
	}
	return s.least[last]
}

// square returns |q-z|^2, summed in the order of the columns.
func square(q, z []float64) float64 {
	var sum float64
	for j, v := range q {
		sum += (v - z[j]) * (v - z[j])
	}
	return sum
}
