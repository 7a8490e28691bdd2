package vecmath

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// symmetric returns the n x n products of rows of depth elements, rows of stride
// elements whose last are not numbers.
func symmetric(rng *rand.Rand, n, depth, stride int) []float64 {
	a := slices.Repeat([]float64{math.NaN()}, n*stride)
	rows := sample(rng, n*depth, 1)
	for i := range n {
		for j := range n {
			a[i*stride+j] = 0
			for k := range depth {
				a[i*stride+j] += rows[i*depth+k] * rows[j*depth+k]
			}
		}
	}
	return a
}

// gonumCholesky returns the upper triangle of gonum's factor, row after row, and
// whether there is one.
func gonumCholesky(a []float64, n, stride int) ([]float64, bool) {
	a = slices.Clone(a)
	_, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: stride, Data: a, Uplo: blas.Upper})
	return upper(a, n, stride), ok
}

func upper(a []float64, n, stride int) (triangle []float64) {
	for i := range n {
		triangle = append(triangle, a[i*stride+i:i*stride+n]...)
	}
	return triangle
}

// Cholesky has gonum's bits, which are others where gonum has no assembly.
func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 16, 17, 24, 25, 31, 32, 33, 40, 63, 64, 65, 66, 79, 100, 127, 128, 129,
		150, 200} {
		stride := CholeskyStride(n)
		a := symmetric(rng, n, n+3, stride)
		want, _ := gonumCholesky(a, n, stride)
		got := everyWay(t, func() []float64 {
			u := slices.Clone(a)
			if !Cholesky(u, n) {
				t.Errorf("n = %d: not positive definite", n)
			}
			return upper(u, n, stride)
		})
		for i := range want {
			same := math.Float64bits(got[i]) == math.Float64bits(want[i])
			if !same && (runtime.GOARCH == "amd64" || math.Abs(got[i]-want[i]) > 1e-10) {
				t.Fatalf("n = %d, element %d: %v, gonum %v", n, i, got[i], want[i])
			}
		}
	}
}

// What is not positive definite, or not a number, is refused.
func TestCholeskyRefuses(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, bad := range []float64{0, -1, math.NaN()} {
		a := symmetric(rng, 70, 75, CholeskyStride(70))
		a[66*(CholeskyStride(70)+1)] = bad
		everyWay(t, func() []float64 {
			if Cholesky(slices.Clone(a), 70) {
				t.Errorf("%v on the diagonal is accepted", bad)
			}
			return nil
		})
	}
}

func BenchmarkCholesky(b *testing.B) {
	rng := rand.New(rand.NewSource(3))
	for _, n := range []int{30, 67, 128} {
		stride := CholeskyStride(n)
		a := symmetric(rng, n, n, stride)
		u := slices.Clone(a)
		for name, factorise := range map[string]func(){
			"here": func() { Cholesky(u, n) },
			"gonum": func() {
				lapack64.Potrf(blas64.Symmetric{N: n, Stride: stride, Data: u, Uplo: blas.Upper})
			},
		} {
			b.Run(fmt.Sprintf("%s%d", name, n), func(b *testing.B) {
				for range b.N {
					copy(u, a)
					factorise()
				}
			})
		}
	}
}
