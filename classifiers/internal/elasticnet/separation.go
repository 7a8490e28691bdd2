package elasticnet

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
)

// maxNewtonSteps is the largest number of Newton steps in HasMaximum. Near a maximum, the steps
// soon become small. Without a maximum, each step increases the linear function of some rows by
// about 1.
const maxNewtonSteps = 6

// HasMaximum reports whether the logistic likelihood without a penalty has a maximum. The model m
// should be near the maximum, if there is one.
//
// There is no maximum if linear functions separate some rows by class and are 0 at all others
// (Albert and Anderson, Biometrika 71:1, 1984). If rounding errors prevent a decision, HasMaximum
// returns true.
func (q *Problem) HasMaximum(m *Model) bool {
	s := newSolver(q)
	s.setEta(m) // from here on, only s.eta describes the current point, not s.intercept and s.beta
	for range maxNewtonSteps {
		isUndecidable := !s.newtonStep() // because of rounding errors
		if isUndecidable || s.provesMaximum() {
			return true
		}
		floats.Add(s.eta, s.scratch.direction) // take the Newton step
	}
	return false // near a maximum, one of these steps would have proved it
}

// setEta sets s.eta to the linear functions of the model m at all rows.
func (s *solver) setEta(m *Model) {
	for l, intercept := range m.Intercept {
		eta := s.row(s.eta, l)
		for i := range eta {
			eta[i] = intercept // for centred columns
		}
		for j, scale := range s.scale { // s.column(j) is the centred column times scale
			if scale != 0 { // not a constant column
				floats.AddScaled(eta, m.Weights.At(l, j)/scale, s.column(j))
			}
		}
	}
}

// newtonStep sets s.prob to the probabilities at s.eta, and s.scratch.direction to the change of
// eta in a Newton step. It returns false if the Hessian matrix is not positive definite.
func (s *solver) newtonStep() bool {
	s.evaluate(s.eta, s.prob)
	s.updateGradient()
	s.activate(0) // the weights of all columns that are not constant
	s.curvatures = nil
	s.approximate()
	const noPenalty = 0
	factor, _, ok := s.quad.factorise(stats.Indices(s.quad.size), noPenalty)
	if ok {
		copy(s.quad.change, factor.solve(s.quad.gradient))
		s.setDirection()
	}
	return ok
}

// Why positive ratios prove a maximum (see provesMaximum): Let f be linear functions of the
// columns, one for each class, and let own be the class of row i. Functions separate rows if
// f_i,own >= f_il for all rows i and classes l, with at least one strict inequality. The likelihood
// has a maximum if no functions separate rows.
//
// Let r_il = p_il ratio_il, so sum_l r_il = 1. In the Newton step d, the gradient plus its change
// is 0. That is, for each class l,
//
//	sum_i weight_i x_i (indicator_il - r_il) = 0.
//
// Here x_i contains the columns and the constant 1. indicator_il is 1 if l is own, and 0 otherwise.
// Multiply equation l by the coefficients of f_l and add over l. This gives
//
//	sum_i weight_i sum_l r_il (f_i,own - f_il) = 0.
//
// If f separated rows, this sum would be positive, because r_il > 0 for l != own. So no functions
// separate rows.

// leastRatio is the threshold for the ratios in provesMaximum, which are near 1 near a maximum.
// Without a maximum, one of them is at most 0. The threshold is positive because of rounding errors.
const leastRatio = 0.5

// provesMaximum reports whether the Newton step d, in s.scratch.direction, proves that the
// likelihood has a maximum. In row i, class l has probability p_il, and its linear function changes
// by d_il. A maximum exists if the ratio
//
//	ratio_il = 1 + d_il - sum_m p_im d_im
//
// is positive for each row i and each class l except the class of the row.
func (s *solver) provesMaximum() bool {
	for i := range s.y {
		if !(s.smallestRatio(i) > leastRatio) { // also if the ratio is NaN
			return false
		}
	}
	return true
}

// smallestRatio returns the smallest ratio_il over all classes l except the class of row i, where
//
//	ratio_il = 1 + d_il - sum_m p_im d_im.
//
// For class l, p_il is the probability, and d_il the change of the linear function in a Newton step.
// In linear approximation, ratio_il is the probability after the step divided by p_il.
//
// With two classes, only class 1 has a linear function (number 0), and d_i0 is 0.
func (s *solver) smallestRatio(i int) float64 {
	d, p := s.scratch.direction, s.prob
	mean := 0.0 // sum_m p_im d_im
	for l := range s.k {
		mean += p[l*s.n+i] * d[l*s.n+i]
	}
	hasTwoClasses := s.k == 1
	if hasTwoClasses && s.y[i] == 1 {
		return 1 - mean // the ratio of class 0
	}
	least := math.Inf(1)
	for l := range s.k {
		isOwn := s.indicator[l*s.n+i] == 1
		if !isOwn {
			least = min(least, 1+d[l*s.n+i]-mean)
		}
	}
	return least
}
