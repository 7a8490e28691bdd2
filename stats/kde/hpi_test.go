package kde

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

func TestFunctionalsAgainstPairs(t *testing.T) {
	rng := randtest.New(7)
	for _, n := range []int{2, 9, 10, 57} {
		u, v := make([]float64, n), make([]float64, n)
		for i := range u {
			u[i], v[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		const g = 0.6
		var s spectrum
		plain := func(r, b int) float64 {
			sum := 0.0
			for i := range u {
				for j := range u {
					d, e := (u[i]-u[j])/g, (v[i]-v[j])/g
					sum += hermite(r-b, d) * hermite(b, e) * math.Exp(-0.5*(d*d+e*e))
				}
			}
			return sum / (2 * math.Pi * float64(n*n) * math.Pow(g, float64(2+r)))
		}
		for b, got := range functionals(&s, u, v, 4, g) {
			if want := plain(4, b); !(math.Abs(got-want) <= 1e-12*math.Abs(plain(4, 0))) {
				t.Errorf("n = %d: psi_%d%d = %v, want %v", n, 4-b, b, got, want)
			}
		}
		for b, got := range functionals(&s, u, v, 6, g) {
			if want := plain(6, b); !(math.Abs(got-want) <= 1e-12*math.Abs(plain(6, 0))) {
				t.Errorf("n = %d: psi_%d%d = %v, want %v", n, 6-b, b, got, want)
			}
		}
	}
}

// The criterion is convex, so a zero gradient proves the minimum.
func TestMinimiserHasNoGradient(t *testing.T) {
	m := []float64{0.9, 0.2, 0.35, -0.1, 1.4}
	h, err := minimiseAMISE(m, 120)
	if err != nil {
		t.Fatal(err)
	}
	f := func(h H2) float64 {
		return 1/(4*math.Pi*120*math.Sqrt(h.Det())) + 0.25*biasForm(m, h)
	}
	const step = 1e-6
	for k, d := range []H2{{XX: step}, {XY: step}, {YY: step}} {
		up := H2{h.XX + d.XX, h.XY + d.XY, h.YY + d.YY}
		down := H2{h.XX - d.XX, h.XY - d.XY, h.YY - d.YY}
		if slope := (f(up) - f(down)) / (2 * step); math.Abs(slope) > 1e-7*f(h) {
			t.Errorf("slope %d is %v at %v", k, slope, h)
		}
	}
}
