package columns

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// TestSubnormal: the values of a column whose standard deviation has no finite inverse stay distinct and in
// order, and their mean is 0.
func TestSubnormal(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{-1e-310, 0, 1e-310})
	z := StandardScaling(x, stats.Indices(3)).Apply(x)
	if low, middle, high := z.At(0, 0), z.At(1, 0), z.At(2, 0); !(middle == 0 && high == -low && high > 0 && high < 1) {
		t.Errorf("scaled %v, %v, %v", low, middle, high)
	}
}

// Apply returns a new matrix even if the columns are neither coded nor scaled, because callers keep or overwrite it.
func TestApplyCopies(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{1, 2})
	if NewCoded(dataset.New(x, []int{0, 1}, 2)).Apply(x) == x {
		t.Error("Apply returns its argument")
	}
}
