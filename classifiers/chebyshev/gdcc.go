package chebyshev

import (
	"context"
	"math"

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
// The paper leaves two points open. Here features without a pair count for nothing, and ties are
// broken by the bound of the pair alone. Bounds are computed to selection_tolerance, so that a pair
// that is better by up to twice that may count as equal. Among the tree's optimal costs a ridge
// chooses, as in DCC.
//
// A fit takes O(n d^2) for the marginals and, with two classes, O(d^3) bounds of single pairs and
// few solves.
type GreedyDCC struct {
	Bins          int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	Ridge         float64 `param:"ridge" doc:"price of unequal votes of the tree's pairs, which chooses among optima; 0 leaves that to the solver" range:"[0,inf)"`
	Selection     float64 `param:"selection_tolerance" doc:"share of the bound by which a pair has to be better than another" range:"(0,1)"`
	Tolerance     float64 `param:"tolerance" doc:"certified gap, as a share of the bound and of the ridge's price, at which the solver stops" range:"(0,1)"`
	Absolute      float64 `param:"absolute_tolerance" doc:"certified gap at which the bound is known well enough in any case" range:"[0,1)"`
	MaxIterations int     `param:"max_iterations" doc:"bound on the iterations of each solve" range:"[1,inf)"`
	Projection    float64 `param:"projection_tolerance" doc:"excess distance, as a share of it, at which the projection of incomplete rows' marginals stops" range:"(0,1)"`
	Box           float64 `param:"box" doc:"without a ridge, messages of the optimum are taken to be at most this large; a loss is 2 at most" range:"(0,inf)"`
}

// NewGreedyDCC returns the paper's problem, the tree chosen by bounds that are
// known to 1 % and solved to 0.1 %.
func NewGreedyDCC() *GreedyDCC {
	return &GreedyDCC{
		Bins:          5,
		Ridge:         leastRidge,
		Selection:     1e-2,
		Tolerance:     1e-3,
		Absolute:      1e-5,
		MaxIterations: 50000,
		Projection:    1e-2,
		Box:           10,
	}
}

// Fit selects the tree, then solves Eq. 24 for its marginals.
func (s *GreedyDCC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features := columns.NewDiscrete(train, s.Bins)
	mu, warnings, err := marginals(ctx, features, train, s.Projection, s.MaxIterations)
	if err != nil {
		return nil, err
	}
	o := chebyshev.Options{
		Tolerance: s.Selection, Absolute: s.Absolute, MaxIter: s.MaxIterations,
		Box: s.Box, Cutoff: math.Inf(1),
	}
	edges, err := chebyshev.Greedy(ctx, mu, o)
	if err != nil {
		return nil, err
	}
	o.Tolerance, o.Ridge = s.Tolerance, s.Ridge
	return fitDCC(ctx, features, mu.Restrict(edges), warnings, o)
}
