package svm

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// points contains n rows of d values, and the squared length of each row.
type points struct {
	n, d int
	x    []float64 // n x d, row after row
	zz   []float64 // squared lengths
}

// newPoints copies the rows of x.
func newPoints(x *mat.Dense) *points {
	n, d := x.Dims()
	p := &points{n: n, d: d, x: make([]float64, 0, n*d)}
	for i := range n {
		p.x = append(p.x, x.RawRowView(i)...)
	}
	p.zz = squares(p.x, n, d)
	return p
}

func (p *points) at(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// squares returns the squared lengths of n rows of d values.
func squares(x []float64, n, d int) []float64 {
	zz := make([]float64, n)
	for i := range zz {
		zz[i] = square(x[i*d : (i+1)*d])
	}
	return zz
}

// square returns the squared length of a row.
func square(x []float64) (zz float64) {
	for _, v := range x {
		zz += v * v
	}
	return zz
}

// kernels sets dst[r][j] to the kernel value of row r of x and point j of p. The slice x contains d
// values per row.
//
// A kernel value, including its rounding error, does not depend on other rows or points.
func (p *points) kernels(k Kernel, dst [][]float64, x []float64) {
	m := len(dst)
	tile := make([]float64, vecmath.TileRows*p.d) // TileRows rows of x, padded by repeating the last row
	for r := 0; r < m; r += vecmath.TileRows {
		for t := range vecmath.TileRows {
			from := min(r+t, m-1)
			copy(tile[t*p.d:], x[from*p.d:(from+1)*p.d])
		}
		p.dots(dst[r:min(r+vecmath.TileRows, m)], tile)
	}
	for r, xx := range squares(x, m, p.d) {
		k.apply(dst[r], xx, p.zz)
	}
}

// dots sets dst[r][j] to the dot product of row r and point j. rows contains TileRows rows of p.d
// values. If dst has fewer rows, dots ignores the others.
func (p *points) dots(dst [][]float64, rows []float64) {
	padded := make([]float64, vecmath.TileColumns*p.d) // the last points, followed by zeros
	for j := 0; j < p.n; j += vecmath.TileColumns {
		count := min(vecmath.TileColumns, p.n-j)
		z := p.x[j*p.d:] // begins with TileColumns points, except at the end
		if count < vecmath.TileColumns {
			copy(padded, z)
			z = padded
		}
		var tile [vecmath.TileRows * vecmath.TileColumns]float64
		vecmath.Dots(rows, z, p.d, p.d, &tile)
		for r := range dst {
			copy(dst[r][j:j+count], tile[r*vecmath.TileColumns:])
		}
	}
}
