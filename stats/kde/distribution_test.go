package kde

import (
	"math"
	"slices"
	"testing"
)

// The fast distribution function agrees with the sum over all kernels.
func TestDistributionIsPlain(t *testing.T) {
	long, _ := benchmarkSample(500)
	apart := slices.Clone(long)
	for i := range apart[:100] {
		apart[i] += 40 // two clusters with a gap that has no series
	}
	heavy := slices.Clone(long)
	heavy[0], heavy[1] = 1e6, -1e9
	for name, x := range map[string][]float64{
		"long": long, "short": long[:20], "two clusters": apart, "outliers": heavy,
		"equal values": slices.Repeat([]float64{1.5}, 100),
	} {
		for _, h := range []float64{0.02, 0.3, 5} {
			f := NewDistribution(x, h)
			for _, v := range append(slices.Clone(x), -1e10, -50, 0, 20, 39.9, 1e10) {
				for _, step := range []float64{0, 0.1, 0.5, -3, 12} {
					at := v + step*h
					got, want := f.CDF(at), f.Density.CDF(at)
					if !(math.Abs(got-want) <= 1e-13) {
						t.Fatalf("%s, h = %v: F(%v) = %v, plain %v", name, h, at, got, want)
					}
				}
			}
		}
	}
}

func BenchmarkDistribution250(b *testing.B) {
	x, _ := benchmarkSample(250)
	f := NewDistribution(x, 0.3)
	for b.Loop() {
		f.CDF(0.1)
	}
}

func BenchmarkNewDistribution250(b *testing.B) {
	x, _ := benchmarkSample(250)
	for b.Loop() {
		NewDistribution(x, 0.3)
	}
}
