package vecmath

import (
	"fmt"
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// gonumLess is LessProducts for all rows.
func gonumLess(f, x []float64, stride int, w []float64) {
	a := blas64.General{Rows: len(f), Cols: len(w), Stride: stride, Data: x}
	blas64.Gemv(blas.NoTrans, -1, a, blas64.Vector{N: len(w), Inc: 1, Data: w}, 1,
		blas64.Vector{N: len(f), Inc: 1, Data: f})
}

func TestLessProducts(t *testing.T) {
	rng := rand.New(rand.NewSource(13))
	for _, rows := range []int{1, 7, 8, 9, 16, 23, 40} {
		for n := range 20 {
			stride := n + 1 + rows%3
			x, w, f := sample(rng, rows*stride, 1), sample(rng, n, 1), sample(rng, rows, 1)
			want := slices.Clone(f)
			if n > 0 {
				gonumLess(want, x, stride, w)
			}
			got := slices.Clone(f)
			done := LessProducts(got, x, stride, w)
			if most := rows - rows%productRows; done != most && done != 0 || n == 0 && done > 0 {
				t.Fatalf("%d of %d rows are done", done, rows)
			}
			copy(want[done:], f[done:])
			for i := range want {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Fatalf("%d x %d, row %d: %v, gonum %v", rows, n, i, got[i], want[i])
				}
			}
		}
	}
}

func BenchmarkLessProducts(b *testing.B) {
	rng := rand.New(rand.NewSource(14))
	for _, size := range [][2]int{{640, 40}, {640, 154}, {640, 420}, {800, 20000}} {
		x, w, f := sample(rng, size[0]*size[1], 1), sample(rng, size[1], 1), sample(rng, size[0], 1)
		b.Run(fmt.Sprintf("here%v", size), func(b *testing.B) {
			for range b.N {
				LessProducts(f, x, size[1], w)
			}
		})
		b.Run(fmt.Sprintf("gonum%v", size), func(b *testing.B) {
			for range b.N {
				gonumLess(f, x, size[1], w)
			}
		})
	}
}
