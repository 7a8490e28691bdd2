package vecmath

import (
	"testing"

	"copse/internal/randtest"
)

func TestCorrelate(t *testing.T) {
	rng := randtest.New(1)
	for _, n := range []int{0, 1, 31, 32, 70} {
		for _, step := range []int{1, 5} {
			taps := sample(rng, 7, 1)
			src := sample(rng, n+6*step, 1)
			got := everyWay(t, func() []float64 {
				dst := make([]float64, n)
				Correlate(dst, src, taps, step)
				return dst
			})
			for p := range got {
				want := 0.0
				for d, k := range taps {
					want += k * src[p+d*step]
				}
				near(t, "Correlate", got[p], want, 1e-14)
			}
		}
	}
}

func BenchmarkCorrelate(b *testing.B) {
	const rows, stride, taps = 72, 84, 27
	rng := randtest.New(1)
	src, dst := sample(rng, (rows+taps-1)*stride, 1), make([]float64, rows*stride)
	k := sample(rng, taps, 1)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			v.run(func() {
				for b.Loop() {
					Correlate(dst, src, k, stride)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dst)), "ns/element")
		})
	}
}
