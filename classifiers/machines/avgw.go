package machines

import (
	"context"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// AvgW is the averaged-norm machine of Chechik, Heitz, Elidan, Abbeel and Koller (JMLR 9:1, 2008)
// for incomplete rows. Row i has the features x_i and the class y_i, 1 or -1. Let w^(i) be the
// weights of the features that have a value in row i, and b a constant. The slack xi_i is positive
// if row i is too close to the boundary or on its wrong side. C is the cost of slack. For n rows,
// the machine solves
//
//	min over w, b, xi  1/(2n) sum_i |w^(i)|^2 + C sum_i xi_i
//	s.t.               y_i (w^(i)'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// Let n_f be the number of rows in which feature f has a value, and w_f the weight of the feature.
// The |w^(i)|^2 of all rows add up to n_1 w_1^2 + n_2 w_2^2 + ..., with one term for each feature.
//
// The solution is therefore an ordinary linear support vector machine on transformed data: zeros
// replace the missing values, and column f is divided by sqrt(n_f / n).
//
// In a test row, a missing feature adds 0 to the score.
//
// With more than two classes, there is a machine for each pair of classes, and the machines vote.
// If several classes have the most votes, the first of them wins.
type AvgW struct{ incompleteSVM }

// NewAvgW returns an AvgW with default parameters. Geom and SVMMean have the same defaults.
func NewAvgW() *AvgW { return &AvgW{newIncompleteSVM()} }

// Fit chooses the cost by cross-validation and fits a machine for each pair of classes. It uses rng
// to draw the folds.
func (s *AvgW) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(ctx, train, rng, columns.NewIncomplete(train, s.Standardise), s.solve)
}

// solve is an incompleteSolver.
func (s *AvgW) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error) {
	divided := rootPresence(x)
	z := divided.Apply(method.ZerosForMissing(x))
	path, err := s.solvePath(ctx, z, y, costs)
	if err != nil {
		return nil, err
	}
	for _, h := range path {
		floats.Mul(h.W, divided.Factor) // to weights of the undivided columns
	}
	return path, nil
}

// rootPresence returns a scaling without centring: column f of x is divided by sqrt(n_f / n), where
// n_f of its n values are present. If n_f is 0, the column becomes 0.
func rootPresence(x *mat.Dense) columns.Scaling {
	n, d := x.Dims()
	s := columns.Unscaled(d)
	for f := range d {
		present := slices.DeleteFunc(mat.Col(nil, f, x), math.IsNaN)
		s.Factor[f] = 0
		if len(present) > 0 {
			s.Factor[f] = 1 / math.Sqrt(float64(len(present))/float64(n))
		}
	}
	return s
}
