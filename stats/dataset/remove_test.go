package dataset

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

func TestWithAttributes(t *testing.T) {
	s := New(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}), []int{0, 1}, 2)
	got := s.WithAttributes(func(a Attribute) bool { return a.Name != "x2" })
	want := mat.NewDense(2, 2, []float64{1, 3, 4, 6})
	if got.D() != 2 || got.Attributes[1].Name != "x3" || !mat.Equal(got.X, want) || got.N() != 2 || got.C() != 2 {
		t.Errorf("attributes %v, values %v", got.Attributes, mat.Formatted(got.X))
	}
}

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
