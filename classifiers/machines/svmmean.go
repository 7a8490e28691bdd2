package machines

import (
	"context"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SVMMean is the support vector machine of Eban et al. (2014), Table 2. In training and in prediction
// missing values are replaced by their column's mean over the training rows. Then it solves
//
//	min over w, b, xi  1/2 |w|^2 + C sum_i xi_i  s.t.  y_i (w'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// The paper does not name a kernel; this machine is linear like its rivals. For more than two classes
// the machines of all pairs vote.
type SVMMean struct{ incompleteSVM }

// NewSVMMean returns the defaults.
func NewSVMMean() *SVMMean { return &SVMMean{newIncompleteSVM()} }

// Fit imputes the means, chooses the cost and solves that problem.
func (s *SVMMean) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	numeric := columns.NewIncomplete(train, s.Standardise)
	if err := numeric.FillMeans(train); err != nil {
		return nil, err
	}
	return s.fit(ctx, train, rng, numeric, s.solve)
}

// solve returns, for each of the ascending costs, the hyperplane that separates the complete rows of
// x with labels y, which are -1 or +1.
func (s *SVMMean) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error) {
	path, err := s.solvePath(ctx, x, y, costs)
	return hyperplanesOf(path), err
}
