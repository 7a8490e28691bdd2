package classics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// A treeTable converts rows with missing values to complete numeric columns for decision trees.
//
// An incomplete column gets two copies. In the first copy, missing values are below all others, so
// a split sends them to the side of small values. In the second copy, they are above all others.
// Josse et al. (Stat. Pap. 65:5447, 2024) call this method "missing incorporated in attributes".
type treeTable struct {
	coded       *columns.Scaled
	replacement []float64 // replacement[j] replaces missing values of column j: the median or belowAll
	incomplete  []int     // columns with missing training values; their second copies come last
}

// belowAll and aboveAll replace missing values in the first and in the second copy of a column.
const (
	belowAll = -math.MaxFloat64
	aboveAll = math.MaxFloat64
)

// newTreeTable returns a treeTable and the converted training rows. If a column has no missing
// training values, its median replaces missing values of test rows. Any other column is incomplete
// and gets two copies (see treeTable).
func newTreeTable(train *dataset.Set) (t *treeTable, table *mat.Dense) {
	t = &treeTable{coded: columns.NewCoded(train)}
	x := t.coded.Apply(train.X)
	n, d := x.Dims()
	column := make([]float64, n)
	for j := range d {
		present := slices.DeleteFunc(mat.Col(column, j, x), math.IsNaN)
		isComplete := len(present) == n
		if isComplete {
			slices.Sort(present)
			median := present[n/2]
			t.replacement = append(t.replacement, median)
		} else {
			t.incomplete = append(t.incomplete, j)
			t.replacement = append(t.replacement, belowAll) // for the first copy
		}
	}
	return t, t.fillMissing(x)
}

// apply converts the rows of x, which have the original columns, to complete numeric columns.
func (t *treeTable) apply(x *mat.Dense) *mat.Dense { return t.fillMissing(t.coded.Apply(x)) }

// fillMissing returns coded with t.replacement[j] in place of missing values (NaN) of column j. A
// second copy of each column in t.incomplete follows, with aboveAll, the largest number, in place of
// missing values. Without incomplete columns, fillMissing changes coded in place.
func (t *treeTable) fillMissing(coded *mat.Dense) (table *mat.Dense) {
	n, d := coded.Dims()
	table = coded
	if len(t.incomplete) > 0 {
		table = mat.NewDense(n, d+len(t.incomplete), nil)
	}
	for i := range n {
		values, row := coded.RawRowView(i), table.RawRowView(i)
		allColumns, secondCopies := row[:d], row[d:]
		for j, v := range values {
			allColumns[j] = replaceNaN(v, t.replacement[j])
		}
		for k, j := range t.incomplete {
			secondCopies[k] = replaceNaN(values[j], aboveAll)
		}
	}
	return table
}

func replaceNaN(v, replacement float64) float64 {
	if math.IsNaN(v) {
		return replacement
	}
	return v
}
