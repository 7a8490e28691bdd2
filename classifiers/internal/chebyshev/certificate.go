package chebyshev

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// bounds returns an upper bound on the optimum, given by the objective at x, and a lower bound, given by
// the dual bound of the beliefs a.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns an upper bound on the optimum of the dual problem (see problem). The optimum is the
// minimum over the unknowns x of
//
//	Phi(x) + ridge term,  Phi = nu.mu + sum_j price_j max(violation_j, 0).
//
// So the value at the given x is an upper bound. The label costs nu are part of x, and mu are their weights.
// violation_j is the amount by which two costs fall short of the sum that constraint j requires. s.capacity
// contains the prices.
//
// Without a ridge and in a forest, there is a second bound. The method costs makes the label costs satisfy
// all constraints, so that Phi = nu.mu. Then tighten scales them to make nu.mu as small as the constraints
// allow. objective returns the smaller of the two bounds.
func (s *solver) objective(x []float64) float64 {
	violations := s.scratchA
	s.violations(x, violations)
	phi := 0.0
	for j, price := range s.capacity {
		phi += price * max(violations[j], 0)
	}
	for j, nu := range x[s.nuStart:] {
		phi += nu * s.Mu[j]
	}
	if s.ridge > 0 {
		return phi + s.ridgeTerm(x)
	}
	if s.forest == nil { // the edges contain a cycle
		return phi
	}
	return min(phi, s.forest.tighten(s.costs(x))) // s.costs(x) satisfies all constraints
}

// ridgeTerm returns ridge/2 sum_j x_j^2/step_j, where step_j is the step size of unknown j.
func (s *solver) ridgeTerm(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound on the optimum: the minimum of the Lagrangian L over the unknowns x for fixed
// beliefs a, the multipliers of the constraints. At x = 0, L is 2/|E| times the sum of the beliefs. To this,
// each unknown x_j adds the term g_j x_j and, with a ridge, ridge/2 x_j^2/step_j, where g is the centred
// gradient (gradientX) and step_j is the step size of x_j. Centring does not change the sum of these terms,
// because the messages of a zeroSum add up to 0. The minimum of this term is
//
//	with a ridge, for a message:               -step_j g_j^2 / (2 ridge)
//	with a ridge, for a cost nu_j >= 0:        -step_j min(g_j,0)^2 / (2 ridge)
//	without, for a message in [-Box, Box]:     -Box |g_j|
//	without, for a cost nu_j >= 0:             0 if g_j >= 0, otherwise -Inf
//
// To avoid -Inf, dual first caps the beliefs if there is no ridge. In each cell, the capped beliefs about a
// label sum to at most its marginal mu, so g_j >= 0 for all costs.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.cappedAtMu(a)
	}
	atZero := 0.0
	for _, v := range a {
		atZero += s.twoOverE * v
	}
	g := s.scratchX
	s.gradientX(a, g)
	if s.ridge == 0 {
		messages := g[:s.nuStart]
		return atZero - s.Box*floats.Norm(messages, 1)
	}
	squares := 0.0 // sum_j step_j g_j^2
	for j, v := range g {
		isCost := j >= s.nuStart
		if isCost {
			v = min(v, 0) // if g_j >= 0, the minimum is at nu_j = 0
		}
		squares += s.step[j] * v * v
	}
	return atZero - squares/(2*s.ridge)
}

// cappedAtMu scales beliefs down so that, for each edge ij and pair of values (x_i,x_j), the beliefs about
// label y sum to at most mu(y). It multiplies each belief a(y,z) by min(ratio(y), ratio(z)), where ratio(y)
// is min(1, mu(y) / sum_z a(y,z)). The slice ratio is in the layout of Mu, with one element for each edge,
// label and cell. With two classes, no belief exceeds mu, so cappedAtMu returns a itself.
func (s *solver) cappedAtMu(a []float64) []float64 {
	if s.Classes == 2 {
		return a
	}
	ratio := slices.Repeat([]float64{1}, len(s.Mu))
	for j, sum := range s.sumsByLabel(a) {
		if sum > s.Mu[j] {
			ratio[j] = s.Mu[j] / sum
		}
	}
	scaled := slices.Clone(a)
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			table := edge.table(scaled, k)
			ratioY, ratioZ := s.labelTables(ratio, e, labels)
			for c := range table {
				table[c] *= min(ratioY[c], ratioZ[c])
			}
		}
	}
	return scaled
}

// sumsByLabel returns the sum of the beliefs about each label in each cell of each edge, in the layout of Mu.
// The beliefs about a label are the beliefs about all pairs of labels that contain it.
func (s *solver) sumsByLabel(a []float64) []float64 {
	sums := make([]float64, len(s.Mu))
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			ofY, ofZ := s.labelTables(sums, e, labels)
			for c, belief := range edge.table(a, k) {
				ofY[c] += belief
				ofZ[c] += belief
			}
		}
	}
	return sums
}

// costs returns label costs that satisfy all constraints, in the layout of Mu. They are the costs nu, which
// are part of the unknowns x, plus the missing costs.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.scratchA)
	costs := s.missingCosts(s.scratchA)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts to add to the label costs nu, in the layout of Mu, so that every
// constraint nu(y) + nu(z) >= u is satisfied. violations contains u - nu(y) - nu(z) for each edge, pair of
// labels and cell, as the method violations computes it. The label that is rarer in the cell pays for the
// whole violation; equally frequent labels share it.
func (s *solver) missingCosts(violations []float64) []float64 {
	missing := make([]float64, len(s.Mu))
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			muY, muZ := s.labelTables(s.Mu, e, labels)
			missingY, missingZ := s.labelTables(missing, e, labels)
			for c, violation := range edge.table(violations, k) {
				if violation <= 0 {
					continue // the constraint is satisfied
				}
				// The constraints of several pairs of labels contain the same cost. Adding the largest amount
				// satisfies all of them. missingY and missingZ are parts of the slice missing.
				switch {
				case muY[c] < muZ[c]:
					missingY[c] = max(missingY[c], violation)
				case muY[c] > muZ[c]:
					missingZ[c] = max(missingZ[c], violation)
				default:
					missingY[c] = max(missingY[c], violation/2)
					missingZ[c] = max(missingZ[c], violation/2)
				}
			}
		}
	}
	return missing
}
