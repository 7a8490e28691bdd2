package vecmath

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
)

// AddGram adds the dot products above the diagonal and does not change other entries. The result for a pair
// does not depend on the other rows.
func TestAddGram(t *testing.T) {
	rng := randtest.New(6)
	for _, n := range []int{0, 1, 7, 40, gramDepth, gramDepth + 9} {
		for _, m := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 21, gramPanel + 7} {
			stride := n + 3
			rows := sample(rng, m*stride, 1)
			gram := everyWay(t, func() []float64 {
				g := make([]float64, m*m)
				for i := range g {
					g[i] = 1
				}
				AddGram(g, m, rows, stride, n)
				return g
			})
			for i := range m {
				for j := range m {
					want := 1.0
					for k := 0; k < n && j >= i; k++ {
						want += rows[i*stride+k] * rows[j*stride+k]
					}
					if math.Abs(gram[i*m+j]-want) > 1e-11 {
						t.Fatalf("m = %d, n = %d, element %d, %d: %g, want %g", m, n, i, j, gram[i*m+j], want)
					}
				}
			}
			blocks := slices.Repeat([]float64{1}, m*m)
			for _, from := range []int{8, 4, 0, 12} {
				if to := min(from+4, m); from < to && from < 12 {
					AddGramBlock(blocks, m, rows, stride, n, from, to)
				} else if from < m {
					AddGramBlock(blocks, m, rows, stride, n, from, m)
				}
			}
			if !slices.Equal(blocks, gram) {
				t.Fatalf("m = %d, n = %d: other bits block by block", m, n)
			}
			for i := range m {
				for j := i; j < m; j++ {
					alone := []float64{1, 1, 1, 1}
					AddGram(alone, 2, slices.Concat(rows[i*stride:][:n], rows[j*stride:][:n]), n, n)
					if math.Float64bits(alone[1]) != math.Float64bits(gram[i*m+j]) {
						t.Fatalf("m = %d, n = %d, element %d, %d: %v alone, %v among others",
							m, n, i, j, alone[1], gram[i*m+j])
					}
				}
			}
		}
	}
}

func BenchmarkAddGram(b *testing.B) {
	rng := randtest.New(7)
	for _, size := range [][2]int{{20, 500}, {20, 2048}, {800, 420}, {1000, 64}} {
		m, n := size[0], size[1]
		rows, dst := sample(rng, m*n, 1), make([]float64, m*m)
		b.Run(fmt.Sprintf("%dx%d", m, n), func(b *testing.B) {
			for range b.N {
				AddGram(dst, m, rows, n, n)
			}
			flop := float64(m) * float64(m+1) * float64(n)
			b.ReportMetric(flop*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
}
