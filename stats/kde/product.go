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
	norms   []float64
	parts   int
	spans   []span         // the sample in pieces that stay in the first-level cache
	stride  int            // length of a row of x
	x       []float64      // rows of variables, those that occur in pairs alone
	column  []int          // row r of x holds variable column[r]
	scale   []float64      // vecmath.Scale / h of that variable
	tiles   []vecmath.Tile // of the Gram matrix of the kernel rows
	at      []int32        // element of the tiles, one after the other, that is pair q
	scratch int            // length of the kernel rows of one span
}

// A span is a piece of one part: columns from..to of x.
type span struct{ part, from, to int }

// tileSize is the number of elements of a tile.
const tileSize = vecmath.TileRows * vecmath.TileColumns

const spanLength = 128

// Tiles of tileBand columns follow one another, so that 18 kernel rows of a span stay in
// the first-level cache while the other rows pass; two tiles are made at a time.
const tileBand = 6 * vecmath.TileColumns

func byBand(a, b vecmath.Tile) int {
	return cmp.Or(cmp.Compare(a.Column/tileBand, b.Column/tileBand), cmp.Compare(a.Row, b.Row),
		cmp.Compare(a.Column, b.Column))
}

// ProductPairs returns the product-kernel densities of the pairs: columns[j]
// holds variable j, h[j] its bandwidth.
func ProductPairs(columns [][]float64, h []float64, pairs []Pair, p Partition) *ProductSums {
	s := &ProductSums{parts: p.Parts()}
	offset := p.aligned()
	s.stride = offset[len(offset)-1]
	for g := range s.parts {
		for from := offset[g]; from < offset[g+1]; from += spanLength {
			s.spans = append(s.spans, span{g, from, min(from+spanLength, offset[g+1])})
		}
	}
	row := make(map[int]int) // row of a variable
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

// tile finds the tiles of the pairs' rows and where each pair is in them.
func (s *ProductSums) tile(pairs []Pair, row map[int]int) {
	place := func(p Pair) (vecmath.Tile, int) {
		r, c := min(row[p.I], row[p.J]), max(row[p.I], row[p.J])
		i, j := r%vecmath.TileRows, c%vecmath.TileColumns
		return vecmath.Tile{Row: r - i, Column: c - j}, i*vecmath.TileColumns + j
	}
	number := make(map[vecmath.Tile]int32)
	for _, p := range pairs {
		at, _ := place(p)
		if _, ok := number[at]; !ok {
			number[at] = 0
			s.tiles = append(s.tiles, at)
		}
	}
	slices.SortFunc(s.tiles, byBand)
	for k, at := range s.tiles {
		number[at] = int32(k)
	}
	s.at = make([]int32, len(pairs))
	for q, p := range pairs {
		at, element := place(p)
		s.at[q] = number[at]*tileSize + int32(element)
	}
}

// Norm returns norm_q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// Length is the number of sums of a part.
func (s *ProductSums) Length() int { return len(s.tiles) * tileSize }

// Place returns where pair q is among the sums of SumsAt.
func (s *ProductSums) Place(q int) int { return int(s.at[q]) }

// A ProductMemory is what SumsAt works in, from one call to the next. The zero
// value is ready.
type ProductMemory struct {
	kernel []float64
	gram   []float64 // part after part, tile after tile
	parts  [][]float64
}

// SumsAt returns, for each part, the sums of the kernels at the point t, a vector of d
// values: of each pair at its place, of others anywhere. They are the memory's until
// its next use.
func (s *ProductSums) SumsAt(m *ProductMemory, t []float64) [][]float64 {
	size := s.Length()
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

// Sums sets dst[r][q*parts+g] to the sum of the kernels of pair q over the rows
// of part g at the point x[r].
func (s *ProductSums) Sums(x, dst [][]float64) {
	var m ProductMemory
	for r, t := range x {
		for g, sums := range s.SumsAt(&m, t) {
			for q, at := range s.at {
				dst[r][q*s.parts+g] = sums[at]
			}
		}
	}
}
