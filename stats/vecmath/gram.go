package vecmath

// TileRows and TileColumns are the shape of the blocks that Dots computes.
const (
	TileRows    = 4
	TileColumns = 3
)

// Dots adds to dst[3i+j] the dot product of row i of a (4 rows) and row j of b
// (3 rows), each of n elements; consecutive rows are stride elements apart. The
// last n mod 4 products are added one by one, after the lanes.
func Dots(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) {
	if n <= 0 {
		return
	}
	a, b = a[:(TileRows-1)*stride+n], b[:(TileColumns-1)*stride+n]
	whole := n &^ 3
	if dotsAsm(a, b, stride, whole, dst) < whole {
		plainDots(a, b, stride, whole, dst)
	}
	for k := whole; k < n; k++ {
		for i := range TileRows {
			for j := range TileColumns {
				dst[TileColumns*i+j] = FMA(a[i*stride+k], b[j*stride+k], dst[TileColumns*i+j])
			}
		}
	}
}

func plainDots(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) {
	for i := range TileRows {
		for j := range TileColumns {
			var lanes [4]float64
			for k := range n {
				lanes[k%4] = FMA(a[i*stride+k], b[j*stride+k], lanes[k%4])
			}
			dst[TileColumns*i+j] += fold(&lanes)
		}
	}
}
