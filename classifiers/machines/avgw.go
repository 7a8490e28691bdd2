package machines

import (
	"context"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// AvgW is the averaged-norm machine of Chechik, Heitz, Elidan, Abbeel and Koller (JMLR 9:1, 2008)
// for incomplete rows. With w^(i) the weights of the features that row i has, it solves
//
//	min over w, b, xi  1/2 (1/n) sum_i |w^(i)|^2 + C sum_i xi_i
//	s.t.               y_i (w^(i)'x_i + b) >= 1 - xi_i,  xi_i >= 0.
//
// Since sum_i |w^(i)|^2 = sum_f n_f w_f^2, where n_f rows have feature f, this is the plain linear
// machine on rows with zeros for absent features and column f divided by sqrt(n_f / n). In
// prediction an absent feature adds nothing. For more than two classes the machines of all pairs
// vote.
type AvgW struct{ incompleteSVM }

// NewAvgW returns the defaults.
func NewAvgW() *AvgW { return &AvgW{newIncompleteSVM()} }

// Fit chooses the cost and solves that problem.
func (s *AvgW) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(ctx, train, rng, columns.NewIncomplete(train, s.Standardise), s.solve)
}

// solve returns, for each of the ascending costs, the hyperplane that separates the rows of x with
// labels y, which are -1 or +1. Missing values of x are NaN.
func (s *AvgW) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error) {
	divided := rootPresence(x)
	z := divided.Apply(method.ZerosForMissing(x), columns.Head(len(y)))
	path, err := s.solvePath(ctx, z, y, costs)
	if err != nil {
		return nil, err
	}
	planes := hyperplanesOf(path)
	for _, h := range planes {
		floats.Mul(h.w, divided.Factor) // the weights of the columns before their division
	}
	return planes, nil
}

// rootPresence returns the scaling that divides column f of x by sqrt(n_f / n), where n_f of its n
// values are present. A column without values becomes 0.
func rootPresence(x *mat.Dense) columns.Scaling {
	n, d := x.Dims()
	s := columns.Unscaled(d)
	for f := range d {
		present := 0
		for i := range n {
			if isPresent(x.At(i, f)) {
				present++
			}
		}
		s.Factor[f] = 0
		if present > 0 {
			s.Factor[f] = 1 / math.Sqrt(float64(present)/float64(n))
		}
	}
	return s
}
