package kde

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
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
	return out
}

// The stated bound, at sample points, between them and outside.
func TestGridPairWithinItsError(t *testing.T) {
	const n, parts = 900, 3
	part := make([]int, n)
	for i := range part {
		part[i] = i % parts
	}
	for _, s := range planeSamples(n) {
		h, err := Hpi(s.x, s.y, KSPilot)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGridPair(s.x, s.y, h, NewPartition(part, parts))
		if g.clipped != (s.name == "cauchy") {
			t.Errorf("%s: clipped is %v", s.name, g.clipped)
		}
		got := make([]float64, parts)
		worst := 0.0
		for k := range 2000 {
			x := s.x[k%n] + 5*math.Sin(float64(k))*float64(k/n)*math.Sqrt(h.XX)
			y := s.y[k%n] + 5*math.Cos(float64(k))*float64(k/n)*math.Sqrt(h.YY)
			g.Sums(x, y, got)
			for p := range parts {
				want, count := 0.0, 0
				for i := p; i < n; i += parts {
					want += plainKernel2(h, x-s.x[i], y-s.y[i]) / g.Norm()
					count++
				}
				worst = max(worst, math.Abs(got[p]-want)/float64(count))
				if got[p] < 0 {
					t.Fatalf("%s: negative density at (%v, %v)", s.name, x, y)
				}
			}
		}
		if !(worst <= GridError) {
			t.Errorf("%s: error %.3g of the kernel's peak", s.name, worst)
		}
	}
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
		for r, want := range map[int][]float64{4: functionals4(u, v, g), 6: functionals6(u, v, g, DerivedPilot)} {
			list := []int{0, 1, 2, 3, 4, 5, 6}[:r+1]
			got := scaled(gridFunctionals(u, v, r, g, list), r, g, n)
			for b := range want {
				if e := math.Abs(got[b]-want[b]) / math.Abs(want[0]); !(e <= 1e-5) && !(r == 6 && b == 3) {
					t.Errorf("%s: psi_%d%d = %v, want %v", s.name, r-b, b, got[b], want[b])
				}
			}
		}
	}
}
