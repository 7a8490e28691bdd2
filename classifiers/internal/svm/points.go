package svm

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// points are n rows of d values with their squared lengths.
type points struct {
	n, d int
	x    []float64 // n x d
	zz   []float64
}

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

// kernels writes K(x_r, row j) to dst[r][j] for each of the given rows x_r of d
// values, which lie one after the other in x. A value has the same bits whichever
// other rows there are.
func (p *points) kernels(k Kernel, dst [][]float64, x []float64) {
	m := len(dst)
	rows := make([]float64, vecmath.TileRows*p.d) // a tile's, the last repeated where there are fewer
	for r := 0; r < m; r += vecmath.TileRows {
		for t := range vecmath.TileRows {
			from := min(r+t, m-1)
			copy(rows[t*p.d:], x[from*p.d:(from+1)*p.d])
		}
		p.dots(dst[r:min(r+vecmath.TileRows, m)], rows)
	}
	for r, xx := range squares(x, m, p.d) {
		k.apply(dst[r], xx, p.zz)
	}
}

// dots writes the dot products of a tile's rows with all rows of p.
func (p *points) dots(dst [][]float64, rows []float64) {
	other := make([]float64, vecmath.TileColumns*p.d)
	for j := 0; j < p.n; j += vecmath.TileColumns {
		columns := min(vecmath.TileColumns, p.n-j)
		pair := p.x[j*p.d:]
		if columns < vecmath.TileColumns {
			copy(other, pair)
			pair = other
		}
		var tile [vecmath.TileRows * vecmath.TileColumns]float64
		vecmath.Dots(rows, pair, p.d, p.d, &tile)
		for r := range dst {
			for c := range columns {
				dst[r][j+c] = tile[r*vecmath.TileColumns+c]
			}
		}
	}
}
