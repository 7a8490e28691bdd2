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
	column int       // the number of the variable
	values []float64 // part by part (see Partition.arrange)
	scale  float64   // vecmath.Scale divided by the bandwidth, for vecmath.Gauss
}

// A span is a range of values, from..to-1, that belong to the same part of the sample.
type span struct{ part, from, to int }

// tileSize is the number of dot products in a vecmath.Tile.
const tileSize = vecmath.TileRows * vecmath.TileColumns

const spanLength = 128

// tileBand is the width of a band of columns, whose kernel rows stay in the first-level cache.
const tileBand = 6 * vecmath.TileColumns

func byBand(a, b vecmath.Tile) int {
	return cmp.Or(cmp.Compare(a.Column/tileBand, b.Column/tileBand), cmp.Compare(a.Row, b.Row),
		cmp.Compare(a.Column, b.Column))
}

// ProductPairs prepares the kernel sums of the given pairs of variables for SumsAt. columns[j]
// contains the values of variable j, and h[j] is its bandwidth. p divides the rows into parts.
func ProductPairs(columns [][]float64, h []float64, pairs []stats.Pair, p Partition) *ProductSums {
	s := &ProductSums{parts: p.Parts(), spans: spansOf(p.aligned())}
	for _, pair := range pairs {
		s.norms = append(s.norms, 1/(2*math.Pi*h[pair.I]*h[pair.J]))
	}
	var row map[int]int
	s.sample, row = variablesOf(columns, h, pairs, p)
	s.tiles, s.place = tilesOf(pairs, row)
	// The last tile may read up to TileRows rows beyond the last variable.
	s.scratch = (len(s.sample) + vecmath.TileRows) * spanLength
	return s
}

// variablesOf returns the variables that occur in a pair. row[j] is the index of variable j.
func variablesOf(
	columns [][]float64, h []float64, pairs []stats.Pair, p Partition,
) (sample []variable, row map[int]int) {
	offset := p.aligned()
	length := offset[p.Parts()]
	row = make(map[int]int)
	for _, pair := range pairs {
		for _, j := range []int{pair.I, pair.J} {
			if _, ok := row[j]; ok {
				continue
			}
			values := make([]float64, length)
			p.arrange(values, columns[j])
			row[j] = len(sample)
			sample = append(sample, variable{j, values, vecmath.Scale / h[j]})
		}
	}
	return sample, row
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

// tilesOf finds the kernel sums of pairs of variables. They are elements of the matrix of all dot
// products between kernel rows. This matrix is divided into blocks of equal size, the tiles.
//
// row[j] is the index of the kernel row of variable j. tiles contains the tiles that contain a pair.
// If these are stored one after another, the sum of pair q is element place[q].
func tilesOf(pairs []stats.Pair, row map[int]int) (tiles []vecmath.Tile, place []int32) {
	for _, p := range pairs {
		tile, _ := tileOf(row[p.I], row[p.J])
		tiles = append(tiles, tile)
	}
	slices.SortFunc(tiles, byBand) // in this order, their computation is fastest
	tiles = slices.Compact(tiles)  // a tile may contain several pairs
	for _, p := range pairs {
		tile, element := tileOf(row[p.I], row[p.J])
		index, _ := slices.BinarySearchFunc(tiles, tile, byBand) // always found
		place = append(place, int32(index*tileSize+element))
	}
	return tiles, place
}

func tileOf(a, b int) (tile vecmath.Tile, element int) {
	r, c := min(a, b), max(a, b)
	i, j := r%vecmath.TileRows, c%vecmath.TileColumns
	return vecmath.Tile{Row: r - i, Column: c - j}, i*vecmath.TileColumns + j
}

// Norm returns the factor norm_q of pair q, 1/(2 pi h_i h_j).
func (s *ProductSums) Norm(q int) float64 { return s.norms[q] }

// Place returns the index of pair q in the sums that SumsAt returns.
func (s *ProductSums) Place(q int) int { return int(s.place[q]) }

// A ProductMemory is scratch memory for SumsAt. The zero value is ready to use.
type ProductMemory struct {
	kernel []float64   // the kernel rows of one span
	sums   []float64   // the tiles of all parts, part after part
	parts  [][]float64 // parts[g]: the tiles of part g, a section of the slice sums
}

// SumsAt returns the kernel sums at the point t, which has one coordinate per variable. The next
// call with the same m overwrites the result.
//
// The result has one list for each part of the sample. Element Place(q) of a list belongs to pair
// q. Elements that belong to no pair are undefined.
func (s *ProductSums) SumsAt(m *ProductMemory, t []float64) [][]float64 {
	m.reset(s)
	for _, span := range s.spans { // a span is a short range of sample rows within a part
		n := span.to - span.from
		// Rows of kernel values begin spanLength elements apart, even if the span is shorter.
		for row, v := range s.sample {
			kernel := m.kernel[row*spanLength:][:n]
			vecmath.Gauss(kernel, v.values[span.from:span.to], t[v.column], v.scale)
		}
		vecmath.DotsTiles(m.parts[span.part], m.kernel, spanLength, n, s.tiles)
	}
	return m.parts
}

func (m *ProductMemory) reset(s *ProductSums) {
	size := len(s.tiles) * tileSize // number of sums of one part
	m.kernel = stats.Resized(m.kernel, s.scratch)
	m.sums = stats.Resized(m.sums, s.parts*size)
	clear(m.sums)
	m.parts = m.parts[:0]
	for g := range s.parts {
		m.parts = append(m.parts, m.sums[g*size:(g+1)*size])
	}
}
