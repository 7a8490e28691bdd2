package elasticnet

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"copse/internal/randtest"
	"copse/stats"
)

// TestRemove: removing a row and column from the factor gives the factor of the matrix without them.
func TestRemove(t *testing.T) {
	const n = 70
	rng := randtest.New(1)
	// A'A plus a multiple of the identity
	var a, matrix [n][n]float64
	for i := range n {
		for j := range n {
			a[i][j] = rng.NormFloat64()
		}
	}
	for i := range n {
		for j := range n {
			for k := range n {
				matrix[i][j] += a[k][i] * a[k][j]
			}
		}
		matrix[i][i]++
	}
	factorOf := func(kept []int) upper {
		m := len(kept)
		block := blas64.Symmetric{N: m, Stride: m, Data: make([]float64, m*m), Uplo: blas.Upper}
		for r, i := range kept {
			for s, j := range kept {
				block.Data[r*m+s] = matrix[i][j]
			}
		}
		factor, ok := lapack64.Potrf(block)
		if !ok {
			t.Fatal("not positive definite")
		}
		return upper{factor}
	}
	kept := stats.Indices(n)
	u := factorOf(kept)
	for _, r := range []int{0, n - 2, 30, 5, 5, 40} {
		kept = append(kept[:r:r], kept[r+1:]...)
		u.remove(r)
		want := factorOf(kept)
		for i := range want.N {
			for j := i; j < want.N; j++ {
				got, want := u.Data[i*u.Stride+j], want.Data[i*want.Stride+j]
				if !(math.Abs(got-want) <= 1e-12*n) {
					t.Fatalf("without row %d: element (%d, %d) is %v, want %v", r, i, j, got, want)
				}
			}
		}
	}
}
