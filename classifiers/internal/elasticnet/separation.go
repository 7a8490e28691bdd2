package elasticnet

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
)

// maxNewtonSteps is the number of Newton steps in HasMaximum. If the likelihood has no maximum, each step
// moves the linear functions of some rows by about 1 away from the other classes.
const maxNewtonSteps = 6

// HasMaximum reports whether the logistic likelihood without a penalty has a maximum. It has none if linear
// functions separate some rows by class and are 0 for all others (Albert and Anderson, Biometrika 71:1,
// 1984). If rounding errors prevent the decision, it returns true. HasMaximum takes Newton steps from the
// model m, which should be near the maximum if there is one. Only s.eta describes the current point:
// s.intercept and s.beta are not used.
func (q *Problem) HasMaximum(m *Model) bool {
	s := newSolver(q)
	for l, intercept := range m.Intercept {
		eta := s.row(s.eta, l)
		for i := range eta {
			eta[i] = intercept
		}
		for j := range q.p {
			if q.factor[j] != 0 { // not a constant column
				floats.AddScaled(eta, m.Weights.At(l, j)/q.factor[j], q.column(j))
			}
		}
	}
	for range maxNewtonSteps {
		if ok := s.newtonStep(); !ok || s.provesMaximum() {
			return true
		}
		floats.Add(s.eta, s.scratch.direction)
	}
	return false
}

// newtonStep sets s.prob to the probabilities at s.eta, and s.scratch.direction to the change of eta in a
// Newton step. It returns false if the matrix of second derivatives is not positive definite.
func (s *solver) newtonStep() bool {
	s.evaluate(s.eta, s.prob)
	s.updateGradient() // activate needs the gradient in all weights
	s.activate(0)      // the weights of all columns that are not constant
	s.curvatures = nil // so that approximate recomputes the second derivatives
	s.approximate()    // sets the gradient and the second derivatives of quad
	factor, _, ok := s.quad.factorise(stats.Indices(s.quad.size), 0)
	if ok {
		copy(s.quad.change, factor.solve(s.quad.gradient))
		s.setDirection() // from quad.change
	}
	return ok
}

// leastRatio is the bound of provesMaximum on the ratios. They are near 1 at a maximum. If there is
// no maximum, some ratio is at most 0, apart from rounding errors.
const leastRatio = 0.5

// provesMaximum reports whether the Newton step d proves that the likelihood has a maximum. The proof needs a
// positive ratio for each row i and each class l other than own, the class of the row:
//
//	ratio_il = 1 + d_il - sum_m p_im d_im > leastRatio,
//
// where p_il is the probability of class l and d_il the step of its linear function.
//
// Proof: Let r_il = p_il ratio_il, so sum_l r_il = 1. A Newton step satisfies sum_i weight_i x_i (indicator_il -
// r_il) = 0 for each l. Multiplied by the coefficients of any linear functions f and added over l, the equations give
//
//	sum_i weight_i sum_l r_il (f_i,own - f_il) = 0.
//
// If f separated rows, every difference would be at least 0 and some would be positive. Because r_il > 0 for l !=
// own, the sum would be positive, too. So no f separates rows, and the likelihood has a maximum.
func (s *solver) provesMaximum() bool {
	d, p := s.scratch.direction, s.prob
	for i, class := range s.y {
		mean := 0.0 // sum_m p_im d_im
		for l := range s.k {
			mean += p[l*s.n+i] * d[l*s.n+i]
		}
		least := math.Inf(1) // the smallest ratio of a class that is not the row's own
		// With two classes, k is 1: only class 1 is stored. Class 0 has d = 0 and so the ratio 1 - mean.
		if s.k == 1 && class == 1 {
			least = 1 - mean
		}
		for l := range s.k {
			isOwn := s.indicator[l*s.n+i] == 1
			if !isOwn {
				least = min(least, 1+d[l*s.n+i]-mean)
			}
		}
		if !(least > leastRatio) { // also if least is NaN
			return false
		}
	}
	return true
}
