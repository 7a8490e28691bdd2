package vecmath

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"copse/internal/randtest"
)

// BenchmarkRoofline measures the inner loops of copse at typical sizes. The features of SLB are log
// densities of single variables and of pairs. internal/benchmarks/roofline.sh compares the rates
// with the peak rates of a core. Rates are in bytes for loops that wait for memory.
func BenchmarkRoofline(b *testing.B) {
	const (
		rows      = 800                     // training rows in each fold, of 1000 rows
		narrow    = 420                     // features for two classes with 20 variables
		wide      = 40200                   // features for two classes with 200 variables
		triangle  = rows * (rows + 1) / 2   // different elements of a Gram matrix
		valueSize = 8                       // bytes
		wideSize  = valueSize * rows * wide // bytes of wideRows, far more than the caches hold
		length    = 128                     // values of each row for dot products
		small     = 512                     // rows of a class
		pairs     = small * (small - 1) / 2
	)
	rng := randtest.New(8)
	narrowRows, wideRows := sample(rng, rows*narrow, 1), sample(rng, rows*wide, 1)
	gram, products := make([]float64, rows*rows), make([]float64, rows)
	subtractProduct := func(x []float64, d int) func() {
		a := blas64.General{Rows: rows, Cols: d, Stride: d, Data: x}
		w, f := blas64.Vector{N: d, Inc: 1, Data: x[:d]}, blas64.Vector{N: rows, Inc: 1, Data: products}
		return func() { blas64.Gemv(blas.NoTrans, -1, a, w, 1, f) }
	}
	var tiles [6]Tile
	for k := range tiles {
		tiles[k].Column = TileRows + k*TileColumns
	}
	dots := make([]float64, len(tiles)*TileRows*TileColumns)
	x, y, out := sample(rng, small, 1), sample(rng, small, 1), make([]float64, small)
	farX, farY := withFar(x), withFar(y)
	for _, k := range []struct {
		name, unit string
		count      float64 // operations or bytes of one run
		run        func()
	}{
		{"dot products of 4 x 18 rows, 128 values", "GFMA/s", float64(len(dots) * length),
			func() { AddTileDots(dots, narrowRows, length, length, tiles[:]) }},
		{"Gram matrix, 800 x 420", "GFMA/s", triangle * narrow,
			func() { AddGram(gram, rows, narrowRows, narrow, narrow) }},
		{"Gram matrix, 800 x 40,200", "GFMA/s", triangle * wide, func() { AddGram(gram, rows, wideRows, wide, wide) }},
		{"matrix times vector, 800 x 420", "GFMA/s", rows * narrow, subtractProduct(narrowRows, narrow)},
		{"matrix times vector, 800 x 40,200", "GB/s", wideSize, subtractProduct(wideRows, wide)},
		{"sum of scaled rows, 40,200 values", "GB/s", 3 * valueSize * wide, // two values are read and one is written
			func() { floats.AddScaled(wideRows[:wide], 1e-9, wideRows[wide:2*wide]) }},
		{"Gaussian kernel values", "G/s", small, func() { Gauss(out, x, 0.3, 0.7) }},
		{"logarithms", "G/s", small, func() { Log(out, y, 1e-10) }},
		{"fourth-order Hermite sums, five at a time", "G/s", pairs,
			func() { var sums [5]float64; Hermite4(farX, farY, small, &sums) }},
		{"sixth-order Hermite sums, three at a time", "G/s", pairs,
			func() { var sums [3]float64; Hermite6(farX, farY, small, &sums) }},
		{"memory cleared, 256 MB", "GB/s", wideSize, func() { clear(wideRows) }},
	} {
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				k.run()
			}
			b.ReportMetric(k.count*float64(b.N)/float64(b.Elapsed().Nanoseconds()), k.unit)
		})
	}
}
