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

// Geom is the geometric-margin machine of Chechik, Heitz, Elidan, Abbeel and Koller (JMLR 9:1,
// 2008) for incomplete rows. Row i has the features x_i and the class y_i, 1 or -1. Let w be the
// weights of all features, w^(i) the weights of the features that have a value in row i, and b a
// constant. The distance of the row from the boundary is measured in the space of these features:
//
//	y_i (w^(i)'x_i + b) / |w^(i)|.
//
// With s_i(w) = |w^(i)| / |w|, the distance is y_i (w^(i)'x_i + b) / (s_i(w) |w|). The slack xi_i
// is positive if row i is too close to the boundary or on its wrong side. C is the cost of slack.
// The machine minimises the function J, which is not convex:
//
//	min over w, b, xi  J = 1/2 |w|^2 + C sum_i xi_i
//	s.t.               y_i (w^(i)'x_i + b) / s_i(w) >= 1 - xi_i,  xi_i >= 0.
//
// Following the authors, the fit starts with s_i = 1 for all rows. It then alternates two steps:
//
//   - It minimises J for fixed values of s_i, which is a quadratic problem.
//   - It computes the s_i from the new w.
//
// The iteration need not converge. The fit returns the w with the smallest J.
//
// Without missing values, all s_i stay 1, and the machine is an ordinary linear machine.
//
// For s_i = 0, the constraints cannot be satisfied. Values of s_i below 0.01 are therefore replaced
// by 0.01. The fit leaves out training rows without any value.
//
// The score of a test row is w'x + b, where a missing feature adds 0.
//
// With more than two classes, there is a machine for each pair of classes, and the machines vote.
// If several classes have the most votes, the first of them wins.
type Geom struct {
	incompleteSVM
	// largest number of quadratic problems to solve. In the first one, all divisors s_i of the
	// margins are 1. According to the authors, two to five problems suffice
	Rounds int `param:"rounds" range:"[1,inf)"`
}

// NewGeom returns a Geom with five rounds and the defaults that all machines for incomplete rows
// share.
func NewGeom() *Geom { return &Geom{incompleteSVM: newIncompleteSVM(), Rounds: 5} }

// leastShare is the smallest divisor s_i of the margin of a row (see Geom).
const leastShare = 0.01

// Fit chooses the cost by cross-validation and fits a machine for each pair of classes. It uses rng
// to draw the folds.
func (s *Geom) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(ctx, train, rng, columns.NewIncomplete(train, s.Standardise), s.solve)
}

// solve is an incompleteSolver for the machine of Geom. It ignores rows without values. For each cost,
// it first solves the problem in which zeros replace missing values and all divisors s_i are 1. From
// this solution, alternate computes the divisors and the weights in turn.
func (s *Geom) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]svm.Solution, error) {
	kept := rowsWithValues(x)
	x, y = columns.Rows(x, kept), dataset.At(y, kept)
	zeroed := method.ZerosForMissing(x)
	planes, err := s.solvePath(ctx, zeroed, y, costs) // with s_i = 1
	if err != nil {
		return nil, err
	}
	for k := range planes {
		better, err := s.alternate(ctx, x, zeroed, y, costs[k], &planes[k])
		if err != nil {
			return nil, err
		}
		planes[k] = *better
	}
	return planes, nil
}

// rowsWithValues returns the rows of x that contain at least one value other than NaN.
func rowsWithValues(x *mat.Dense) (rows []int) {
	n, _ := x.Dims()
	for i := range n {
		if slices.ContainsFunc(x.RawRowView(i), isPresent) {
			rows = append(rows, i)
		}
	}
	return rows
}

func isPresent(v float64) bool { return !math.IsNaN(v) }

// alternate computes the divisors s_i from the weights, beginning with the hyperplane start, and then
// the weights from the s_i, and so on. It returns the hyperplane with the smallest objective. In the
// matrix z, zeros replace the missing values of x.
func (s *Geom) alternate(
	ctx context.Context, x, z *mat.Dense, y []float64, cost float64, start *svm.Solution,
) (*svm.Solution, error) {
	solution := start
	scales := normShares(x, start.W)
	best, least := start, geomObjective(z, y, scales, cost, start)
	before := ones(len(y))
	for range s.Rounds - 1 {
		largestChange := floats.Distance(scales, before, math.Inf(1))
		if largestChange < s.Tolerance {
			break
		}
		var err error
		solution, err = svm.SolveScaled(ctx, z, y, scales, cost, s.Tolerance, solution)
		if err != nil {
			return nil, err
		}
		before, scales = scales, normShares(x, solution.W)
		if objective := geomObjective(z, y, scales, cost, solution); objective < least {
			best, least = solution, objective
		}
	}
	return best, nil
}

// normShares returns s_i = max(|w^(i)| / |w|, leastShare) for each row i of x (see Geom). If w is
// zero, all s_i are 1.
func normShares(x *mat.Dense, w []float64) []float64 {
	n, _ := x.Dims()
	shares, norm := ones(n), floats.Norm(w, 2)
	if norm == 0 {
		return shares
	}
	for i := range shares {
		absent := 0.0 // share of the missing features in |w|^2
		for f, v := range x.RawRowView(i) {
			if math.IsNaN(v) {
				absent += (w[f] / norm) * (w[f] / norm)
			}
		}
		shares[i] = max(leastShare, math.Sqrt(max(0, 1-absent)))
	}
	return shares
}

func ones(n int) []float64 {
	return slices.Repeat([]float64{1}, n)
}

// geomObjective returns the objective J of Geom at the hyperplane h, with the divisors s_i in shares.
// In z, zeros replace missing values.
func geomObjective(z *mat.Dense, y, shares []float64, cost float64, h *svm.Solution) float64 {
	j := floats.Dot(h.W, h.W) / 2
	for i, share := range shares {
		j += cost * max(0, 1-y[i]*at(h, z.RawRowView(i))/share)
	}
	return j
}
