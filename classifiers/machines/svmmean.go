package machines

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SVMMean is the support vector machine of Eban et al. (2014), Table 2. In training and test rows,
// the mean of the column over the training rows replaces each missing value. The support vector
// machine then solves
//
//	min over w, b, xi  1/2 |w|^2 + C sum_i xi_i  s.t.  y_i (w'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// The paper does not name a kernel. This implementation is linear, like the methods with which the
// paper compares this machine.
//
// For more than two classes, each pair of classes has a machine, and the machines vote. If several
// classes have the most votes, the first of them wins.
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
