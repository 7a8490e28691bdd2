package dataset

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

// Every row lacks k values, every column equally often, and what is left is
// what was there; the given set keeps all its values.
func TestRemoveValues(t *testing.T) {
	const n, d, k = 4000, 8, 3
	values := make([]float64, n*d)
	for i := range values {
		values[i] = float64(i)
	}
	s := New(mat.NewDense(n, d, values), make([]int, n), 1)
	removed := s.RemoveValues(k, rand.New(rand.NewSource(1)))
	perColumn := make([]int, d)
	for i := range n {
		gone := 0
		for j, v := range removed.X.RawRowView(i) {
			switch {
			case math.IsNaN(v):
				gone++
				perColumn[j]++
			case v != s.X.At(i, j):
				t.Fatalf("row %d, column %d became %v", i, j, v)
			}
			if s.X.At(i, j) != float64(i*d+j) {
				t.Fatalf("row %d, column %d of the given set changed", i, j)
			}
		}
		if gone != k {
			t.Fatalf("row %d lacks %d values, want %d", i, gone, k)
		}
	}
	const p = float64(k) / d
	for j, count := range perColumn {
		if z := (float64(count) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 5 {
			t.Errorf("column %d lacks %d of %d values, z = %.1f", j, count, n, z)
		}
	}
}
