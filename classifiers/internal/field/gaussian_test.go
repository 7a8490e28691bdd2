package field

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/randtest"
)

// log p(x_i|x_N) = log p(x_i,x_N) - log p(x_N) for the joint normal density.
func TestGaussianIsQuotientOfNormals(t *testing.T) {
	mean := []float64{1, -2, 0.5, 3}
	s := mat.NewSymDense(4, []float64{2, 0.5, -0.3, 0.2, 0.5, 1, 0.4, 0, -0.3, 0.4, 1.5, 0.6, 0.2, 0, 0.6, 0.8})
	row := []float64{0.2, -1, 1.1, 2.2}
	logNormal := func(set []int) float64 {
		m, c, x := make([]float64, len(set)), mat.NewSymDense(len(set), nil), make([]float64, len(set))
		for a, i := range set {
			m[a], x[a] = mean[i], row[i]
			for b, j := range set {
				c.SetSym(a, b, s.At(i, j))
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(c) {
			t.Fatal("not positive definite")
		}
		u, v := mat.NewVecDense(len(x), x), mat.NewVecDense(len(x), nil)
		u.SubVec(u, mat.NewVecDense(len(m), m))
		if err := chol.SolveVecTo(v, u); err != nil {
			t.Fatal(err)
		}
		return -0.5 * (mat.Dot(u, v) + chol.LogDet() + float64(len(set))*math.Log(2*math.Pi))
	}
	for _, given := range [][]int{{1}, {1, 3}, {1, 2, 3}} {
		g, err := NewGaussian(mean, s, 0, given)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "log density", g.LogDensity(row), logNormal(append([]int{0}, given...))-logNormal(given), 1e-12)
	}
	g, err := NewGaussian(mean, s, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "marginal", g.LogDensity(row), logNormal([]int{2}), 1e-12)
}

func TestGaussianNeedsVariance(t *testing.T) {
	s := mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 0, 0, 0, 1})
	if _, err := NewGaussian(make([]float64, 3), s, 0, []int{1}); err == nil {
		t.Error("no error for a variable that its neighbour determines")
	}
	if _, err := NewGaussian(make([]float64, 3), s, 2, []int{0, 1}); err == nil {
		t.Error("no error for collinear neighbours")
	}
}

// Large samples use interpolated sums, which are accurate to nearly all digits, also in the tails. Small
// samples and distant points use exact sums.
func TestMultilogisticCells(t *testing.T) {
	rng := randtest.New(2)
	for _, n := range []int{1000, 1500, 6000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = 5 + math.Exp(0.5*rng.NormFloat64())
		}
		m := NewMultilogistic(x, 1, 1e-3)
		if m.cells == nil {
			t.Fatalf("n = %d: no cells", n)
		}
		plain := *m
		plain.cells = nil
		for _, v := range slices.Concat(x[:1000], []float64{4, 5, 5.5, 6, 9, 15, 30}) {
			z, slope := m.Score(v)
			wantZ, wantSlope := plain.Score(v)
			within(t, "score", z, wantZ, 1e-12*max(1, math.Abs(wantZ)))
			within(t, "logarithm of its slope", slope, wantSlope, 1e-12*max(1, math.Abs(wantSlope)))
		}
	}
	if m := NewMultilogistic(randtest.Normals(rng, 20), 1, 1e-3); m.cells != nil {
		t.Error("cells for twenty values")
	}
}

func TestMultilogistic(t *testing.T) {
	rng := randtest.New(1)
	x := make([]float64, 50)
	for i := range x {
		x[i] = rng.ExpFloat64()
	}
	m := NewMultilogistic(x, 1, 1e-3)
	cdf := func(v float64) float64 {
		var sum float64
		for _, u := range x {
			sum += 1 / (1 + math.Exp(-(v-u)/m.h))
		}
		return sum / 50
	}
	for _, v := range []float64{-1, 0, 0.7, 2, 6} {
		z, logSlope := m.Score(v)
		within(t, "Phi(z)", distuv.UnitNormal.CDF(z), cdf(v), 1e-9)
		const step = 1e-5
		above, _ := m.Score(v + step)
		below, _ := m.Score(v - step)
		within(t, "slope", math.Exp(logSlope), (above-below)/(2*step), 1e-6)
	}
	// phi(z) dz/dv is a density.
	total := 0.0
	for v := -20.0; v < 30; v += 1e-3 {
		z, logSlope := m.Score(v)
		total += math.Exp(distuv.UnitNormal.LogProb(z)+logSlope) * 1e-3
	}
	within(t, "integral", total, 1, 1e-6)
	for _, v := range []float64{-1e6, 1e6} {
		if z, logSlope := m.Score(v); math.IsNaN(z) || math.IsInf(z, 0) || math.IsNaN(logSlope) {
			t.Errorf("score at %v: %v, %v", v, z, logSlope)
		}
	}
	// The normal reference of a logistic kernel equates standard deviations: a logistic density with scale h
	// has variance pi^2 h^2/3.
	constant := NewMultilogistic([]float64{1, 1, 1, 1}, 2, 0.5)
	within(t, "kernel sd", constant.h*math.Pi/math.Sqrt(3), 2*0.5*math.Pow(1.0/3, 0.2), 1e-12)
}
