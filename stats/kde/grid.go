package kde

import (
	"math"
	"slices"

	"copse/internal/vecmath"
)

// GridRows is the number of rows of a class from which bivariate densities and
// Hpi's functionals are taken from grids, in time linear in the rows. Below it
// sums are exact.
const GridRows = 4000

// A grid of step s (in bandwidths) stands for points between its nodes by
// 8-point Lagrange interpolation in each direction: a unit mass at u is spread
// as sum_a w_a(u) over the nodes g_a, a function k read off as sum_a w_a(u)
// k(g_a). The middle interval's error is at most
//
//	|k^(8)| s^8 (0.5 1.5 2.5 3.5)^2 / 8!.
const stencil = 8

// lattice is a grid of nodes in the plane, cut off where it would grow beyond
// maxNodes in a direction.
type lattice struct {
	step    float64
	axes    [2]axis
	clipped bool
}

// An axis has n nodes lo, lo+step, ...; coordinates within from..to lie between
// nodes with a whole stencil around them.
type axis struct {
	lo, from, to float64
	n            int
}

const maxNodes = 800

// newLattice covers the points (u_i, v_i) and a margin around them.
func newLattice(u, v []float64, step, margin float64) lattice {
	l := lattice{step: step}
	for k, x := range [][]float64{u, v} {
		lo, hi := slices.Min(x)-margin, slices.Max(x)+margin
		if room := (maxNodes - 2*stencil) * step; hi-lo > room {
			middle := quantile7(ascending(x), 0.5)
			lo, hi, l.clipped = middle-room/2, middle+room/2, true
		}
		n := int((hi-lo)/step) + 2*stencil
		l.axes[k] = axis{lo: lo - stencil*step, from: lo, to: hi, n: (n + 3) &^ 3}
	}
	return l
}

func (l *lattice) contains(u, v float64) bool {
	a, b := &l.axes[0], &l.axes[1]
	return u >= a.from && u <= a.to && v >= b.from && v <= b.to
}

// weights returns the first node and the weights of the stencil around x.
func (l *lattice) weights(k int, x float64) (int, [stencil]float64) {
	position := (x - l.axes[k].lo) / l.step
	node := math.Floor(position)
	t := position - node + (stencil/2 - 1) // from the stencil's first node
	var w [stencil]float64
	left := 1.0
	for a := range w {
		w[a] = left * lagrange[a]
		left *= t - float64(a)
	}
	right := 1.0
	for a := stencil - 1; a >= 0; a-- {
		w[a] *= right
		right *= t - float64(a)
	}
	return int(node) - (stencil/2 - 1), w
}

// lagrange[a] is the product of 1/(a-b) over the other nodes b.
var lagrange = func() (p [stencil]float64) {
	for a := range p {
		p[a] = 1
		for b := range p {
			if a != b {
				p[a] /= float64(a - b)
			}
		}
	}
	return p
}()

// spread adds unit masses at the points, all inside, to the grid.
func (l *lattice) spread(grid, u, v []float64) {
	m := l.axes[1].n
	for i := range u {
		r, wr := l.weights(0, u[i])
		c, wc := l.weights(1, v[i])
		for a, p := range wr {
			row := grid[(r+a)*m+c:][:stencil]
			for b, q := range wc {
				row[b] += p * q
			}
		}
	}
}

// read returns the value at the point whose stencil starts at node (r, c), from
// a grid with m columns.
func read(grid []float64, m, r, c int, wr, wc *[stencil]float64) float64 {
	sum := 0.0
	for a, p := range wr {
		row := (*[stencil]float64)(grid[(r+a)*m+c:])
		even := row[0]*wc[0] + row[2]*wc[2] + row[4]*wc[4] + row[6]*wc[6]
		odd := row[1]*wc[1] + row[3]*wc[3] + row[5]*wc[5] + row[7]*wc[7]
		sum += p * (even + odd)
	}
	return sum
}

// taps samples a function at the nodes -reach..reach around 0.
func taps(f func(u float64) float64, step, reach float64) []float64 {
	r := int(math.Ceil(reach / step))
	k := make([]float64, 2*r+1)
	for i := range k {
		k[i] = f(float64(i-r) * step)
	}
	return k
}

// convolve returns the transpose of sum_d in[i][j-d] k[d], d from -r to r, for
// the n x m grid in and the taps k around its middle one.
func convolve(in []float64, n, m int, k []float64) []float64 {
	r := len(k) / 2
	length := (2*r + 2 + 3) &^ 3
	stride := m + length
	// Two rows of reversed taps, the second shifted by one: outputs j and j+1.
	rows := make([]float64, stride+length)
	for i, v := range k {
		rows[len(k)-1-i] = v
		rows[stride+len(k)-i] = v
	}
	padded := make([]float64, n*stride)
	for i := range n {
		copy(padded[i*stride+r:], in[i*m:(i+1)*m])
	}
	out := make([]float64, m*n)
	for i := 0; i < n; i += vecmath.TileRows {
		for j := 0; j < m; j += vecmath.TileColumns {
			var tile [vecmath.TileRows * vecmath.TileColumns]float64
			vecmath.Dots(padded[i*stride+j:], rows, stride, length, &tile)
			for e, v := range tile {
				out[(j+e%vecmath.TileColumns)*n+i+e/vecmath.TileColumns] = v
			}
		}
	}
	return out
}
