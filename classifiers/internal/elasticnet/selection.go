package elasticnet

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/stats/dataset"
)

// How a penalty is chosen from its cross-validated loss.
const (
	LeastLoss   = "min" // the least loss
	OneStdError = "1se" // the largest penalty within one standard error of it
)

// A Selection is a problem whose penalty is chosen by cross-validation along a path, as
// R's cv.glmnet does.
type Selection struct {
	// Pose states the problem of rows x with classes y.
	Pose func(x *mat.Dense, y []int) (*Problem, error)

	Penalties int     // on the path
	Ratio     float64 // of the last penalty to the first; 0: DefaultRatio
	Tolerance float64 // as of Path
	Folds     int     // of the cross-validation, one row each where there are fewer rows
	Loss      string  // of held-out rows, as of Validation
	Choose    string  // LeastLoss or OneStdError
	// Weights has the weight of each class's rows in the loss of held-out rows; nil: 1.
	Weights []float64
}

// FoldColumns returns a Fold for folds that the rows were dealt to: row i to fold[i].
type FoldColumns func(fold []int, folds int) (Fold, error)

// SameColumns returns FoldColumns with the columns of x for every fold.
func SameColumns(x *mat.Dense) FoldColumns {
	return func([]int, int) (Fold, error) {
		return func(_ int, rows []int) (*mat.Dense, error) { return columns.Rows(x, rows), nil }, nil
	}
}

// Fit fits the path to all rows of train, whose columns are x, and returns the model of the
// penalty that cross-validation chooses.
func (p *Selection) Fit(ctx context.Context, x *mat.Dense, foldColumns FoldColumns, train *dataset.Set,
	rng *rand.Rand) (*Model, error) {
	problem, err := p.Pose(x, train.Y)
	if err != nil {
		return nil, err
	}
	ratio := p.Ratio
	if ratio == 0 {
		ratio = problem.DefaultRatio()
	}
	path, err := problem.Path(ctx, problem.Penalties(p.Penalties, ratio), p.Tolerance)
	if err != nil {
		return nil, err
	}
	if len(path) == 1 {
		return &path[0], nil
	}
	penalties := make([]float64, len(path))
	for i := range path {
		penalties[i] = path[i].Penalty
	}
	fold, folds, err := modelsel.Deal(train.Y, train.C(), p.Folds, false, rng)
	if err != nil {
		return nil, err
	}
	seen, err := foldColumns(fold, folds)
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	weights := p.Weights
	if weights == nil {
		weights = slices.Repeat([]float64{1}, train.C())
	}
	held := Validation{Columns: seen, Y: train.Y, Fold: fold, Folds: folds, Loss: p.Loss, Weights: weights}
	curve, err := held.Curve(ctx, p.Pose, penalties, p.Tolerance)
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	switch p.Choose {
	case LeastLoss:
		return &path[curve.Best()], nil
	case OneStdError:
		return &path[curve.WithinOneError()], nil
	}
	panic(fmt.Sprintf("elasticnet: unknown choice %q", p.Choose))
}
