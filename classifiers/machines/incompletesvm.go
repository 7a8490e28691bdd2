package machines

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// incompleteSVM contains the parameters of the linear machines for rows with missing values. Unlike
// in Eban et al. (2014), test rows may have missing values, too.
type incompleteSVM struct {
	method.Revision
	// base-2 logarithms of the candidate values of C, the cost of a unit of slack
	LogCosts []float64 `param:"log2_c" range:"[-60,60]"`
	// number of cross-validation folds; leave-one-out if there are fewer rows than folds. The cost
	// with the fewest errors is chosen. If several tie, the smallest is chosen
	Folds int `param:"folds" range:"[2,inf)"`
	// scale each numeric attribute to mean 0 and standard deviation 1 (divisor n-1) on the values
	// present in the training rows. Indicator columns of discrete attributes are not scaled
	Standardise bool `param:"standardise"`
	// the solver stops when its duality (KKT) gap falls below this value
	Tolerance float64 `param:"tolerance" range:"(0,inf)"`
}

// newIncompleteSVM returns the default parameters. Chechik et al. (2008) use five folds. Neither they
// nor Eban et al. (2014) state the candidate costs.
func newIncompleteSVM() incompleteSVM {
	return incompleteSVM{LogCosts: []float64{-6, -4, -2, 0, 2, 4, 6}, Folds: 5, Standardise: true, Tolerance: 1e-3}
}

// Validate returns an error if there are no candidate costs.
func (s *incompleteSVM) Validate() error {
	if len(s.LogCosts) == 0 {
		return recipe.Errorf("log2_c", "needs at least one candidate")
	}
	return nil
}

// An incompleteSolver returns a hyperplane between two classes for each cost. The costs are in
// ascending order. y[i] is the class of row i of x, -1 or +1. Missing values in x are NaN.
type incompleteSolver func(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error)

// fit chooses the cost by cross-validation and separates each pair of classes by a hyperplane. The
// rule predicts the class that wins the most pairs.
func (s *incompleteSVM) fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand, numeric *columns.Incomplete, solve incompleteSolver,
) (*method.Rule, error) {
	if err := crossval.CheckTwoRows(train); err != nil {
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
	planesByCost, err := separatePairs(ctx, x, train.Y, train.C(), costs, solve)
	if err != nil {
		return nil, err
	}
	planes := planesByCost[0]
	decide := func(x *mat.Dense) *mat.Dense { return decisions(planes, numeric.Apply(x)) }
	return method.Votes(decide, train.C(), numeric.Unused()), nil
}

// chooseCost returns the smallest of the costs with the fewest cross-validation errors. x contains the
// numeric columns of train. costs must be in ascending order.
func (s *incompleteSVM) chooseCost(
	ctx context.Context, train *dataset.Set, x *mat.Dense, costs []float64, rng *rand.Rand, solve incompleteSolver,
) (float64, error) {
	count := func(trainRows, testRows []int) ([]int, error) {
		trainX, trainY := columns.Rows(x, trainRows), dataset.At(train.Y, trainRows)
		planesByCost, err := separatePairs(ctx, trainX, trainY, train.C(), costs, solve)
		if err != nil {
			return nil, err
		}
		return countErrors(planesByCost, columns.Rows(x, testRows), dataset.At(train.Y, testRows), train.C()), nil
	}
	best, err := crossval.Choose(ctx, train, s.Folds, crossval.ClassesByCodeIf(s.BeforeVersion(3)), rng, count)
	return costs[best], err
}

// countErrors returns the number of rows of x that each machine misclassifies. A machine consists
// of the hyperplanes for all pairs of classes. labels contains the true classes.
func countErrors(machines [][]svm.Solution, x *mat.Dense, labels []int, classes int) []int {
	wrong := make([]int, len(machines))
	for k, planes := range machines {
		votes := method.PairVotes(decisions(planes, x), classes)
		for i, predicted := range method.Argmax(votes) {
			if predicted != labels[i] {
				wrong[k]++
			}
		}
	}
	return wrong
}

// screenedFrom is the smallest n^2 d, for n rows and d columns, at which svm.LinearSolver is faster
// than svm.SolveScaled. For example, 5000 rows and 20 columns are just enough.
const screenedFrom = 5e8

// usesLinearSolver reports whether solvePath uses svm.LinearSolver for n rows and d columns. That solver
// is faster for many rows, because its screening leaves out rows far from the margin. Versions 1 to 3
// never use it.
func (s *incompleteSVM) usesLinearSolver(n, d int) bool {
	isLarge := float64(n)*float64(n)*float64(d) >= screenedFrom
	return isLarge && svm.ManyRows(n, d) && !s.BeforeVersion(4)
}

// solvePath is the incompleteSolver for rows without missing values. For each cost, it starts from
// the solution for the previous cost.
func (s *incompleteSVM) solvePath(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error) {
	n, d := x.Dims()
	useLinearSolver := s.usesLinearSolver(n, d)
	linear := svm.LinearSolver{Screens: true} // leaves out rows far from the margin
	unscaled := ones(n)                       // scales with which SolveScaled solves the same problem as LinearSolver
	var path []svm.Solution
	var solution *svm.Solution // for the previous cost
	for _, cost := range costs {
		var err error
		if useLinearSolver {
			solution, err = linear.Solve(ctx, x, y, cost, s.Tolerance, solution)
		} else {
			solution, err = svm.SolveScaled(ctx, x, y, unscaled, cost, s.Tolerance, solution)
		}
		if err != nil {
			return nil, err
		}
		path = append(path, *solution)
	}
	return path, nil
}
