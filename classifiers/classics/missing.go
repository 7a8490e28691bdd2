package classics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// A treeTable converts rows with missing values to complete numeric columns for decision trees. An
// incomplete column gets two copies, with missing values below and above all others. A split can
// therefore send missing values to either side, or separate them from the rest. Josse et al. (Stat.
// Pap. 65:5447, 2024) call this "missing incorporated in attributes".
type treeTable struct {
	coded      *columns.Scaled
	substitute []float64 // substitute[j] replaces missing values of column j: the median or belowAll
	incomplete []int     // columns with missing training values; their second copies come last
}

// These values replace missing values in the two copies of a column.
const (
	belowAll = -math.MaxFloat64
	aboveAll = math.MaxFloat64
)

// newTreeTable returns a treeTable and the converted training rows. Columns with missing training
// values get a second copy. Otherwise, the median of the column replaces missing values of test
// rows.
func newTreeTable(train *dataset.Set) (t *treeTable, table *mat.Dense) {
	t = &treeTable{coded: columns.NewCoded(train)}
	x := t.coded.Apply(train.X)
	n, d := x.Dims()
	column := make([]float64, n)
	for j := range d {
		present := slices.DeleteFunc(mat.Col(column, j, x), math.IsNaN)
		if len(present) < n {
			t.incomplete = append(t.incomplete, j)
			t.substitute = append(t.substitute, belowAll) // for the first copy; complete adds the second
			continue
		}
		slices.Sort(present)
		t.substitute = append(t.substitute, present[n/2]) // the median
	}
	return t, t.complete(x)
}

// apply converts the rows of x, which have the original columns, to complete numeric columns.
func (t *treeTable) apply(x *mat.Dense) *mat.Dense { return t.complete(t.coded.Apply(x)) }

// complete returns a table without missing values. Its first d columns are the columns of coded,
// with t.substitute for missing values. A second copy of the columns in t.incomplete follows, with
// aboveAll for missing values. If no column is incomplete, complete overwrites coded.
func (t *treeTable) complete(coded *mat.Dense) (table *mat.Dense) {
	n, d := coded.Dims()
	table = coded
	if len(t.incomplete) > 0 {
		table = mat.NewDense(n, d+len(t.incomplete), nil)
	}
	for i := range n {
		values, row := coded.RawRowView(i), table.RawRowView(i)
		for j, v := range values {
			row[j] = orSubstitute(v, t.substitute[j])
		}
		for k, j := range t.incomplete {
			row[d+k] = orSubstitute(values[j], aboveAll)
		}
	}
	return table
}

func orSubstitute(v, substitute float64) float64 {
	if math.IsNaN(v) {
		return substitute
	}
	return v
}
