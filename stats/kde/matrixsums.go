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
// where the rows may fall into parts (the folds of a cross-validation). They are
// direct for small samples and come from grids for others, for which see grid.go;
// LogError bounds the difference. It is the sample that decides, not the points
// asked for: a point has the same sum whatever it is asked for with.
//
// MatrixSums are immutable, but for those that a MatrixMemory fits next.
type MatrixSums struct {
	f       fullPair
	l       lattice
	gridded bool
	grids   []partGrid // of the parts
}

// A MatrixMemory is what pairs are fitted and summed in, one after the other. The
// zero value is ready.
type MatrixMemory struct {
	fitted MatrixSums
	batch
	u, v, half []float64
	low        lowPoints
}

// A partGrid is the convolved grid of one part.
type partGrid struct {
	nodes   []float64
	outside strays
	rows    float64
}

// lowPoints are points whose sums are direct.
type lowPoints struct {
	row        []int
	u, v, sums []float64
}

// LogError bounds the difference between log(max(f, floor)) from MatrixSums and
// from direct sums. It holds in the tails, too: where the grid's error would show,
// sums are direct.
const LogError = 1e-6

// gridMargin is how far the lattice reaches beyond the sample, in bandwidths.
const gridMargin = 2

// Fit prepares the density of (x, y) with bandwidth matrix h, which stays until the
// next one; Clone keeps it.
func (m *MatrixMemory) Fit(x, y []float64, h H2, p Partition) *MatrixSums {
	s := &m.fitted
	s.f.fit(x, y, h, p)
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return s
	}
	s.l = newLattice(s.f.u, s.f.v, vecmath.Scale, gridMargin, gridTaps)
	if s.gridded = worthwhile(len(x), p.Parts(), s.l.nodes(), s.l.strays(s.f.u, s.f.v)); !s.gridded {
		return s
	}
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
	return s
}

// Numbers returns about how many float64 a Clone holds.
func (s *MatrixSums) Numbers() int {
	n := len(s.f.pu) + len(s.f.pv)
	if s.gridded {
		n += len(s.grids) * s.l.length()
	}
	return n
}

// Clone returns a copy that holds no more than the sums take.
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

// worthwhile reports whether grids save time for n rows in parts, for as many
// points and a test set of a thousand. The costs are in kernels, about 1 ns.
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

// Sums sets dst[k][r] to the sum of the kernels of part k at (x[r], y[r]), in
// units of the kernel's peak. Densities below the floor may come out as others below
// it; with parts, errors of LogError times the floor are let pass.
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

// read sets dst to the sums of part k at the points (m.u, m.v), which have their
// windows; floor is that of the mean kernel.
func (s *MatrixSums) read(m *MatrixMemory, dst []float64, k int, floor float64) {
	g, low := &s.grids[k], &m.low
	vecmath.ReadWindows(dst, g.nodes, s.l.stride, &m.windows, &windowBell)
	low.row, low.u, low.v = low.row[:0], low.u[:0], low.v[:0]
	for r, sum := range dst {
		u, v := m.u[r], m.v[r]
		if o := &g.outside; len(o.u) > 0 {
			sum += vecmath.SumGauss2(o.u, o.v, u, v)
		}
		err := gridTruncation
		if !s.l.contains(u, v) {
			err = s.l.largest(u, v)
		}
		dst[r] = sum
		if !s.enough(sum/g.rows, err, floor) {
			low.row, low.u, low.v = append(low.row, r), append(low.u, u), append(low.v, v)
		}
	}
	low.sums = resized(low.sums, len(low.row))
	s.direct(low.sums, k, low.u, low.v)
	for i, r := range low.row {
		dst[r] = low.sums[i]
	}
}

// enough reports whether an error of the mean kernel is small enough, besides
// that from aliasing.
func (s *MatrixSums) enough(mean, err, floor float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // parts are below and above the floor
	return err <= share*max(mean, floor) || len(s.f.offset) == 2 && (mean+err)*(1+LogError) < floor
}

// largest bounds the kernels at a point outside the lattice.
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
