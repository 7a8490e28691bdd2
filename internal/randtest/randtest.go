// Package randtest makes random sources and samples for tests.
package randtest

import "golang.org/x/exp/rand"

// New returns a random source with a seed.
func New(seed uint64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// Normals returns n standard normal values.
func Normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// NormalColumns returns d columns of n standard normal values.
func NormalColumns(d, n int, seed uint64) [][]float64 {
	rng, columns := New(seed), make([][]float64, d)
	for j := range columns {
		columns[j] = Normals(rng, n)
	}
	return columns
}

// Same returns New(1) for any name. Tests set view.Study.Random to Same.
func Same(string) *rand.Rand { return New(1) }
