package main

import (
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// A kernel is an inner loop of copse at a typical size. count is the amount of work in one run,
// such as the number of bytes. unit is the unit of the rate, such as GB/s.
type kernel struct {
	name, unit string
	count      float64
	run        func()
}

// Each kernel is timed in kernelRounds rounds of kernelSeconds. Only the fastest round counts.
const (
	kernelSeconds = 0.3
	kernelRounds  = 5
)

// measureKernels prints the rate of each kernel per second of processor time. These rates and the
// peak rates from internal/benchmarks/peaks form a roofline model.
func measureKernels([]string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, k := range kernels() {
		best := 0.0
		for range kernelRounds {
			calls, start := 0, cpuSeconds()
			for cpuSeconds()-start < kernelSeconds {
				k.run()
				calls++
			}
			work := float64(calls) * k.count // number of operations or bytes, see k.unit
			best = max(best, work/(cpuSeconds()-start))
		}
		fmt.Fprintf(w, "%s\t%.2f %s\n", k.name, best/1e9, k.unit)
	}
	return w.Flush()
}

// someValues returns n numbers between -0.5 and 0.5.
func someValues(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i%97)/97 - 0.5
	}
	return x
}

// shortKernel returns a kernel in which one run calls f 1000 times. A single call takes about a
// microsecond, which is too short to time. count is the amount of work in one call.
func shortKernel(name, unit string, count float64, f func()) kernel {
	const calls = 1000
	return kernel{name, unit, calls * count, func() {
		for range calls {
			f()
		}
	}}
}

// subtractProduct returns a function that subtracts the product A w from a vector f. The matrix A
// has d columns, and x contains its rows. w is a vector.
func subtractProduct(x []float64, d int) func() {
	rows := len(x) / d
	a := blas64.General{Rows: rows, Cols: d, Stride: d, Data: x}
	w := blas64.Vector{N: d, Inc: 1, Data: someValues(d)}
	f := blas64.Vector{N: rows, Inc: 1, Data: make([]float64, rows)}
	return func() { blas64.Gemv(blas.NoTrans, -1, a, w, 1, f) }
}

// kernels returns the kernels to measure. The array sizes are typical of SLB, a linear classifier.
// The features of SLB are log densities of single variables and of pairs.
func kernels() []kernel {
	const (
		rows   = 800   // training rows in each fold, of 1000 rows
		narrow = 420   // features for two classes with 20 variables
		wide   = 40200 // features for two classes with 200 variables
	)
	narrowRows, wideRows := someValues(rows*narrow), someValues(rows*wide)
	const (
		triangle  = rows * (rows + 1) / 2   // different elements of a Gram matrix
		valueSize = 8                       // bytes
		wideSize  = valueSize * rows * wide // bytes of wideRows, far more than the caches hold
		sumSize   = 3 * valueSize * wide    // two values are read and one is written
	)
	gram := make([]float64, rows*rows) // the result of both Gram kernels
	addGram := func(x []float64, d int) func() { return func() { vecmath.AddGram(gram, rows, x, d, d) } }
	sumRows := func() { floats.AddScaled(wideRows[:wide], 1e-9, wideRows[wide:2*wide]) }
	// FMA means a fused multiply-add. Rates are in bytes for kernels that wait for memory.
	return slices.Concat([]kernel{
		dotsKernel(narrowRows),
		{"Gram matrix, 800 x 420", "GFMA/s", triangle * narrow, addGram(narrowRows, narrow)},
		{"Gram matrix, 800 x 40,200", "GFMA/s", triangle * wide, addGram(wideRows, wide)},
		{"matrix times vector, 800 x 420", "GFMA/s", rows * narrow, subtractProduct(narrowRows, narrow)},
		{"matrix times vector, 800 x 40,200", "GB/s", wideSize, subtractProduct(wideRows, wide)},
		{"sum of scaled rows, 40,200 values", "GB/s", sumSize, sumRows},
	}, densityKernels(), []kernel{
		{"memory cleared, 256 MB", "GB/s", wideSize, func() { clear(wideRows) }},
	})
}

// dotsKernel computes the dot products of the first TileRows rows of x with the rows of six tiles.
func dotsKernel(x []float64) kernel {
	const length = 128 // values of each row
	var tiles [6]vecmath.Tile
	for k := range tiles {
		tiles[k].Column = vecmath.TileRows + k*vecmath.TileColumns
	}
	dots := make([]float64, len(tiles)*vecmath.TileRows*vecmath.TileColumns)
	return shortKernel("dot products of 4 x 18 rows, 128 values", "GFMA/s", float64(len(dots)*length),
		func() { vecmath.DotsTiles(dots, x, length, length, tiles[:]) })
}

// densityKernels returns the loops of density estimation to measure, for a class with 512 rows. Two
// of them compute a value for each row: a Gaussian kernel or a logarithm.
//
// The others sum terms with Hermite polynomials of differences over all pairs of rows. One call of
// Hermite4 computes five sums, and one call of Hermite6 computes three.
func densityKernels() []kernel {
	const (
		rows  = 512 // fill whole vectors
		pairs = rows * (rows - 1) / 2
	)
	// Hermite4 and Hermite6 require Margin elements after the rows. Their values need not be Far,
	// because the sums are not used.
	x, y := someValues(rows+vecmath.Margin), someValues(rows+vecmath.Margin)
	out := make([]float64, rows)
	densities := make([]float64, rows)
	for i := range densities {
		densities[i] = float64(i+1) / rows
	}
	return []kernel{
		shortKernel("Gaussian kernel values", "G/s", rows, func() { vecmath.Gauss(out, x[:rows], 0.3, 0.7) }),
		shortKernel("logarithms", "G/s", rows, func() { vecmath.Log(out, densities, 0) }),
		{"fourth-order Hermite sums, five at a time", "G/s", pairs,
			func() { var sums [5]float64; vecmath.Hermite4(x, y, rows, &sums) }},
		{"sixth-order Hermite sums, three at a time", "G/s", pairs,
			func() { var sums [3]float64; vecmath.Hermite6(x, y, rows, &sums) }},
	}
}
