package kde

import (
	"cmp"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/vecmath"
)

// ProductSums evaluates bivariate densities with product kernels, for selected pairs of the
// variables of one sample. The density of pair q is
//
//	f_q(x) = norm_q / rows * sum of kernels over the rows.
//
// The kernel row of variable j at the point t contains exp(-(t_j-x_jk)^2/(2 h_j^2)) for each row k.
// The kernel sum of a pair is the dot product of two kernel rows.
type ProductSums struct {
	norms   []float64      // norm_q of pair q
	parts   int            // number of parts
	spans   []span         // ranges of sample rows so short that their kernels fit in the first-level cache
	sample  []variable     // the variables that occur in a pair
	tiles   []vecmath.Tile // blocks of dot products of kernel rows; all blocks that contain a pair
	place   []int32        // the sum of pair q is element place[q] of all tiles, one after another
	scratch int            // length of the kernel rows of one span
}

type variable struct {
	column     int       // the number of the variable
	values     []float64 // part by part (see Partition.arrange)
	gaussScale float64   // makes vecmath.Gauss use the bandwidth of the variable
}

// A span is a range of values, from..to-1, that belong to the same part of the sample.
type span struct{ part, from, to int }

// tileSize is the number of dot products in a vecmath.Tile.
const tileSize = vecmath.TileRows * vecmath.TileColumns

const spanLength = 128

// tileBand is the width of a band of columns, whose kernel rows stay in the first-level cache.
const tileBand = 6 * vecmath.TileColumns

// compareBands orders tiles by bands of columns, then by rows.
func compareBands(a, b vecmath.Tile) int {
	return cmp.Or(cmp.Compare(a.Column/tileBand, b.Column/tileBand), cmp.Compare(a.Row, b.Row),
		cmp.Compare(a.Column, b.Column))
}

// ProductPairs prepares the kernel sums of the given pairs of variables for SumsAt. columns[j]
// contains the values of variable j, and h[j] is its bandwidth. p divides the rows into parts.
func ProductPairs(columns [][]float64, h []float64, pairs []stats.Pair, p Partition) *ProductSums {
	s := &ProductSums{parts: p.Parts(), spans: spansOf(p.alignedOffsets())}
	for _, pair := range pairs {
		s.norms = append(s.norms, 1/(2*math.Pi*h[pair.I]*h[pair.J]))
	}
	var kernelRow map[int]int // by variable
	s.sample, kernelRow = variablesOf(columns, h, pairs, p)
	s.tiles, s.place = tilesOf(pairs, kernelRow)
	// The last tile may read up to TileRows rows beyond the last variable.
	s.scratch = (len(s.sample) + vecmath.TileRows) * spanLength
	return s
}

// variablesOf returns the variables that occur in a pair. The element index[j] of the sample is variable
// j, with the values columns[j] and the bandwidth h[j].
func variablesOf(
	columns [][]float64, h []float64, pairs []stats.Pair, p Partition,
) (sample []variable, index map[int]int) {
	offsets := p.alignedOffsets() // of the parts of the sample, followed by the total length
	length := offsets[len(offsets)-1]
	index = make(map[int]int)
	for _, pair := range pairs {
		for _, j := range []int{pair.I, pair.J} {
			if _, ok := index[j]; ok {
				continue // an earlier pair contains the variable
			}
			values := make([]float64, length)
			p.arrange(values, columns[j]) // part by part
			index[j] = len(sample)
			sample = append(sample, variable{column: j, values: values, gaussScale: vecmath.Scale / h[j]})
		}
	}
	return sample, index
}

// spansOf divides each part of the sample into spans of at most spanLength values. Part g contains
// the values offset[g]..offset[g+1]-1.
func spansOf(offset []int) (spans []span) {
	for g, end := range offset[1:] {
		for from := offset[g]; from < end; from += spanLength {
			spans = append(spans, span{part: g, from: from, to: min(from+spanLength, end)})
		}
	}
	return spans
}

// tilesOf lists the tiles that contain the kernel sum of a pair of variables. A tile is a block of
// tileSize elements of a matrix. Element (a, b) of this matrix is the dot product of the kernel rows a
// and b. Kernel row kernelRow[j] belongs to variable j.
//
// If the tiles are stored one after another, the sum of pair q is element place[q].
func tilesOf(pairs []stats.Pair, kernelRow map[int]int) (tiles []vecmath.Tile, place []int32) {
	for _, pair := range pairs {
		tile, _ := tileOf(kernelRow[pair.I], kernelRow[pair.J])
		tiles = append(tiles, tile)
	}
	slices.SortFunc(tiles, compareBands) // in this order, their computation is fastest
	tiles = slices.Compact(tiles)        // a tile may contain several pairs
	for _, pair := range pairs {
		tile, indexInTile := tileOf(kernelRow[pair.I], kernelRow[pair.J])
		tilesBefore, _ := slices.BinarySearchFunc(tiles, tile, compareBands) // always found
		place = append(place, int32(tilesBefore*tileSize+indexInTile))
	}
	return tiles, place
}

// tileOf returns the tile that contains the dot product of the kernel rows a and b, and the index of
// this element in the tile.
func tileOf(a, b int) (tile vecmath.Tile, index int) {
	r, c := min(a, b), max(a, b) // the matrix of dot products is symmetric
	i, j := r%vecmath.TileRows, c%vecmath.TileColumns
	return vecmath.Tile{Row: r - i, Column: c - j}, i*vecmath.TileColumns + j
}

// Norm returns the factor norm_q of pair q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// Place returns the index of pair q in the sums that SumsAt returns.
func (s *ProductSums) Place(q int) int { return int(s.place[q]) }

// A ProductMemory is scratch memory for SumsAt. The zero value is ready to use.
type ProductMemory struct {
	kernels []float64   // the kernel rows of one span
	sums    []float64   // the tiles of all parts, part after part
	parts   [][]float64 // parts[g]: the tiles of part g, a section of the slice sums
}

// SumsAt returns the kernel sums at the point t, which has one coordinate per variable. The next
// call with the same m overwrites the result.
//
// The result has one list for each part of the sample. Element Place(q) of a list is the sum of pair
// q. The list contains whole tiles, so it also has elements that belong to no pair. They are arbitrary.
func (s *ProductSums) SumsAt(m *ProductMemory, t []float64) [][]float64 {
	m.reset(s)                     // sets the sums to 0
	for _, span := range s.spans { // a short range of sample rows within a part
		n := span.to - span.from
		// kernels is a matrix with one row of n kernel values per variable. Its rows begin spanLength
		// elements apart, even if the span is shorter.
		for j, v := range s.sample {
			row := m.kernels[j*spanLength:][:n]
			vecmath.Gauss(row, v.values[span.from:span.to], t[v.column], v.gaussScale)
		}
		// Add the dot products of all pairs of rows in s.tiles to the sums of the part.
		vecmath.AddTileDots(m.parts[span.part], m.kernels, spanLength, n, s.tiles)
	}
	return m.parts
}

func (m *ProductMemory) reset(s *ProductSums) {
	size := len(s.tiles) * tileSize // number of sums of one part
	m.kernels = stats.Resized(m.kernels, s.scratch)
	m.sums = stats.Resized(m.sums, s.parts*size)
	clear(m.sums)
	m.parts = m.parts[:0]
	for g := range s.parts {
		m.parts = append(m.parts, m.sums[g*size:(g+1)*size])
	}
}
