package vecmath

import (
	"math"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

func randomPartnerSearch(rng *rand.Rand, n int) *PartnerSearch {
	s := &PartnerSearch{
		F: sample(rng, n, 1), Lower: make([]float64, n), Diag: make([]float64, n), Row: sample(rng, n, 0.5),
		Top: 1, Kii: 1, Floor: 1e-12,
	}
	for t := range n {
		s.Diag[t] = 1
	}
	return s
}

// Every version selects the same partner as the definition. If products cannot tie, the definition uses
// divisions.
func TestPartner(t *testing.T) {
	rng := randtest.New(11)
	for n := range 70 {
		s := randomPartnerSearch(rng, n)
		best, gain := -1, 0.0
		for i := range n {
			if rng.Intn(5) == 0 {
				s.Lower[i] = math.Inf(1)
				continue
			}
			c := s.Kii + s.Diag[i] - 2*s.Row[i]
			if c <= 0 {
				c = s.Floor
			}
			if d := s.Top - s.F[i]; d > 0 && d*d/c > gain {
				best, gain = i, d*d/c
			}
		}
		got := everyWay(t, func() []float64 { return []float64{float64(s.Best())} })
		if got[0] != float64(best) {
			t.Errorf("n = %d: %v, want %d", n, got[0], best)
		}
	}
}

// If gains differ only by rounding, or their products overflow or underflow, every version selects the same
// partner as comparisons of products.
func TestPartnerInDoubt(t *testing.T) {
	rng := randtest.New(12)
	for n := range 70 {
		for _, scale := range []float64{1, 1e-60, 1e-100, 1e-150, 1e60, 1e100, 1e150} {
			s := randomPartnerSearch(rng, n)
			for i := range n {
				if rng.Intn(2) == 0 { // half the gap, a quarter of the curvature
					s.F[i], s.Row[i] = -1, 0.5
				} else {
					s.F[i], s.Row[i] = 0, 0.875
				}
				s.F[i] += 1e-16 * rng.NormFloat64()
				s.Diag[i] += 1e-16 * rng.NormFloat64()
			}
			s.Top *= scale
			for i := range n {
				s.F[i] *= scale
			}
			everyWay(t, func() []float64 { return []float64{float64(s.Best())} })
		}
	}
}

// The first of several equal gains is selected. A gain that cannot be compared is never selected.
func TestPartnerEdges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *PartnerSearch)
		want   float64
	}{
		"equal":                  {func(s *PartnerSearch) {}, 0},
		"none gains":             {func(s *PartnerSearch) { s.Top = -5 }, -1},
		"one gains":              {func(s *PartnerSearch) { s.Top, s.F[19] = -5, -6 }, 19},
		"later and equal":        {func(s *PartnerSearch) { s.F[3], s.F[18] = -1, -1 }, 3},
		"no curvature":           {func(s *PartnerSearch) { s.Row[12] = 1 }, 12},
		"negative curvature":     {func(s *PartnerSearch) { s.Row[17] = 2 }, 17},
		"NaN in f":               {func(s *PartnerSearch) { s.F[0], s.F[18] = math.NaN(), math.NaN() }, 1},
		"NaN in row":             {func(s *PartnerSearch) { s.Row[0], s.Row[1] = math.NaN(), math.NaN() }, 2},
		"NaN everywhere":         {func(s *PartnerSearch) { s.Top = math.NaN() }, -1},
		"infinite curvature":     {func(s *PartnerSearch) { s.Diag[0], s.Diag[9] = math.Inf(1), math.Inf(1) }, 1},
		"curvature overflows":    {func(s *PartnerSearch) { s.Kii = math.Inf(1) }, -1},
		"infinite gain is first": {func(s *PartnerSearch) { s.F[5], s.F[14] = math.Inf(-1), math.Inf(-1) }, 5},
	} {
		s := &PartnerSearch{
			F: make([]float64, 21), Lower: make([]float64, 21), Diag: make([]float64, 21), Row: make([]float64, 21),
			Top: 1, Kii: 1, Floor: 1e-12,
		}
		for i := range s.Diag {
			s.Diag[i] = 1
		}
		c.change(s)
		if got := everyWay(t, func() []float64 { return []float64{float64(s.Best())} }); got[0] != c.want {
			t.Errorf("%s: %v, want %v", name, got[0], c.want)
		}
	}
}

// The search skips blocks. If gains are nearly equal, so that the order of comparisons decides, the result
// must be that of a sequential search.
func TestPartnerNearTies(t *testing.T) {
	rng := randtest.New(12)
	for range 2000 {
		s := randomPartnerSearch(rng, 8+rng.Intn(60))
		for i := range s.F {
			if rng.Intn(2) == 0 { // the same gain but for rounding
				scale := 1 + rng.Float64()
				s.F[i], s.Diag[i], s.Row[i] = s.Top-2*scale, 2*scale*scale-1, 0
			}
		}
		everyWay(t, func() []float64 { return []float64{float64(s.Best())} })
	}
}

func BenchmarkPartner(b *testing.B) {
	s := randomPartnerSearch(randtest.New(1), 128)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			v.run(func() {
				for range b.N {
					s.Best()
				}
			})
		})
	}
}
