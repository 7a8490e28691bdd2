package kde

import (
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
	spans   []span    // the sample in pieces that stay in the first-level cache
	stride  int       // length of a row of x
	x       []float64 // rows of variables, those that occur in pairs alone
	column  []int     // row r of x holds variable column[r]
	scale   []float64 // vecmath.Scale / h of that variable
	tiles   []tile
	scratch int // length of the kernel rows of one span
}

// A span is a piece of one part: columns from..to of x.
type span struct{ part, from, to int }

// A tile is a block of the Gram matrix of the kernel rows: rows row.. and
// columns col.., and which of its entries are wanted.
type tile struct {
	row, col int
	wanted   []entry
}

// An entry is the element of a tile that is pair q.
type entry struct{ element, q int }

const spanLength = 128

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
	row := make(map[int]int)       // row of a variable
	tileAt := make(map[[2]int]int) // tile of a row and a column
	for q, pair := range pairs {
		for _, j := range []int{pair.I, pair.J} {
			if _, ok := row[j]; !ok {
				row[j] = len(s.column)
				s.column = append(s.column, j)
				s.scale = append(s.scale, vecmath.Scale/h[j])
			}
		}
		s.norms = append(s.norms, 1/(2*math.Pi*h[pair.I]*h[pair.J]))
		r, c := min(row[pair.I], row[pair.J]), max(row[pair.I], row[pair.J])
		at := [2]int{r - r%vecmath.TileRows, c - c%vecmath.TileColumns}
		k, ok := tileAt[at]
		if !ok {
			k = len(s.tiles)
			tileAt[at] = k
			s.tiles = append(s.tiles, tile{row: at[0], col: at[1]})
		}
		s.tiles[k].wanted = append(s.tiles[k].wanted, entry{(r-at[0])*vecmath.TileColumns + c - at[1], q})
	}
	s.x = make([]float64, len(s.column)*s.stride)
	for r, j := range s.column {
		p.arrange(s.x[r*s.stride:(r+1)*s.stride], columns[j])
	}
	// Tiles may reach past the last row, by up to one row block.
	s.scratch = (len(s.column) + vecmath.TileRows) * spanLength
	return s
}

// Norm returns norm_q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// A ProductMemory is what SumsIn works in, from one call to the next. The zero
// value is ready.
type ProductMemory struct {
	kernel []float64
	gram   [][vecmath.TileRows * vecmath.TileColumns]float64
}

// Sums sets dst[r][q*parts+g] to the sum of the kernels of pair q over the rows
// of part g at the point x[r], a vector of d values.
func (s *ProductSums) Sums(x, dst [][]float64) { s.SumsIn(new(ProductMemory), x, dst) }

// SumsIn is Sums in the given memory.
func (s *ProductSums) SumsIn(m *ProductMemory, x, dst [][]float64) {
	m.kernel, m.gram = resized(m.kernel, s.scratch), slices.Grow(m.gram[:0], len(s.tiles))[:len(s.tiles)]
	kernel, gram := m.kernel, m.gram
	clear(gram)
	for r, t := range x {
		clear(dst[r])
		for k, now := range s.spans {
			n := now.to - now.from
			for row, j := range s.column {
				from := row*s.stride + now.from
				vecmath.Gauss(kernel[row*spanLength:][:n], s.x[from:from+n], t[j], s.scale[row])
			}
			for k, tile := range s.tiles {
				vecmath.Dots(kernel[tile.row*spanLength:], kernel[tile.col*spanLength:], spanLength, n, &gram[k])
			}
			if k+1 < len(s.spans) && s.spans[k+1].part == now.part {
				continue
			}
			for k, tile := range s.tiles {
				for _, e := range tile.wanted {
					dst[r][e.q*s.parts+now.part] = gram[k][e.element]
				}
			}
			clear(gram)
		}
	}
}
