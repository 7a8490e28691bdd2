package kde

import (
	"fmt"
	"math"

	"copse/internal/vecmath"
)

// In bandwidths: the grid's step, the margin around the sample and the distance
// from which kernels are left out.
const (
	gridStep   = 0.2
	gridMargin = 6
	gridReach  = 7
)

// A GridPair evaluates the density of two variables from a grid over the plane
// of H^(-1/2) (x, y), where the kernel is the standard normal one: the sample is
// spread over the nodes, the nodes are convolved with the kernel, values are
// interpolated. That takes O(n + nodes) once and O(1) per point.
//
// The result is within GridError of the exact one, relative to the kernel's peak
// 1/(2 pi sqrt(det H)). Interpolation contributes 1.43e-6: one direction is
// accurate to c = max|phi^(8)| s^8 (0.5 1.5 2.5 3.5)^2/8! = 2.9e-7 of the peak;
// sample and points are both interpolated, in both directions, with weights
// whose absolute sum is at most 1.49. Points outside the margin have density 0;
// kernels there are below 1.6e-8.
type GridPair struct {
	lattice
	f       *fullPair
	offset  []int // of the parts in f's sample
	grids   [][]float64
	outside []strays
}

// strays are the sample points of one part that lie outside a clipped lattice.
type strays struct{ u, v []float64 }

// GridError bounds the error of GridPair.
const GridError = 2e-6

// NewGridPair prepares the density of (x, y) with bandwidth matrix h.
func NewGridPair(x, y []float64, h H2, p Partition) *GridPair {
	full := FullPairs([][]float64{x, y}, []H2{h}, []Pair{{0, 1}}, p).(*fullSums)
	g := &GridPair{f: &full.pairs[0], offset: full.offset}
	finite := func(x []float64) []float64 { // without the filling of the parts
		var s []float64
		for k := range p.Parts() {
			s = append(s, x[g.offset[k]:][:p.Count(k)]...)
		}
		return s
	}
	const step = gridStep * vecmath.Scale
	g.lattice = newLattice(finite(g.f.u), finite(g.f.v), step, gridMargin*vecmath.Scale)
	kernel := taps(func(u float64) float64 { return math.Exp2(-u * u) }, step, gridReach*vecmath.Scale)
	n, m := g.axes[0].n, g.axes[1].n
	for k := range p.Parts() {
		from, to := g.offset[k], g.offset[k]+p.Count(k)
		grid := make([]float64, n*m)
		out := g.spreadInside(grid, g.f.u[from:to], g.f.v[from:to])
		g.grids = append(g.grids, convolve(convolve(grid, n, m, kernel), m, n, kernel))
		g.outside = append(g.outside, out)
	}
	return g
}

// spreadInside spreads the points inside the lattice and returns the others.
func (l *lattice) spreadInside(grid, u, v []float64) (out strays) {
	if !l.clipped {
		l.spread(grid, u, v)
		return out
	}
	var inside strays
	for i := range u {
		s := &out
		if l.contains(u[i], v[i]) {
			s = &inside
		}
		s.u, s.v = append(s.u, u[i]), append(s.v, v[i])
	}
	l.spread(grid, inside.u, inside.v)
	return out
}

// Sums sets dst[k] to the sum of the kernels of part k at (s, t), in units of
// the kernel's peak.
func (g *GridPair) Sums(s, t float64, dst []float64) {
	if len(dst) != len(g.grids) {
		panic(fmt.Sprintf("kde: %d sums of %d parts", len(dst), len(g.grids)))
	}
	u, v := g.f.coordinates(s, t)
	if !g.contains(u, v) {
		for k := range dst {
			dst[k] = 0
			if g.clipped {
				from, to := g.offset[k], g.offset[k+1]
				dst[k] = vecmath.SumGauss2(g.f.u[from:to], g.f.v[from:to], u, v)
			}
		}
		return
	}
	r, wr := g.weights(0, u)
	c, wc := g.weights(1, v)
	for k, grid := range g.grids {
		dst[k] = max(0, read(grid, g.axes[1].n, r, c, &wr, &wc))
		if o := &g.outside[k]; len(o.u) > 0 {
			dst[k] += vecmath.SumGauss2(o.u, o.v, u, v)
		}
	}
}

// Norm returns the kernel's peak, 1/(2 pi sqrt(det H)).
func (g *GridPair) Norm() float64 { return g.f.norm }
