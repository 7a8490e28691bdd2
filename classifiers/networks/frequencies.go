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

// The problem: log p_c(x_i) and log p_c(x_i, x_j) of discrete variables. With
// n_c(a) of the n_c training rows of class c in cell a of the K levels, or pairs
// of levels, and the pseudo-count s(K) in each cell,
//
//	p_c(a) = (n_c(a) + s(K)) / (n_c + K s(K)),
//
// not less than the floor.

// checkUnseen reports pseudo-counts of 0 without a floor: log 0.
func checkUnseen(key string, pseudo, floor float64) error {
	if pseudo == 0 && floor == 0 {
		return &recipe.Error{
			Key: key,
			Msg: "0 needs a floor above 0: levels that a class does not have would have probability 0",
		}
	}
	return nil
}

// frequencies is a logSum of such tables.
type frequencies struct {
	attributes []dataset.Attribute
	tables     []logTable
}

// A logTable is a term's log p_c by cell: at level(x_i) for a single variable, at
// level(x_i) levels + level(x_j) for two.
type logTable struct {
	term
	levels int // of x_j
	logs   []float64
}

// countFrequencies estimates the terms, all of discrete variables.
func countFrequencies(
	ctx context.Context,
	train *dataset.Set,
	terms []term,
	pseudo func(cells int) float64,
	floor float64,
) (*frequencies, error) {
	f := &frequencies{attributes: train.Attributes}
	classes := make([][]int, train.C())
	for c := range classes {
		classes[c] = train.ClassRows(c)
	}
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		table := logTable{term: t, levels: len(train.Attributes[t.J].Levels)}
		cells := table.levels
		if t.I != t.J {
			cells *= len(train.Attributes[t.I].Levels)
		}
		rows, s := classes[t.Class], pseudo(cells)
		table.logs = make([]float64, cells)
		for _, r := range rows {
			table.logs[table.cell(train.X.RawRowView(r))]++
		}
		for k, count := range table.logs {
			table.logs[k] = kde.Log((count+s)/(float64(len(rows))+float64(cells)*s), floor)
		}
		f.tables = append(f.tables, table)
	}
	return f, nil
}

// cell returns the cell that a row of codes lies in.
func (t *logTable) cell(row []float64) int {
	if t.I == t.J {
		return int(row[t.I])
	}
	return int(row[t.I])*t.levels + int(row[t.J])
}

func (f *frequencies) warnings() []string { return nil }

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
