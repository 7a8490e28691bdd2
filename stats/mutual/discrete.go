package mutual

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Table returns the mutual information between the row and column variables of a table, in nats,
// multiplied by the total t of the table:
//
//	sum_ab t_ab log(t_ab t / (t_a. t_.b)),  0 log 0 = 0.
//
// The table contains counts or probabilities t_ab, row by row. To condition on a third variable,
// add up the results for one table per value of that variable.
func Table(table []float64, columns int) float64 {
	row, column := make([]float64, len(table)/columns), make([]float64, columns) // sums of the rows and columns
	total := 0.0
	for k, t := range table {
		row[k/columns] += t
		column[k%columns] += t
		total += t
	}
	information := 0.0
	for k, t := range table {
		if t > 0 {
			information += t * math.Log(t*total/(row[k/columns]*column[k%columns]))
		}
	}
	return information
}

// Discrete returns the d x d matrix of the mutual information, in nats, of all pairs of d columns
// with n codes each. Column a contains the codes 0..levels[a]-1. Probabilities are relative
// frequencies. The diagonal contains the entropies.
//
// Discrete takes O(d^2 (n + cells)) time and O(d^2 + cells) memory, where cells is the number of
// cells in the table for a pair.
func Discrete(ctx context.Context, columns [][]float64, levels []int) (*mat.SymDense, error) {
	d := len(columns)
	information := mat.NewSymDense(d, nil)
	for a, x := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := a; b < d; b++ {
			counts := make([]float64, levels[a]*levels[b])
			for i, v := range x {
				counts[int(v)*levels[b]+int(columns[b][i])]++
			}
			// Table returns the information multiplied by the number of rows.
			information.SetSym(a, b, Table(counts, levels[b])/float64(len(x)))
		}
	}
	return information, nil
}
