// Package nearest finds nearest neighbours in Euclidean distance.
package nearest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// The problem: given rows z_1..z_n and a point q in d dimensions, the k rows with
// the least |q-z_i|^2 = sum_j (q_j-z_ij)^2, equal distances in the order of the rows.
//
// All rows are first screened by a_i = |z_i|^2 - 2<q,z_i>, which is the squared
// distance less |q|^2 and costs one dot product. Rounding moves a_i by less than a
// margin m, so that only rows within 2m of the k-th least a_i can be among the k
// nearest; those few are compared by the sum itself. Both norms are taken about the
// columns' means, which keeps m small for data far from zero. Panels of rows that
// stay in the cache are screened for many points.
//
// In few dimensions a tree finds them without looking at most rows.

// An Index holds the rows. It is immutable.
type Index struct {
	n, d int
	tree *tree // nil where screening is faster; else the rest is not there

	x       *mat.Dense // n x d
	mean    []float64
	stride  int       // d, filled up with zeros to whole vectors
	centred []float64 // x less mean, rows of stride values, and zeros up to a whole tile of rows
	zz      []float64 // squared lengths of the centred rows
	maxZZ   float64
}

// treePays says whether the tree is faster than screening for one point at a time,
// by measurement of normal data: from 700 rows of 2 columns, 6,000 of 6, 50,000 of 10.
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
	ix := &Index{
		n:      n,
		d:      d,
		x:      mat.DenseCopyOf(x),
		mean:   make([]float64, d),
		stride: (d + 3) &^ 3,
		zz:     make([]float64, n),
	}
	ix.centred = make([]float64, (n+vecmath.TileColumns)*ix.stride)
	for i := range n {
		floats.AddScaled(ix.mean, 1/float64(n), x.RawRowView(i))
	}
	for i := range n {
		row := ix.centred[i*ix.stride:][:d]
		floats.SubTo(row, x.RawRowView(i), ix.mean)
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

// Nearest calls found with each row of x and the k rows nearest to it, nearest first,
// 1 <= k <= n; the list is found's until it returns. It may run several times at
// once.
func (ix *Index) Nearest(k int, x *mat.Dense, found func(i int, nearest []Neighbour)) {
	if k < 1 || k > ix.n {
		panic(fmt.Sprintf("nearest: %d neighbours of %d rows", k, ix.n))
	}
	points, _ := x.Dims()
	var list []Neighbour
	if ix.tree != nil {
		for i := range points {
			list = ix.tree.nearest(list[:0], k, x.RawRowView(i))
			found(i, list)
		}
		return
	}
	queries, centred := make([]query, min(points, pointBlock)), make([]float64, pointBlock*ix.stride)
	for from := 0; from < points; from += pointBlock {
		block := queries[:min(pointBlock, points-from)]
		for r := range block {
			block[r].start(ix, k, x.RawRowView(from+r), centred[r*ix.stride:][:ix.d])
		}
		for row := 0; row < ix.n; row += panelRows {
			for r := 0; r < len(block); r += vecmath.TileRows {
				ix.screen(block[r:min(r+vecmath.TileRows, len(block))], centred[r*ix.stride:], row,
					min(row+panelRows, ix.n))
			}
		}
		for r := range block {
			list = block[r].sort(ix, list[:0])
			found(from+r, list[:k])
		}
	}
}

const (
	// pointBlock points are screened together, whole tiles of them; panelRows rows,
	// whole tiles too, are read for all of them before the next ones.
	pointBlock = 16 * vecmath.TileRows
	panelRows  = 128 * vecmath.TileColumns
)

// A query is the search for the neighbours of one point.
type query struct {
	q         []float64
	margin    float64
	least     []float64 // the k least screening values so far, ascending
	bound     float64   // rows above are not among the k nearest
	candidate []screened
}

// A screened row is one that was not above the bound.
type screened struct {
	row   int
	value float64
}

func (s *query) start(ix *Index, k int, q, centred []float64) {
	floats.SubTo(centred, q, ix.mean)
	s.q, s.candidate, s.bound = q, s.candidate[:0], math.Inf(1)
	s.margin = 8 * float64(ix.d+marginUnits) * 0x1p-53 * (floats.Dot(centred, centred) + ix.maxZZ)
	s.least = slices.Grow(s.least[:0], k)[:k]
	for j := range s.least {
		s.least[j] = math.Inf(1)
	}
}

// screen looks at the rows from..to-1 for the points of one tile.
func (ix *Index) screen(points []query, centred []float64, from, to int) {
	for i := from; i < to; i += vecmath.TileColumns {
		var dots [vecmath.TileRows * vecmath.TileColumns]float64
		vecmath.Dots(centred, ix.centred[i*ix.stride:], ix.stride, ix.stride, &dots)
		for r := range points {
			s := &points[r]
			for c := range min(vecmath.TileColumns, to-i) {
				if a := ix.zz[i+c] - 2*dots[r*vecmath.TileColumns+c]; !(a > s.bound) {
					s.add(i+c, a)
				}
			}
		}
	}
}

// add keeps a row that is not above the bound. Where the margin overflows, every
// one is kept.
func (s *query) add(row int, a float64) {
	s.candidate = append(s.candidate, screened{row, a})
	last := len(s.least) - 1
	if !(s.margin < math.MaxFloat64) || a >= s.least[last] {
		return
	}
	j := last
	for ; j > 0 && s.least[j-1] > a; j-- {
		s.least[j] = s.least[j-1]
	}
	s.least[j] = a
	s.bound = s.least[last] + 2*s.margin
}

// sort appends the candidates by their distance to list.
func (s *query) sort(ix *Index, list []Neighbour) []Neighbour {
	for _, c := range s.candidate {
		if !(c.value > s.bound) {
			list = append(list, Neighbour{c.row, square(s.q, ix.x.RawRowView(c.row))})
		}
	}
	slices.SortFunc(list, closer)
	return list
}

// marginUnits bounds the rounding errors of a_i and of the compared sum in units
// of (d + marginUnits) 2^-53 (|q|^2 + max |z_i|^2) / 8: each of the two dot
// products and the sum contributes at most (d+2) 2^-53 times that bracket or twice
// it, the centring 4.
const marginUnits = 8

// square returns |q-z|^2, summed in the order of the columns.
func square(q, z []float64) float64 {
	var sum float64
	for j, v := range q {
		sum += (v - z[j]) * (v - z[j])
	}
	return sum
}
