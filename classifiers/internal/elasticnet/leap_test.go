package elasticnet

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"

	"copse/stats/vecmath"
)

// TestRemove: the factor without a row and column is the factor of the matrix without
// them.
func TestRemove(t *testing.T) {
	const n = 70
	rng := rand.New(rand.NewSource(1))
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
		u := upper{n: len(kept), stride: vecmath.CholeskyStride(len(kept))}
		u.data = make([]float64, u.n*u.stride)
		for r, i := range kept {
			for s, j := range kept {
				u.data[r*u.stride+s] = matrix[i][j]
			}
		}
		if !vecmath.Cholesky(u.data, u.n) {
			t.Fatal("not positive definite")
		}
		return u
	}
	kept := make([]int, n)
	for i := range kept {
		kept[i] = i
	}
	u := factorOf(kept)
	for _, r := range []int{0, n - 2, 30, 5, 5, 40} {
		kept = append(kept[:r:r], kept[r+1:]...)
		u.remove(r)
		want := factorOf(kept)
		for i := range want.n {
			for j := i; j < want.n; j++ {
				got, want := u.data[i*u.stride+j], want.data[i*want.stride+j]
				if !(math.Abs(got-want) <= 1e-12*n) {
					t.Fatalf("without row %d: element (%d, %d) is %v, want %v", r, i, j, got, want)
				}
			}
		}
	}
}
