package vecmath

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

// bellWindows are windows at random nodes of a grid of rows x stride nodes, whose
// weights are exp(-alpha (i-7-t)^2) at the returned t of both directions.
func bellWindows(rng *rand.Rand, n, rows, stride int, alpha float64) (windows *Windows, t [][2]float64, bell Bell) {
	for i := range bell {
		bell[i] = math.Exp(-alpha * float64((i-7)*(i-7)))
	}
	windows = &Windows{}
	for range n {
		p, q := rng.Float64(), rng.Float64()
		t = append(t, [2]float64{p, q})
		windows.At = append(windows.At, rng.Intn(rows-WindowSize+1)*stride+rng.Intn(stride-WindowSize+1))
		windows.Bells = append(windows.Bells, math.Exp(-alpha*p*p-14*alpha*p), math.Exp(2*alpha*p),
			math.Exp(-alpha*q*q-14*alpha*q), math.Exp(2*alpha*q))
	}
	return windows, t, bell
}

func TestWindows(t *testing.T) {
	const rows, stride, alpha = 29, 23, 0.4
	rng := randtest.New(1)
	for n := range 5 {
		windows, offset, bell := bellWindows(rng, n, rows, stride, alpha)
		weight := func(k, i, j int) float64 {
			a, b := float64(i-7)-offset[k][0], float64(j-7)-offset[k][1]
			return math.Exp(-alpha * (a*a + b*b))
		}
		grid := sample(rng, rows*stride, 1)
		got := everyWay(t, func() []float64 {
			dst := make([]float64, n)
			ReadWindows(dst, grid, stride, windows, &bell)
			return dst
		})
		spread := everyWay(t, func() []float64 {
			into := append([]float64{}, grid...)
			SpreadWindows(into, stride, windows, &bell)
			return into
		})
		want := append([]float64{}, grid...)
		for k, at := range windows.At {
			sum := 0.0
			for i := range WindowSize {
				for j := range WindowSize {
					sum += weight(k, i, j) * grid[at+i*stride+j]
					want[at+i*stride+j] += weight(k, i, j)
				}
			}
			near(t, "ReadWindows", got[k], sum, 1e-13)
		}
		for i := range want {
			near(t, "SpreadWindows", spread[i], want[i], 1e-13)
		}
	}
}

func TestWindowsStayInside(t *testing.T) {
	const rows, stride = 17, 20
	last := (rows-WindowSize)*stride + stride - WindowSize
	for _, at := range []int{-1, last + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for a window at node %d", at)
				}
			}()
			ReadWindows([]float64{0}, make([]float64, rows*stride), stride,
				&Windows{At: []int{at}, Bells: make([]float64, 4)}, &Bell{})
		}()
	}
}

func BenchmarkWindows(b *testing.B) {
	const n, side = 1000, 72
	rng := randtest.New(1)
	windows, _, bell := bellWindows(rng, n, side, side, 0.4)
	grid, dst := sample(rng, side*side, 1), make([]float64, n)
	for _, v := range versions() {
		for _, f := range []struct {
			name string
			f    func()
		}{
			{"Read", func() { ReadWindows(dst, grid, side, windows, &bell) }},
			{"Spread", func() { SpreadWindows(grid, side, windows, &bell) }},
		} {
			b.Run(fmt.Sprint(f.name, "/", v.name), func(b *testing.B) {
				v.run(func() {
					for b.Loop() {
						f.f()
					}
				})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/window")
			})
		}
	}
}
