package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/modelsel"
	"copse/stats/dataset"
)

// How a penalty is chosen from its cross-validated loss.
const (
	leastLoss   = "min" // the least loss
	oneStdError = "1se" // the largest penalty within one standard error of it
)

// penalised is a problem whose penalty is chosen by cross-validation along a path,
// as R's cv.glmnet does.
type penalised struct {
	pose         func(x *mat.Dense, y []int) (*elasticnet.Problem, error)
	penalties    int     // on the path
	ratio        float64 // of the last to the first; 0: glmnet's
	tolerance    float64
	folds        int
	loss, choose string
}

// foldColumns returns the columns of all rows as the folds see them.
type foldColumns func(fold []int, folds int) (elasticnet.Fold, error)

// sameColumns are x in every fold.
func sameColumns(x *mat.Dense) foldColumns {
	return func([]int, int) (elasticnet.Fold, error) { return func(int) *mat.Dense { return x }, nil }
}

// fit solves the path for all rows, x, and returns the model of the penalty that
// cross-validation prefers.
func (p *penalised) fit(ctx context.Context, x *mat.Dense, columns foldColumns, train *dataset.Set, rng *rand.Rand) (*elasticnet.Model, error) {
	problem, err := p.pose(x, train.Y)
	if err != nil {
		return nil, err
	}
	ratio := p.ratio
	if ratio == 0 {
		ratio = problem.DefaultRatio()
	}
	path, err := problem.Path(ctx, problem.Penalties(p.penalties, ratio), p.tolerance)
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
	fold, folds, err := modelsel.Deal(byAppearance(train.Y, train.C()), train.C(), p.folds, rng)
	if err != nil {
		return nil, err
	}
	seen, err := columns(fold, folds)
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	held := elasticnet.Validation{Columns: seen, Y: train.Y, Fold: fold, Folds: folds, Loss: p.loss}
	curve, err := held.Curve(ctx, p.pose, penalties, p.tolerance)
	if err != nil {
		return nil, fmt.Errorf("choosing the penalty: %w", err)
	}
	switch p.choose {
	case leastLoss:
		return &path[curve.Best()], nil
	case oneStdError:
		return &path[curve.WithinOneError()], nil
	}
	panic(fmt.Sprintf("classifiers: unknown choice %q", p.choose))
}

// byAppearance numbers the classes in the order of their first rows, so that
// random folds do not depend on the classes' codes.
func byAppearance(y []int, classes int) []int {
	number := make([]int, classes) // 0: not seen, else 1 + number
	seen, out := 0, make([]int, len(y))
	for i, c := range y {
		if number[c] == 0 {
			seen++
			number[c] = seen
		}
		out[i] = number[c] - 1
	}
	return out
}
