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

// checkUnseen returns an error if pseudo and floor are both 0. key is the parameter that sets
// pseudo.
func checkUnseen(key string, pseudo, floor float64) error {
	if pseudo == 0 && floor == 0 {
		return recipe.Errorf(key,
			"0 requires a positive `floor`; otherwise, levels without rows in a class would have probability 0")
	}
	return nil
}

// frequencies implements logSum for discrete variables.
type frequencies struct {
	attributes []dataset.Attribute
	tables     []logTable
}

// A logTable contains the log frequencies of a term. For a variable, the index into logs is
// level(x_i). For a pair, it is level(x_i)*levels + level(x_j).
type logTable struct {
	term
	levels int // number of levels of x_j
	logs   []float64
}

// countFrequencies estimates a table of log probabilities for each term.
//
// The table has K cells: one for each level of the variable, or for each pair of levels of two
// variables. Each cell gets the pseudo-count s = pseudo(K). The class has n rows, of which n_a are
// in cell a. The probability of cell a is
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
		levels := len(train.Attributes[t.J].Levels)
		cells := levels
		isPair := t.I != t.J
		if isPair {
			cells *= len(train.Attributes[t.I].Levels)
		}
		table := logTable{term: t, levels: levels, logs: make([]float64, cells)}
		rows := classRows[t.Class]
		for _, r := range rows { // logs initially holds the counts
			table.logs[table.cell(train.X.RawRowView(r))]++
		}
		s := pseudo(cells)
		total := float64(len(rows)) + float64(cells)*s
		for a, count := range table.logs {
			table.logs[a] = kde.Log((count+s)/total, floor)
		}
		f.tables = append(f.tables, table)
	}
	return f, nil
}

// cell returns the index in t.logs of the cell to which a row of level codes belongs.
func (t *logTable) cell(row []float64) int {
	if t.I == t.J {
		return int(row[t.I])
	}
	return int(row[t.I])*t.levels + int(row[t.J])
}

func (f *frequencies) warnings() []string { return nil }

func (f *frequencies) addTo(sums, x *mat.Dense, _ logDensitiesOf) {
	columns.CheckCodes(x, f.attributes)
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
