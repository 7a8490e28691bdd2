package vecmath

import (
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

// Every version has the same bits, and the sums are those of the formula.
func TestBumps(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for n := 0; n < 80; n += BumpLanes {
		stride := n + 3
		y, x, before := sample(rng, n, 1), sample(rng, n, 1), sample(rng, 4*stride, 1)
		d := make([]float64, n)
		for i := range d {
			d[i] = rng.ExpFloat64()
		}
		got := everyWay(t, func() []float64 {
			b := Bumps{At: 0.3, P: [2]float64{4, 0.5}, Q: [2]float64{2, 0.3}}
			sums := slices.Clone(before)
			b.Add(sums, stride, y, d)
			return append(sums, b.Totals[:]...)
		})
		want := append(slices.Clone(before), 0, 0, 0, 0)
		for i := range n {
			for k, p := range []float64{4, 0.5} {
				for l, q := range []float64{2, 0.3} {
					v := max(0, 1-p*(y[i]-0.3)*(y[i]-0.3)) * max(0, 1-q*d[i])
					want[(2*k+l)*stride+i] += v
					want[4*stride+2*k+l] += v
				}
			}
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-14*float64(n+1) {
				t.Fatalf("n = %d, element %d: %v, want %v", n, i, got[i], want[i])
			}
		}
		everyWay(t, func() []float64 {
			sum := slices.Clone(x)
			total, want := AddBump(sum, d, 0.4), 0.0
			for i, v := range d {
				want += max(0, 1-0.4*v)
				if math.Abs(sum[i]-x[i]-max(0, 1-0.4*v)) > 1e-14 {
					t.Fatalf("n = %d, element %d: sum %v", n, i, sum[i])
				}
			}
			if math.Abs(total-want) > 1e-13 {
				t.Fatalf("n = %d: total %v, want %v", n, total, want)
			}
			return append(sum, total)
		})
	}
}

func TestDistances(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for n := 0; n < 80; n += BumpLanes {
		for count := range 5 {
			stride := n + 5
			x := sample(rng, count*stride, 1)
			everyWay(t, func() []float64 {
				d := sample(rand.New(rand.NewSource(3)), n, 1) // overwritten
				Distances(d, x, stride, count)
				for i, got := range d {
					want := 0.0
					for c := range count {
						u := x[c*stride+i+1] - x[c*stride]
						want += u * u
					}
					if math.Abs(got-want) > 1e-14*want {
						t.Fatalf("n = %d, %d columns, row %d: %v, want %v", n, count, i+1, got, want)
					}
				}
				return d
			})
		}
	}
}

func BenchmarkBumps(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	y, d, sums := sample(rng, 256, 1), sample(rng, 256, 1), make([]float64, 4*256)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			v.run(func() {
				bumps := Bumps{P: [2]float64{4, 0.5}, Q: [2]float64{2, 0.3}}
				for range b.N {
					bumps.Add(sums, 256, y, d)
				}
			})
		})
		b.Run("distances/"+v.name, func(b *testing.B) {
			v.run(func() {
				for range b.N {
					Distances(d[:248], sums, 256, 4)
				}
			})
		})
	}
}
