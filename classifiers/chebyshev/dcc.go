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
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/tree"
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

// DCC is the discrete Chebyshev classifier of Eban, Mezuman and Globerson (2014). Among all rules, it minimises the
// worst-case expected hinge loss. The worst case is taken over all distributions that have the same marginals
// mu_ij(x_i, x_j, y) as the training set for every pair of features ij in E, a set of pairs. The score of label y
// at row x is f(x,y) = -nu(x,y)/2, where nu(x,y) is a sum of costs nu_ij(x_i,x_j,y) over the pairs in E. The costs
// minimise Eq. 24 of the paper (Corollary 2.2). A dot denotes a sum of products over all levels and labels. The sum
// of nu_ij.mu_ij over the pairs is an upper bound on the error of the classifier under each of these distributions.
//
// With all pairs, as in the paper's tables, the paper's linear program (section 5) gives only an upper bound on the
// worst-case loss. With the tree of TAN, the worst-case loss is computed exactly. Numeric attributes are first
// divided into quantile bins, as in chow-liu. A marginal is the relative frequency within the class, among the
// training rows that have values of the feature or pair, times the proportion of the class. If rows have missing
// values, the fit then replaces the marginals by the nearest consistent marginals in the l1 norm (section 8.3). A
// pair with a missing feature in a test row does not vote. If several labels have scores within 1e-9 of the
// largest, the most frequent label wins, then the label with the largest sum_i mu_i(x_i,y), then the first label.
// The solver's errors in tied scores can be larger, up to 2e-6 in examples with the ridge 1e-6. These errors then
// decide some ties; with a smaller tolerance, this is rarer.
//
// Attributes that are constant in the training set or have no values in some class are left out, with a warning.
// If no row of a class has values of both features of a pair, they are assumed to be independent in this class.
// Before version 4, all attributes were used, and a feature without values in a class was assumed to be uniform in
// this class.
//
// The optimal nu is not unique, and the paper does not state which optimum it uses. This implementation solves an
// equivalent form of Eq. 24 with fewer unknowns:
//
//	minimise sum_ij [nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z).
//
// c_ij is the smaller of mu_ij(y) and mu_ij(z). The unknowns are the costs nu >= 0 (nu = 0 for two classes) and
// the messages gamma and delta with sum_ij gamma_ij = 0 and sum_j delta_ij(x_i,.) = 0. Afterwards, some costs
// increase until all terms ( )+ are 0. For each term, the cost of the label with the smaller mu_ij(x_i,x_j,.)
// increases by the value of the term. If both labels have the same mu_ij, both costs increase by half of this
// value. A cost that occurs in several terms increases only by the largest of these amounts.
//
// A small penalty makes the optimum unique. It is ridge |E|/8 times a weighted sum of squares of all
// unknowns; the weight of an unknown is the number of terms ( )+ that contain it. With a small ridge, the
// votes of the pairs are as equal as possible without a larger bound. As the ridge approaches 0, the solution
// approaches the optimum with the smallest weighted sum of squares. With a tolerance r, the error of the
// messages is at most sqrt(r) times their norm. A large ridge makes the votes more equal, but can increase
// the bound. Without a ridge, the solver starts from equal votes and returns the first optimum that it
// reaches.
//
// Cross-validation on the training set chooses the ridge. The ridge that misclassifies the fewest held-out rows
// wins or, if several tie, the smallest of these. All folds use the same bins. Version 2 used the ridge 1e-6,
// unless the study file listed candidates in ridges. On the seven small data sets of the paper's Table 1 (five
// random partitions each, results/dcc2014-readings), the chosen ridge has a smaller test error than the ridge 1e-6
// on every set. The difference is between 0.2 and 7.5 percentage points, 4.2 on average.
//
// On the twelve data sets of the paper's Table 1 (discrete attributes, one split into five folds), the ridge
// 1e-6 raises the bound by less than 0.001, except on promoters, where the bound rises from 0.033 to 0.048.
// The errors in percent without and with this ridge are: adult 18.0 and 17.9, breast cancer 30.1 and 30.8,
// heart 23.8 and 25.1, lymphography 25.0 and 25.7, mushroom 0.07 and 0, promoters 17.0 and 16.0, votes 5.7
// and 5.5. The ridge does not change the errors on the other sets: credit 15.7, hepatitis 16.8, hypo 7.7, kr
// vs kp 9.6 and sick 6.1. With tolerance 1e-6, one label in 300 changes on heart and none on the other data
// sets.
//
// A fit with one ridge takes O(n d^2) operations for the marginals, and then a few thousand iterations of
// O(d^2 levels^2 classes^2) operations. Cross-validation repeats this for each ridge in each fold. A fit
// needs O(d^2 levels^2 classes^2) memory.
type DCC struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// pairs of features whose marginals are used: all pairs, or only the edges of the tree with the
	// largest conditional mutual information
	Edges string `param:"edges" enum:"all,tree"`
	// weight of a penalty, used only if `ridges` is empty. With a penalty, the pairs contribute more equally to a
	// score, and the optimum is unique. 0 means no penalty: the solver then returns one of several optima
	Ridge float64 `param:"ridge" range:"[0,inf)"`
	// candidate values of `ridge`, from which cross-validation on the training set chooses one. If the list
	// is empty, as in version 2, the fit uses the value of `ridge`
	Ridges []float64 `param:"ridges" range:"[0,inf)"`
	// number of folds for choosing the ridge by cross-validation; leave-one-out if there are fewer rows
	// than folds
	Folds int `param:"folds" range:"[2,inf)"`
	solver
}

// solver holds the parameters that DCC and GreedyDCC share.
type solver struct {
	method.Revision
	// largest duality gap at which the solver stops, as a fraction of the objective. The objective has two parts:
	// the bound on the loss, and the penalty. A positive `ridge` adds a second condition. The gap must then also
	// be at most this fraction of the penalty, unless the gap is at most 1e-10
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
	// absolute tolerance for the duality gap: the solver also stops if the gap is at most this value, even if it
	// exceeds the fraction `tolerance` of the objective. This matters if the objective is near 0. With a ridge, the
	// gap must still be at most the fraction `tolerance` of the penalty, or at most 1e-10
	Absolute float64 `param:"absolute_tolerance" range:"[0,1)"`
	// largest number of iterations per run of the solver
	MaxIterations int `param:"max_iterations" range:"[1,inf)"`
	// relative tolerance for the projection onto consistent marginals. Marginals may be inconsistent if rows have
	// missing values. The fit then replaces them by the nearest consistent marginals in the l1 norm. The tolerance
	// is for the l1 distance between the old and the new marginals
	Projection float64 `param:"projection_tolerance" range:"(0,1)"`
	// without a ridge, the solver searches for the unknowns of the optimisation, the messages gamma and delta, in
	// the range [-`box`,`box`]. The description of dcc defines the messages. Messages have the scale of the hinge
	// loss, which is at most 2
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

// leastRidge is just large enough to make the optimum unique; it hardly changes the bound.
const leastRidge = 1e-6

// NewDCC returns a DCC that uses all pairs, as in the paper, and five candidate values for the ridge.
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

// Pin selects an older version of the classifier. Version 2 does not cross-validate candidates in Ridges, but uses
// the value of Ridge.
func (s *DCC) Pin(version int) {
	s.Revision.Pin(version)
	if s.Before(3) {
		s.Ridges = nil
	}
}

// Validate returns an error if a study sets Ridge although Ridges lists candidates, because Ridge
// then has no effect.
func (s *DCC) Validate() error {
	if s.Ridge == leastRidge || len(s.Ridges) == 0 {
		return nil
	}
	return &recipe.Error{Key: "ridge", Msg: fmt.Sprintf(
		"has no effect while `ridges` lists candidates; write `ridges: [%g]`, or add `ridges: []` to use it", s.Ridge)}
}

// Fit chooses the ridge if there are several candidates. It then solves Eq. 24 of the paper, given the marginals of
// train. rng is used to draw the folds for choosing the ridge.
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

// edgeMarginals returns the marginals mu_ij(x_i, x_j, y) of the pairs ij in E, along with any
// warnings.
func (s *DCC) edgeMarginals(
	ctx context.Context, features *columns.Discrete, train *dataset.Set,
) (*chebyshev.Marginals, []string, error) {
	mu, warnings, err := s.marginals(ctx, features, train)
	if err != nil || s.Edges == allPairs {
		return mu, warnings, err
	}
	return mu.Restrict(tanEdges(mu)), warnings, nil
}

// chooseRidge returns the candidate in s.Ridges with the fewest cross-validation errors, or the smallest
// such candidate if several tie. A single candidate needs no cross-validation. If s.Ridges is empty,
// chooseRidge returns s.Ridge.
func (s *DCC) chooseRidge(
	ctx context.Context, features *columns.Discrete, train *dataset.Set, rng *rand.Rand,
) (float64, error) {
	switch len(s.Ridges) {
	case 0:
		return s.Ridge, nil
	case 1:
		return s.Ridges[0], nil
	}
	if err := modelsel.CheckTwoRows(train); err != nil {
		return 0, err
	}
	fold, folds, err := modelsel.StratifiedFolds(train.Y, train.C(), s.Folds, modelsel.ByFirstRow, rng)
	if err != nil {
		return 0, err
	}
	candidates := slices.Sorted(slices.Values(s.Ridges))
	wrong, err := modelsel.CrossValidate(ctx, fold, folds, func(trainRows, testRows []int) ([]int, error) {
		return s.ridgeErrors(ctx, features, train.Subset(trainRows), train.Subset(testRows), candidates)
	})
	if err != nil {
		return 0, err
	}
	return candidates[modelsel.Best(wrong)], nil
}

// ridgeErrors fits a rule to train for each ridge and returns the number of rows in test that each rule
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

// fitDCC returns the rule that minimises the worst-case loss over all distributions with the pairwise marginals mu
// (Eq. 24 and 18 of the paper). Warnings from the solver are appended to the given warnings.
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
		if ample := 2 * s.Needed; ample < 1 { // twice the needed tolerance suffices even after rounding
			warning += fmt.Sprintf(", or set tolerance to %.2g", ample)
		}
		warnings = append(warnings, warning)
	}
	if o.Ridge == 0 && s.Reach > o.Box { // Reach, the largest message, exceeds the bound Box that the solver assumed
		warnings = append(warnings, fmt.Sprintf("the bound on the hinge loss is optimal only among solutions with "+
			"messages of size up to %g, but messages can reach %.4g: raise box", o.Box, s.Reach))
	}
	r := &dccRule{features: features, mu: mu, costs: s.Costs, single: mu.Singles()}
	return &method.Rule{Scores: r.scores, Warnings: warnings}, nil
}

// tanEdges returns the edges of the TAN tree as indices of mu.Pairs. The TAN tree is the maximum spanning
// tree of the features in which edge ij has weight I(x_i; x_j | y), the conditional mutual information.
func tanEdges(mu *chebyshev.Marginals) []int {
	weight := mat.NewSymDense(len(mu.Levels), nil)
	index := map[tree.Edge]int{} // index in mu.Pairs
	for e, p := range mu.Pairs {
		index[tree.Edge(p)] = e
		weight.SetSym(p.I, p.J, conditionalInformation(mu.Table(e), mu.Classes, mu.Levels[p.I], mu.Levels[p.J]))
	}
	var edges []int
	for _, e := range tree.Maximum(weight) {
		edges = append(edges, index[e])
	}
	return edges
}

// conditionalInformation returns the conditional mutual information of two features given the class,
//
//	sum_{a,b,y} mu(a,b,y) log(mu(a,b,y) mu(y) / (mu(a,y) mu(b,y))).
//
// The features have di and dj levels. mu(a,b,y) is table[(y*di + a)*dj + b].
func conditionalInformation(table []float64, classes, di, dj int) float64 {
	information := 0.0
	for y := range classes {
		information += mutual.Table(table[y*di*dj:][:di*dj], dj)
	}
	return information
}
