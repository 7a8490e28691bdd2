package vecmath

import (
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

// Every version gives the bits of the plain loop: the first of equal sums, zeros
// without a sign, and nothing where all rows are shut out.
func TestPairStep(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	inf, nan := math.Inf(1), math.NaN()
	for n := range 70 {
		f, a, b := sample(rng, n, 2), sample(rng, n, 1), sample(rng, n, 1)
		upper, lower := make([]float64, n), make([]float64, n)
		for i := range n {
			switch rng.Intn(8) {
			case 0:
				upper[i] = -inf
			case 1:
				lower[i] = inf
			case 2:
				upper[i], lower[i] = -inf, inf
			case 3: // ties, also of zeros
				f[i], a[i], b[i] = math.Copysign(0, rng.NormFloat64()), 1, 1
			case 4:
				f[i], a[i], b[i] = 3, 1, 1
			case 5:
				if n%7 == 0 {
					f[i] = nan
				}
			}
			if n%11 == 10 {
				upper[i], lower[i] = -inf, inf
			}
		}
		for _, delta := range []float64{0, -0.7, 1e-3} {
			want := slices.Clone(f)
			largest, first, smallest := -inf, -1, inf
			for i := range want {
				want[i] -= float64(delta * (a[i] - b[i]))
				if w := want[i] + upper[i]; w > largest {
					largest, first = w, i
				}
				if w := want[i] + lower[i]; w < smallest {
					smallest = w
				}
			}
			want = append(want, largest+0, float64(first), smallest+0)
			got := everyWay(t, func() []float64 {
				g := slices.Clone(f)
				l, i, s := PairStep(g, a, b, upper, lower, delta)
				return append(g, l, float64(i), s)
			})
			for i := range want {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Fatalf("n = %d, delta = %v, element %d: %v, want %v", n, delta, i, got[i], want[i])
				}
			}
		}
	}
}

func BenchmarkPairStep(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	f, x, y := sample(rng, 128, 1), sample(rng, 128, 1), sample(rng, 128, 1)
	zero := make([]float64, 128)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			v.run(func() {
				for range b.N {
					PairStep(f, x, y, zero, zero, 1e-9)
				}
			})
		})
	}
}
