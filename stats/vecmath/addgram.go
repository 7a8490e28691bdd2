package vecmath

import "fmt"

const (
	// gramDepth elements of each row are multiplied before the next ones, so that
	// four rows fit the first-level cache;
	gramDepth = 512
	// gramPanel rows of that depth fit the second.
	gramPanel = 64
)

// AddGram adds R R' to the upper triangle of dst, m x m row after row, where R
// are m rows of n elements that start stride elements apart in rows. A product
// of two rows has the same bits whichever other rows there are.
func AddGram(dst []float64, m int, rows []float64, stride, n int) {
	AddGramBlock(dst, m, rows, stride, n, 0, m)
}

// AddGramBlock is AddGram for rows from..to-1 of dst alone, with the same bits: from
// is a multiple of TileRows, and so is to unless it is m.
func AddGramBlock(dst []float64, m int, rows []float64, stride, n, from, to int) {
	if from%TileRows != 0 || to%TileRows != 0 && to != m {
		panic(fmt.Sprintf("vecmath: rows %d to %d of %d are no block", from, to, m))
	}
	if len(dst) < m*m || n > stride || len(rows) < (m-1)*stride+n {
		panic(fmt.Sprintf("vecmath: %d rows of %d elements, stride %d, in %d; result of %d elements", m, n, stride, len(rows), len(dst)))
	}
	if m < TileRows {
		addSmallGram(dst, m, rows, stride, n)
		return
	}
	for k := 0; k < n; k += gramDepth {
		depth := min(gramDepth, n-k)
		for panel := from - from%gramPanel; panel < m; panel += gramPanel {
			end := min(panel+gramPanel, m)
			for i := from; i < min(end, to); i += TileRows {
				for j := max(i, panel); j < end; j += TileColumns {
					addTile(dst, m, rows[k:], stride, depth, i, min(j+TileColumns, end), j)
				}
			}
		}
	}
}

// addTile adds the products of rows i..i+3 and j..jEnd-1 above the diagonal. At
// the edges the tile is moved back inside and what it repeats left out.
func addTile(dst []float64, m int, rows []float64, stride, n, i, jEnd, j int) {
	top, left := min(i, m-TileRows), min(j, m-TileColumns)
	var tile [TileRows * TileColumns]float64
	Dots(rows[top*stride:], rows[left*stride:], stride, n, &tile)
	if jEnd-j == TileColumns && j >= i+TileRows-1 && top == i { // whole, as nearly all are
		for r := range TileRows {
			to, from := dst[(i+r)*m+j:][:TileColumns], tile[r*TileColumns:][:TileColumns]
			for c, v := range from {
				to[c] += v
			}
		}
		return
	}
	for r := i; r < min(i+TileRows, m); r++ {
		for c := max(j, r); c < jEnd; c++ {
			dst[r*m+c] += tile[(r-top)*TileColumns+c-left]
		}
	}
}

// addSmallGram pads the rows to a whole tile.
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
