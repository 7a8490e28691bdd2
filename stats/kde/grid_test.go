package kde

import (
	"math"
	"testing"

	"copse/internal/randtest"
	"copse/stats/vecmath"
)

type planeSample struct {
	name string
	x, y []float64
}

// planeSamples are the bivariate shapes for which the grids are tested.
func planeSamples(n int) []planeSample {
	rng := randtest.New(1)
	normal := rng.NormFloat64
	var out []planeSample
	add := func(name string, draw func() (float64, float64)) {
		s := planeSample{name: name}
		for range n {
			x, y := draw()
			s.x, s.y = append(s.x, x), append(s.y, y)
		}
		out = append(out, s)
	}
	add("round", func() (float64, float64) { return normal(), normal() })
	add("elongated", func() (float64, float64) { x := normal(); return x, 2*x + 0.1*normal() })
	add("far", func() (float64, float64) { return 1e5 + normal(), -3e4 + normal() })
	add("clusters", func() (float64, float64) { return float64(5 * rng.Intn(3)), normal() })
	add("cauchy", func() (float64, float64) { return normal() / normal(), normal() / normal() })
	add("t5", func() (float64, float64) {
		chi := 0.0
		for range 5 {
			z := normal()
			chi += z * z
		}
		r := math.Sqrt(5 / chi)
		return r * normal(), r * normal()
	})
	add("duplicates", func() (float64, float64) { return math.Round(4 * normal()), math.Round(4 * normal()) })
	add("tiny", func() (float64, float64) { return 1e-70 * normal(), 1e-60 * normal() })
	add("huge", func() (float64, float64) { return 1e70 * normal(), 1e40 * normal() })
	return out
}

// The errors of one kernel at distances of 0 to 8 standard deviations, at all positions between the nodes,
// are within the two stated bounds.
func TestGridKernelError(t *testing.T) {
	rng := randtest.New(2)
	var aliasing, truncation float64
	for range 200 {
		phase := rng.Float64()
		x, y := []float64{10 + phase, 0, 20}, []float64{10 + rng.Float64(), 0, 20}
		l := newLattice(x, y, 1, 0)
		var windows vecmath.Windows
		c := make([]float64, l.length())
		l.spread(c, x[:1], y[:1], &windows)
		l.convolve(c, make([]float64, l.halfLength()))
		var u, v []float64
		for range 50 {
			far, angle := 8*rng.Float64(), 2*math.Pi*rng.Float64()
			u, v = append(u, x[0]+far*math.Cos(angle)), append(v, y[0]+far*math.Sin(angle))
		}
		got := make([]float64, len(u))
		l.placeWindows(&windows, u, v)
		vecmath.ReadWindows(got, c, l.stride, &windows, &windowBell)
		for r := range got {
			d, e := u[r]-x[0], v[r]-y[0]
			want := math.Exp(-0.5 * (d*d + e*e))
			if difference := math.Abs(got[r] - want); !(difference <= gridAliasing*want+gridTruncation) {
				t.Fatalf("kernel at (%v, %v): %v, want %v", d, e, got[r], want)
			} else if want > 1e-3 {
				aliasing = max(aliasing, difference/want)
			} else if want < 1e-6 {
				truncation = max(truncation, difference)
			}
		}
	}
	t.Logf("%.2g of the value, %.2g of the peak", aliasing, truncation)
}
