package mutual

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Table returns the mutual information of the row and the column of a table of counts or probabilities
// t_ab, given row by row, in nats and multiplied by the total t:
//
//	sum_ab t_ab log(t_ab t / (t_a. t_.b)),  0 log 0 = 0.
//
// The information given a third variable is the sum over the tables of its values.
func Table(table []float64, columns int) float64 {
	if len(table)%columns != 0 {
		panic(fmt.Sprintf("mutual: a table of %d cells with %d columns", len(table), columns))
	}
	row, column := make([]float64, len(table)/columns), make([]float64, columns) // sums
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

// Discrete returns the d x d matrix of the mutual information, in nats, of all pairs among d columns of n
// codes, computed from relative frequencies. Column a has the codes 0..levels[a]-1. The diagonal has the
// entropies.
//
// Time O(d^2 (n + cells)), memory O(d^2 + cells).
func Discrete(ctx context.Context, columns [][]float64, levels []int) (*mat.SymDense, error) {
	d := len(columns)
	if len(levels) != d {
		panic(fmt.Sprintf("mutual: %d columns but levels of %d", d, len(levels)))
	}
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
			information.SetSym(a, b, Table(counts, levels[b])/float64(len(x)))
		}
	}
	return information, nil
}
