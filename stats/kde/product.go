package kde

import (
	"cmp"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// ProductSums evaluates bivariate densities with product kernels. It covers selected pairs of the d
// variables of one sample. The n rows may be divided into parts, such as the folds of a
// cross-validation.
//
//	f_q(x) = norm_q / rows * sum of kernels over the rows
//
// The sums of the parts also give the density that results when any one part is left out. With the kernel
// rows
//
//	K_j = (exp(-(t_j-x_jk)^2/(2 h_j^2)))_k, j = 1..d
//
// at the point t, the kernel sum of the pair (i,j) is the dot product of K_i and K_j. Therefore, d rows
// of exponentials are enough for all d(d-1)/2 pairs.
type ProductSums struct {
	norms   []float64      // norm_q of pair q
	parts   int            // number of parts
	spans   []span         // parts of the sample that fit in the first-level cache
	stride  int            // length of a row of x
	x       []float64      // the sample: one row for each variable that occurs in a pair, each part by part
	column  []int          // row r of x is variable column[r]
	scale   []float64      // scale[r] is vecmath.Scale / h of variable column[r]
	tiles   []vecmath.Tile // blocks of dot products of kernel rows; all blocks that contain a pair
	at      []int32        // the sum of pair q is element at[q] of all tiles, one after another
	scratch int            // length of the kernel rows of one span
}

// A span is a range of columns of x, from..to-1, that belong to the same part of the sample.
type span struct{ part, from, to int }

// tileSize is the number of elements of a tile of vecmath.
const tileSize = vecmath.TileRows * vecmath.TileColumns

// spanLength is the largest number of sample rows in a span.
const spanLength = 128

// tileBand is the width of the bands in which tiles are computed. The kernel rows of these columns stay
// in the first-level cache while the other rows change.
const tileBand = 6 * vecmath.TileColumns

func byBand(a, b vecmath.Tile) int {
	return cmp.Or(cmp.Compare(a.Column/tileBand, b.Column/tileBand), cmp.Compare(a.Row, b.Row),
		cmp.Compare(a.Column, b.Column))
}

// ProductPairs prepares the kernel sums of the given pairs over the parts of p. columns[j] contains the
// values of variable j, and h[j] is its bandwidth. The result contains a row of the sample for each variable
// that occurs in a pair, in which the values are in the order of the partition. It also contains the tiles to
// compute. A tile is a block of TileRows x TileColumns dot products of rows, which vecmath computes together.
func ProductPairs(columns [][]float64, h []float64, pairs []Pair, p Partition) *ProductSums {
	s := &ProductSums{parts: p.Parts()}
	s.cut(p.aligned())         // sets stride, the length of a row, and divides rows into spans
	row := s.addRows(pairs, h) // sets column; row[j] is the row of variable j
	for _, pair := range pairs {
		s.norms = append(s.norms, 1/(2*math.Pi*h[pair.I]*h[pair.J]))
	}
	s.assignTiles(pairs, row) // sets tiles and at
	s.x = make([]float64, len(s.column)*s.stride)
	for r, j := range s.column {
		p.arrange(s.x[r*s.stride:(r+1)*s.stride], columns[j])
	}
	// SumsAt needs a kernel row for each row of x. The last tile may extend beyond them by up to TileRows rows.
	s.scratch = (len(s.column) + vecmath.TileRows) * spanLength
	return s
}

// addRows assigns a row of x to each variable that occurs in a pair, and sets column and scale. The result maps
// variables to rows.
func (s *ProductSums) addRows(pairs []Pair, h []float64) (row map[int]int) {
	row = make(map[int]int)
	for _, pair := range pairs {
		for _, j := range []int{pair.I, pair.J} {
			if _, ok := row[j]; !ok {
				row[j] = len(s.column)
				s.column = append(s.column, j)
				s.scale = append(s.scale, vecmath.Scale/h[j])
			}
		}
	}
	return row
}

// cut divides each part into spans of at most spanLength values, and sets stride. Part g covers the columns
// offset[g]..offset[g+1]-1 of x.
func (s *ProductSums) cut(offset []int) {
	s.stride = offset[s.parts]
	for g := range s.parts {
		for from := offset[g]; from < offset[g+1]; from += spanLength {
			s.spans = append(s.spans, span{part: g, from: from, to: min(from+spanLength, offset[g+1])})
		}
	}
}

// assignTiles lists the tiles that contain the given pairs, and the index of each pair's sum in the
// tiles. row[j] is the row of variable j in x.
func (s *ProductSums) assignTiles(pairs []Pair, row map[int]int) {
	for _, p := range pairs {
		tile, _ := tileOf(row[p.I], row[p.J])
		s.tiles = append(s.tiles, tile)
	}
	slices.SortFunc(s.tiles, byBand)
	s.tiles = slices.Compact(s.tiles)
	number := make(map[vecmath.Tile]int, len(s.tiles))
	for k, tile := range s.tiles {
		number[tile] = k
	}
	for _, p := range pairs {
		tile, element := tileOf(row[p.I], row[p.J])
		s.at = append(s.at, int32(number[tile]*tileSize+element))
	}
}

// tileOf returns the tile that contains the dot product of rows a and b of x, and its element
// within this tile.
func tileOf(a, b int) (tile vecmath.Tile, element int) {
	r, c := min(a, b), max(a, b)
	i, j := r%vecmath.TileRows, c%vecmath.TileColumns
	return vecmath.Tile{Row: r - i, Column: c - j}, i*vecmath.TileColumns + j
}

// Norm returns the factor norm_q of pair q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// Place returns the index of pair q in the sums that SumsAt returns.
func (s *ProductSums) Place(q int) int { return int(s.at[q]) }

// A ProductMemory is scratch memory for SumsAt. The zero value is ready to use.
type ProductMemory struct {
	kernel []float64
	gram   []float64 // the tiles of all parts, part after part
	parts  [][]float64
}

// SumsAt returns the kernel sums at the point t, which has one coordinate per variable: element Place(q) of
// sums[g] is the sum of pair q over part g. The other elements are undefined. The next call with the same
// memory overwrites the result.
//
// SumsAt goes through the sample span by span. m.kernel contains the kernel rows of one span: row r, which
// begins at r*spanLength, belongs to row r of s.x, which is variable s.column[r]. The tiles of the span's part
// then add up the dot products of these rows.
func (s *ProductSums) SumsAt(m *ProductMemory, t []float64) [][]float64 {
	size := len(s.tiles) * tileSize
	m.kernel, m.gram, m.parts = resized(m.kernel, s.scratch), resized(m.gram, s.parts*size), m.parts[:0]
	clear(m.gram)
	for g := range s.parts {
		m.parts = append(m.parts, m.gram[g*size:(g+1)*size]) // the tiles of part g
	}
	for _, span := range s.spans { // at most spanLength values of one part
		n := span.to - span.from
		for row, j := range s.column { // the kernel row K_j over the span
			from := row*s.stride + span.from // in s.x
			vecmath.Gauss(m.kernel[row*spanLength:][:n], s.x[from:from+n], t[j], s.scale[row])
		}
		vecmath.DotsTiles(m.parts[span.part], m.kernel, spanLength, n, s.tiles) // adds K_i K_j
	}
	return m.parts
}
