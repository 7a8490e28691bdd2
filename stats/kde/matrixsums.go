package kde

import (
	"math"

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
// One MatrixSums may be fitted to many pairs, one after the other, in the memory of
// the first.
type MatrixSums struct {
	f       fullPair
	l       lattice
	gridded bool
	floor   float64    // of the mean kernel
	grids   []partGrid // of the parts

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

// Fit prepares the density of (x, y) with bandwidth matrix h. Densities below the
// floor may come out as others below it; with parts, errors of LogError times the
// floor are let pass.
func (s *MatrixSums) Fit(x, y []float64, h H2, p Partition, floor float64) {
	s.f.fit(x, y, h, p)
	s.floor = floor / s.f.norm
	s.gridded = worthwhile(len(x), p.Parts(), 0, 0)
	if !s.gridded {
		return
	}
	s.l = newLattice(s.f.u, s.f.v, vecmath.Scale, gridMargin, gridTaps)
	if s.gridded = worthwhile(len(x), p.Parts(), s.l.nodes(), s.l.strays(s.f.u, s.f.v)); !s.gridded {
		return
	}
	s.half = resized(s.half, s.l.halfLength())
	for len(s.grids) < p.Parts() {
		s.grids = append(s.grids, partGrid{})
	}
	for k := range p.Parts() {
		u, v := s.f.part(k)
		n, g := p.Count(k), &s.grids[k]
		g.rows = float64(n)
		g.nodes = resized(g.nodes, s.l.length())
		g.outside = s.l.spread(g.nodes, u[:n], v[:n], &s.batch)
		s.l.convolve(g.nodes, s.half)
	}
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
// units of the kernel's peak.
func (s *MatrixSums) Sums(x, y []float64, dst [][]float64) {
	for from := 0; from < len(x); from += batchSize {
		to := min(from+batchSize, len(x))
		s.u, s.v = resized(s.u, to-from), resized(s.v, to-from)
		s.f.coordinates(s.u, s.v, x[from:to], y[from:to])
		if s.gridded {
			s.window(&s.l, s.u, s.v)
		}
		for k := range dst {
			if s.gridded {
				s.read(dst[k][from:to], k)
			} else {
				s.direct(dst[k][from:to], k, s.u, s.v)
			}
		}
	}
}

// direct sets dst to the sums of part k at the points (u, v).
func (s *MatrixSums) direct(dst []float64, k int, u, v []float64) {
	pu, pv := s.f.part(k)
	vecmath.SumsGauss2(dst, pu, pv, u, v)
}

// read sets dst to the sums of part k at the points (s.u, s.v), which have their
// windows.
func (s *MatrixSums) read(dst []float64, k int) {
	g, low := &s.grids[k], &s.low
	vecmath.ReadWindows(dst, g.nodes, s.l.stride, &s.windows, &windowBell)
	low.row, low.u, low.v = low.row[:0], low.u[:0], low.v[:0]
	for r, sum := range dst {
		u, v := s.u[r], s.v[r]
		if o := &g.outside; len(o.u) > 0 {
			sum += vecmath.SumGauss2(o.u, o.v, u, v)
		}
		err := gridTruncation
		if !s.l.contains(u, v) {
			err = s.l.largest(u, v)
		}
		dst[r] = sum
		if !s.enough(sum/g.rows, err) {
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
func (s *MatrixSums) enough(mean, err float64) bool {
	const share = (LogError - 2*gridAliasing) / 2 // parts are below and above the floor
	return err <= share*max(mean, s.floor) || len(s.f.offset) == 2 && (mean+err)*(1+LogError) < s.floor
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
