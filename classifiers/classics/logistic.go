package classics

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Logistic is logistic regression with the elastic net penalty, multinomial for more than two
// classes, as in R's cv.glmnet (Friedman, Hastie and Tibshirani, J. Stat. Softw. 33:1, 2010). For
// two classes and columns of mean square 1 it solves
//
//	min_(b,w) 1/n sum_i log(1 + exp(-y_i (b + w'x_i))) + lambda sum_j [(1-alpha)/2 w_j^2 + alpha |w_j|].
//
// Class 1 scores half of b + w'x and class 0 minus that. For any number of classes the
// probabilities are proportional to the exponentials of the scores.
//
// The path of penalties is the path of glmnet for all rows. It begins with the smallest lambda at
// which all weights are 0, computed for alpha 0.001 if alpha is smaller. It ends early if 0.999 of
// the deviance is explained, or if a step adds less than 1e-5 of the explained part. Each fold
// uses the same penalties; cv.glmnet interpolates on a path for each fold unless it is given the
// penalties. The path of a fold ends when its rows are nearly explained, as in glmnet. Folds are
// stratified by class; the folds of cv.glmnet are random. If no column is left, classes of equal
// size tie and the first wins.
//
// penalty: ridge is the case alpha = 0. penalty: none maximises the likelihood, like glm in R;
// alpha and the parameters of the path and of the cross-validation then have no effect. If the
// classes can be separated, the likelihood has no maximum: the fit keeps a small ridge penalty,
// with a warning.
//
// A discrete attribute enters as one indicator per level, or as a single indicator where it has
// two levels. A fit takes O(n p) at a penalty and O(n a^2) for the a columns in the model;
// cross-validation takes folds + 1 times as much.
type Logistic struct {
	Penalty     string  `param:"penalty" doc:"elastic-net with alpha, ridge, or none, which maximises the likelihood" enum:"elastic-net,ridge,none"`
	Alpha       float64 `param:"alpha" doc:"share of the absolute penalty in the elastic net; the rest is squared. 1: lasso" range:"[0,1]"`
	Choose      string  `param:"choose" doc:"the penalty with the smallest cross-validated loss (min), or the largest within one standard error of it (1se)" enum:"min,1se"`
	Loss        string  `param:"loss" doc:"cross-validated loss: deviance, or misclassified rows" enum:"deviance,errors"`
	Penalties   int     `param:"penalties" doc:"number of penalties on the path" range:"[1,inf)"`
	Ratio       float64 `param:"ratio" doc:"ratio of the last penalty of the path to the first; 0: 1e-4, or 0.01 with fewer rows than columns" range:"[0,1)"`
	Folds       int     `param:"folds" doc:"number of folds of the cross-validation; leave-one-out with fewer rows" range:"[2,inf)"`
	Standardise bool    `param:"standardise" doc:"scale each column to mean 0 and mean square 1 in the training rows, before the penalty"`
	Tolerance   float64 `param:"tolerance" doc:"the solver stops when curvature times squared change of each coefficient is below this share of the null deviance" range:"(0,1)"`
}

// Values of Logistic.Penalty.
const (
	elasticNet   = "elastic-net"
	ridgePenalty = "ridge"
	noPenalty    = "none"
)

// NewLogistic returns cv.glmnet's defaults.
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

// Fit solves the path, chooses the penalty and keeps its solution.
func (s *Logistic) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, nil, rng)
}

// FitWeighted is Fit with a weight for each class, a factor of the loss of its rows, also of held-out
// ones, as in glmnet; nil: 1.
func (s *Logistic) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	if err := modelsel.CheckTwoRows(train); err != nil {
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
	if s.Penalty == noPenalty && model.Penalty > 0 {
		warnings = append(warnings, fmt.Sprintf("the classes can be separated, so the likelihood has no maximum: "+
			"the fit has the ridge penalty %.2g", model.Penalty))
	}
	return p.Rule(model.Link, warnings...).WithProbabilities(method.Posteriors), nil
}

// rowNumbers is the size of the solver for each row and linear function: indicator, linear function
// and probability, both at the next step, direction and curvature.
const rowNumbers = 7

// Numbers counts the numbers of the solver.
func (s *Logistic) Numbers(l method.Load) float64 {
	functions := l.Classes
	if functions == 2 {
		functions = 1
	}
	return float64(rowNumbers * functions * l.Train)
}

// FitColumns returns the regression on numeric columns x of train's rows. weights are class weights;
// nil: 1.
func (s *Logistic) FitColumns(
	ctx context.Context, x *mat.Dense, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*elasticnet.Model, error) {
	if weights == nil {
		weights = slices.Repeat([]float64{1}, train.C())
	}
	alpha := s.Alpha
	if s.Penalty != elasticNet {
		alpha = 0
	}
	pose := func(x *mat.Dense, y []int) (*elasticnet.Problem, error) {
		return elasticnet.NewWeighted(x, y, weights, alpha, s.Standardise)
	}
	if s.Penalty == noPenalty {
		problem, err := pose(x, train.Y)
		if err != nil {
			return nil, err
		}
		return s.maximumLikelihood(ctx, problem)
	}
	choice := elasticnet.Selection{
		Pose:      pose,
		Penalties: s.Penalties,
		Ratio:     s.Ratio,
		Tolerance: s.Tolerance,
		Folds:     s.Folds,
		Loss:      s.Loss,
		Choose:    s.Choose,
		Weights:   weights,
	}
	return choice.Fit(ctx, x, elasticnet.SameColumns(x), train, rng)
}

// The ridge path on the way to the maximum of the likelihood.
const (
	waypoints     = 10
	waypointRatio = 1e-8 // of the last penalty to the first
)

// maximumLikelihood solves a ridge problem at decreasing penalties, the last of which is 0. If
// the classes can be separated, the path ends before, and the model has a penalty above 0.
func (s *Logistic) maximumLikelihood(
	ctx context.Context, problem *elasticnet.Problem,
) (*elasticnet.Model, error) {
	penalties := append(problem.Penalties(waypoints, waypointRatio), 0)
	path, err := problem.FullPath(ctx, penalties, s.Tolerance)
	if err != nil {
		return nil, err
	}
	return &path[len(path)-1], nil
}
