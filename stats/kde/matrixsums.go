package kde

import (
	"math"
	"slices"

	"copse/stats/vecmath"
)

// MatrixSums are the kernel sums of one pair of variables with a bandwidth matrix:
//
//	f(s,t) = norm / rows * sum of kernels over the rows
//
// where the rows may fall into parts (the folds of a cross-validation). The sums of small
// samples are direct. Larger samples have grids (grid.go), and LogError bounds the difference.
// The choice depends on the sample alone, so that a point has the same sum in every call.
//
// MatrixSums are immutable until their MatrixMemory fits the next pair.
type MatrixSums struct {
	f       fullPair
	gridded bool
	l       lattice    // if gridded
	grids   []partGrid // of the parts, if gridded
}

// A MatrixMemory is memory in which one pair after the other is fitted and summed. The zero
// value is ready.
type MatrixMemory struct {
	fitted MatrixSums
	batch
	u, v []float64 // points in the coordinates of fullPair
	half []float64 // scratch of convolve
	low  lowPoints
}

// A partGrid is the convolved grid of one part of the sample.
type partGrid struct {
	nodes   []float64
	outside strays
	rows    float64 // number of the part's rows
}

// lowPoints are points whose sums are computed directly although there is a grid.
type lowPoints struct {
	row        []int // places among the points
	u, v, sums []float64
}

// LogError bounds the difference between log(max(f, floor)) from MatrixSums and from direct
// sums, also in the tails: sums are direct where the error of the grid would be larger.
const LogError = 1e-6

// gridMargin is how far the lattice reaches beyond the sample, in bandwidths.
const gridMargin = 2

// Fit prepares the sums of the sample (x_i, y_i) with bandwidth matrix h over the parts of
// p. The result is valid until the next Fit; Clone makes a copy.
func (m *MatrixMemory) Fit(x, y []float64, h H2, p Partition) *MatrixSums {
	s := &m.fitted
	s.f.fit(x, y, h, p)
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return s // too small for any grid
	}
	s.l = newLattice(s.f.u, s.f.v, vecmath.Scale, gridMargin, gridTaps)
	s.gridded = worthwhile(len(x), p.Parts(), s.l.nodes(), s.l.strays(s.f.u, s.f.v))
	if s.gridded {
		m.fillGrids(p)
	}
	return s
}

// fillGrids computes the grid of each part on the fitted lattice.
func (m *MatrixMemory) fillGrids(p Partition) {
	s := &m.fitted
	m.half = resized(m.half, s.l.halfLength())
	s.grids = slices.Grow(s.grids[:0], p.Parts())[:p.Parts()]
	for k := range s.grids {
		u, v := s.f.part(k)
		n, g := p.Count(k), &s.grids[k]
		g.rows = float64(n)
		g.nodes = resized(g.nodes, s.l.length())
		g.outside = s.l.spread(g.nodes, u[:n], v[:n], &m.batch)
		s.l.convolve(g.nodes, m.half)
	}
}

// Numbers returns about how many float64 a Clone holds.
func (s *MatrixSums) Numbers() int {
	n := len(s.f.pu) + len(s.f.pv)
	if s.gridded {
		n += len(s.grids) * s.l.length()
	}
	return n
}

// Clone returns a copy with only what Sums needs.
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

// worthwhile reports whether grids with the given number of nodes save time for n rows in
// parts, at these rows and a thousand test points. Each stray costs a kernel per point. The
// costs are in units of a kernel, about 1 ns.
func worthwhile(n, parts, nodes, strays int) bool {
	const (
		readCost, spreadCost, nodeCost = 65, 80, 5
		testPoints                     = 1000
	)
	points := n + testPoints
	grid := parts*(nodes*nodeCost+points*readCost) + n*spreadCost + 2*points*strays
	return 4*grid < 3*n*points
}

// strays returns how many points lie outside a clipped lattice.
func (l *lattice) strays(u, v []float64) (count int) {
	for i := range u {
		if l.clipped && !l.contains(u[i], v[i]) {
			count++
		}
	}
	return count
}

// Norm returns the kernel's peak, 1/(2 pi sqrt(det H)).
func (s *MatrixSums) Norm() float64 { return s.f.norm }

// Sums sets dst[k][r] to the sum of the kernels of part k at (x[r], y[r]), in units of the
// kernel's peak. A density below the floor may come out as any other one below it. With
// several parts, their densities may have errors of LogError times the floor.
func (s *MatrixSums) Sums(m *MatrixMemory, x, y []float64, floor float64, dst [][]float64) {
	for from := 0; from < len(x); from += batchSize {
		to := min(from+batchSize, len(x))
		m.u, m.v = resized(m.u, to-from), resized(m.v, to-from)
		s.f.coordinates(m.u, m.v, x[from:to], y[from:to])
		if s.gridded {
			m.window(&s.l, m.u, m.v)
		}
		for k := range dst {
			if s.gridded {
				s.read(m, dst[k][from:to], k, floor/s.f.norm)
			} else {
				s.direct(dst[k][from:to], k, m.u, m.v)
			}
		}
	}
}

// direct sets dst to the sums of part k at the points (u, v).
func (s *MatrixSums) direct(dst []float64, k int, u, v []float64) {
	pu, pv := s.f.part(k)
	vecmath.SumsGauss2(dst, pu, pv, u, v)
}

// read sets dst to the sums of part k at the points (m.u, m.v) from its grid. m.windows are
// the windows of these points. floor is the floor of the mean kernel. Sums that the grid
// does not give accurately are computed directly.
func (s *MatrixSums) read(m *MatrixMemory, dst []float64, k int, floor float64) {
	g, low := &s.grids[k], &m.low
	vecmath.ReadWindows(dst, g.nodes, s.l.stride, &m.windows, &windowBell)
	low.row, low.u, low.v = low.row[:0], low.u[:0], low.v[:0]
	for r := range dst {
		u, v := m.u[r], m.v[r]
		if len(g.outside.u) > 0 {
			dst[r] += vecmath.SumGauss2(g.outside.u, g.outside.v, u, v)
		}
		if !s.enough(dst[r]/g.rows, s.l.errorAt(u, v), floor) {
			low.row, low.u, low.v = append(low.row, r), append(low.u, u), append(low.v, v)
		}
	}
	low.sums = resized(low.sums, len(low.row))
	s.direct(low.sums, k, low.u, low.v)
	for i, r := range low.row {
		dst[r] = low.sums[i]
	}
}

// errorAt bounds the error of a mean kernel read from the grid at a point, without aliasing.
func (l *lattice) errorAt(u, v float64) float64 {
	if l.contains(u, v) {
		return gridTruncation
	}
	return l.largest(u, v)
}

// enough reports whether an error of the mean kernel, besides aliasing, is small enough for
// LogError.
func (s *MatrixSums) enough(mean, err, floor float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // parts are below and above the floor
	return err <= share*max(mean, floor) || len(s.f.offset) == 2 && (mean+err)*(1+LogError) < floor
}

// largest bounds the kernels of the sample at a point outside the lattice.
func (l *lattice) largest(u, v float64) float64 {
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
