package kde

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"

	"copse/stats/vecmath"
)

type planeSample struct {
	name string
	x, y []float64
}

// planeSamples are the shapes that the grids are tried on.
func planeSamples(n int) []planeSample {
	rng := rand.New(rand.NewSource(1))
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

// One kernel at distances of 0 to 8 standard deviations, at all positions between
// the nodes, against the two stated errors.
func TestGridKernelError(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	var aliasing, truncation float64
	for range 200 {
		phase := rng.Float64()
		x, y := []float64{10 + phase, 0, 20}, []float64{10 + rng.Float64(), 0, 20}
		l := newLattice(x, y, 1, 0, gridTaps)
		var b batch
		c := make([]float64, l.length())
		l.spread(c, x[:1], y[:1], &b)
		l.convolve(c, make([]float64, l.halfLength()), c, kernelTaps, kernelTaps)
		var u, v []float64
		for range 50 {
			far, angle := 8*rng.Float64(), 2*math.Pi*rng.Float64()
			u, v = append(u, x[0]+far*math.Cos(angle)), append(v, y[0]+far*math.Sin(angle))
		}
		got := make([]float64, len(u))
		b.window(&l, u, v)
		vecmath.ReadWindows(got, c, l.stride, b.windows, &windowBell)
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

// Hpi from the grid is that of the sums over all pairs.
func TestGridFunctionals(t *testing.T) {
	const n = 1500
	for _, s := range planeSamples(n) {
		root, err := sphere(s.x, s.y)
		if err != nil {
			t.Fatal(err)
		}
		u, v := whiten(root.inverse(), s.x, s.y)
		const g = 0.5
		var psi [2][]float64 // by pairs and from the grid
		for r, want := range map[int][]float64{4: functionals4(u, v, g), 6: functionals6(u, v, g, DerivedPilot)} {
			list := []int{0, 1, 2, 3, 4, 5, 6}[:r+1]
			got := scaled(gridFunctionals(u, v, r, g, list), r, g, n)
			for b := range want {
				if e := math.Abs(got[b]-want[b]) / math.Abs(want[0]); !(e <= 1e-5) && !(r == 6 && b == 3) {
					t.Errorf("%s: psi_%d%d = %v, want %v", s.name, r-b, b, got[b], want[b])
				}
			}
			if r == 4 {
				psi = [2][]float64{want, got}
			}
		}
		var h [2]H2
		for k := range psi {
			if h[k], err = minimiseAMISE(psi[k], n); err != nil {
				t.Fatal(err)
			}
		}
		scale := math.Sqrt(h[0].XX * h[0].YY)
		if e := max(math.Abs(h[1].XX/h[0].XX-1), math.Abs(h[1].YY/h[0].YY-1), math.Abs(h[1].XY-h[0].XY)/scale); !(e <= 2e-6) {
			t.Errorf("%s: bandwidth matrix %v, want %v", s.name, h[1], h[0])
		}
	}
}

// One pair's term of order 6 against the stated error.
func TestGridFunctionalOfOnePair(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 300 {
		x, y := []float64{0, 4*rng.Float64() - 2, 7.3 + rng.Float64()}, []float64{0, 4*rng.Float64() - 2, 8}
		for b, got := range gridFunctionals(x, y, 6, 1, []int{0, 1, 2, 3, 4, 5, 6}) {
			want := 0.0
			for i := range x {
				for j := range x {
					p, q := x[i]-x[j], y[i]-y[j]
					want += hermite(6-b, p) * hermite(b, q) * math.Exp(-0.5*(p*p+q*q))
				}
			}
			if e := math.Abs(got-want) / (float64(len(x)*len(x)) * math.Abs(hermite(6, 0))); !(e <= 5e-5) {
				t.Errorf("term %d at (%v, %v): error %.2g of He_6(0)", b, x, y, e)
			}
		}
	}
}
