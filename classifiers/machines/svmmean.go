package machines

import (
	"context"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SVMMean is the support vector machine of Eban et al. (2014), Table 2: missing
// values, in training and in prediction, are replaced by their column's mean over
// the training rows, then
//
//	min over w, b, xi  1/2 |w|^2 + C sum_i xi_i  s.t.  y_i (w'x_i + b) >= 1 - xi_i,  xi_i >= 0
//
// is solved. The paper does not name a kernel; this one is linear, as its rivals
// beside it are. More than two classes score the votes of the machines of all pairs.
type SVMMean struct{ incompleteSVM }

// NewSVMMean returns the defaults.
func NewSVMMean() *SVMMean { return &SVMMean{newIncompleteSVM()} }

// Fit fills in the means, chooses the cost and solves that problem.
func (s *SVMMean) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(
		ctx,
		train,
		rng,
		true,
		func(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error) {
			planes, _, err := s.solvePath(ctx, x, y, costs)
			return planes, err
		},
	)
}
