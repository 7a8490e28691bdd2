package networks

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/recipe"
)

// checkUnseen returns an error for pseudo-counts of 0 without a floor, with which a level that a
// class lacks would have the logarithm of 0.
func checkUnseen(key string, pseudo, floor float64) error {
	if pseudo == 0 && floor == 0 {
		return &recipe.Error{
			Key: key,
			Msg: "0 needs a floor above 0: levels that a class does not have would have probability 0",
		}
	}
	return nil
}

// frequencies is a logSum over tables of discrete variables.
type frequencies struct {
	attributes []dataset.Attribute
	tables     []logTable
}

// A logTable holds the log frequency of each cell in a term's class. A cell is a level of x_i, at
// that place of logs, or a pair of levels, at level(x_i)*levels + level(x_j).
type logTable struct {
	term
	levels int // of x_j
	logs   []float64
}

// countFrequencies estimates the terms, all of discrete variables. If n_a of the n rows of a class
// are in cell a of K cells, and s = pseudo(K), the frequency of the cell is
//
//	(n_a + s) / (n + K s),
//
// but not less than the floor.
func countFrequencies(
	ctx context.Context,
	train *dataset.Set,
	terms []term,
	pseudo func(cells int) float64,
	floor float64,
) (*frequencies, error) {
	f := &frequencies{attributes: train.Attributes}
	classRows := make([][]int, train.C())
	for c := range classRows {
		classRows[c] = train.ClassRows(c)
	}
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		table := newLogTable(t, train.Attributes)
		rows := classRows[t.Class]
		for _, r := range rows {
			table.logs[table.cell(train.X.RawRowView(r))]++
		}
		cells := len(table.logs)
		s := pseudo(cells)
		total := float64(len(rows)) + float64(cells)*s
		for a, count := range table.logs {
			table.logs[a] = kde.Log((count+s)/total, floor)
		}
		f.tables = append(f.tables, table)
	}
	return f, nil
}

// newLogTable returns the table of a term with zeros in its cells.
func newLogTable(t term, attributes []dataset.Attribute) logTable {
	levels := len(attributes[t.J].Levels)
	cells := levels
	if t.I != t.J {
		cells *= len(attributes[t.I].Levels)
	}
	return logTable{term: t, levels: levels, logs: make([]float64, cells)}
}

// cell returns the cell of a row of codes.
func (t *logTable) cell(row []float64) int {
	if t.I == t.J {
		return int(row[t.I])
	}
	return int(row[t.I])*t.levels + int(row[t.J])
}

// warnings returns nil: frequencies have no caveats.
func (f *frequencies) warnings() []string { return nil }

// addTo adds the log frequencies of each row of x to sums, n x C, each times its weight. It leaves out
// the terms of missing values.
func (f *frequencies) addTo(sums, x *mat.Dense, _ func(*logdensity.Map) *mat.Dense) {
	columns.Codes(x, f.attributes)
	n, _ := x.Dims()
	for i := range n {
		row, sum := x.RawRowView(i), sums.RawRowView(i)
		for k := range f.tables {
			t := &f.tables[k]
			if !math.IsNaN(row[t.I]) && !math.IsNaN(row[t.J]) {
				sum[t.Class] += t.weight * t.logs[t.cell(row)]
			}
		}
	}
}
