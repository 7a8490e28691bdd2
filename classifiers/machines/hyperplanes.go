package machines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
)

// A hyperplane has its positive side where w'x + b > 0; missing values of x
// count zero.
type hyperplane struct {
	w []float64
	b float64
}

// at returns w'x + b.
func (h hyperplane) at(x []float64) float64 {
	v := h.b
	for j, xj := range x {
		if !math.IsNaN(xj) {
			v += h.w[j] * xj
		}
	}
	return v
}

// allPairsOf returns, for each cost, the hyperplanes of all pairs of classes, the first
// class of each on the positive side.
func allPairsOf(
	ctx context.Context,
	x *mat.Dense,
	labels []int,
	classes int,
	costs []float64,
	solve incompleteSolver,
) ([][]hyperplane, error) {
	machines := make([][]hyperplane, len(costs))
	for _, pair := range method.PairsOf(classes) {
		rows, y := svm.PairRows(labels, pair[0], pair[1])
		planes, err := solve(ctx, columns.Rows(x, rows), y, costs)
		if err != nil {
			return nil, err
		}
		for k, h := range planes {
			machines[k] = append(machines[k], h)
		}
	}
	return machines, nil
}

// decisions returns the values of the hyperplanes at the rows of z.
func decisions(planes []hyperplane, z *mat.Dense) *mat.Dense {
	n, _ := z.Dims()
	all := mat.NewDense(n, len(planes), nil)
	for i := range n {
		for k, h := range planes {
			all.Set(i, k, h.at(z.RawRowView(i)))
		}
	}
	return all
}
