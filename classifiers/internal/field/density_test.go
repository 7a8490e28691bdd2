package field

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// kernel is Eqs. 3-5.
func kernel(u []float64, h float64) float64 {
	var norm float64
	for _, v := range u {
		norm += v * v
	}
	t := math.Sqrt(norm) / h
	if t > 1 {
		return 0
	}
	return 0.75 * (1 - t*t) / math.Pow(h, float64(len(u)))
}

func differences(x [][]float64, columns []int, i, j int) []float64 {
	u := make([]float64, len(columns))
	for p, c := range columns {
		u[p] = x[c][i] - x[c][j]
	}
	return u
}

func TestConditionalIsEquationTwo(t *testing.T) {
	x := chain(randtest.New(1), 30, 4)
	s := NewScorer(x, khrfRange)
	c := s.conditional(2, []int{0, 3}, s.x)
	c.H1, c.H2 = 0.3, 0.6
	row := []float64{0.4, 0.9, 0.6, 0.5}
	var top, bottom float64
	for i := range 30 {
		w := kernel([]float64{row[0] - x[0][i], row[3] - x[3][i]}, c.H2)
		top += kernel([]float64{row[2] - x[2][i]}, c.H1) * w
		bottom += w
	}
	within(t, "log p(y|x)", c.LogDensity(row), math.Log(top/bottom), 1e-12)
}

func TestConditionalIntegratesToOne(t *testing.T) {
	x := chain(randtest.New(2), 60, 3)
	s := NewScorer(x, Bandwidths{Max1: 0.5, Max2: 0.5, Iterations: 2, Floor: 1e-200})
	for _, parents := range [][]int{{}, {0}, {0, 2}} {
		c := s.conditional(1, parents, s.x)
		row := []float64{x[0][5], 0, x[2][5]}
		total, step := 0.0, 1e-4
		for y := -1.0; y < 2; y += step {
			row[1] = y
			total += math.Exp(c.LogDensity(row)) * step
		}
		within(t, "integral", total, 1, 1e-4)
	}
}

func TestFloorStandsForUndefined(t *testing.T) {
	s := NewScorer([][]float64{{0, 0.1, 0.2}, {0, 0.1, 0.2}}, khrfRange)
	c := s.conditional(0, []int{1}, s.x)
	within(t, "0/0", c.LogDensity([]float64{0.1, 5}), math.Log(1e-6), 1e-12)
	within(t, "no y near", c.LogDensity([]float64{5, 0.1}), math.Log(1e-6), 1e-12)
}

func TestSumLogs(t *testing.T) {
	rng := randtest.New(3)
	x, plain := make([]float64, 500), 0.0
	for i := range x {
		x[i] = math.Pow(10, 400*rng.Float64()-200)
		if i%3 > 0 {
			x[i] = rng.Float64()
		}
		plain += math.Log(clip(0.5*x[i], 1e-150))
	}
	within(t, "sum of logs", sumLogs(x, 0.5, 1e-150), plain, 1e-12)
}

func TestFieldIsProduct(t *testing.T) {
	x := chain(randtest.New(4), 40, 3)
	s := NewScorer(x, khrfRange)
	parents := [][]int{{1}, {0, 2}, {}}
	row := []float64{0.5, 0.6, 0.4}
	var want float64
	for i, p := range parents {
		want += s.conditional(i, p, s.x).LogDensity(row)
	}
	within(t, "log density", s.Field(parents, x).LogDensity(row), want, 1e-15)
}
