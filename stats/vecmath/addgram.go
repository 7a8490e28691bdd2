package vecmath

import "fmt"

const (
	// gramDepth is the number of elements of each row that are processed at a time. Four rows of this
	// length fit into the first-level cache.
	gramDepth = 512
	// gramPanel is the number of rows of length gramDepth that fit into the second-level cache.
	gramPanel = 64
)

// AddGram adds the Gram matrix R R' to the upper triangle of dst, an m x m matrix stored row by row. R
// has m rows of n elements. Row i of R begins at rows[i*stride]. Each product is the same, bit for bit,
// whatever the other rows are.
func AddGram(dst []float64, m int, rows []float64, stride, n int) {
	AddGramBlock(dst, m, rows, stride, n, 0, m)
}

// AddGramBlock is like AddGram, but only adds to the rows from..to-1 of dst. In these rows, the
// result equals the result of AddGram bit for bit. from must be a multiple of TileRows, and to must
// be a multiple of TileRows or equal to m.
//
// AddGramBlock works in blocks that fit into the caches: gramDepth elements of each row of R, and
// gramPanel columns of dst.
func AddGramBlock(dst []float64, m int, rows []float64, stride, n, from, to int) {
	if from%TileRows != 0 || to%TileRows != 0 && to != m {
		panic(fmt.Sprintf("vecmath: rows %d to %d of %d do not consist of whole tiles", from, to, m))
	}
	if len(dst) < m*m || n > stride || len(rows) < (m-1)*stride+n {
		panic(fmt.Sprintf("vecmath: %d rows of length %d at stride %d do not fit: rows has %d elements, and dst has %d",
			m, n, stride, len(rows), len(dst)))
	}
	if m < TileRows {
		addSmallGram(dst, m, rows, stride, n)
		return
	}
	for k := 0; k < n; k += gramDepth {
		depth := min(gramDepth, n-k)
		// Panels further left lie below the diagonal.
		for panel := from - from%gramPanel; panel < m; panel += gramPanel {
			end := min(panel+gramPanel, m)
			for i := from; i < min(end, to); i += TileRows {
				addStrip(dst, m, rows[k:], stride, depth, i, max(i, panel), end)
			}
		}
	}
}

// addStrip adds the dot products of the rows i..i+3 with the rows from..to-1 to dst, on and above the
// diagonal. All complete tiles above the diagonal are delegated to addTiles.
func addStrip(dst []float64, m int, rows []float64, stride, n, i, from, to int) {
	j := from
	if from == i {
		addEdge(dst, m, rows, stride, n, i, to, j)
		j += TileColumns
	}
	if whole := (to - j) / TileColumns; whole > 0 && i+TileRows <= m {
		addTiles(dst[i*m+j:], m, rows[i*stride:], rows[j*stride:], stride, n, whole)
		j += whole * TileColumns
	}
	for ; j < to; j += TileColumns {
		addEdge(dst, m, rows, stride, n, i, to, j)
	}
}

// addTiles adds the dot products of the first TileRows rows of a with the first count*TileColumns
// rows of b to dst. The rows of dst begin m elements apart.
func addTiles(dst []float64, m int, a, b []float64, stride, n, count int) {
	if useAsm {
		if n > 0 {
			addTilesAVX2(&dst[0], m, &a[0], &b[0], stride, n, count)
		}
		return
	}
	for t := range count {
		var tile [TileRows * TileColumns]float64
		plainDots(a, b[t*TileColumns*stride:], stride, n, &tile)
		for k, v := range tile {
			dst[k/TileColumns*m+t*TileColumns+k%TileColumns] += v
		}
	}
}

// addEdge adds the tile that begins at row i and column j of dst, up to column end-1. Part of the
// tile may lie outside the matrix or below the diagonal. addEdge therefore computes the nearest
// tile inside the matrix and adds only the elements that belong to the requested tile.
func addEdge(dst []float64, m int, rows []float64, stride, n, i, end, j int) {
	top, left := min(i, m-TileRows), min(j, m-TileColumns)
	var tile [TileRows * TileColumns]float64
	Dots(rows[top*stride:], rows[left*stride:], stride, n, &tile)
	for r := i; r < min(i+TileRows, m); r++ {
		for c := max(j, r); c < min(j+TileColumns, end); c++ {
			dst[r*m+c] += tile[(r-top)*TileColumns+c-left]
		}
	}
}

// addSmallGram is AddGram for m < TileRows. It pads the rows with zeros to a complete tile.
func addSmallGram(dst []float64, m int, rows []float64, stride, n int) {
	padded, gram := make([]float64, TileRows*n), make([]float64, TileRows*TileRows)
	for r := range m {
		copy(padded[r*n:(r+1)*n], rows[r*stride:r*stride+n])
		copy(gram[r*TileRows:], dst[r*m:(r+1)*m])
	}
	AddGram(gram, TileRows, padded, n, n)
	for r := range m {
		copy(dst[r*m+r:(r+1)*m], gram[r*TileRows+r:])
	}
}
