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
	const stride = 56
	for _, pair := range [][2]int{{0, 1}, {0, 9}, {0, 17}, {0, 41}, {3, 12}, {6, 15}, {6, 23}, {7, 16}, {7, 24}, {7, 40}, {13, 46}, {14, 23}, {15, 40}, {39, 48}} {
		i, end := pair[0], pair[1]
		for count := range 4 {
			y, x, before := sample(rng, stride, 1), sample(rng, count*stride, 1), sample(rng, 2*stride, 1)
			got := everyWay(t, func() []float64 {
				b := Bumps{P: [2]float64{4, 0.5}, Q: 0.3}
				sums := slices.Clone(before)
				totals := b.Add(sums, y, x, stride, count, i, end)
				return append(sums, totals[:]...)
			})
			want := append(slices.Clone(before), 0, 0)
			for j := i + 1; j < end; j++ {
				distance := 0.0
				for c := range count {
					u := x[c*stride+j] - x[c*stride+i]
					distance += u * u
				}
				for k, p := range []float64{4, 0.5} {
					v := max(0, 1-p*(y[j]-y[i])*(y[j]-y[i])) * max(0, 1-0.3*distance)
					want[k*stride+j] += v
					want[2*stride+k] += v
				}
			}
			for j := range want {
				if math.Abs(got[j]-want[j]) > 1e-13 {
					t.Fatalf("rows %d to %d, %d columns, element %d: %v, want %v", i, end, count, j, got[j], want[j])
				}
			}
		}
	}
}

func TestAddBump(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for n := 0; n < 80; n += BumpLanes {
		x, d := sample(rng, n, 1), make([]float64, n)
		for i := range d {
			d[i] = rng.ExpFloat64()
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
	y, x, sums := sample(rng, 256, 1), sample(rng, 4*256, 1), make([]float64, 2*256)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			v.run(func() {
				bumps := Bumps{P: [2]float64{4, 0.5}, Q: 0.3}
				for range b.N {
					bumps.Add(sums, y, x, 256, 4, 10, 256)
				}
			})
		})
		b.Run("distances/"+v.name, func(b *testing.B) {
			v.run(func() {
				for range b.N {
					Distances(y[:248], x, 256, 4)
				}
			})
		})
	}
}
