package kde

import (
	"testing"

	"copse/internal/randtest"
)

func benchmarkSample(n int) (x, y []float64) {
	rng := randtest.New(1)
	for range n {
		x = append(x, rng.NormFloat64())
		y = append(y, x[len(x)-1]+rng.NormFloat64())
	}
	return x, y
}

func BenchmarkPlugIn500(b *testing.B) {
	x, _ := benchmarkSample(500)
	for b.Loop() {
		PlugIn.Bandwidth(x)
	}
}

func BenchmarkHpi500(b *testing.B) {
	x, y := benchmarkSample(500)
	for b.Loop() {
		Hpi(x, y, false)
	}
}

func BenchmarkNew500(b *testing.B) {
	x, _ := benchmarkSample(500)
	for b.Loop() {
		New(x, 0.3)
	}
}

func BenchmarkDensityAt(b *testing.B) {
	x, _ := benchmarkSample(500)
	d := New(x, 0.3)
	b.Run("series", func(b *testing.B) {
		for b.Loop() {
			d.At(0.4)
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			d.plain(0.4)
		}
	})
}
