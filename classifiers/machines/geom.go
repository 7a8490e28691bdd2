package machines

import (
	"context"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Geom is the geometric-margin machine of Chechik, Heitz, Elidan, Abbeel and Koller (JMLR 9:1, 2008)
// for incomplete rows. It measures a row's distance from the boundary in the space of the features
// that the row has,
//
//	y_i (w^(i)'x_i + b) / |w^(i)|,  with w^(i) the weights of these features.
//
// With s_i(w) = |w^(i)| / |w| the problem, which is not convex, is
//
//	min over w, b, xi  J = 1/2 |w|^2 + C sum_i xi_i
//	s.t.               y_i (w^(i)'x_i + b) / s_i(w) >= 1 - xi_i,  xi_i >= 0.
//
// The authors iterate: starting from s = 1, they solve the quadratic problem for fixed s and compute
// s from its w. The iteration need not converge, so the w with the least J is kept. Without absent
// features s stays 1 and the machine is the plain linear one. No s is below 0.01, since no slack
// would suffice at s = 0. A row without features has no margin and is left out. The score is
// w'x + b, to which absent features add nothing. For more than two classes the machines of all
// pairs vote.
type Geom struct {
	incompleteSVM
	Rounds int `param:"rounds" doc:"quadratic problems that are solved, the first with s = 1; two to five are enough, say its authors" range:"[1,inf)"`
}

// NewGeom returns the defaults.
func NewGeom() *Geom { return &Geom{incompleteSVM: newIncompleteSVM(), Rounds: 5} }

// leastShare is the smallest s that a row is given.
const leastShare = 0.01

// Fit chooses the cost and solves that problem.
func (s *Geom) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(ctx, train, rng, false, s.solve)
}

// solve is the incompleteSolver.
func (s *Geom) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error) {
	var kept []int
	var labels []float64
	for i, v := range y {
		if !allMissing(x.RawRowView(i)) {
			kept, labels = append(kept, i), append(labels, v)
		}
	}
	x = columns.Rows(x, kept)
	z := withZeros(x)
	planes, alphas, err := s.solvePath(ctx, z, labels, costs)
	for k := range planes {
		if planes[k], err = s.iterate(ctx, x, z, labels, costs[k], planes[k], alphas[k]); err != nil {
			return nil, err
		}
	}
	return planes, err
}

// iterate goes on from the solution for s = 1; z is x with zeros for what is
// absent.
func (s *Geom) iterate(
	ctx context.Context,
	x, z *mat.Dense,
	y []float64,
	c float64,
	h hyperplane,
	alpha []float64,
) (hyperplane, error) {
	shares := normShares(x, h.w)
	best, least := h, instanceObjective(z, y, shares, c, h)
	before := ones(len(y))
	for range s.Rounds - 1 {
		if floats.Distance(shares, before, math.Inf(1)) < s.Tolerance {
			break
		}
		var err error
		if h.w, alpha, h.b, err = svm.SolveScaled(ctx, z, y, shares, c, s.Tolerance, alpha); err != nil {
			return hyperplane{}, err
		}
		before, shares = shares, normShares(x, h.w)
		if j := instanceObjective(z, y, shares, c, h); j < least {
			best, least = h, j
		}
	}
	return best, nil
}

// normShares returns s_i(w) of each row of x, all 1 where w is zero.
func normShares(x *mat.Dense, w []float64) []float64 {
	n, _ := x.Dims()
	shares, norm := ones(n), floats.Norm(w, 2)
	if norm == 0 {
		return shares
	}
	for i := range shares {
		var absent float64
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
	shares := make([]float64, n)
	floats.AddConst(1, shares)
	return shares
}

// instanceObjective returns J.
func instanceObjective(z *mat.Dense, y, shares []float64, c float64, h hyperplane) float64 {
	j := floats.Dot(h.w, h.w) / 2
	for i, share := range shares {
		j += c * max(0, 1-y[i]*h.at(z.RawRowView(i))/share)
	}
	return j
}

func allMissing(x []float64) bool {
	for _, v := range x {
		if !math.IsNaN(v) {
			return false
		}
	}
	return true
}
