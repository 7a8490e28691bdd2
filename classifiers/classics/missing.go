package classics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// A treeTable turns rows with missing values into numeric columns without, for trees. A column
// that lacks training values enters twice, once with its missing values below all others and
// once above. A split can so send missing values to either side, or separate them from the
// rest: missing incorporated in attributes (Twala, Jones and Hand, Pattern Recogn. Lett. 29:950,
// 2008), in the form of Josse et al. (Stat. Pap. 65:5447, 2024, section 4.2). Where the training
// column is complete, its median replaces the missing values of other rows.
type treeTable struct {
	coded      *columns.Scaled
	substitute []float64 // of a missing value, by column: the training median, or belowAll
	incomplete []int     // columns that lack training values; their second copies come last
}

// Substitutes for missing values, outside the range of all values.
const (
	belowAll = -math.MaxFloat64
	aboveAll = math.MaxFloat64
)

// newTreeTable fits the table to a training set.
func newTreeTable(train *dataset.Set) *treeTable {
	t := &treeTable{coded: columns.NewCoded(train)}
	x := t.coded.Apply(train.X)
	n, d := x.Dims()
	for j := range d {
		present := slices.DeleteFunc(mat.Col(nil, j, x), math.IsNaN)
		if len(present) < n {
			t.incomplete = append(t.incomplete, j)
			t.substitute = append(t.substitute, belowAll)
			continue
		}
		slices.Sort(present)
		t.substitute = append(t.substitute, present[n/2])
	}
	return t
}

// apply returns the columns of the rows of x.
func (t *treeTable) apply(x *mat.Dense) *mat.Dense {
	coded := t.coded.Apply(x)
	n, d := coded.Dims()
	table := mat.NewDense(n, d+len(t.incomplete), nil)
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

// orSubstitute returns v, or the substitute if v is missing (NaN).
func orSubstitute(v, substitute float64) float64 {
	if math.IsNaN(v) {
		return substitute
	}
	return v
}
