package vecmath

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

// A cubic of the distance is a Shape without approximation error.
func TestSpreadPoints(t *testing.T) {
	const rows, stride = 29, 23
	f := func(d float64) float64 { d = math.Abs(d); return 1 - d*(0.3-d*(0.02+d*0.001)) }
	var shape Shape
	for i := range WindowSize / 2 {
		a := float64(i) + 0.5
		shape[0][i], shape[1][i] = f(a), 0.02+0.003*a
		shape[0][WindowSize/2+i], shape[1][WindowSize/2+i] = -0.3+2*0.02*a+3*0.001*a*a, 0.001
	}
	rng := randtest.New(1)
	var all Shape // every term, for the bits of all versions
	for k := range all {
		copy(all[k][:], sample(rng, WindowSize, 1))
	}
	for n := range 5 {
		points := make([]Point, n)
		for k := range points {
			points[k] = Point{At: rng.Intn(rows-WindowSize+1)*stride + rng.Intn(stride-WindowSize+1),
				Row: rng.Float64() - 0.5, Column: rng.Float64() - 0.5}
		}
		grid := sample(rng, rows*stride, 1)
		want := append([]float64{}, grid...)
		for _, p := range points {
			for i := range WindowSize {
				for j := range WindowSize {
					want[p.At+i*stride+j] += f(float64(i)-7.5-p.Row) * f(float64(j)-7.5-p.Column)
				}
			}
		}
		got := everyWay(t, func() []float64 {
			into := append([]float64{}, grid...)
			SpreadPoints(into, stride, points, &shape)
			return into
		})
		everyWay(t, func() []float64 {
			into := append([]float64{}, grid...)
			SpreadPoints(into, stride, points, &all)
			return into
		})
		for i, w := range want {
			near(t, "SpreadPoints", got[i], w, 1e-13)
		}
	}
}

func TestProducts(t *testing.T) {
	const m, n, stride = 2 * TileRows, 3 * TileColumns, 11
	rng := randtest.New(2)
	for _, depth := range []int{1, 4, 7, 32} {
		a, b := sample(rng, m*depth, 1), sample(rng, n*depth, 1)
		got := everyWay(t, func() []float64 {
			dst := make([]float64, m*stride)
			Products(dst, stride, a, m, b, n, depth)
			return dst
		})
		for i := range m {
			for j := range n {
				want := 0.0
				for k := range depth {
					want += a[i*depth+k] * b[j*depth+k]
				}
				near(t, "Products", got[i*stride+j], want, 1e-13)
			}
		}
	}
}
