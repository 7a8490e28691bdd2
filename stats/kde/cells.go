package kde

import (
	"math"
	"slices"

	"copse/stats/vecmath"
)

// cells divides the plane into square cells and sorts the points of a part by cell. A kernel sum in
// a sparse region can then skip distant points.
type cells struct {
	u, v  cellAxis // of the rows and of the columns of cells
	start []int    // cell c contains the points start[c] to start[c+1]-1, where c = row*v.n + column
}

// A cellAxis divides a line into n cells of length cellSide. The first cell begins at start. Points
// beyond the ends belong to the first or last cell.
type cellAxis struct {
	start float64
	n     int
}

const (
	cellSide = 2.0 // 2.4 bandwidths

	// Direct sums omit distant rows if there are at least omitFrom rows. With fewer rows, sums over all
	// rows are fast and reproduce stored results exactly.
	omitFrom = 1 << 15

	// omittedShare bounds the share of a sum that the omitted kernels contribute.
	omittedShare = 1e-12
)

// newCells divides the area of the lattice l into square cells. It sorts the points (u_i, v_i) by
// cell, in place.
func newCells(l *lattice, u, v []float64) *cells {
	c := &cells{u: newCellAxis(&l.axes[0]), v: newCellAxis(&l.axes[1])}
	cell := make([]int, len(u))
	for i := range u {
		cell[i] = c.u.cell(u[i])*c.v.n + c.v.cell(v[i])
	}
	byCell := NewPartition(cell, c.u.n*c.v.n)
	c.start = byCell.start
	oldU, oldV := slices.Clone(u), slices.Clone(v)
	for k, i := range byCell.order {
		u[k], v[k] = oldU[i], oldV[i]
	}
	return c
}

func newCellAxis(a *axis) cellAxis {
	return cellAxis{start: a.from, n: int((a.to-a.from)/cellSide) + 1}
}

// cell returns the index of the cell that contains the coordinate x.
func (a cellAxis) cell(x float64) int {
	return int(min(max((x-a.start)/cellSide, 0), float64(a.n-1)))
}

// sum returns the sum of 2^-d^2 over the points (u_i, v_i), where d is the distance from (s, t).
// The points must be sorted by cell.
//
// It omits distant points, whose share of the sum is at most omittedShare.
func (c *cells) sum(u, v []float64, s, t float64) float64 {
	// All points beyond a radius r contribute less than len(u) 2^-r^2. This is at most omittedShare if
	// r^2 is at least nearSquare. It is at most omittedShare*sum if r^2 is at least
	// nearSquare - log2(sum).
	nearSquare := math.Log2(float64(len(u)) / omittedShare)
	sum := c.sumWithin(math.Sqrt(nearSquare), u, v, s, t)
	switch {
	case sum >= 1: // so log2(sum) >= 0
		return sum
	case sum > 0: // the sum is small, so more distant points matter
		return c.sumWithin(math.Sqrt(nearSquare-math.Log2(sum)), u, v, s, t)
	default: // all points are far away
		return vecmath.SumGauss2(u, v, s, t)
	}
}

// sumWithin returns the sum of 2^-d^2 over the points in all cells that overlap the square with
// centre (s, t) and side 2r.
func (c *cells) sumWithin(r float64, u, v []float64, s, t float64) (sum float64) {
	left, right := c.v.cell(t-r), c.v.cell(t+r)
	for row := c.u.cell(s - r); row <= c.u.cell(s+r); row++ {
		from, to := c.start[row*c.v.n+left], c.start[row*c.v.n+right+1]
		sum += vecmath.SumGauss2(u[from:to], v[from:to], s, t)
	}
	return sum
}
