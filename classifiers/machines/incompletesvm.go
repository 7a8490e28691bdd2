package machines

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// incompleteSVM holds the parameters of the linear machines for rows with missing values, and does
// what they have in common: numeric columns, the choice of the cost by cross-validation, and the
// votes of all pairs of classes.
//
// All costs have the same folds. The fewest misclassified rows win, of equal costs the smaller.
// Rows to be predicted may have missing values too, though Eban et al. (2014) have complete ones.
// Before version 3 the folds depended on the order of the class names; before version 4 rows far
// from the margin were not screened out.
type incompleteSVM struct {
	method.Revision
	LogCosts    []float64 `param:"log2_c" doc:"exponents of the candidate costs of a unit of slack, which are powers of 2" range:"[-60,60]"`
	Folds       int       `param:"folds" doc:"number of folds of the cross-validation that chooses the cost with the fewest errors, the smallest of equal ones; leave-one-out if there are fewer rows than folds" range:"[2,inf)"`
	Standardise bool      `param:"standardise" doc:"scale each numeric attribute to mean 0 and standard deviation 1 (divisor n-1) of its values in the training rows; indicators of levels stay 0 and 1"`
	Tolerance   float64   `param:"tolerance" doc:"duality (KKT) gap at which the solver stops" range:"(0,inf)"`
}

// newIncompleteSVM returns the defaults. Chechik et al. (2008) have five folds. Neither they nor
// Eban et al. (2014) print their costs.
func newIncompleteSVM() incompleteSVM {
	return incompleteSVM{LogCosts: []float64{-6, -4, -2, 0, 2, 4, 6}, Folds: 5, Standardise: true, Tolerance: 1e-3}
}

// Validate returns an error for an empty grid.
func (s *incompleteSVM) Validate() error {
	if len(s.LogCosts) == 0 {
		return &recipe.Error{Key: "log2_c", Msg: "needs at least one candidate"}
	}
	return nil
}

// An incompleteSolver separates the rows of x with labels y, which are -1 or +1, once for each of
// the ascending costs. Missing values of x are NaN.
type incompleteSolver func(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error)

// fit chooses the cost, then separates all pairs of classes.
func (s *incompleteSVM) fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand, numeric *columns.Incomplete, solve incompleteSolver,
) (*method.Rule, error) {
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, err
	}
	x, costs := numeric.Apply(train.X), powersOfTwo(s.LogCosts)
	if len(costs) > 1 {
		cost, err := s.chooseCost(ctx, train, x, costs, rng, solve)
		if err != nil {
			return nil, fmt.Errorf("choosing the cost: %w", err)
		}
		costs = []float64{cost}
	}
	machines, err := separatePairs(ctx, x, train.Y, train.C(), costs, solve)
	if err != nil {
		return nil, err
	}
	decide := func(x *mat.Dense) *mat.Dense { return decisions(machines[0], numeric.Apply(x)) }
	return method.Votes(decide, train.C(), numeric.Unused()), nil
}

// chooseCost returns the cost with the fewest misclassified held-out rows.
func (s *incompleteSVM) chooseCost(
	ctx context.Context, train *dataset.Set, x *mat.Dense, costs []float64, rng *rand.Rand, solve incompleteSolver,
) (float64, error) {
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, s.Before(3), rng)
	if err != nil {
		return 0, err
	}
	wrong, err := modelsel.CrossValidate(ctx, fold, folds, func(in, out []int) ([]int, error) {
		labels := dataset.At(train.Y, in)
		machines, err := separatePairs(ctx, columns.Rows(x, in), labels, train.C(), costs, solve)
		wrong := make([]int, len(costs))
		for k, planes := range machines {
			votes := method.PairVotes(decisions(planes, columns.Rows(x, out)), train.C())
			for i, label := range method.Argmax(votes) {
				if label != train.Y[out[i]] {
					wrong[k]++
				}
			}
		}
		return wrong, err
	})
	if err != nil {
		return 0, err
	}
	return costs[modelsel.Best(wrong)], nil
}

// screenedFrom is the n^2 d from which solveScreened is the faster way: about 5000 rows of 20
// columns.
const screenedFrom = 5e8

// solvePath returns the linear machine for each of the ascending costs. x has complete rows, y their
// labels -1 or +1. Each problem starts from the solution of the one before.
func (s *incompleteSVM) solvePath(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error) {
	n, d := x.Dims()
	manyRows := float64(n)*float64(n)*float64(d) >= screenedFrom
	if manyRows && !s.Before(4) { // older versions solve for all rows at once
		return s.solveScreened(ctx, x, y, costs)
	}
	unscaled := ones(n)
	var path []svm.Solution
	var alpha []float64 // the multipliers of the solution before
	for _, cost := range costs {
		w, next, bias, err := svm.SolveScaled(ctx, x, y, unscaled, cost, s.Tolerance, alpha)
		if err != nil {
			return nil, err
		}
		path = append(path, svm.Solution{W: w, Alpha: next, Bias: bias})
		alpha = next
	}
	return path, nil
}

// solveScreened is solvePath for many rows, few of which are near the margin: the solver leaves out
// rows that are certainly far from it.
func (s *incompleteSVM) solveScreened(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error) {
	solver := svm.LinearSolver{Screens: true}
	var path []svm.Solution
	var last *svm.Solution // nil: start from zero
	for _, cost := range costs {
		next, err := solver.Solve(ctx, x, y, cost, s.Tolerance, last)
		if err != nil {
			return nil, err
		}
		path = append(path, *next)
		last = next
	}
	return path, nil
}
