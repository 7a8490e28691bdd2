package vecmath

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
)

// All versions give identical results, and the sums agree with the formula.
func TestBumpTile(t *testing.T) {
	rng := randtest.New(1)
	const stride = 128
	p, q := [2]float64{4, 0.5}, 0.3
	for _, at := range []struct{ i, j, width int }{{0, 0, 8}, {0, 0, 64}, {8, 8, 40}, {16, 64, 64}, {40, 56, 8},
		{120, 120, 8}} {
		for count := range 4 {
			for _, wide := range []bool{false, true} {
				y, x, z := sample(rng, stride, 1), sample(rng, count*stride, 1), sample(rng, stride, 1)
				before := sample(rng, 2*stride, 1)
				got := everyWay(t, func() []float64 {
					var tile BumpTile
					var lanes BumpLanes
					sums := slices.Clone(before)
					both := [2][]float64{sums[:stride], sums[stride:]}
					tile.Set(y, x, stride, count, at.i, at.j, at.width, p, wide)
					tile.Add(both, &lanes, z, q)
					lanes.Fold(both, at.i)
					return sums
				})
				want := slices.Clone(before)
				for i := at.i; i < at.i+BumpRows; i++ {
					for j := max(at.j, i+1); j < at.j+at.width; j++ {
						distance := (z[j] - z[i]) * (z[j] - z[i])
						for c := range count {
							u := x[c*stride+j] - x[c*stride+i]
							distance += u * u
						}
						for k := range p {
							if k == 0 && wide {
								continue
							}
							v := max(0, 1-p[k]*(y[j]-y[i])*(y[j]-y[i])) * max(0, 1-q*distance)
							want[k*stride+i] += v
							want[k*stride+j] += v
						}
					}
				}
				for e := range want {
					if math.Abs(got[e]-want[e]) > 1e-13 {
						t.Fatalf("%+v, %d columns, wide %v, element %d: %v, want %v",
							at, count, wide, e, got[e], want[e])
					}
				}
			}
		}
	}
}

func BenchmarkBumpTile(b *testing.B) {
	rng := randtest.New(1)
	y, x, sums := sample(rng, 128, 1), sample(rng, 4*128, 1), make([]float64, 2*128)
	both := [2][]float64{sums[:128], sums[128:]}
	tile, lanes := new(BumpTile), new(BumpLanes)
	for _, v := range versions() {
		for count := 0; count < 4; count += 3 {
			b.Run(fmt.Sprintf("set/columns=%d/%s", count, v.name), func(b *testing.B) {
				v.run(func() {
					for range b.N {
						tile.Set(y, x, 128, count, 0, 64, 64, [2]float64{4, 0.5}, false)
					}
				})
			})
		}
		for _, wide := range []bool{false, true} {
			b.Run(fmt.Sprintf("add/wide=%v/%s", wide, v.name), func(b *testing.B) {
				v.run(func() {
					tile.Set(y, x, 128, 3, 0, 64, 64, [2]float64{4, 0.5}, wide)
					for range b.N {
						tile.Add(both, lanes, y, 0.3)
					}
				})
			})
		}
	}
}
