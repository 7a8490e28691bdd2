package vecmath

import "fmt"

// TileRows and TileColumns are the shape of the blocks that Dots computes.
const (
	TileRows    = 4
	TileColumns = 3
)

// Dots adds to dst[3i+j] the dot product of row i of a (4 rows) and row j of b (3 rows). Each row has n
// elements, and rows begin stride elements apart. The last n mod 4 products are added one by one, after the
// sums of the four lanes.
func Dots(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) {
	if n <= 0 {
		return
	}
	a, b = a[:(TileRows-1)*stride+n], b[:(TileColumns-1)*stride+n]
	if useAsm {
		dotsAVX2(&a[0], &b[0], stride, n, &Tile{}, 1, &dst[0])
	} else {
		plainDots(a, b, stride, n, dst)
	}
}

// Products sets dst to the matrix product A B'. a contains m rows and b contains n rows of depth
// elements; the rows of dst begin stride elements apart. m must be a multiple of TileRows and n a
// multiple of TileColumns.
func Products(dst []float64, stride int, a []float64, m int, b []float64, n, depth int) {
	if m%TileRows != 0 || n%TileColumns != 0 {
		panic(fmt.Sprintf("vecmath: a product of %d x %d elements does not consist of tiles of %d x %d",
			m, n, TileRows, TileColumns))
	}
	if m == 0 || n == 0 {
		return
	}
	_, _, _ = dst[(m-1)*stride+n-1], a[:m*depth], b[:n*depth]
	for i := 0; i < m; i += TileRows {
		for r := i; r < i+TileRows; r++ {
			clear(dst[r*stride:][:n])
		}
		addTiles(dst[i*stride:], stride, a[i*depth:], b, depth, depth, n/TileColumns)
	}
}

// A Tile selects two blocks of rows of a matrix for Dots. Block a begins with row Row, and block b
// with row Column.
type Tile struct{ Row, Column int }

// AddTiles calls Dots for each tile of the matrix x, whose rows begin stride elements apart. It adds
// the dot products to dst, one tile after another.
func AddTileDots(dst, x []float64, stride, n int, tiles []Tile) {
	const size = TileRows * TileColumns
	dst = dst[:len(tiles)*size]
	for _, t := range tiles {
		_, _ = x[t.Row*stride:][:(TileRows-1)*stride+n], x[t.Column*stride:][:(TileColumns-1)*stride+n]
	}
	if useAsm {
		if len(tiles) > 0 && n > 0 {
			dotsAVX2(&x[0], &x[0], stride, n, &tiles[0], len(tiles), &dst[0])
		}
		return
	}
	for k, t := range tiles {
		plainDots(x[t.Row*stride:], x[t.Column*stride:], stride, n, (*[size]float64)(dst[k*size:]))
	}
}

// plainDots is the Go version of dotsAVX2: it adds to dst[3i+j] the dot product of row i of a and row j
// of b. Each dot product is summed in four lanes.
func plainDots(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) {
	for i := range TileRows {
		for j := range TileColumns {
			x, y := a[i*stride:][:n], b[j*stride:][:n]
			var lane0, lane1, lane2, lane3 float64 // separate variables, which the compiler keeps in registers
			for k := 0; k+4 <= n; k += 4 {
				u, v := x[k:k+4:k+4], y[k:k+4:k+4]
				lane0 = FMA(u[0], v[0], lane0)
				lane1 = FMA(u[1], v[1], lane1)
				lane2 = FMA(u[2], v[2], lane2)
				lane3 = FMA(u[3], v[3], lane3)
			}
			sum := &dst[TileColumns*i+j]
			*sum += fold(&[4]float64{lane0, lane1, lane2, lane3})
			for k := n &^ 3; k < n; k++ { // the last n mod 4 products
				*sum = FMA(x[k], y[k], *sum)
			}
		}
	}
}
