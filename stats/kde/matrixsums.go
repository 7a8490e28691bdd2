package kde

import (
	"math"
	"slices"

	"copse/stats"
	"copse/stats/vecmath"
)

// MatrixSums computes kernel density estimates of one pair of variables. A bandwidth matrix
// determines the width and the direction of the kernels. The estimate at the point (s, t) is
//
//	f(s,t) = norm / rows * sum of kernels over the rows.
//
// The rows may be divided into parts, such as folds, which have sums of their own.
//
// Larger samples use grids (grid.go), with an error bounded by LogError. Small samples, and points
// at which a grid is not accurate enough, are summed directly. The method depends only on the
// sample and the point, so a point has the same sum in every call.
//
// A MatrixSums is valid until the MatrixMemory that created it fits the next pair.
type MatrixSums struct {
	f       fullPair
	gridded bool
	l       lattice    // of all grids, if gridded
	grids   []partGrid // one grid per part, if gridded
}

// A MatrixMemory is reusable memory that contains the result of Fit until the next call to Fit. The
// zero value is ready to use.
type MatrixMemory struct {
	fitted  MatrixSums
	windows vecmath.Windows // of up to batchSize points
	u, v    []float64       // the points at which Sums computes sums, in the coordinates of fullPair
	half    []float64       // scratch for convolve
	low     lowPoints
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

// LogError bounds the error of log(max(f, floor)) for a density f that MatrixSums computes. floor
// is an argument of Sums.
const LogError = 1e-6

// gridMargin is the distance, in bandwidths, to which the lattice extends beyond the sample.
const gridMargin = 2

// Fit returns the kernel sums of the sample (x_i, y_i) with bandwidth matrix h. p divides the
// sample into parts. The next call to Fit overwrites the result, but not a Clone.
func (m *MatrixMemory) Fit(x, y []float64, h H2, p Partition) *MatrixSums {
	s := &m.fitted
	s.f.fit(x, y, h, p)
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return s
	}
	s.l = newLattice(s.f.u, s.f.v, vecmath.Scale, gridMargin)
	s.gridded = worthwhile(len(x), p.Parts(), s.l.nodes(), len(s.l.strays(s.f.u, s.f.v).u))
	if s.gridded {
		m.fillGrids(p)
	}
	return s
}

// fillGrids computes m.fitted.grids on the lattice m.fitted.l.
func (m *MatrixMemory) fillGrids(p Partition) {
	s := &m.fitted
	m.half = stats.Resized(m.half, s.l.halfLength())
	s.grids = stats.Resized(s.grids, p.Parts())
	for k := range s.grids {
		u, v := s.f.part(k) // the points of the part, followed by padding
		n := p.Count(k)
		m.fillGrid(&s.grids[k], u[:n], v[:n])
	}
}

// fillGrid computes the grid of one part of the sample from its points (u_i, v_i), which it may
// sort by cell. readGrid performs the last stage of the convolution (see gridStep).
func (m *MatrixMemory) fillGrid(g *partGrid, u, v []float64) {
	l := &m.fitted.l
	g.rows, g.cells = float64(len(u)), nil // g may have cells of the last sample
	if len(u) >= omitFrom {
		g.cells = newCells(l, u, v)
	}
	g.nodes = stats.Resized(g.nodes, l.length())
	g.outside = l.strays(u, v)
	l.spread(g.nodes, u, v, &m.windows)
	l.convolve(g.nodes, m.half)
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

// worthwhile reports whether grids are faster than direct sums for n rows and a thousand test
// points.
//
// nodes is the number of nodes of each grid, and strays is the number of rows outside.
func worthwhile(n, parts, nodes, strays int) bool {
	const readCost, spreadCost, nodeCost = 65, 80, 5 // in evaluations of a kernel, about 1 ns each
	const testPoints = 1000
	points := n + testPoints
	grid := parts*(nodes*nodeCost+points*readCost) + n*spreadCost + 2*points*strays
	direct := n * points
	return 4*grid < 3*direct
}

// Norm returns the largest value of the kernel, 1/(2 pi sqrt(det H)).
func (s *MatrixSums) Norm() float64 { return s.f.norm }

// Sums sets dst[k][r] to the sum of the kernels of part k at the point (x[r], y[r]). Each kernel is
// 1 at its peak. m is scratch memory.
//
// The density f of the part is dst[k][r] * Norm / rows. Its absolute error is at most LogError *
// max(f, floor), with one exception: if the sample has a single part, a density below floor may
// have a larger error, but the result is below floor, too.
func (s *MatrixSums) Sums(m *MatrixMemory, x, y []float64, floor float64, dst [][]float64) {
	meanFloor := floor / s.f.norm // for the mean kernel, dst[k][r] / rows
	for from := 0; from < len(x); from += batchSize {
		to := min(from+batchSize, len(x))
		s.placePoints(m, x[from:to], y[from:to]) // sets m.u and m.v, the points in the coordinates of the grid
		for k := range dst {
			if s.gridded {
				s.readGrid(m, dst[k][from:to], k, meanFloor)
			} else {
				s.direct(dst[k][from:to], k, m.u, m.v, nil) // nil: no cells
			}
		}
	}
}

// placePoints sets (m.u, m.v) to the points in the coordinates of fullPair and, if there are grids,
// computes their windows.
func (s *MatrixSums) placePoints(m *MatrixMemory, x, y []float64) {
	m.u, m.v = stats.Resized(m.u, len(x)), stats.Resized(m.v, len(x))
	s.f.coordinates(m.u, m.v, x, y)
	if s.gridded {
		s.l.placeWindows(&m.windows, m.u, m.v)
	}
}

// direct sets dst[r] to the sum of the kernels of part k at the point (u[r], v[r]). cells is nil if
// the rows of the part are not sorted by cell.
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

// readGrid sets dst[r] to the sum of the kernels of part k at the point (m.u[r], m.v[r]). It
// computes the sum directly if the grid is not accurate enough (see accurate). meanFloor is the
// floor of Sums as a mean kernel.
func (s *MatrixSums) readGrid(m *MatrixMemory, dst []float64, k int, meanFloor float64) {
	g := &s.grids[k]
	low := &m.low
	vecmath.ReadWindows(dst, g.nodes, s.l.stride, &m.windows, &windowBell)
	if len(g.outside.u) > 0 { // add the sample points that the grid omits
		for r := range dst {
			dst[r] += vecmath.SumGauss2(g.outside.u, g.outside.v, m.u[r], m.v[r])
		}
	}
	// Collect in low the points at which the grid is not accurate enough, and compute their sums directly.
	low.row, low.u, low.v = low.row[:0], low.u[:0], low.v[:0]
	for r, sum := range dst {
		u, v := m.u[r], m.v[r]
		meanKernel, errorBound := sum/g.rows, s.l.errorAt(u, v)
		if !s.accurate(meanKernel, errorBound, meanFloor) {
			low.row = append(low.row, r)
			low.u = append(low.u, u)
			low.v = append(low.v, v)
		}
	}
	low.sums = stats.Resized(low.sums, len(low.row))
	s.direct(low.sums, k, low.u, low.v, g.cells)
	for i, r := range low.row {
		dst[r] = low.sums[i]
	}
}

// errorAt bounds the error of a mean kernel that is read from the grid at the point (u, v), without
// the aliasing error (gridAliasing).
func (l *lattice) errorAt(u, v float64) float64 {
	if l.contains(u, v) {
		return gridTruncation
	}
	return l.boundOutside(u, v)
}

// accurate reports whether a mean kernel from a grid is accurate enough for Sums. errorBound is the
// result of errorAt, and meanFloor is the mean at which the density equals the floor of Sums.
func (s *MatrixSums) accurate(mean, errorBound, meanFloor float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // half, because some parts may be below the floor
	singlePart := len(s.f.offset) == 2
	// A single part need not be accurate if even the largest possible mean is below the floor.
	return errorBound <= share*max(mean, meanFloor) || singlePart && (mean+errorBound)*(1+LogError) < meanFloor
}

func (l *lattice) boundOutside(u, v float64) float64 {
	// Sample points outside a clipped lattice may be arbitrarily close to (u, v).
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
