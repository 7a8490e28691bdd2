package chebyshev

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// GreedyDCC is the greedy discrete Chebyshev classifier gDCC of Eban et al. (2014), section 8.2. It
// starts without pairs and adds the pair that makes the bound DCC_h smallest, until the pairs form
// a spanning tree, for which the worst case is exact.
//
// The paper leaves two points open. Here features without a pair do not vote, and ties are broken by
// the bound of the pair without the others. Bounds are accurate to selection_tolerance, so that a
// pair that is better by up to twice as much may count as equal. A ridge makes the optimal costs of
// the tree unique, as in DCC.
//
// A fit takes O(n d^2) for the marginals and, with two classes, O(d^3) bounds of single pairs and
// few solves.
type GreedyDCC struct {
	Bins      int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	Ridge     float64 `param:"ridge" doc:"cost of unequal votes of the pairs of the tree, which makes the optimum unique; 0: the solver chooses among optima" range:"[0,inf)"`
	Selection float64 `param:"selection_tolerance" doc:"relative difference of the bounds from which a pair is better than another" range:"(0,1)"`
	solver
}

// NewGreedyDCC returns the paper's problem. The bounds that choose the tree are known to 1 %.
func NewGreedyDCC() *GreedyDCC {
	return &GreedyDCC{Bins: 5, Ridge: leastRidge, Selection: 1e-2, solver: newSolver()}
}

// Fit selects the tree, then solves Eq. 24 for its marginals.
func (s *GreedyDCC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features := columns.NewDiscrete(train, s.Bins)
	mu, warnings, err := s.marginals(ctx, features, train)
	if err != nil {
		return nil, err
	}
	selection := s.options(0)
	selection.Tolerance = s.Selection
	edges, err := chebyshev.Greedy(ctx, mu, selection)
	if err != nil {
		return nil, err
	}
	return fitDCC(ctx, features, mu.Restrict(edges), warnings, s.options(s.Ridge))
}
