package elasticnet

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/stats/dataset"
)

// LeastLoss and OneStdError are rules for choosing a penalty from the cross-validated losses.
const (
	LeastLoss   = "min" // the penalty with the smallest loss
	OneStdError = "1se" // the largest penalty with a loss within one standard error of the smallest
)

// A Selection fits a problem along a path and chooses the penalty by cross-validation, like
// cv.glmnet in R.
type Selection struct {
	Alpha       float64   // share of the absolute values in the penalty
	Standardise bool      // whether New standardises the columns
	Penalties   int       // number of penalties on the path
	Ratio       float64   // last penalty divided by first penalty; 0: DefaultRatio
	Tolerance   float64   // tolerance of Path
	Folds       int       // number of folds; with fewer rows, each row is a fold
	Loss        string    // held-out loss: Deviance, Hinge or Errors; with Hinge, fits also minimise it
	Choose      string    // LeastLoss or OneStdError
	Weights     []float64 // Weights[k] is the weight of the rows of class k
}

// problem returns the training problem for the matrix x, whose row i has class y[i].
func (p *Selection) problem(x *mat.Dense, y []int) (*Problem, error) {
	q, err := New(x, y, p.Weights, p.Alpha, p.Standardise)
	if err == nil {
		q.hinge = p.Loss == Hinge
	}
	return q, err
}

// FoldColumns returns a Fold for cross-validation in which row i belongs to fold fold[i].
type FoldColumns func(fold []int, folds int) (Fold, error)

// SameColumns returns a FoldColumns that uses the columns of x in every fold.
func SameColumns(x *mat.Dense) FoldColumns {
	return func([]int, int) (Fold, error) {
		return func(_ int, rows []int) (*mat.Dense, error) { return columns.Rows(x, rows), nil }, nil
	}
}

// Fit returns the regression on the columns x of all rows of train, with a penalty chosen by
// cross-validation.
func (p *Selection) Fit(ctx context.Context, x *mat.Dense, foldColumns FoldColumns, train *dataset.Set,
	rng *rand.Rand) (*Model, error) {
	problem, err := p.problem(x, train.Y)
	if err != nil {
		return nil, err
	}
	penalties := problem.Penalties(p.Penalties, cmp.Or(p.Ratio, problem.DefaultRatio()))
	path, err := problem.Path(ctx, penalties, p.Tolerance)
	if err != nil {
		return nil, err
	}
	if len(path) == 1 {
		return &path[0], nil
	}
	fold, folds, err := crossval.Folds(train, p.Folds, crossval.ClassesByFirstRow, rng)
	if err != nil {
		return nil, err
	}
	columnsOfFold, err := foldColumns(fold, folds)
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	held := validation{Selection: *p, columns: columnsOfFold, y: train.Y, fold: fold, folds: folds}
	curve, err := held.curve(ctx, penalties[:len(path)])
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	if p.Choose == LeastLoss {
		return &path[curve.Best()], nil
	}
	return &path[curve.WithinOneError()], nil
}
