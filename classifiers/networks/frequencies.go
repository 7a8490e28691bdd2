package networks

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/recipe"
)

// checkUnseen returns an error if both the pseudo-count and the floor are 0. A level without rows in a
// class would then have probability 0, whose logarithm is infinite. key is the name of the parameter
// that sets the pseudo-count.
func checkUnseen(key string, pseudo, floor float64) error {
	if pseudo == 0 && floor == 0 {
		return &recipe.Error{
			Key: key,
			Msg: "0 needs a floor above 0; otherwise, levels without rows in a class would have probability 0",
		}
	}
	return nil
}

// frequencies implements logSum for discrete variables: a sum of table entries.
type frequencies struct {
	attributes []dataset.Attribute
	tables     []logTable
}

// A logTable holds log frequencies in one class, for a variable x_i or a pair (x_i, x_j). Its cells
// are the levels of x_i, or the pairs of levels. logs[level(x_i)] is the log frequency of a level;
// logs[level(x_i)*levels + level(x_j)] is the log frequency of a pair of levels.
type logTable struct {
	term
	levels int // number of levels of x_j
	logs   []float64
}

// countFrequencies estimates the terms, which must have discrete variables. A table has K cells. If
// n_a of the n rows of the class are in cell a, and s = pseudo(K), the frequency of cell a is
//
//	max((n_a + s) / (n + K s), floor).
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

// newLogTable returns a table for the term with 0 in all cells.
func newLogTable(t term, attributes []dataset.Attribute) logTable {
	levels := len(attributes[t.J].Levels)
	cells := levels
	if t.I != t.J {
		cells *= len(attributes[t.I].Levels)
	}
	return logTable{term: t, levels: levels, logs: make([]float64, cells)}
}

// cell returns the index in t.logs for a row of level codes.
func (t *logTable) cell(row []float64) int {
	if t.I == t.J {
		return int(row[t.I])
	}
	return int(row[t.I])*t.levels + int(row[t.J])
}

// warnings returns nil, because frequencies never give a warning.
func (f *frequencies) warnings() []string { return nil }

// addTo implements logSum. For each row r and class c, it adds to sums[r,c] the weighted sum of the
// log frequencies at row r of x. It leaves out terms with a missing value.
func (f *frequencies) addTo(sums, x *mat.Dense, _ logDensitiesOf) {
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
