package chebyshev

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// GreedyDCC is the greedy discrete Chebyshev classifier of Eban et al. (2014), section 8.2. Its
// pairs of features form a tree. The fit starts without any pairs. Each step adds the pair that
// gives the smallest worst-case hinge loss, until the tree contains all features.
//
// The loss is called DCC_h in the paper. For a tree, it can be computed exactly.
//
// The paper leaves two points open. In this implementation:
//
//   - During the search, features that are not yet in any pair do not contribute to the scores.
//   - Several pairs may give equal bounds on the loss. The fit then compares the bounds that each
//     of them would give as the only pair, and adds the pair with the smallest one. If these are
//     equal, too, it adds the first pair. Predictions can therefore depend on the order of the
//     columns.
//
// A bound has a relative error of at most the parameter selection_tolerance. Two bounds may
// therefore count as equal if their relative difference is at most twice this tolerance.
//
// As in dcc, a ridge makes the optimal costs of the tree unique. Missing values, equal scores, and
// attributes that are constant or have no values in some class are also treated as in dcc. Version
// 2 leaves no attributes out, like dcc before version 4.
//
// With n rows and d attributes, a fit computes the marginals in O(n d^2) operations.
//
// With two classes, lower bounds on the loss save time: a bound is much faster to compute than the
// loss, which is the solution of an optimisation problem. The fit computes at most one bound per
// step and pair, O(d^3) in total. It computes the loss only for the few pairs that the bounds do
// not rule out.
type GreedyDCC struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// weight of a quadratic penalty. 0 means no penalty. A positive weight makes the optimum unique
	// and the contributions of the pairs to a score more equal
	Ridge float64 `param:"ridge" range:"[0,inf)"`
	// relative tolerance for comparing two pairs of features by their bounds on the loss. A pair is
	// better only if its bound is smaller by more than this fraction of the other bound. If neither
	// pair is better, they tie
	Selection float64 `param:"selection_tolerance" range:"(0,1)"`
	solver
}

// NewGreedyDCC returns a GreedyDCC with the defaults of NewDCC. The tree is chosen by bounds on the
// loss. Their relative error is at most 1 %.
func NewGreedyDCC() *GreedyDCC {
	return &GreedyDCC{Bins: 5, Ridge: leastRidge, Selection: 1e-2, solver: newSolver()}
}

// Fit chooses the tree and then solves Eq. 24 of the paper for the marginals of its edges. It does
// not use rng.
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
