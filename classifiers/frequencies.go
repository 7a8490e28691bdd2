package classifiers

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// The problem: log p_c(x_i) and log p_c(x_i, x_j) of discrete variables. With
// n_c(a) of the n_c training rows of class c in cell a of the K levels, or pairs
// of levels, and the pseudo-count s(K) in each cell,
//
//	p_c(a) = (n_c(a) + s(K)) / (n_c + K s(K)),
//
// not less than the floor.

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
func countFrequencies(ctx context.Context, train *dataset.Set, terms []term, pseudo func(cells int) float64, floor float64) (*frequencies, error) {
	f := &frequencies{attributes: train.Attributes}
	classes := make([][]int, train.C())
	for c := range classes {
		classes[c] = train.ClassRows(c)
	}
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		table := logTable{term: t, levels: len(train.Attributes[t.j].Levels)}
		cells := table.levels
		if t.i != t.j {
			cells *= len(train.Attributes[t.i].Levels)
		}
		rows, s := classes[t.class], pseudo(cells)
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
	if t.i == t.j {
		return int(row[t.i])
	}
	return int(row[t.i])*t.levels + int(row[t.j])
}

func (f *frequencies) addTo(sums, x *mat.Dense) {
	checkRows(x, len(f.attributes), false)
	n, _ := x.Dims()
	for i := range n {
		row, sum := x.RawRowView(i), sums.RawRowView(i)
		for j, a := range f.attributes {
			if a.Kind == dataset.Discrete && !isCode(row[j], len(a.Levels)) {
				panic(fmt.Sprintf("classifiers: row %d, column %q: %v is not one of the codes 0..%d", i+1, a.Name, row[j], len(a.Levels)-1))
			}
		}
		for k := range f.tables {
			t := &f.tables[k]
			sum[t.class] += t.weight * t.logs[t.cell(row)]
		}
	}
}
