package chebyshev

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// GreedyDCC is the greedy discrete Chebyshev classifier of Eban et al. (2014), section 8.2. It starts without any
// pairs of features. Each step adds the pair that gives the smallest worst-case hinge loss, DCC_h in the paper,
// until the pairs form a spanning tree. For a tree, DCC_h is computed exactly.
//
// The paper leaves two points open. In this implementation, features that are not in any pair do not vote. If
// several pairs give equal bounds, the fit adds the pair whose bound would be smallest if it were the only
// pair. The relative error of a bound is at most selection_tolerance, so bounds may count as equal if they
// differ by up to twice this tolerance. If the bounds of single pairs are equal, too, the fit adds the pair
// that is first in the order of the columns, so predictions can depend on this order. As in DCC, a ridge makes
// the optimal costs of the tree unique. The description of dcc states how missing values and equal scores are
// treated and which attributes are left out; version 2 leaves none out, like dcc before version 4.
//
// With n rows and d attributes, a fit computes the marginals in O(n d^2) operations.
//
// With two classes, a fit has d-1 steps. Each step computes at most one lower bound on the loss DCC_h for each pair
// of attributes. A fit therefore computes O(d^3) lower bounds. To compute the loss itself, an optimisation problem
// must be solved, which takes much longer than computing a bound. Each step therefore computes the loss only for
// the few pairs that the bounds do not rule out.
type GreedyDCC struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// weight of a penalty. With a penalty, the pairs in the tree contribute more equally to a score, and the
	// optimum is unique. 0 means no penalty: the solver then returns one of several optima
	Ridge float64 `param:"ridge" range:"[0,inf)"`
	// one pair of features is better than another only if its bound is smaller by this relative amount
	Selection float64 `param:"selection_tolerance" range:"(0,1)"`
	solver
}

// NewGreedyDCC returns a GreedyDCC with the defaults of NewDCC. The relative error of the bounds
// used to choose the tree is at most 1 %.
func NewGreedyDCC() *GreedyDCC {
	return &GreedyDCC{Bins: 5, Ridge: leastRidge, Selection: 1e-2, solver: newSolver()}
}

// Fit selects the tree and then solves Eq. 24 of the paper, given the marginals of the tree's edges. It does not
// use rng.
func (s *GreedyDCC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features, warnings := s.features(train, s.Bins)
	mu, more, err := s.marginals(ctx, features, train)
	if err != nil {
		return nil, err
	}
	selection := s.options(0)
	selection.Tolerance = s.Selection
	edges, err := chebyshev.Greedy(ctx, mu, selection)
	if err != nil {
		return nil, err
	}
	return fitDCC(ctx, features, mu.Restrict(edges), append(warnings, more...), s.options(s.Ridge))
}
