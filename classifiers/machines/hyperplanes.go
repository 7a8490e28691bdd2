package machines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/stats"
)

// at returns the decision value <W, x> + Bias of the hyperplane h. Missing values of x are replaced
// by zeros.
func at(h *svm.Solution, x []float64) float64 {
	v := h.Bias
	for j, xj := range x {
		if !math.IsNaN(xj) {
			v += h.W[j] * xj
		}
	}
	return v
}

// separatePairs returns a hyperplane for each cost and each pair in stats.Pairs. The first class is
// on the positive side. labels[i] is the class code of row i of x.
func separatePairs(
	ctx context.Context, x *mat.Dense, labels []int, classes int, costs []float64, solve incompleteSolver,
) ([][]svm.Solution, error) {
	machines := make([][]svm.Solution, len(costs))
	for _, pair := range stats.Pairs(classes) {
		rows, y := svm.PairRows(labels, pair)
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

// decisions returns the n x len(planes) matrix of <W, x> + Bias for each row of x and each
// hyperplane.
func decisions(planes []svm.Solution, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, len(planes), nil)
	for i := range n {
		for k := range planes {
			values.Set(i, k, at(&planes[k], x.RawRowView(i)))
		}
	}
	return values
}
