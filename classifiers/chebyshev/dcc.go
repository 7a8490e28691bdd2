// Package chebyshev implements the discrete Chebyshev classifiers of Eban et al. (2014), which
// minimise the worst-case loss over all distributions with given pairwise marginals.
package chebyshev

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/mutual"
	"copse/stats/recipe"
)

// Values of DCC.Edges.
const (
	allPairs = "all"
	tanTree  = "tree"
)

// DCC is the discrete Chebyshev classifier of Eban, Mezuman and Globerson (2014). Among all rules,
// it minimises the worst-case expected hinge loss.
//
// Let E be a set of pairs ij of features. Let mu_ij(x_i, x_j, y) be the joint distribution of
// features i and j and the label y in the training set. It is called a marginal. Many distributions
// of all features have the same marginals for every pair in E. The worst case is the one with the
// largest expected loss.
//
// Each pair ij has a cost nu_ij(x_i,x_j,y), and nu(x,y) is the sum of these costs. The score of
// label y at row x is
//
//	f(x,y) = -nu(x,y)/2,  nu(x,y) = sum_{ij in E} nu_ij(x_i,x_j,y).
//
// The costs nu_ij minimise Eq. 24 of the paper (Corollary 2.2). The notation nu_ij.mu_ij means the
// sum of the products nu_ij(x_i,x_j,y) mu_ij(x_i,x_j,y) over all levels and labels. The sum of
// nu_ij.mu_ij over all pairs is an upper bound on the error of the classifier. It is valid for each
// distribution with the given marginals.
//
// The parameter edges selects the set E:
//
//   - edges: all means all pairs, as in the paper's tables. The linear program of the paper
//     (section 5) then gives only an upper bound on the worst-case loss.
//   - edges: tree means the tree of TAN. The worst-case loss is then computed exactly.
//
// Numeric attributes are first divided into quantile bins, as in chow-liu. A marginal is the
// proportion of a class, multiplied by a relative frequency within the class. The frequency is
// computed from the rows that have values of both features.
//
// If rows have missing values, the marginals of different pairs may contradict each other. The fit
// then replaces them by the nearest marginals without contradictions, in the l1 norm (section 8.3).
//
// If a feature is missing in a test row, its pairs do not contribute to the scores of this row.
//
// Labels tie if their scores are within 1e-9 of the largest. Three rules choose between them, in
// this order:
//
//   - The most frequent label in the training set wins.
//   - The label with the largest sum of mu_i(x_i,y) over the features i of the row wins. Here mu_i
//     is the joint distribution of feature i and the label.
//   - The first label wins.
//
// The solver is not exact. In examples with the ridge 1e-6, the errors of scores were up to 2e-6.
// Such errors can hide a tie, and the label with the largest computed score then wins. With a
// smaller tolerance, this is rarer.
//
// The fit leaves out attributes that are constant in the training set or have no values in some
// class. It gives a warning. If no row of a class has values of both features of a pair, they are
// assumed to be independent in this class.
//
// Before version 4, all attributes were used. A feature without values in a class was then assumed
// to be uniform in this class.
//
// The optimal nu is not unique, and the paper does not state which optimum it uses. This
// implementation solves an equivalent form of Eq. 24 with fewer unknowns. In the formula, y and z
// are two labels, and |E| is the number of pairs. nu_ij(y) is short for nu_ij(x_i,x_j,y), and the
// same holds for mu_ij(y) and u_ij(y,z). c_ij is the smaller of mu_ij(y) and mu_ij(z). The dot
// again means a sum of products, and (a)+ is the larger of a and 0:
//
//	minimise sum_ij [nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z).
//
// There are two groups of unknowns:
//
//   - the costs nu >= 0. With two classes, nu = 0.
//   - the numbers gamma and delta, called messages. They satisfy sum_ij gamma_ij = 0 and sum_j
//     delta_ij(x_i,.) = 0.
//
// After the minimisation, some terms (...)+ of the sum are still positive. The fit increases the
// costs nu_ij(y) and nu_ij(z) until all terms are 0. Suppose that the term of the labels y and z
// has the value t:
//
//   - If mu_ij(y) is the smaller of mu_ij(y) and mu_ij(z), nu_ij(y) increases by t.
//   - If mu_ij(y) = mu_ij(z), both costs increase by t/2.
//   - If several terms increase the same cost, only the largest increase counts.
//
// A small penalty makes the optimum unique. It is ridge |E|/8 times a weighted sum of squares of
// all unknowns. The weight of an unknown is the number of terms (...)+ that contain it. If the
// parameter tolerance is r, the messages differ from the optimum by at most sqrt(r) times their
// norm.
//
// As the ridge approaches 0, the solution approaches the optimum with the smallest weighted sum of
// squares. In this optimum, the contributions of the pairs to the scores are as equal as possible.
// With a large ridge, they are even more equal, but the bound on the error can be larger.
//
// Without a ridge, the solver starts from equal contributions and returns the first optimum that it
// reaches.
//
// Cross-validation on the training set chooses the ridge. The candidate with the fewest
// misclassified held-out rows wins. If several tie, the smallest wins. All folds use the same bins.
// Version 2 has no candidates by default and uses the ridge 1e-6.
//
// This choice was tested on the seven small data sets of the paper's Table 1, with five random
// partitions each (results/dcc2014-readings). On every data set, the test error is smaller than
// with the ridge 1e-6. The mean difference is 4.2 percentage points.
//
// The ridge 1e-6 was compared with no ridge on the twelve data sets of Table 1, with one split into
// five folds. The results are nearly the same. The ridge raises the bound by less than 0.001, with
// one exception: on promoters, the bound rises from 0.033 to 0.048. The error changes by at most
// 1.3 percentage points on any data set.
//
// With n rows and d features, a fit takes O(n d^2) operations for the marginals. For each ridge, it
// then takes a few thousand iterations of O(d^2 levels^2 classes^2) operations. Cross-validation
// repeats this for each ridge in each fold. A fit needs O(d^2 levels^2 classes^2) memory.
type DCC struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// pairs of features whose marginals are used. `all`: all pairs. `tree`: the edges of the tree
	// with the largest conditional mutual information given the class
	Edges string `param:"edges" enum:"all,tree"`
	// weight of a quadratic penalty, used only if `ridges` is empty. 0 means no penalty. With a
	// positive weight, the optimum is unique, and the contributions of the pairs to a score differ
	// less
	Ridge float64 `param:"ridge" range:"[0,inf)"`
	// candidate values of `ridge`. Cross-validation on the training set chooses one of them. If the
	// list is empty, the fit uses the value of `ridge`
	Ridges []float64 `param:"ridges" range:"[0,inf)"`
	// number of folds for choosing the ridge by cross-validation; leave-one-out if there are fewer
	// rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
	solver
}

// solver holds the parameters that DCC and GreedyDCC share.
type solver struct {
	method.Revision
	// largest relative duality gap at which the solver stops. The gap is divided by the objective,
	// which is the bound on the loss plus the penalty. With a positive ridge, the gap must also be
	// at most this fraction of the penalty. Gaps up to 1e-10 always meet this second condition
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
	// largest absolute duality gap at which the solver stops, even if the relative gap exceeds
	// `tolerance`. It matters if the objective is near 0. With a positive ridge, the gap must also
	// be at most `tolerance` times the penalty, or at most 1e-10
	Absolute float64 `param:"absolute_tolerance" range:"[0,1)"`
	// largest number of iterations per run of the solver
	MaxIterations int `param:"max_iterations" range:"[1,inf)"`
	// relative tolerance for replacing inconsistent marginals by the nearest consistent marginals.
	// It applies to the l1 distance between the old and the new marginals. Marginals can be
	// inconsistent only if rows have missing values
	Projection float64 `param:"projection_tolerance" range:"(0,1)"`
	// assumed bound on the absolute values of the optimal messages gamma and delta, which the
	// description of dcc defines. Messages have the scale of the hinge loss, which is at most 2.
	// The duality gap depends on this bound only if there is no ridge. With a positive ridge, the
	// bound matters for gdcc alone, which always chooses its tree without a ridge
	Box float64 `param:"box" range:"(0,inf)"`
}

// newSolver returns the default parameters, which limit the relative duality gap to 0.1 %.
func newSolver() solver {
	return solver{Tolerance: 1e-3, Absolute: 1e-5, MaxIterations: 50000, Projection: 1e-2, Box: 10}
}

func (s *solver) options(ridge float64) chebyshev.Options {
	return chebyshev.Options{
		Tolerance: s.Tolerance,
		Absolute:  s.Absolute,
		MaxIter:   s.MaxIterations,
		Box:       s.Box,
		Ridge:     ridge,
		Cutoff:    math.Inf(1),
	}
}

// leastRidge is just large enough to make the optimum unique. It hardly changes the bound on the
// loss.
const leastRidge = 1e-6

// NewDCC returns a DCC that uses all pairs, as in the paper, and five candidate values for the
// ridge.
func NewDCC() *DCC {
	return &DCC{
		Bins:   5,
		Edges:  allPairs,
		Ridge:  leastRidge,
		Ridges: []float64{leastRidge, 1e-4, 0.01, 0.1, 1},
		Folds:  5,
		solver: newSolver(),
	}
}

// Pin selects an older version of the classifier. Version 2 has no candidates for the ridge.
func (s *DCC) Pin(version int) {
	s.Revision.Pin(version)
	if s.BeforeVersion(3) {
		s.Ridges = nil
	}
}

// Validate returns an error if Ridge differs from its default but has no effect, because Ridges
// lists candidates.
func (s *DCC) Validate() error {
	if s.Ridge == leastRidge || len(s.Ridges) == 0 {
		return nil
	}
	return recipe.Errorf("ridge",
		"has no effect while `ridges` lists candidates; write `ridges: [%g]`, or add `ridges: []` to use it", s.Ridge)
}

// Fit chooses the ridge by cross-validation and then solves Eq. 24 of the paper. It uses rng to
// draw the folds.
func (s *DCC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features, warnings := s.features(train, s.Bins)
	ridge, err := s.chooseRidge(ctx, features, train, rng)
	if err != nil {
		return nil, fmt.Errorf("choosing the ridge: %w", err)
	}
	mu, more, err := s.edgeMarginals(ctx, features, train)
	if err != nil {
		return nil, err
	}
	return fitDCC(ctx, features, mu, append(warnings, more...), s.options(ridge))
}

// edgeMarginals returns the marginals mu_ij of the pairs that s.Edges selects, and any warnings.
func (s *DCC) edgeMarginals(
	ctx context.Context, features *columns.Discrete, train *dataset.Set,
) (*chebyshev.Marginals, []string, error) {
	mu, warnings, err := s.marginals(ctx, features, train)
	if err != nil || s.Edges == allPairs {
		return mu, warnings, err
	}
	return mu.Restrict(tanEdges(mu)), warnings, nil
}

// chooseRidge returns the candidate in s.Ridges with the fewest cross-validation errors. If several
// tie, it returns the smallest. If s.Ridges is empty, it returns s.Ridge.
func (s *DCC) chooseRidge(
	ctx context.Context, features *columns.Discrete, train *dataset.Set, rng *rand.Rand,
) (float64, error) {
	switch len(s.Ridges) {
	case 0:
		return s.Ridge, nil
	case 1:
		return s.Ridges[0], nil
	}
	if err := crossval.CheckTwoRows(train); err != nil {
		return 0, err
	}
	candidates := slices.Sorted(slices.Values(s.Ridges))
	count := func(trainRows, testRows []int) ([]int, error) {
		return s.ridgeErrors(ctx, features, train.Subset(trainRows), train.Subset(testRows), candidates)
	}
	best, err := crossval.Choose(ctx, train, s.Folds, crossval.ClassesByFirstRow, rng, count)
	return candidates[best], err
}

// ridgeErrors fits a rule to train with each ridge. It returns how many rows of test each rule
// misclassifies.
func (s *DCC) ridgeErrors(
	ctx context.Context, features *columns.Discrete, train, test *dataset.Set, ridges []float64,
) ([]int, error) {
	marginals, _, err := s.edgeMarginals(ctx, features, train)
	if err != nil {
		return nil, err
	}
	wrong := make([]int, len(ridges))
	for k, ridge := range ridges {
		rule, err := fitDCC(ctx, features, marginals, nil, s.options(ridge))
		if err != nil {
			return nil, err
		}
		for i, label := range rule.Predict(test.X) {
			if label != test.Y[i] {
				wrong[k]++
			}
		}
	}
	return wrong, nil
}

// fitDCC solves Eq. 24 of the paper for the marginals mu and returns the rule of Eq. 18, with the
// given warnings and those from the solver.
func fitDCC(
	ctx context.Context,
	features *columns.Discrete,
	mu *chebyshev.Marginals,
	warnings []string,
	o chebyshev.Options,
) (*method.Rule, error) {
	s, err := chebyshev.Solve(ctx, mu, o)
	if err != nil {
		return nil, err
	}
	if !s.Converged { // the optimum lies between s.Lower and s.Upper
		warning := fmt.Sprintf("the solver stopped after %d iterations; its objective, %.6g, is at most %.3g above "+
			"the optimum: raise max_iterations", s.Iterations, s.Upper, s.Upper-s.Lower)
		sufficient := 2 * s.NeededTolerance // twice the needed tolerance suffices even after rounding
		if sufficient < 1 {                 // the parameter tolerance must be below 1
			warning += fmt.Sprintf(", or set tolerance to %.2g", sufficient)
		}
		warnings = append(warnings, warning)
	}
	if o.Ridge == 0 && s.LargestMessage > o.Box { // without a ridge, the solver assumes that no message exceeds o.Box
		warnings = append(warnings, fmt.Sprintf("the bound on the hinge loss is optimal only among solutions with "+
			"messages of size up to %g, but messages can reach %.4g: raise box", o.Box, s.LargestMessage))
	}
	r := &dccRule{features: features, marginals: mu, costs: s.Costs, singles: mu.Singles()}
	return &method.Rule{Scores: r.scores, Warnings: warnings}, nil
}

// tanEdges returns the index in mu.Pairs of each edge of the TAN tree. The weight of edge ij is the
// conditional mutual information I(x_i; x_j | y). The tree has the largest total weight.
func tanEdges(mu *chebyshev.Marginals) []int {
	weight := mat.NewSymDense(len(mu.Levels), nil)
	index := map[spanning.Edge]int{} // index in mu.Pairs
	for e, p := range mu.Pairs {
		index[p] = e
		weight.SetSym(p.I, p.J, conditionalInformation(mu.Table(e), mu.Classes, mu.Levels[p.I], mu.Levels[p.J]))
	}
	var edges []int
	for _, e := range spanning.Maximum(weight) {
		edges = append(edges, index[e])
	}
	return edges
}

// conditionalInformation returns the conditional mutual information of two features given the
// class,
//
//	sum_{a,b,y} mu(a,b,y) log(mu(a,b,y) mu(y) / (mu(a,y) mu(b,y))).
//
// Here a is one of the di levels of the first feature, b is one of the dj levels of the second
// feature, and y is a class. The probability mu(a,b,y) is table[(y*di + a)*dj + b].
func conditionalInformation(table []float64, classes, di, dj int) float64 {
	information := 0.0
	for y := range classes {
		information += mutual.Table(table[y*di*dj:][:di*dj], dj)
	}
	return information
}
