package columns

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// If the columns change their order, the ranks change with them. The names of the values do not matter.
func TestContentRanks(t *testing.T) {
	set := func(columns ...[]float64) *dataset.Set {
		x := mat.NewDense(len(columns[0]), len(columns), nil)
		for j, column := range columns {
			x.SetCol(j, column)
		}
		return dataset.New(x, make([]int, len(columns[0])), 1)
	}
	a, b, c := []float64{0, 1, 1, 0, 2}, []float64{5, 5, 7, 5, 7}, []float64{3, 3, 3, 3, 3}
	renamed := []float64{-7, -9, -9, -7, 0} // a with other names
	// By first row: a 01102, b 00101, c 00000.
	for _, test := range []struct {
		train *dataset.Set
		want  []int
	}{
		{set(a, b, c), []int{2, 1, 0}},
		{set(c, a, b), []int{0, 2, 1}},
		{set(b, renamed, c), []int{1, 2, 0}},
		{set(a, renamed, c), []int{1, 2, 0}}, // equal contents: in their order
	} {
		if got := ContentRanks(test.train); !slices.Equal(got, test.want) {
			t.Errorf("ranks %v, want %v", got, test.want)
		}
	}
}
