package machines

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// An incompleteSVM is what the linear machines for rows with missing values share:
// their columns, the choice of the cost by cross-validation and the votes of all
// pairs of classes. Its fields are the parameters of each of them.
//
// Costs are judged on the same folds; the fewest misclassified rows win, of
// equals the smaller cost. Rows to be predicted may have missing values too,
// though those of Eban et al. (2014) have none. Before version 3 the folds depended on
// the order of the class names, before version 4 many rows were not screened.
type incompleteSVM struct {
	method.Revision
	LogCosts    []float64 `param:"log2_c" doc:"candidate costs of a unit of slack, as powers of 2" range:"[-60,60]"`
	Folds       int       `param:"folds" doc:"folds of the cross-validation that chooses among them, one row each where there are fewer rows, by the fewest errors, then the smaller cost; means and standard deviations are those of all training rows" range:"[2,inf)"`
	Standardise bool      `param:"standardise" doc:"bring each numeric attribute to mean 0 and standard deviation 1 (divisor n-1) by its values in the training rows; the levels' indicators stay 0 and 1"`
	Tolerance   float64   `param:"tolerance" doc:"KKT gap at which the solver stops" range:"(0,inf)"`
}

// newIncompleteSVM returns the defaults. The folds are those of Chechik et al.
// (2008); neither they nor Eban et al. (2014) print their costs.
func newIncompleteSVM() incompleteSVM {
	return incompleteSVM{LogCosts: []float64{-6, -4, -2, 0, 2, 4, 6}, Folds: 5, Standardise: true, Tolerance: 1e-3}
}

// Validate reports an empty grid.
func (s *incompleteSVM) Validate() error {
	if len(s.LogCosts) == 0 {
		return &recipe.Error{Key: "log2_c", Msg: "needs at least one candidate"}
	}
	return nil
}

// An incompleteSolver separates the rows of x, whose missing values are NaN, with
// labels y in {-1,+1}, once for each of the ascending costs.
type incompleteSolver func(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error)

// fit chooses the cost, then separates all pairs of classes. With means, the solver
// sees no missing values.
func (s *incompleteSVM) fit(
	ctx context.Context,
	train *dataset.Set,
	rng *rand.Rand,
	means bool,
	solve incompleteSolver,
) (*method.Rule, error) {
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, err
	}
	numeric := columns.NewIncomplete(train, s.Standardise)
	if means {
		if err := numeric.FillMeans(train); err != nil {
			return nil, err
		}
	}
	x, costs := numeric.Apply(train.X), powersOfTwo(s.LogCosts)
	if len(costs) > 1 {
		cost, err := s.choose(ctx, train, x, costs, rng, solve)
		if err != nil {
			return nil, fmt.Errorf("choosing the cost: %w", err)
		}
		costs = []float64{cost}
	}
	machines, err := allPairsOf(ctx, x, train.Y, train.C(), costs, solve)
	if err != nil {
		return nil, err
	}
	decide := func(x *mat.Dense) *mat.Dense { return decisions(machines[0], numeric.Apply(x)) }
	return method.Votes(decide, train.C(), numeric.Unused()), nil
}

// choose returns the cost with the fewest misclassified held-out rows.
func (s *incompleteSVM) choose(
	ctx context.Context,
	train *dataset.Set,
	x *mat.Dense,
	costs []float64,
	rng *rand.Rand,
	solve incompleteSolver,
) (float64, error) {
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, s.Before(3), rng)
	if err != nil {
		return 0, err
	}
	wrong, err := modelsel.CrossValidate(ctx, fold, folds, func(in, out []int) ([]int, error) {
		part := train.Subset(in)
		machines, err := allPairsOf(ctx, columns.Rows(x, in), part.Y, train.C(), costs, solve)
		wrong := make([]int, len(costs))
		for k, m := range machines {
			for i, label := range method.Argmax(method.PairVotes(decisions(m, columns.Rows(x, out)), train.C())) {
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

// withZeros returns x with zeros in place of missing values.
func withZeros(x *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Apply(func(_, _ int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}, x)
	return &z
}

// pathScreenedFrom is n^2 d from which screening rows is the fastest way along the costs:
// about 5000 rows of 20 columns.
const pathScreenedFrom = 5e8

// solvePath separates complete rows for each of the ascending costs, each from
// the solution of the one before. It returns those multipliers too.
func (s *incompleteSVM) solvePath(ctx context.Context, x *mat.Dense, y, costs []float64) (
	planes []hyperplane, alphas [][]float64, err error) {
	if n, d := x.Dims(); float64(n)*float64(n)*float64(d) >= pathScreenedFrom && !s.Before(4) {
		return s.solveScreened(ctx, x, y, costs)
	}
	var alpha []float64
	scale := ones(len(y))
	for _, c := range costs {
		var h hyperplane
		if h.w, alpha, h.b, err = svm.SolveScaled(ctx, x, y, scale, c, s.Tolerance, alpha); err != nil {
			return nil, nil, err
		}
		planes, alphas = append(planes, h), append(alphas, alpha)
	}
	return planes, alphas, nil
}

// solveScreened is solvePath for many rows, of which few lie near the margin.
func (s *incompleteSVM) solveScreened(ctx context.Context, x *mat.Dense, y, costs []float64) (
	planes []hyperplane, alphas [][]float64, err error) {
	solver := svm.LinearSolver{Screens: true}
	var solution *svm.Solution
	for _, c := range costs {
		if solution, err = solver.Solve(ctx, x, y, c, s.Tolerance, solution); err != nil {
			return nil, nil, err
		}
		planes, alphas = append(planes, hyperplane{solution.W, solution.Bias}), append(alphas, solution.Alpha)
	}
	return planes, alphas, nil
}
