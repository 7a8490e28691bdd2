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
	Rounds int `param:"rounds" doc:"number of quadratic problems to solve, the first with s = 1; the authors find two to five enough" range:"[1,inf)"`
}

// NewGeom returns the defaults.
func NewGeom() *Geom { return &Geom{incompleteSVM: newIncompleteSVM(), Rounds: 5} }

// leastShare is the smallest s of a row.
const leastShare = 0.01

// Fit chooses the cost and solves that problem.
func (s *Geom) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.fit(ctx, train, rng, columns.NewIncomplete(train, s.Standardise), s.solve)
}

// solve returns, for each of the ascending costs, the hyperplane that separates the rows of x with
// labels y, which are -1 or +1. Missing values of x are NaN; rows without any value are left out.
func (s *Geom) solve(ctx context.Context, x *mat.Dense, y, costs []float64) ([]hyperplane, error) {
	var kept []int
	for i := range y {
		if slices.ContainsFunc(x.RawRowView(i), isPresent) {
			kept = append(kept, i)
		}
	}
	x, y = columns.Rows(x, kept), dataset.At(y, kept)
	z := method.ZerosForMissing(x)
	path, err := s.solvePath(ctx, z, y, costs)
	if err != nil {
		return nil, err
	}
	var planes []hyperplane
	for k, start := range path {
		h, err := s.iterate(ctx, x, z, y, costs[k], start)
		if err != nil {
			return nil, err
		}
		planes = append(planes, h)
	}
	return planes, nil
}

// isPresent reports whether v is a value, not missing.
func isPresent(v float64) bool { return !math.IsNaN(v) }

// iterate alternates between w and s, from the solution for s = 1, and returns the hyperplane of
// least J. z is x with zeros in place of missing values; cost is C.
func (s *Geom) iterate(
	ctx context.Context, x, z *mat.Dense, y []float64, cost float64, start svm.Solution,
) (hyperplane, error) {
	h, alpha := hyperplane{start.W, start.Bias}, start.Alpha
	shares := normShares(x, h.w)
	best, least := h, geomObjective(z, y, shares, cost, h)
	before := ones(len(y))
	for range s.Rounds - 1 {
		if floats.Distance(shares, before, math.Inf(1)) < s.Tolerance {
			break // s has converged
		}
		var err error
		h.w, alpha, h.b, err = svm.SolveScaled(ctx, z, y, shares, cost, s.Tolerance, alpha)
		if err != nil {
			return hyperplane{}, err
		}
		before, shares = shares, normShares(x, h.w)
		if objective := geomObjective(z, y, shares, cost, h); objective < least {
			best, least = h, objective
		}
	}
	return best, nil
}

// normShares returns s_i(w) = |w^(i)| / |w| of each row of x, where w^(i) are the weights of the
// features that the row has. It returns 1 for all rows if w is zero, and at least leastShare.
func normShares(x *mat.Dense, w []float64) []float64 {
	n, _ := x.Dims()
	shares, norm := ones(n), floats.Norm(w, 2)
	if norm == 0 {
		return shares
	}
	for i := range shares {
		absent := 0.0 // the share of |w|^2 of the features that the row lacks
		for f, v := range x.RawRowView(i) {
			if math.IsNaN(v) {
				absent += (w[f] / norm) * (w[f] / norm)
			}
		}
		shares[i] = max(leastShare, math.Sqrt(max(0, 1-absent)))
	}
	return shares
}

// ones returns n ones.
func ones(n int) []float64 {
	list := make([]float64, n)
	floats.AddConst(1, list)
	return list
}

// geomObjective returns J at a hyperplane, with the s of the rows as shares.
func geomObjective(z *mat.Dense, y, shares []float64, cost float64, h hyperplane) float64 {
	j := floats.Dot(h.w, h.w) / 2
	for i, share := range shares {
		j += cost * max(0, 1-y[i]*h.at(z.RawRowView(i))/share)
	}
	return j
}
