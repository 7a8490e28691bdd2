package kde

import (
	"math"
	"slices"
	"testing"

	"copse/stats/vecmath"
)

// Sums by cells agree with sums over all rows: between the rows, in sparse regions, and so far away that all
// kernels are 0. Some samples have rows outside the lattice.
func TestCellsAgainstAllRows(t *testing.T) {
	const n = 3000
	for _, s := range planeSamples(n) {
		var f fullPair
		f.fit(s.x, s.y, productBandwidth(s), Whole(n))
		u, v := f.u, f.v
		points := slices.Clone(u[:200])
		l := newLattice(u, v, vecmath.Scale, gridMargin)
		c := newCells(&l, u, v)
		for k, x := range points {
			away := 60 * math.Pow(float64(k)/200, 3)
			a, b := x+away*math.Sin(float64(k)), v[7*k]+away*math.Cos(float64(k))
			got, want := c.sum(u, v, a, b), vecmath.SumGauss2(u, v, a, b)
			if !(math.Abs(got-want) <= 2*omittedShare*want) {
				t.Errorf("%s: sum %v at (%v, %v), want %v", s.name, got, a, b, want)
			}
		}
	}
}

// productBandwidth is the bandwidth n^(-1/6) sd of both variables, as a matrix.
func productBandwidth(s planeSample) H2 {
	h := math.Pow(float64(len(s.x)), -1./6)
	hx, hy := h*StdDev(s.x), h*StdDev(s.y)
	return H2{hx * hx, 0, hy * hy}
}

// A part with omitFrom rows has cells, a smaller one has none. In sparse regions, sums by cells
// replace direct sums; elsewhere, LogError holds as without cells.
func TestMatrixSumsOfManyRows(t *testing.T) {
	const n = 2*omitFrom + 1
	part := make([]int, n)
	for i := range part {
		part[i] = min(i%3, 1) // part 1 is twice as large as part 0
	}
	for _, s := range planeSamples(n)[:4] {
		h := productBandwidth(s)
		sums := fitted(s.x, s.y, h, NewPartition(part, 2))
		if sums.grids[0].cells != nil || sums.grids[1].cells == nil {
			t.Fatalf("%s: cells %v, %v", s.name, sums.grids[0].cells != nil, sums.grids[1].cells != nil)
		}
		const points = 60
		x, y := make([]float64, points), make([]float64, points)
		for k := range points {
			away := 30 * float64(k) / points
			x[k] = s.x[k] + away*math.Sin(float64(k))*math.Sqrt(h.XX)
			y[k] = s.y[k] + away*math.Cos(float64(k))*math.Sqrt(h.YY)
		}
		got, want := matrix(2, points), matrix(2, points)
		sums.Sums(new(MatrixMemory), x, y, 0, got)
		u, v := make([]float64, points), make([]float64, points)
		sums.sample.coordinates(u, v, x, y)
		for p := range 2 {
			sums.sumAll(want[p], p, u, v)
			for k := range points {
				a, b := max(got[p][k], 1e-290), max(want[p][k], 1e-290)
				if !(math.Abs(math.Log(a/b)) <= LogError) {
					t.Errorf("%s, part %d: sum %v at (%v, %v), want %v", s.name, p, a, x[k], y[k], b)
				}
				if b < 1e-9*n && !(math.Abs(a-b) <= 2*omittedShare*b) {
					t.Errorf("%s, part %d: sum %v in a sparse region, want %v", s.name, p, a, b)
				}
			}
		}
	}
}

// Densities of a large sample agree with sums over all kernels: inside the sample, in gaps and far away.
func TestDensityOfManyValues(t *testing.T) {
	x, _ := benchmarkSample(omitFrom)
	d := New(append(x, 40, -70), 0.08)
	for k := range 300 {
		at := float64(k-150) / 2
		all := make([]float64, len(d.x))
		vecmath.Gauss(all, d.x, at, vecmath.Scale/d.h)
		got, want := d.plain(at), sumInTwo(all)*d.norm()
		if !(math.Abs(got-want) <= 2*omittedShare*want) {
			t.Errorf("density %v at %v, want %v", got, at, want)
		}
	}
}

func BenchmarkSumsOfManyRows(b *testing.B) {
	const n = 200000
	x, y := benchmarkSample(n)
	h := productBandwidth(planeSample{x: x, y: y})
	var m MatrixMemory
	dst := matrix(1, n)
	for b.Loop() {
		m.Fit(x, y, h, Whole(n)).Sums(&m, x, y, 0, dst)
	}
}
