package vecmath

import (
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

// windows are the rows after i, up to end, of 56.
var windows = [][2]int{{0, 1}, {0, 9}, {0, 17}, {0, 41}, {3, 12}, {6, 15}, {6, 23}, {7, 16}, {7, 24}, {7, 40}, {13, 46}, {14, 23}, {15, 40}, {39, 48}}

// Every version has the same bits, and the sums are those of the formula.
func TestBumps(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	const stride = 56
	for _, pair := range windows {
		i, end := pair[0], pair[1]
		for count := range 4 {
			for near := i + 1; near <= end; near += 5 {
				y, x, before := sample(rng, stride, 1), sample(rng, count*stride, 1), sample(rng, 2*stride, 1)
				for j := near; j < end; j++ { // beyond the reach of the first bandwidth alone
					y[j] = y[i] + 0.5 + rng.Float64()
				}
				got := everyWay(t, func() []float64 {
					b := Bumps{P: [2]float64{4, 0.5}, Q: 0.3}
					sums := slices.Clone(before)
					first, second := b.Add(sums, y, x, stride, count, i, near, end)
					return append(sums, first, second)
				})
				want := append(slices.Clone(before), 0, 0)
				for j := i + 1; j < end; j++ {
					for k, p := range []float64{4, 0.5} {
						v := max(0, 1-p*(y[j]-y[i])*(y[j]-y[i])) * max(0, 1-0.3*squared(x, stride, count, i, j))
						want[k*stride+j] += v
						want[2*stride+k] += v
					}
				}
				equal(t, i, end, count, got, want)
			}
		}
	}
}

func TestAddBump(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	const stride = 56
	for _, pair := range windows {
		i, end := pair[0], pair[1]
		for count := 1; count < 5; count++ {
			x, before := sample(rng, count*stride, 1), sample(rng, stride, 1)
			got := everyWay(t, func() []float64 {
				sums := slices.Clone(before)
				return append(sums, AddBump(sums, x, stride, count, i, end, 0.4))
			})
			want := append(slices.Clone(before), 0)
			for j := i + 1; j < end; j++ {
				v := max(0, 1-0.4*squared(x, stride, count, i, j))
				want[j] += v
				want[stride] += v
			}
			equal(t, i, end, count, got, want)
		}
	}
}

// squared returns |x_j-x_i|^2.
func squared(x []float64, stride, count, i, j int) (d float64) {
	for c := range count {
		u := x[c*stride+j] - x[c*stride+i]
		d += u * u
	}
	return d
}

func equal(t *testing.T, i, end, count int, got, want []float64) {
	t.Helper()
	for j := range want {
		if math.Abs(got[j]-want[j]) > 1e-13 {
			t.Fatalf("rows %d to %d, %d columns, element %d: %v, want %v", i, end, count, j, got[j], want[j])
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
					bumps.Add(sums, y, x, 256, 4, 10, 243, 243)
				}
			})
		})
		b.Run("one/"+v.name, func(b *testing.B) {
			v.run(func() {
				for range b.N {
					AddBump(sums, x, 256, 4, 10, 243, 0.3)
				}
			})
		})
	}
}
