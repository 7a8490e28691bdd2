package vecmath

import "math"

// TileRows and TileColumns are the shape of the blocks that Dots computes.
const (
	TileRows    = 4
	TileColumns = 2
)

// Dots adds to dst[2i+j] the dot product of row i of a (4 rows) and row j of b
// (2 rows), each of n elements; consecutive rows are stride elements apart.
func Dots(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) {
	var lanes [TileRows * TileColumns][4]float64
	a, b = a[:(TileRows-1)*stride+n], b[:(TileColumns-1)*stride+n]
	for k := dotsAsm(a, b, stride, n, &lanes); k < n; k++ {
		for i := range TileRows {
			for j := range TileColumns {
				l := &lanes[TileColumns*i+j][k%4]
				*l = math.FMA(a[i*stride+k], b[j*stride+k], *l)
			}
		}
	}
	for k := range dst {
		dst[k] += fold(&lanes[k])
	}
}
