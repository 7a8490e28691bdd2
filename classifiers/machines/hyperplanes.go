package machines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/stats"
)

// A hyperplane separates rows x by the sign of w'x + b. Missing values of x are replaced by zeros.
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

func hyperplanesOf(path []svm.Solution) []hyperplane {
	var planes []hyperplane
	for _, s := range path {
		planes = append(planes, hyperplane{s.W, s.Bias})
	}
	return planes
}

// separatePairs separates each pair of classes. For each cost, it returns one hyperplane per pair, in the
// order of stats.Pairs, with the first class of the pair on the positive side. labels[i] is the class
// code of row i of x.
func separatePairs(
	ctx context.Context, x *mat.Dense, labels []int, classes int, costs []float64, solve incompleteSolver,
) ([][]hyperplane, error) {
	machines := make([][]hyperplane, len(costs))
	for _, pair := range stats.Pairs(classes) {
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

// decisions returns the n x len(planes) matrix of w'x + b for each row of x and each hyperplane.
func decisions(planes []hyperplane, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, len(planes), nil)
	for i := range n {
		for k, h := range planes {
			values.Set(i, k, h.at(x.RawRowView(i)))
		}
	}
	return values
}
