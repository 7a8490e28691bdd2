package machines

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SVMMean is the support vector machine of Eban et al. (2014), Table 2. In training and test rows,
// the mean of the column over the training rows replaces each missing value.
//
// Row i then has the features x_i and the class y_i, 1 or -1. Let w be the weights and b a
// constant. The slack xi_i is positive if row i is too close to the boundary or on its wrong side.
// C is the cost of slack. The machine solves
//
//	min over w, b, xi  1/2 |w|^2 + C sum_i xi_i  s.t.  y_i (w'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// The paper does not name a kernel. This implementation is linear, like the methods with which the
// paper compares this machine.
//
// With more than two classes, there is a machine for each pair of classes, and the machines vote.
// If several classes have the most votes, the first of them wins.
type SVMMean struct{ incompleteSVM }

// NewSVMMean returns an SVMMean with the defaults that all machines for incomplete rows share.
func NewSVMMean() *SVMMean { return &SVMMean{newIncompleteSVM()} }

// Fit replaces missing values by column means and chooses the cost by cross-validation. It then
// fits a machine to each pair of classes. It uses rng to draw the folds.
func (s *SVMMean) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	numeric := columns.NewIncomplete(train, s.Standardise)
	if err := numeric.FillMeans(train); err != nil {
		return nil, err
	}
	return s.fit(ctx, train, rng, numeric, s.solvePath)
}
