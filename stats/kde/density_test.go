package kde

import (
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
)

// samples are the univariate shapes for which the fast methods are tested.
func samples(n int) map[string][]float64 {
	rng := randtest.New(1)
	out := map[string][]float64{}
	draw := func(name string, f func() float64) {
		x := make([]float64, n)
		for i := range x {
			x[i] = f()
		}
		out[name] = x
	}
	draw("normal", rng.NormFloat64)
	draw("far from zero", func() float64 { return 1e6 + 0.01*rng.NormFloat64() })
	draw("cauchy", func() float64 { return rng.NormFloat64() / rng.NormFloat64() })
	draw("two clusters", func() float64 { return 100*float64(rng.Intn(2)) + rng.NormFloat64() })
	draw("integers", func() float64 { return float64(rng.Intn(7)) })
	return out
}

func plainDensity(x []float64, h, t float64) float64 {
	sum := 0.0
	for _, xi := range x {
		u := (t - xi) / h
		sum += math.Exp(-0.5*u*u) / (h * math.Sqrt(2*math.Pi))
	}
	return sum / float64(len(x))
}

func TestDensityAgainstFormula(t *testing.T) {
	for _, n := range []int{1, 7, 63, 64, 500} {
		for name, x := range samples(n) {
			h, err := NormalReference.Bandwidth(x)
			if err != nil {
				h = 1
			}
			d := New(x, h)
			for i := range 400 {
				at := x[i%n] + h*(float64(i)-200)/9
				got, want := d.At(at), plainDensity(x, h, at)
				// far from zero the differences t - x themselves are rounded
				tolerance := 1e-12 + 40*math.Abs(at)/h*1e-16
				if !(math.Abs(got-want) <= tolerance*want+1e-307/h) {
					t.Fatalf("%s, n = %d: f(%v) = %v, want %v", name, n, at, got, want)
				}
			}
		}
	}
}

// Densities at many points are identical to those at single points. Estimates that reuse a sorted sample are
// identical, too.
func TestDensityHasOneWay(t *testing.T) {
	for _, n := range []int{7, 64, 80, 500} {
		for name, x := range samples(n) {
			const h = 0.3
			d, left := New(x, h), x[n/3:n/3+n/5]
			var points []float64
			for i := range 2*batchSize + 5 {
				points = append(points, x[i%n]+h*float64(i-batchSize)/9)
			}
			same := func(what string, a, b *Density) {
				got := make([]float64, len(points))
				a.AtAll(got, points)
				for i, at := range points {
					if want := b.At(at); got[i] != want {
						t.Fatalf("%s, n = %d, %s: f(%v) = %v, want %v", name, n, what, at, got[i], want)
					}
				}
			}
			same("all", d, d)
			for _, rule := range []Rule{PlugIn, NormalReference, Matlab} {
				density, err := rule.Density(x)
				h, without := rule.Bandwidth(x)
				if (err == nil) != (without == nil) {
					t.Fatalf("%s, n = %d, %s: a density has error %v, its bandwidth %v", name, n, rule, err, without)
				}
				if err == nil {
					same("the bandwidth of "+string(rule), density, New(x, h))
				}
			}
			same("without", d.Without(left), New(slices.Concat(x[:n/3], x[n/3+n/5:]), h))
		}
	}
}

func TestWithoutForeignFiles(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a value that the sample has once and that is left out twice")
		}
	}()
	New([]float64{1, 2, 3}, 1).Without([]float64{2, 2})
}

func TestFunctionalAgainstPairs(t *testing.T) {
	for name, x := range samples(300) {
		x = belowMax(ascending(x))
		s, err := minimScale(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []int{4, 6, 8} {
			for _, g := range []float64{0.02 * s, 0.3 * s, s, 4 * s} {
				got, want := derivativeSum(x, r, g), plainHermiteSum(x, r, g)
				// the exact sum rounds after each of n^2 terms of at most |He_r(0)|
				n := float64(len(x))
				tolerance := (4e-13 + 1e-16*math.Abs(x[0])/g) * n * n * math.Abs(hermite(r, 0))
				if !(math.Abs(got-want) <= tolerance) {
					t.Errorf("%s, r = %d, g = %v: %v, want %v", name, r, g, got, want)
				}
			}
		}
	}
}
