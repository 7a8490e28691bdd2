package classics

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Logistic is logistic regression with the elastic net penalty, as in R's cv.glmnet (Friedman,
// Hastie and Tibshirani, J. Stat. Softw. 33:1, 2010). With more than two classes, the model is
// multinomial.
//
// With two classes, row i has the columns x_i, scaled to mean square 1, and y_i = 1 for class 1 or
// -1 for class 0. The fit chooses the constant b and the weights w. The parameter alpha mixes two
// penalties, and lambda multiplies them:
//
//	min_(b,w) 1/n sum_i log(1 + exp(-y_i (b + w'x_i))) + lambda sum_j [(1-alpha)/2 w_j^2 + alpha |w_j|].
//
// The score of class 1 is (b + w'x)/2, and the score of class 0 is its negative. For any number of
// classes, the probabilities are proportional to the exponentials of the scores.
//
// The fit solves the problem for a decreasing sequence of values of lambda, called the path. It
// begins at the smallest lambda for which all weights are 0. For alpha < 0.001, this lambda is
// computed as if alpha were 0.001.
//
// The path ends early, after at least five values, in two cases:
//
//   - The fit explains more than 0.999 of the deviance.
//   - One step increases the explained deviance by less than 0.001 %.
//
// For the fit to all rows, the path is the same as in glmnet.
//
// All folds use these values of lambda. By default, cv.glmnet instead computes a separate path for
// each fold and interpolates the losses of the fold. As in glmnet, the path of a fold ends early if
// more than 0.999 of the deviance is explained.
//
// Folds are stratified by class, but random in cv.glmnet.
//
// If all weights are 0, the rule predicts the most frequent class. If several classes are the most
// frequent, it predicts the first of them.
//
// With penalty: ridge, alpha is 0. With penalty: none, the fit maximises the likelihood, like glm
// in R. All parameters of the path and of the cross-validation then have no effect, and neither
// does alpha.
//
// With penalty: none, the likelihood may have no maximum. There are two cases, each with a warning:
//
//   - The columns separate the classes. The fit then keeps a small ridge penalty.
//   - The columns separate only some of the rows, for example by a level that occurs in one class
//     only. Some weights then have no finite maximum. The parameter tolerance determines how large
//     they become. With a tolerance below 1e-9, the fit may take minutes.
//
// A discrete attribute becomes one indicator column per level, or a single indicator if it has two
// levels.
//
// With n rows, p columns and k nonzero weights, a fit takes O(n p + n k^2) operations for each
// value of lambda. Cross-validation multiplies this by folds + 1.
type Logistic struct {
	// penalty on the weights. `elastic-net`: the elastic net with mixing parameter `alpha`.
	// `ridge`: the ridge penalty. `none`: no penalty, so the fit maximises the likelihood
	Penalty string `param:"penalty" enum:"elastic-net,ridge,none"`
	// mixing parameter of the elastic net penalty: 1 is the lasso (absolute values only), 0 is
	// ridge (squares only)
	Alpha float64 `param:"alpha" range:"[0,1]" if:"penalty=elastic-net"`
	// which lambda to choose: the one with the smallest cross-validated loss (`min`), or the
	// largest one whose loss is within one standard error of the smallest (`1se`)
	Choose string `param:"choose" enum:"min,1se" if:"penalty=elastic-net|ridge"`
	// loss used in cross-validation: the deviance (`deviance`), or the number of misclassified rows
	// (`errors`)
	Loss string `param:"loss" enum:"deviance,errors" if:"penalty=elastic-net|ridge"`
	// number of lambda values on the path
	Penalties int `param:"penalties" range:"[1,inf)" if:"penalty=elastic-net|ridge"`
	// ratio of the last lambda on the path to the first; 0 means 1e-4, or 0.01 if there are fewer
	// rows than columns
	Ratio float64 `param:"ratio" range:"[0,1)" if:"penalty=elastic-net|ridge"`
	// number of cross-validation folds; leave-one-out if there are fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)" if:"penalty=elastic-net|ridge"`
	// scale each column to mean 0 and mean square 1 on the training rows before applying the
	// penalty
	Standardise bool `param:"standardise"`
	// tolerance of the solver, as a fraction of the null deviance. The solver stops when, for each
	// weight, the squared last change times the second derivative of the loss is at most this
	// tolerance
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
}

// Values of Logistic.Penalty.
const (
	elasticNet   = "elastic-net"
	ridgePenalty = "ridge"
	noPenalty    = "none"
)

// NewLogistic returns a Logistic with the defaults of R's cv.glmnet.
func NewLogistic() *Logistic {
	return &Logistic{
		Penalty:     elasticNet,
		Alpha:       1,
		Choose:      elasticnet.OneStdError,
		Loss:        elasticnet.Deviance,
		Penalties:   100,
		Ratio:       0,
		Folds:       10,
		Standardise: true,
		Tolerance:   1e-7,
	}
}

// Fit implements method.Classifier. It uses rng to draw the folds.
func (s *Logistic) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, method.EqualWeights(train), rng)
}

// FitWeighted is like Fit, but multiplies the loss of each row of class c by weights[c]. As in
// glmnet, the weights also apply to held-out rows.
func (s *Logistic) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise) // p.X: the rows as numeric columns
	if err := crossval.CheckTwoRows(train); err != nil {
		return nil, err
	}
	model, err := s.FitColumns(ctx, p.X, train, weights, rng)
	if err != nil {
		return nil, err
	}
	var warnings []string
	if len(model.Used()) == 0 {
		warnings = append(warnings, "the penalty leaves no column: all rows get the most frequent class")
	}
	isSeparable := s.Penalty == noPenalty && model.Penalty > 0
	if isSeparable {
		warnings = append(warnings, fmt.Sprintf("the classes are linearly separable, so the likelihood has no "+
			"maximum; the fit uses the ridge penalty %.2g", model.Penalty))
	}
	if model.Unbounded {
		warnings = append(warnings, "a combination of the columns separates some rows by class, so the likelihood has "+
			"no maximum (quasi-complete separation): remove rare levels or use penalty: ridge")
	}
	return p.Rule(model.LinearPredictors, warnings...).WithProbabilities(method.Posteriors), nil
}

// rowNumbers is the number of float64s that the solver stores for each row and class.
const rowNumbers = 7

func (s *Logistic) Numbers(l method.Load) float64 {
	functions := l.Classes
	if functions == 2 {
		functions = 1
	}
	return float64(rowNumbers * functions * l.Train)
}

// FitColumns fits the logistic regression of the classes in train on x. Cross-validation chooses
// the size of the penalty, if any.
//
// Row i of x contains the numeric columns of row i of train. weights[c] is the weight of class c.
func (s *Logistic) FitColumns(
	ctx context.Context, x *mat.Dense, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*elasticnet.Model, error) {
	alpha := s.Alpha // share of the absolute values in the penalty
	if s.Penalty != elasticNet {
		alpha = 0 // only squares
	}
	if s.Penalty == noPenalty {
		problem, err := elasticnet.New(x, train.Y, weights, alpha, s.Standardise)
		if err != nil {
			return nil, err
		}
		return s.maximumLikelihood(ctx, problem)
	}
	choice := elasticnet.Selection{
		Alpha:       alpha,
		Standardise: s.Standardise,
		Penalties:   s.Penalties,
		Ratio:       s.Ratio,
		Tolerance:   s.Tolerance,
		Folds:       s.Folds,
		Loss:        s.Loss,
		Choose:      s.Choose,
		Weights:     weights,
	}
	return choice.Fit(ctx, x, elasticnet.SameColumns(x), train, rng)
}

// These constants describe the decreasing ridge penalties of maximumLikelihood.
const (
	waypoints     = 10   // number of positive penalties
	waypointRatio = 1e-8 // ratio of the last positive penalty to the first
)

// maximumLikelihood returns the last solution of a ridge problem for penalties that decrease to 0.
// For linearly separable classes, the path ends early, and the solution has a positive penalty.
func (s *Logistic) maximumLikelihood(
	ctx context.Context, problem *elasticnet.Problem,
) (*elasticnet.Model, error) {
	penalties := append(problem.Penalties(waypoints, waypointRatio), 0)
	path, err := problem.FullPath(ctx, penalties, s.Tolerance)
	if err != nil {
		return nil, err
	}
	last := path[len(path)-1]
	isSeparable := last.Penalty > 0
	if !isSeparable {
		last.Unbounded = !problem.HasMaximum(&path[max(0, len(path)-2)]) // from the smallest positive penalty
	}
	return &last, nil
}
