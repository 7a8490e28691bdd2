package classifiers

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/tree"
	"copse/stats/dataset"
	"copse/stats/mutual"
)

// Edge sets of DCC.
const (
	allPairs = "all"
	tanTree  = "tree"
)

// DCC is the discrete Chebyshev classifier of Eban, Mezuman and Globerson
// (2014): of all rules, the one with the smallest worst expected hinge loss over
// the distributions that have the training set's marginals mu_ij(x_i, x_j, y)
// for the pairs ij in E. The classifier is f(x,y) = -nu(x,y)/2 with nu the
// minimiser of their Eq. 24 (Corollary 2.2), and the bound nu.mu holds for its
// error under any of these distributions.
//
// With all pairs, as in the paper's tables, the worst case is relaxed by their
// linear program (section 5); with a tree, that of TAN, it is exact. Numeric
// attributes are cut into quantile bins first. Of incomplete training rows each
// pair's marginals count those that have both features; they are then projected
// on the consistent ones (section 8.3). A test row's missing features do not
// vote.
//
// The optimal nu is not unique. Here the solver starts from equal votes of all
// pairs and ends near the closest optimum. The paper does not say how strongly
// its own solver smooths; Ridge, which keeps the votes more equal than the
// worst case asks for, stands in for that.
type DCC struct {
	Bins          int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	Edges         string  `param:"edges" doc:"pairs whose marginals are used: all, or the tree of greatest conditional mutual information" enum:"all,tree"`
	Ridge         float64 `param:"ridge" doc:"price of unequal votes of the pairs; 0 is the paper's problem" range:"[0,inf)"`
	Tolerance     float64 `param:"tolerance" doc:"certified gap, as a share of the bound, at which the solver stops" range:"(0,1)"`
	Absolute      float64 `param:"absolute_tolerance" doc:"certified gap at which the solver stops in any case" range:"[0,1)"`
	MaxIterations int     `param:"max_iterations" doc:"bound on the solver's iterations" range:"[1,inf)"`
	Projection    float64 `param:"projection_tolerance" doc:"excess distance, as a share of it, at which the projection of incomplete rows' marginals stops" range:"(0,1)"`
	Box           float64 `param:"box" doc:"messages of the optimum are taken to be at most this large; a loss is 2 at most" range:"(0,inf)"`
}

// NewDCC returns the paper's problem with all pairs, solved to a gap of 0.1 %.
func NewDCC() *DCC {
	return &DCC{Bins: 5, Edges: allPairs, Tolerance: 1e-3, Absolute: 1e-5, MaxIterations: 50000, Projection: 1e-2, Box: 10}
}

// Fit solves Eq. 24 for the training set's marginals.
func (s *DCC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	if err := checkTraining("dcc", train); err != nil {
		return nil, err
	}
	features := newDiscreteFeatures(train, s.Bins)
	// The input: mu_ij for ij in E.
	mu, warnings, err := features.marginals(ctx, train, s.Projection, s.MaxIterations)
	if err != nil {
		return nil, err
	}
	if s.Edges == tanTree {
		mu = mu.Restrict(tanEdges(mu))
	}
	// Eq. 24, then Eq. 18.
	return fitDCC(ctx, features, mu, warnings, chebyshev.Options{
		Tolerance: s.Tolerance, Absolute: s.Absolute, MaxIter: s.MaxIterations,
		Box: s.Box, Ridge: s.Ridge, Cutoff: math.Inf(1),
	})
}

// fitDCC solves the problem of the marginals mu.
func fitDCC(ctx context.Context, features *discreteFeatures, mu *chebyshev.Marginals, warnings []string, o chebyshev.Options) (Rule, error) {
	s, err := chebyshev.Solve(ctx, mu, o)
	if err != nil {
		return nil, err
	}
	rule := &dccRule{features: features, mu: mu, costs: s.Costs, single: mu.Singles(), warnings: warnings}
	if !s.Converged {
		rule.warnings = append(rule.warnings, fmt.Sprintf("the bound on the hinge loss is only known to lie in [%.4g, %.4g] after %d iterations: raise max_iterations, tolerance or box", s.Lower, s.Upper, s.Iterations))
	}
	return rule, nil
}

// tanEdges returns the numbers of the pairs that form the maximum spanning tree
// of the conditional mutual information I(x_i; x_j | y).
func tanEdges(mu *chebyshev.Marginals) []int {
	weight := mat.NewSymDense(len(mu.Levels), nil)
	number := map[tree.Edge]int{}
	for e, p := range mu.Pairs {
		number[tree.Edge(p)] = e
		weight.SetSym(p.I, p.J, conditionalInformation(mu.Table(e), mu.Classes, mu.Levels[p.I], mu.Levels[p.J]))
	}
	var edges []int
	for _, e := range tree.Maximum(weight) {
		edges = append(edges, number[e])
	}
	return edges
}

// conditionalInformation returns sum mu(a,b,y) log(mu(a,b,y) mu(y) / (mu(a,y) mu(b,y)))
// of a table classes x di x dj.
func conditionalInformation(table []float64, classes, di, dj int) float64 {
	information := 0.0
	for y := range classes {
		information += mutual.Table(table[y*di*dj:][:di*dj], dj)
	}
	return information
}
