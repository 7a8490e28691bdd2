package kde

import (
	"math"
	"testing"
)

// plainSum is the kernel sum in units of the peak over the points i = part,
// part+parts, ....
func plainSum(s planeSample, h H2, x, y float64, part, parts int) float64 {
	sum := 0.0
	for i := part; i < len(s.x); i += parts {
		sum += plainKernel2(h, x-s.x[i], y-s.y[i])
	}
	return sum * 2 * math.Pi * math.Sqrt(h.Det())
}

// Logarithms respect the stated bound at sample points, between them and increasingly far outside, for the
// whole sample and for parts.
func TestMatrixSumsWithinLogError(t *testing.T) {
	for _, c := range []struct {
		n, parts int
		floor    float64 // of the mean kernel
	}{{200, 1, 0}, {900, 3, 0}, {200, 1, 1e-8}, {200, 1, 1e-3}, {900, 3, 1e-9}, {900, 3, 1e-2}} {
		part := make([]int, c.n)
		for i := range part {
			part[i] = i % c.parts
		}
		for _, s := range planeSamples(c.n) {
			h, err := Hpi(s.x, s.y, false)
			if err != nil {
				t.Fatal(err)
			}
			sums := fitted(s.x, s.y, h, NewPartition(part, c.parts))
			if !sums.gridded && s.name != "cauchy" {
				t.Errorf("%s: no grid for %d points in %d parts", s.name, c.n, c.parts)
			}
			const points = 600
			x, y := make([]float64, points), make([]float64, points)
			for k := range points {
				away := 12 * float64(k) / points
				x[k] = s.x[k%c.n] + away*math.Sin(float64(k))*math.Sqrt(h.XX)
				y[k] = s.y[k%c.n] + away*math.Cos(float64(k))*math.Sqrt(h.YY)
			}
			got := matrix(c.parts, points)
			sums.Sums(new(MatrixMemory), x, y, c.floor*h.Peak(), got)
			worst := 0.0
			for p := range c.parts {
				for k := range points {
					least := max(1e-290, c.floor*float64(c.n/c.parts))
					sum, want := max(got[p][k], least), max(plainSum(s, h, x[k], y[k], p, c.parts), least)
					worst = max(worst, math.Abs(math.Log(sum/want)))
				}
			}
			t.Logf("%s, %d points: log error %.2g", s.name, c.n, worst)
			if !(worst <= LogError) {
				t.Errorf("%s, %d points in %d parts: log error %.3g", s.name, c.n, c.parts, worst)
			}
		}
	}
}

// The lattice is limited, and rows outside it are summed directly.
func TestMatrixSumsOfStrays(t *testing.T) {
	s := planeSamples(4000)[0]
	for i := range 3 {
		s.x[i], s.y[i] = 1e3*float64(i+1), -500
	}
	h := H2{0.04, 0.01, 0.05}
	sums := fitted(s.x, s.y, h, Whole(len(s.x)))
	if !sums.gridded || len(sums.grids[0].outside.u) != 3 {
		t.Fatal("no grid or no strays")
	}
	got := matrix(1, 50)
	sums.Sums(new(MatrixMemory), s.x[:50], s.y[:50], 0, got)
	for k, sum := range got[0] {
		want := plainSum(s, h, s.x[k], s.y[k], 0, 1)
		if !(math.Abs(math.Log(sum/want)) <= LogError) {
			t.Errorf("sum at (%v, %v): %v, want %v", s.x[k], s.y[k], sum, want)
		}
	}
}

// A sum does not depend on the other requested points. A clone does not depend on later uses of the memory of
// its original.
func TestMatrixSumsPointByPoint(t *testing.T) {
	s := planeSamples(600)[5]
	var m MatrixMemory
	sums := m.Fit(s.x, s.y, H2{0.1, 0.02, 0.2}, Whole(600))
	all, one := matrix(1, 600), matrix(1, 1)
	sums.Sums(&m, s.x, s.y, 0, all)
	clone := sums.Clone()
	m.Fit(s.y, s.x, H2{0.3, 0.02, 0.2}, Whole(600))
	for k := range s.x {
		if clone.Sums(&m, s.x[k:k+1], s.y[k:k+1], 0, one); one[0][0] != all[0][k] {
			t.Fatalf("point %d: %v alone, %v with others", k, one[0][0], all[0][k])
		}
	}
}

func fitted(x, y []float64, h H2, p Partition) *MatrixSums { return new(MatrixMemory).Fit(x, y, h, p) }

func matrix(n, m int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, m)
	}
	return rows
}
