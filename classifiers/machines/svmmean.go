package machines

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SVMMean is the support vector machine of Eban et al. (2014), Table 2. In training and test rows,
// each missing value is replaced by the mean of its column over the training rows. The machine then solves
//
//	min over w, b, xi  1/2 |w|^2 + C sum_i xi_i  s.t.  y_i (w'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// The paper does not name a kernel. This machine is linear, like the machines that the paper compares
// it with. For more than two classes, each pair of classes has a machine, and the machines vote.
type SVMMean struct{ incompleteSVM }

// NewSVMMean returns an SVMMean with the defaults of newIncompleteSVM, which all machines for rows with missing
// values use.
func NewSVMMean() *SVMMean { return &SVMMean{newIncompleteSVM()} }

// Fit imputes the column means, chooses the cost by cross-validation and fits the machines of all pairs of
// classes. rng is used to draw the folds.
func (s *SVMMean) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	numeric := columns.NewIncomplete(train, s.Standardise)
	if err := numeric.FillMeans(train); err != nil {
		return nil, err
	}
	return s.fit(ctx, train, rng, numeric, s.solvePath)
}
