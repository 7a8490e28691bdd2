package kde

import (
	"cmp"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// ProductSums evaluates the bivariate densities of chosen pairs of the d
// variables of one sample, whose n rows may fall into parts (the folds of a
// cross-validation), with product kernels.
//
//	f_q(x) = norm_q / rows * sum of kernels over the rows
//
// so the density without one part is made from the other parts' sums. With the
// kernel rows
//
//	K_j = (exp(-(t_j-x_jk)^2/(2 h_j^2)))_k, j = 1..d
//
// at the point t, the kernel sum of the pair (i,j) is the dot product K_i K_j:
// d rows of exponentials serve all d(d-1)/2 pairs.
type ProductSums struct {
	norms   []float64 // norm_q
	parts   int
	spans   []span         // the sample in pieces that stay in the first-level cache
	stride  int            // length of a row of x
	x       []float64      // the sample: one row for each variable of any pair
	column  []int          // row r of x has variable column[r]
	scale   []float64      // scale[r] is vecmath.Scale / h of that variable
	tiles   []vecmath.Tile // the tiles of the matrix of all K_i K_j that have pairs
	at      []int32        // pair q is element at[q] of the tiles, tile after tile
	scratch int            // length of the kernel rows of one span
}

// A span is a piece of one part: columns from..to-1 of x.
type span struct{ part, from, to int }

// tileSize is the number of elements of a tile.
const tileSize = vecmath.TileRows * vecmath.TileColumns

// spanLength is the largest number of rows of the sample in a span.
const spanLength = 128

// tileBand is the number of columns whose tiles follow one another: their kernel rows in a
// span stay in the first-level cache while the other rows pass.
const tileBand = 6 * vecmath.TileColumns

// byBand orders tiles by band, then by row, then by column.
func byBand(a, b vecmath.Tile) int {
	return cmp.Or(cmp.Compare(a.Column/tileBand, b.Column/tileBand), cmp.Compare(a.Row, b.Row),
		cmp.Compare(a.Column, b.Column))
}

// ProductPairs returns the kernel sums of the pairs over the parts of p. columns[j] has the
// values of variable j and h[j] its bandwidth.
func ProductPairs(columns [][]float64, h []float64, pairs []Pair, p Partition) *ProductSums {
	s := &ProductSums{parts: p.Parts()}
	s.cut(p.aligned())
	row := make(map[int]int) // row of a variable in x
	for _, pair := range pairs {
		for _, j := range []int{pair.I, pair.J} {
			if _, ok := row[j]; !ok {
				row[j] = len(s.column)
				s.column = append(s.column, j)
				s.scale = append(s.scale, vecmath.Scale/h[j])
			}
		}
		s.norms = append(s.norms, 1/(2*math.Pi*h[pair.I]*h[pair.J]))
	}
	s.tile(pairs, row)
	s.x = make([]float64, len(s.column)*s.stride)
	for r, j := range s.column {
		p.arrange(s.x[r*s.stride:(r+1)*s.stride], columns[j])
	}
	// Tiles may reach past the last row, by up to one row block.
	s.scratch = (len(s.column) + vecmath.TileRows) * spanLength
	return s
}

// cut divides the parts, part g from offset[g] to offset[g+1], into spans.
func (s *ProductSums) cut(offset []int) {
	s.stride = offset[s.parts]
	for g := range s.parts {
		for from := offset[g]; from < offset[g+1]; from += spanLength {
			s.spans = append(s.spans, span{g, from, min(from+spanLength, offset[g+1])})
		}
	}
}

// tile lists the tiles that have pairs and the place of each pair in them. row[j] is the row
// of variable j in x.
func (s *ProductSums) tile(pairs []Pair, row map[int]int) {
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

// tileOf returns the tile with the product of two rows of x, and the element of the tile.
func tileOf(a, b int) (tile vecmath.Tile, element int) {
	r, c := min(a, b), max(a, b)
	i, j := r%vecmath.TileRows, c%vecmath.TileColumns
	return vecmath.Tile{Row: r - i, Column: c - j}, i*vecmath.TileColumns + j
}

// Norm returns norm_q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// Place returns the place of pair q among the sums of SumsAt.
func (s *ProductSums) Place(q int) int { return int(s.at[q]) }

// A ProductMemory is scratch memory of SumsAt. The zero value is ready.
type ProductMemory struct {
	kernel []float64
	gram   []float64 // part after part, tile after tile
	parts  [][]float64
}

// SumsAt returns the kernel sums of each part at the point t, a vector of all variables.
// The sum of pair q is at Place(q); other elements have no meaning. The result is valid
// until the next call with the same memory.
func (s *ProductSums) SumsAt(m *ProductMemory, t []float64) [][]float64 {
	size := len(s.tiles) * tileSize
	m.kernel, m.gram, m.parts = resized(m.kernel, s.scratch), resized(m.gram, s.parts*size), m.parts[:0]
	clear(m.gram)
	for g := range s.parts {
		m.parts = append(m.parts, m.gram[g*size:(g+1)*size])
	}
	for _, now := range s.spans {
		n := now.to - now.from
		for row, j := range s.column {
			from := row*s.stride + now.from
			vecmath.Gauss(m.kernel[row*spanLength:][:n], s.x[from:from+n], t[j], s.scale[row])
		}
		vecmath.DotsTiles(m.parts[now.part], m.kernel, spanLength, n, s.tiles)
	}
	return m.parts
}
