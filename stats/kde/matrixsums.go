package kde

import (
	"math"
	"slices"

	"copse/stats"
	"copse/stats/vecmath"
)

// MatrixSums computes kernel density estimates of one pair of variables. A bandwidth matrix determines the
// width and the direction of the kernels. The estimate at the point (s, t) is
//
//	f(s,t) = norm / rows * sum of kernels over the rows.
//
// The rows may be divided into parts, such as the folds of a cross-validation; each part has its own sum.
// Small samples are summed directly. Larger samples use grids (grid.go), with an error bounded by LogError.
// Where a grid is not accurate enough, sums are computed directly; in large samples, only over nearby rows
// (cells.go). The method depends only on the sample and the point, so a point has the same sum in every call.
//
// A MatrixSums is valid until the MatrixMemory that created it fits the next pair.
type MatrixSums struct {
	f       fullPair
	gridded bool
	l       lattice    // of all grids, if gridded
	grids   []partGrid // one grid per part, if gridded
}

// A MatrixMemory is memory for fitting one pair of variables after another and for computing the kernel sums of the
// last fitted pair. The zero value is ready to use.
type MatrixMemory struct {
	fitted MatrixSums
	batch
	u, v []float64 // the points at which Sums computes sums, in the coordinates of fullPair
	half []float64 // scratch for convolve
	low  lowPoints
}

// A partGrid is the grid of one part of the sample, already convolved with the kernel.
type partGrid struct {
	nodes   []float64
	outside strays
	cells   *cells  // the cells by which the rows are sorted; nil if the part is small
	rows    float64 // number of rows in the part
}

// lowPoints are points at which sums are computed directly, because the grid is not accurate enough.
type lowPoints struct {
	row        []int // indices of the points
	u, v, sums []float64
}

// LogError is a bound for the error of log(max(f, floor)). Here f is a density that MatrixSums computes on a grid,
// and floor is an argument of Sums. At points where a grid is not accurate enough, such as in the tails, MatrixSums
// adds up the kernels directly, so the bound is valid everywhere.
const LogError = 1e-6

// gridMargin is the distance, in bandwidths, to which the lattice extends beyond the sample.
const gridMargin = 2

// Fit returns the kernel sums of the sample (x_i, y_i) with bandwidth matrix h. p divides the sample into
// parts. The next call to Fit overwrites the result; use Clone to keep it.
func (m *MatrixMemory) Fit(x, y []float64, h H2, p Partition) *MatrixSums {
	s := &m.fitted
	s.f.fit(x, y, h, p)
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return s // the sample is too small for any grid
	}
	s.l = newLattice(s.f.u, s.f.v, vecmath.Scale, gridMargin)
	s.gridded = worthwhile(len(x), p.Parts(), s.l.nodes(), len(s.l.strays(s.f.u, s.f.v).u))
	if s.gridded {
		m.fillGrids(p)
	}
	return s
}

// fillGrids computes m.fitted.grids, one grid for each part of the sample. Fit must have set the lattice, which
// contains the nodes of all grids. Each grid takes these steps:
//
//  1. Sort the points of a large part into cells, so that direct sums can skip distant points.
//  2. Store the points outside the lattice, which the grid omits.
//  3. Add weights to the nodes around each point (spread).
//  4. Convolve the grid with fixed weights, the taps. This turns the weights at the nodes into kernel sums (see
//     gridStep).
func (m *MatrixMemory) fillGrids(p Partition) {
	s := &m.fitted
	m.half = stats.Resized(m.half, s.l.halfLength())
	s.grids = stats.Resized(s.grids, p.Parts())
	for k := range s.grids {
		u, v := s.f.part(k) // the points of the part, followed by padding
		n, g := p.Count(k), &s.grids[k]
		g.rows, g.cells = float64(n), nil // g may have cells of the last sample
		if n >= cellRows {                // in smaller parts, direct sums over all points are fast
			g.cells = newCells(&s.l, u[:n], v[:n])
		}
		g.nodes = stats.Resized(g.nodes, s.l.length())
		g.outside = s.l.strays(u[:n], v[:n])
		s.l.spread(g.nodes, u[:n], v[:n], &m.batch)
		s.l.convolve(g.nodes, m.half)
	}
}

// Numbers returns the approximate number of float64 values in a Clone.
func (s *MatrixSums) Numbers() int {
	n := len(s.f.pu) + len(s.f.pv)
	if s.gridded {
		n += len(s.grids) * s.l.length()
	}
	return n
}

// Clone returns a copy that contains only the data that Sums needs.
func (s *MatrixSums) Clone() *MatrixSums {
	c := *s
	c.f.u, c.f.v = nil, nil
	c.f.pu, c.f.pv = slices.Clone(s.f.pu), slices.Clone(s.f.pv)
	c.grids = nil
	if s.gridded {
		c.grids = slices.Clone(s.grids)
	}
	for k := range c.grids {
		c.grids[k].nodes = slices.Clone(c.grids[k].nodes)
	}
	return &c
}

// worthwhile reports whether grids are faster than direct sums for n rows and a thousand test points. nodes is
// the number of nodes of one grid, and strays is the number of rows outside the grid. Each stray costs one
// evaluation of a kernel per point. The unit of cost is one such evaluation, about 1 ns.
func worthwhile(n, parts, nodes, strays int) bool {
	const (
		readCost, spreadCost, nodeCost = 65, 80, 5
		testPoints                     = 1000
	)
	points := n + testPoints
	grid := parts*(nodes*nodeCost+points*readCost) + n*spreadCost + 2*points*strays
	direct := n * points
	return 4*grid < 3*direct // grids must save more than a quarter of the cost
}

// Norm returns the largest value of the kernel, 1/(2 pi sqrt(det H)).
func (s *MatrixSums) Norm() float64 { return s.f.norm }

// Sums sets dst[k][r] to the sum of the kernels of part k at the point (x[r], y[r]). Each kernel is 1 at its peak. The
// density of the part is dst[k][r] * Norm / rows, where rows is the number of rows of the part. m is scratch memory.
// If Fit has computed grids, Sums reads the sums from them. Otherwise, the sample is small, and Sums adds up the
// kernels.
//
// floor is the density below which the caller does not need exact values:
//   - A density of at least floor has a relative error of at most LogError.
//   - With a single part, a density below floor may be replaced by any other value below floor, because the caller
//     uses floor instead.
//   - With several parts, the caller adds up the densities of parts before it compares them with floor. So a density
//     below floor has an error of at most LogError times floor.
func (s *MatrixSums) Sums(m *MatrixMemory, x, y []float64, floor float64, dst [][]float64) {
	meanFloor := floor / s.f.norm // the floor of the mean kernel, dst[k][r] / rows
	for from := 0; from < len(x); from += batchSize {
		to := min(from+batchSize, len(x))
		m.u, m.v = stats.Resized(m.u, to-from), stats.Resized(m.v, to-from)
		s.f.coordinates(m.u, m.v, x[from:to], y[from:to])
		if s.gridded {
			m.placeWindows(&s.l, m.u, m.v) // for readGrid: the nodes around each point and their weights
		}
		for k := range dst {
			if s.gridded {
				s.readGrid(m, dst[k][from:to], k, meanFloor)
			} else {
				s.direct(dst[k][from:to], k, m.u, m.v, nil) // nil: no cells
			}
		}
	}
}

// direct sets dst[r] to the sum of the kernels of part k at the point (u[r], v[r]). cells is nil unless
// the rows are sorted by cell, in which case direct skips rows too far away to contribute.
func (s *MatrixSums) direct(dst []float64, k int, u, v []float64, cells *cells) {
	pu, pv := s.f.part(k)
	for r := range dst {
		if cells == nil {
			dst[r] = vecmath.SumGauss2(pu, pv, u[r], v[r])
		} else {
			dst[r] = cells.sum(pu, pv, u[r], v[r])
		}
	}
}

// readGrid sets dst[r] to the sum of the kernels of part k at the point (m.u[r], m.v[r]), in three steps:
//
//  1. The grid of the part contains kernel sums at its nodes. Add up those around the point, with the weights in
//     m.windows (see gridStep).
//  2. Add the kernels of the sample points outside the grid.
//  3. If the sum is too small to be accurate, replace it with a direct sum over the sample points of the part.
//
// If the mean kernel, dst[r] / rows, is below meanFloor, it does not have to be accurate (see Sums).
func (s *MatrixSums) readGrid(m *MatrixMemory, dst []float64, k int, meanFloor float64) {
	g := &s.grids[k]
	low := &m.low // the points for step 3
	vecmath.ReadWindows(dst, g.nodes, s.l.stride, &m.windows, &windowBell)
	low.row, low.u, low.v = low.row[:0], low.u[:0], low.v[:0]
	for r := range dst {
		u, v := m.u[r], m.v[r]
		if len(g.outside.u) > 0 { // add the sample points that the grid omits
			dst[r] += vecmath.SumGauss2(g.outside.u, g.outside.v, u, v)
		}
		mean := dst[r] / g.rows // the mean kernel
		errorBound := s.l.errorAt(u, v)
		if !s.accurate(mean, errorBound, meanFloor) {
			low.row, low.u, low.v = append(low.row, r), append(low.u, u), append(low.v, v)
		}
	}
	low.sums = stats.Resized(low.sums, len(low.row))
	s.direct(low.sums, k, low.u, low.v, g.cells) // in a large part, only over the points in nearby cells
	for i, r := range low.row {
		dst[r] = low.sums[i]
	}
}

// errorAt returns an upper bound for the error of the mean kernel at the point (u, v), if the mean is read
// from the grid. The bound leaves out the aliasing error, which is at most gridAliasing times the mean.
func (l *lattice) errorAt(u, v float64) float64 {
	if l.contains(u, v) {
		return gridTruncation
	}
	return l.boundOutside(u, v)
}

// accurate reports whether a kernel sum that was read from a grid is accurate enough for Sums. mean is the sum
// divided by the number of rows, and err is an upper bound of the absolute error of mean. Below the value
// floor, the caller does not need an exact mean. The sum is accurate enough in two cases:
//   - err is small relative to mean or to floor.
//   - The sample is a single part, and the exact mean is certainly below floor. The caller then replaces the
//     mean by floor, so the error does not matter.
//
// err leaves out one small error of grids, aliasing. The constant share subtracts its bound, gridAliasing,
// instead.
func (s *MatrixSums) accurate(mean, err, floor float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // half, because some parts may be below the floor
	singlePart := len(s.f.offset) == 2            // its start and its end
	return err <= share*max(mean, floor) || singlePart && (mean+err)*(1+LogError) < floor
}

// boundOutside returns an upper bound of the mean kernel at a point (u, v) outside the lattice.
//
// If the lattice is clipped, it does not cover the whole sample. Sample points may then be arbitrarily close
// to (u, v), so the bound is the peak of a kernel, 1.
//
// Otherwise, the lattice extends gridMargin bandwidths beyond the sample. In each direction in which (u, v)
// lies outside the lattice, its distance d from the sample is more than gridMargin bandwidths. In the units of
// u and v, a bandwidth is vecmath.Scale, and a kernel has the value 2^-(sum of d^2) at these distances.
func (l *lattice) boundOutside(u, v float64) float64 {
	if l.clipped {
		return 1
	}
	q := 0.0
	for k, x := range [2]float64{u, v} {
		a := &l.axes[k]
		if beyond := max(a.from-x, x-a.to); beyond > 0 {
			d := beyond + gridMargin*vecmath.Scale // from the sample
			q += d * d
		}
	}
	return math.Exp2(-q)
}
