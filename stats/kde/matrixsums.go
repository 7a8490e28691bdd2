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
	sample  fullPair
	gridded bool
	lattice lattice    // of all grids, if gridded
	grids   []partGrid // one grid per part, if gridded
}

// A MatrixMemory is reusable memory that contains the result of Fit until the next call to Fit. The
// zero value is ready to use.
type MatrixMemory struct {
	fitted     MatrixSums
	u, v       []float64       // up to batchSize points at which Sums computes sums, in the coordinates of fullPair
	windows    vecmath.Windows // of these points
	half       []float64       // scratch for convolve
	inaccurate inaccuratePoints
}

// A partGrid is the grid of one part of the sample, already convolved with the kernel.
type partGrid struct {
	nodes    []float64
	outside  strays  // the sample points that nodes omits
	cells    *cells  // the cells by which the rows are sorted; nil if the part is small
	rowCount float64 // number of rows in the part
}

// inaccuratePoints are points at which the grid is not accurate enough.
type inaccuratePoints struct {
	index []int // of a point among all points
	u, v  []float64
	sums  []float64 // computed directly
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
	s.sample.fit(x, y, h, p)
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return s
	}
	s.lattice = newLattice(s.sample.u, s.sample.v, vecmath.Scale, gridMargin)
	s.gridded = worthwhile(len(x), p.Parts(), s.lattice.nodes(), len(s.lattice.strays(s.sample.u, s.sample.v).u))
	if s.gridded {
		m.fillGrids(p)
	}
	return s
}

// fillGrids computes m.fitted.grids on the lattice m.fitted.lattice.
func (m *MatrixMemory) fillGrids(p Partition) {
	s := &m.fitted
	m.half = stats.Resized(m.half, s.lattice.halfLength())
	s.grids = stats.Resized(s.grids, p.Parts())
	for k := range s.grids {
		u, v := s.sample.part(k) // the points of the part, followed by padding
		n := p.Count(k)
		m.fillGrid(&s.grids[k], u[:n], v[:n])
	}
}

// fillGrid computes the grid of one part of the sample from its points (u_i, v_i), which it may
// sort by cell. readGrid performs the last stage of the convolution (see gridStep).
func (m *MatrixMemory) fillGrid(g *partGrid, u, v []float64) {
	l := &m.fitted.lattice
	g.rowCount, g.cells = float64(len(u)), nil // g may have cells of the last sample
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
	n := len(s.sample.pu) + len(s.sample.pv)
	if s.gridded {
		n += len(s.grids) * s.lattice.length()
	}
	return n
}

// Clone returns a copy that contains only the data that Sums needs.
func (s *MatrixSums) Clone() *MatrixSums {
	c := *s
	c.sample.u, c.sample.v = nil, nil
	c.sample.pu, c.sample.pv = slices.Clone(s.sample.pu), slices.Clone(s.sample.pv)
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
func (s *MatrixSums) Norm() float64 { return s.sample.norm }

// Sums sets dst[k][r] to the sum of the kernels of part k at the point (x[r], y[r]). Each kernel is
// 1 at its peak. m is scratch memory.
//
// The density f of a part with n rows is dst[k][r] * Norm / n. Its absolute error is at most LogError *
// max(f, floor). If the sample has a single part and f is below floor, the error may be larger, but the
// result is below floor, too.
func (s *MatrixSums) Sums(m *MatrixMemory, x, y []float64, floor float64, dst [][]float64) {
	meanFloor := floor / s.Norm() // the mean of the kernels, dst[k][r] / n, if the density is floor
	for from := 0; from < len(x); from += batchSize {
		to := min(from+batchSize, len(x))
		s.placePoints(m, x[from:to], y[from:to]) // sets m.u and m.v, the points in the coordinates of the grid
		for k := range dst {
			if s.gridded {
				s.readGrid(m, dst[k][from:to], k, meanFloor)
			} else {
				s.sumAll(dst[k][from:to], k, m.u, m.v)
			}
		}
	}
}

// placePoints sets (m.u, m.v) to the points in the coordinates of fullPair and, if there are grids,
// computes their windows.
func (s *MatrixSums) placePoints(m *MatrixMemory, x, y []float64) {
	m.u, m.v = stats.Resized(m.u, len(x)), stats.Resized(m.v, len(x))
	s.sample.coordinates(m.u, m.v, x, y)
	if s.gridded {
		s.lattice.placeWindows(&m.windows, m.u, m.v)
	}
}

// sumAll sets dst[r] to the sum of the kernels of part k at the point (u[r], v[r]).
func (s *MatrixSums) sumAll(dst []float64, k int, u, v []float64) {
	pu, pv := s.sample.part(k)
	for r := range dst {
		dst[r] = vecmath.SumGauss2(pu, pv, u[r], v[r])
	}
}

// sumNear is like sumAll, but omits negligible kernels. The rows of part k must be sorted by cell.
func (s *MatrixSums) sumNear(dst []float64, k int, u, v []float64) {
	pu, pv := s.sample.part(k)
	for r := range dst {
		dst[r] = s.grids[k].cells.sum(pu, pv, u[r], v[r])
	}
}

// readGrid sets dst[r] to the sum of the kernels of part k at the point (m.u[r], m.v[r]). If the
// grid is not accurate enough for a point, it computes the sum directly. meanFloor is the floor of
// Sums, converted to a floor for the mean of the kernels (dst[r] divided by the number of rows).
func (s *MatrixSums) readGrid(m *MatrixMemory, dst []float64, k int, meanFloor float64) {
	g := &s.grids[k]
	// Window r of m.windows contains the weights of the nodes near point r.
	vecmath.ReadWindows(dst, g.nodes, s.lattice.stride, &m.windows, &windowBell)
	if len(g.outside.u) > 0 { // add the sample points that the grid omits
		for r := range dst {
			dst[r] += vecmath.SumGauss2(g.outside.u, g.outside.v, m.u[r], m.v[r])
		}
	}
	points := s.inaccuratePoints(m, dst, k, meanFloor)
	if g.cells != nil {
		s.sumNear(points.sums, k, points.u, points.v)
	} else {
		s.sumAll(points.sums, k, points.u, points.v)
	}
	for i, r := range points.index {
		dst[r] = points.sums[i]
	}
}

// inaccuratePoints returns the points (m.u[r], m.v[r]) at which the grid of part k is not accurate
// enough (see accurate). dst[r] is the sum of kernels from the grid. The sums of the result are not
// computed yet.
func (s *MatrixSums) inaccuratePoints(m *MatrixMemory, dst []float64, k int, meanFloor float64) *inaccuratePoints {
	p := &m.inaccurate
	p.index, p.u, p.v = p.index[:0], p.u[:0], p.v[:0]
	rows := s.grids[k].rowCount
	for r, sum := range dst {
		u, v := m.u[r], m.v[r]
		meanKernel, errorBound := sum/rows, s.lattice.errorAt(u, v)
		if !s.accurate(meanKernel, errorBound, meanFloor) {
			p.index = append(p.index, r)
			p.u = append(p.u, u)
			p.v = append(p.v, v)
		}
	}
	p.sums = stats.Resized(p.sums, len(p.index))
	return p
}

// errorAt bounds the error of a mean kernel that is read from the grid at the point (u, v), without
// the aliasing error (gridAliasing).
func (l *lattice) errorAt(u, v float64) float64 {
	if l.contains(u, v) {
		return gridTruncation
	}
	return l.boundOutside(u, v)
}

// accurate reports whether a mean of the kernels that was computed from a grid is accurate enough
// for Sums. errorBound is the result of errorAt. For meanFloor, see readGrid.
func (s *MatrixSums) accurate(mean, errorBound, meanFloor float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // half, because some parts may be below the floor
	singlePart := len(s.sample.offset) == 2
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
