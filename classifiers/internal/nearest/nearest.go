// Package nearest finds nearest neighbours in Euclidean distance.
package nearest

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/vecmath"
)

// Screening computes a_i = |z_i|^2 - 2<q,z_i> for a point q and all rows z_i. This is the squared
// distance minus |q|^2, and costs only one dot product. If rounding errors of a_i are at most m, no
// a_i of the k nearest rows exceeds the k-th smallest a_i by more than 2m.

// An Index contains the rows among which neighbours are found. It is immutable.
type Index struct {
	n, d int
	tree *tree // nil: the index screens the rows and uses the fields below

	x       *mat.Dense // n x d
	mean    []float64  // means of the columns
	stride  int        // d, rounded up to a multiple of 4
	centred []float64  // x minus mean, in rows of stride values, then zeros that fill up a tile
	zz      []float64  // squared lengths of the centred rows
	maxZZ   float64    // the largest of these lengths
}

// treePays reports whether the tree is faster than screening. In measurements on normal data, this
// was true for at least 700 rows of 2 columns, 6,000 rows of 6 columns, or 50,000 rows of 10
// columns.
func treePays(n, d int) bool { return float64(n) >= 250*math.Exp2(0.75*float64(d)) }

// New returns an index of the rows of x, which it copies.
func New(x *mat.Dense) *Index {
	n, d := x.Dims()
	if treePays(n, d) {
		return &Index{n: n, d: d, tree: newTree(x)}
	}
	return newScreen(x)
}

// newScreen returns an index that finds neighbours by screening all rows, without a tree. It stores
// the rows minus the column means, padded with zeros for the product routine.
func newScreen(x *mat.Dense) *Index {
	n, d := x.Dims()
	ix := &Index{
		n:      n,
		d:      d,
		x:      mat.DenseCopyOf(x),
		mean:   make([]float64, d),
		stride: (d + 3) &^ 3,       // a vector register contains 4 values
		zz:     make([]float64, n), // squared lengths of the centred rows
	}
	// The product routine reads whole tiles of rows, so rows of zeros follow the n centred rows.
	ix.centred = make([]float64, (n+vecmath.TileColumns)*ix.stride)
	for i := range n {
		floats.AddScaled(ix.mean, 1/float64(n), x.RawRowView(i))
	}
	for i := range n { // centring reduces the rounding errors of dot products
		row := ix.centred[i*ix.stride:][:d]
		floats.SubTo(row, x.RawRowView(i), ix.mean)
		ix.zz[i] = floats.Dot(row, row)
	}
	ix.maxZZ = floats.Max(ix.zz)
	return ix
}

// A Neighbour is a row of the index and its squared distance from the query point.
type Neighbour struct {
	Row    int
	Square float64
}

// closer compares neighbours: first by distance, then by row.
func closer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(a.Square, b.Square), cmp.Compare(a.Row, b.Row))
}

// Nearest calls found(i, nearest) for each row i of x. The slice nearest contains the k nearest rows
// of the index, by distance and then by number. It is overwritten after found returns. The number k
// must be from 1 to the number of rows. Concurrent calls of Nearest are safe.
func (ix *Index) Nearest(k int, x *mat.Dense, found func(i int, nearest []Neighbour)) {
	if ix.tree == nil {
		ix.nearestByScreening(k, x, found)
		return
	}
	points, _ := x.Dims()
	var list []Neighbour
	for i := range points {
		list = ix.tree.search(list[:0], k, x.RawRowView(i), 0)
		found(i, list)
	}
}

// nearestByScreening implements Nearest without a tree. It selects candidates for each point by
// approximate distances and sorts them by exact distances.
func (ix *Index) nearestByScreening(k int, x *mat.Dense, found func(i int, nearest []Neighbour)) {
	points, _ := x.Dims()
	var list []Neighbour
	queries := make([]query, min(points, pointBlock))
	centred := make([]float64, pointBlock*ix.stride)    // the points of a block minus the column means
	dots := make([]float64, vecmath.TileRows*panelRows) // scratch: dot products of points and rows
	for from := 0; from < points; from += pointBlock {
		block := queries[:min(pointBlock, points-from)]
		for r := range block {
			block[r].start(ix, k, x.RawRowView(from+r), centred[r*ix.stride:][:ix.d])
		}
		ix.screenAll(block, centred, dots)
		for r := range block {
			list = block[r].sort(ix, list[:0])
			found(from+r, list[:k])
		}
	}
}

// screenAll calls screen for all rows of ix and a block of points. Each row of centred contains one
// point minus the column means. dots is scratch memory.
func (ix *Index) screenAll(block []query, centred, dots []float64) {
	for row := 0; row < ix.n; row += panelRows {
		end := min(row+panelRows, ix.n)
		for r := 0; r < len(block); r += vecmath.TileRows {
			tile := block[r:min(r+vecmath.TileRows, len(block))]
			ix.screen(tile, centred[r*ix.stride:], dots, row, end)
		}
	}
}

const (
	// pointBlock is the number of points in a block. A panel of rows is compared with all points of
	// a block before the next panel is read. pointBlock is a multiple of vecmath.TileRows.
	pointBlock = 16 * vecmath.TileRows
	// panelRows is the number of rows in a panel. It is a multiple of vecmath.TileColumns.
	panelRows = 128 * vecmath.TileColumns
)

// A query is the search for the k nearest neighbours of one point q. For row z_i, the value a_i is
// |z_i|^2 - 2<q,z_i>, the squared distance from q minus |q|^2. Here, the column means are
// subtracted from z_i and q.
type query struct {
	q         []float64
	margin    float64     // m: bound on the rounding error of a_i
	least     []float64   // the k smallest a_i so far, ascending
	bound     float64     // least[k-1] + 2m; rows with a larger a_i are not among the k nearest
	candidate []candidate // rows whose a_i did not exceed the bound at the time
}

// A candidate is a row z_i that may be among the k rows nearest to the query point.
type candidate struct {
	row   int
	value float64 // a_i
}

// start begins the search for the k rows nearest to q. centred becomes q minus the column means.
func (s *query) start(ix *Index, k int, q, centred []float64) {
	floats.SubTo(centred, q, ix.mean)
	s.q, s.candidate, s.bound = q, s.candidate[:0], math.Inf(1)
	s.margin = 8 * float64(ix.d+marginUnits) * 0x1p-53 * (floats.Dot(centred, centred) + ix.maxZZ)
	s.least = stats.Resized(s.least, k)
	for j := range s.least {
		s.least[j] = math.Inf(1)
	}
}

// screen compares rows from..to-1 of the index with each query point. It adds a row to the candidates
// of the query unless its value a_i exceeds the bound of the query. For row z_i and point q, a_i =
// |z_i|^2 - 2<q,z_i> is the squared distance minus |q|^2. Row r of centredPoints contains point r
// minus the column means. The slice dots is scratch memory.
func (ix *Index) screen(points []query, centredPoints, dots []float64, from, to int) {
	// Set dots[r*panelRows+i] to the dot product of point r and row from+i. Products computes whole
	// tiles, so it uses TileRows points and rounds the number of rows up.
	centredRows := ix.centred[from*ix.stride:]
	rows := vecmath.RoundedUp(to-from, vecmath.TileColumns)
	vecmath.Products(dots, panelRows, centredPoints, vecmath.TileRows, centredRows, rows, ix.stride)
	zz := ix.zz[from:to] // squared lengths of the centred rows
	for r := range points {
		s := &points[r]
		dotsOfPoint := dots[r*panelRows:][:to-from]
		for i, dot := range dotsOfPoint {
			a := zz[i] - 2*dot
			if !(a > s.bound) { // also true if a is NaN because of overflow
				s.add(from+i, a)
			}
		}
	}
}

// add adds a row with value a <= s.bound to the candidates. It also updates s.bound, which stays
// infinite if s.margin is not finite.
func (s *query) add(row int, a float64) {
	s.candidate = append(s.candidate, candidate{row, a})
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

// sort returns the candidates sorted by exact distance, without those whose value exceeds the final
// s.bound. list must have length 0, and the result uses its memory.
func (s *query) sort(ix *Index, list []Neighbour) []Neighbour {
	for _, c := range s.candidate {
		if !(c.value > s.bound) {
			list = append(list, Neighbour{c.row, square(s.q, ix.x.RawRowView(c.row))})
		}
	}
	slices.SortFunc(list, closer)
	return list
}

// marginUnits is a constant in query.margin, the bound 8 (d + marginUnits) u on rounding errors.
// Here d is the number of columns and u = 2^-53 (|q|^2 + max |z_i|^2).
//
// The bound is large enough, because the errors are at most (6d + 20) u: three sums have errors of
// 2 (d+2) u each, and centring has an error of 8 u.
const marginUnits = 8

// square returns |q-z|^2, summed in the order of the columns.
func square(q, z []float64) float64 {
	var sum float64
	for j, v := range q {
		sum += (v - z[j]) * (v - z[j])
	}
	return sum
}
