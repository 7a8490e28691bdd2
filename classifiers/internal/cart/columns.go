// Package cart grows the trees of random forests: Breiman's CART with Gini impurity, without
// pruning. Each tree grows until its leaves are pure.
package cart

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
	"copse/stats"
)

// Columns contains the columns of a training set as ranks, which are faster to sort than values. A
// value with rank r in column j is distinct[j][r].
type Columns struct {
	n        int
	rank     [][]uint32  // rank[j][i] is the rank of row i in column j
	distinct [][]float64 // the distinct values of each column, ascending
}

// NewColumns ranks the values of each column of x in ascending order, from rank 0. Equal values have
// equal ranks.
func NewColumns(x *mat.Dense) *Columns {
	n, d := x.Dims()
	c := &Columns{n: n, rank: make([][]uint32, d), distinct: make([][]float64, d)}
	values := make([]float64, n)
	for j := range d {
		mat.Col(values, j, x)
		order := stats.Indices(n)
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		c.rank[j] = make([]uint32, n)
		for p, i := range order {
			if p == 0 || values[i] != values[order[p-1]] { // a new value
				c.distinct[j] = append(c.distinct[j], values[i])
			}
			c.rank[j][i] = uint32(len(c.distinct[j]) - 1)
		}
	}
	return c
}

// threshold returns a number between the values on both sides of split s.
func (c *Columns) threshold(s split) float64 {
	values := c.distinct[s.column]
	return decisiontree.Threshold(values[s.lastLeft], values[s.firstRight])
}
