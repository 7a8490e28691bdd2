package copula

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// testdata/golden.csv was made by testdata/golden.R with R 4.2.2.
func TestCorrelationsGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		x, y, name := Rank(row.List("x")), Rank(row.List("y")), row.Value["case"]
		if got, want := x.Spearman(y), row.Num("spearman"); math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: Spearman %v, R %v", name, got, want)
		}
		if got, want := x.Kendall(y), row.Num("kendall"); math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: Kendall %v, R %v", name, got, want)
		}
	}
}

// plainKendall counts pairs.
func plainKendall(x, y []float64) float64 {
	s, tx, ty := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			s += a * b
			tx += a * a
			ty += b * b
		}
	}
	return s / math.Sqrt(tx*ty)
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func TestKendallCountsPairs(t *testing.T) {
	rng := randtest.New(1)
	for _, n := range []int{2, 3, 12, 13, 25, 100, 333} {
		for _, levels := range []int{2, 5, 1000000} {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = float64(rng.Intn(levels))
				y[i] = float64(rng.Intn(levels)) + x[i]/2
			}
			want := plainKendall(x, y)
			if math.IsNaN(want) {
				want = 0
			}
			if got := Rank(x).Kendall(Rank(y)); math.Abs(got-want) > 1e-15 {
				t.Errorf("n = %d, %d levels: %v, by pairs %v", n, levels, got, want)
			}
		}
	}
}

func TestConstantSampleHasNoCorrelation(t *testing.T) {
	c, x := Rank([]float64{1, 1, 1}), Rank([]float64{1, 3, 2})
	for _, r := range []float64{c.Kendall(x), x.Kendall(c), c.Spearman(x), x.Spearman(c), c.Kendall(c),
		Rank([]float64{4}).Kendall(Rank([]float64{5}))} {
		if r != 0 {
			t.Errorf("correlation %v", r)
		}
	}
}

var copulas = []Copula{
	NewGaussian(-0.95), NewGaussian(-0.3), NewGaussian(0), NewGaussian(0.5), NewGaussian(0.9),
	Clayton{1e-6}, Clayton{0.2}, Clayton{1}, Clayton{3}, Clayton{10},
}

func name(c Copula) string { return fmt.Sprintf("%T %v", c, c) }

// The margins are uniform: the density integrates to 1 over v for every u. In
// normal scores b of v the integrand c phi(b) is smooth.
func TestMarginsAreUniform(t *testing.T) {
	for _, c := range copulas {
		for _, u := range []float64{1e-4, 0.05, 0.5, 0.9, 0.9999} {
			inner := func(b float64) float64 {
				return math.Exp(c.LogDensity(At(u), At(distuv.UnitNormal.CDF(b)))) * distuv.UnitNormal.Prob(b)
			}
			sum := 0.0
			for from := -8.0; from < 8; from += 0.125 {
				sum += quad.Fixed(inner, from, from+0.125, 12, quad.Legendre{}, 0)
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("%s: integral over v at u = %v is %v", name(c), u, sum)
			}
		}
	}
}

func TestExchangeable(t *testing.T) {
	for _, c := range copulas {
		for _, u := range []float64{0.01, 0.3, 0.99} {
			for _, v := range []float64{0.02, 0.5, 0.999} {
				if a, b := c.LogDensity(At(u), At(v)),
					c.LogDensity(At(v), At(u)); math.Abs(a-b) > 1e-13*(1+math.Abs(a)) {
					t.Errorf("%s: %v at (%v,%v), %v the other way round", name(c), a, u, v, b)
				}
			}
		}
	}
}

// The density of the Gaussian copula is the normal density divided by the densities of its margins.
func TestGaussianIsNormal(t *testing.T) {
	for _, r := range []float64{-0.9, -0.2, 0, 0.6, 0.999} {
		c := NewGaussian(r)
		for _, a := range []float64{-3, -0.5, 0, 1.7} {
			for _, b := range []float64{-2, 0.1, 2.5} {
				conditional := distuv.Normal{Mu: r * a, Sigma: math.Sqrt(1 - r*r)}
				want := conditional.LogProb(b) - distuv.UnitNormal.LogProb(b)
				got := c.LogDensity(At(distuv.UnitNormal.CDF(a)), At(distuv.UnitNormal.CDF(b)))
				if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("r = %v at (%v,%v): %v, want %v", r, a, b, got, want)
				}
			}
		}
	}
}

// The Clayton density equals the closed form if this does not overflow, and is otherwise finite.
func TestClaytonClosedForm(t *testing.T) {
	for _, theta := range []float64{0.1, 1, 5} {
		for _, u := range []float64{0.01, 0.4, 0.95} {
			for _, v := range []float64{0.05, 0.5, 0.99} {
				s := math.Pow(u, -theta) + math.Pow(v, -theta) - 1
				want := math.Log((1 + theta) * math.Pow(u*v, -1-theta) * math.Pow(s, -2-1/theta))
				if got := (Clayton{theta}).LogDensity(At(u), At(v)); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("theta = %v at (%v,%v): %v, want %v", theta, u, v, got, want)
				}
			}
		}
	}
	for _, theta := range []float64{1e-12, 1e-3, 30, 1000} {
		for _, u := range []float64{1e-300, 1e-6, 1 - 1e-6} {
			for _, v := range []float64{1e-300, 1e-6, 1 - 1e-6} {
				if got := (Clayton{theta}).LogDensity(At(u), At(v)); math.IsNaN(got) || math.IsInf(got, 0) {
					t.Errorf("theta = %v at (%v,%v): %v", theta, u, v, got)
				}
			}
		}
	}
	// On the diagonal with v = u -> 0: c ~ (1+theta) 2^(-2-1/theta) / u.
	if got, want := (Clayton{50}).LogDensity(At(1e-200), At(1e-200)),
		math.Log(51)-2.02*math.Ln2+200*math.Ln10; math.Abs(got-want) > 1e-10*want {
		t.Errorf("%v near the corner, want %v", got, want)
	}
}

// correlation returns r, from the coefficients r^2 / (2 (1-r^2)) and r / (1-r^2) of the log density.
func correlation(c Gaussian) float64 { return 2 * c.square / c.cross }

// The fits invert the correlations of the families: samples drawn by the conditional distributions have the
// correlations.
func TestFitsAreInverse(t *testing.T) {
	const n = 20000
	rng := randtest.New(2)
	x, y := make([]float64, n), make([]float64, n)
	for _, r := range []float64{-0.8, 0.3, 0.95} {
		for i := range x {
			x[i] = rng.NormFloat64()
			y[i] = r*x[i] + math.Sqrt(1-r*r)*rng.NormFloat64()
		}
		a, b := Rank(x), Rank(y)
		if got := correlation(GaussianBySpearman(a.Spearman(b), 0.999)); math.Abs(got-r) > 0.02 {
			t.Errorf("r = %v: by Spearman %v", r, got)
		}
		if got := correlation(GaussianByKendall(a.Kendall(b), 0.999)); math.Abs(got-r) > 0.02 {
			t.Errorf("r = %v: by Kendall %v", r, got)
		}
	}
	for _, theta := range []float64{0.5, 2, 8} {
		for i := range x {
			u, w := 1-rng.Float64(), 1-rng.Float64()
			x[i] = u
			y[i] = math.Pow(1+math.Pow(u, -theta)*(math.Pow(w, -theta/(1+theta))-1), -1/theta)
		}
		c, ok := ClaytonByKendall(Rank(x).Kendall(Rank(y)), 30)
		if got := c.theta; !ok || math.Abs(got-theta) > 0.05*(1+theta) {
			t.Errorf("theta = %v: %v", theta, got)
		}
	}
	if _, ok := ClaytonByKendall(0, 30); ok {
		t.Error("a Clayton copula without correlation")
	}
	if c, _ := ClaytonByKendall(1, 30); c.theta != 30 {
		t.Errorf("theta %v, limit 30", c.theta)
	}
	if c := GaussianBySpearman(-1, 0.99); math.Abs(correlation(c)+0.99) > 1e-14 {
		t.Errorf("r %v, limit 0.99", correlation(c))
	}
}

func BenchmarkKendall250(b *testing.B) {
	rng := randtest.New(3)
	x, y := make([]float64, 250), make([]float64, 250)
	for i := range x {
		x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	r, s := Rank(x), Rank(y)
	for b.Loop() {
		r.Kendall(s)
	}
}

func BenchmarkClayton(b *testing.B) {
	c, u, v := Clayton{2}, At(0.3), At(0.8)
	for b.Loop() {
		c.LogDensity(u, v)
	}
}
