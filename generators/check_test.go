package generators

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
)

func mustNew(t testing.TB, g Generator, rng *rand.Rand) Problem {
	t.Helper()
	p, err := g.New(rng)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkUniform fails if u is not uniform on [0, 1]. The Kolmogorov statistic sqrt(n) D exceeds 1.95 with
// probability 0.001 and 2.4 with probability 2e-5. It sorts u.
func checkUniform(t *testing.T, what string, u []float64, limit float64) {
	t.Helper()
	slices.Sort(u)
	n := float64(len(u))
	d := 0.0
	for i, v := range u {
		d = math.Max(d, math.Max(v-float64(i)/n, float64(i+1)/n-v))
	}
	if !(math.Sqrt(n)*d <= limit) {
		t.Errorf("%s: Kolmogorov statistic %.3g exceeds %.3g", what, math.Sqrt(n)*d, limit)
	}
}

// checkClose fails unless |got - want| <= tol (1 + |want|), or both are the same
// infinity.
func checkClose(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if got == want {
		return
	}
	if math.IsInf(want, 0) || !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// integrate2 integrates exp(logDensity) over the square [-r, r]^2 by the trapezoidal rule after x = s
// sinh(u), which covers heavy tails.
func integrate2(r float64, n int, logDensity func(x []float64) float64) float64 {
	end := math.Asinh(r)
	step := 2 * end / float64(n)
	sum, x := 0.0, make([]float64, 2)
	for i := range n + 1 {
		u := -end + float64(i)*step
		for j := range n + 1 {
			v := -end + float64(j)*step
			x[0], x[1] = math.Sinh(u), math.Sinh(v)
			sum += math.Exp(logDensity(x)) * math.Cosh(u) * math.Cosh(v)
		}
	}
	return sum * step * step
}
