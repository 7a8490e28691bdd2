package chebyshev

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// bounds returns two bounds on the optimum: an upper bound computed from the unknowns x, and a
// lower bound computed from the beliefs a.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns an upper bound on the minimum of
//
//	Phi(x) + ridge term,  Phi(x) = nu.mu + sum_j price_j max(violation_j, 0).
//
// Here nu are the label costs in x, and mu is s.Mu. The method violations computes violation_j, and
// price_j is s.capacity[j]. The bound is the value at x or a smaller one at another point.
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
	// At the other point, the label costs satisfy all constraints. The objective there is only
	// nu.mu.
	return min(phi, s.forest.tighten(s.costs(x)))
}

// ridgeTerm returns ridge/2 sum_j x_j^2/step_j, where step_j is the step size of unknown j.
func (s *solver) ridgeTerm(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound on the optimum: the minimum over x of L plus the ridge term. L is the
// Lagrangian with the beliefs a as multipliers. It is linear in the unknowns x. Its gradient g may
// be centred (see gradientX), because the messages sum to 0. So each x_j has its own minimum:
//
//	with a ridge, for a message:               -step_j g_j^2 / (2 ridge)
//	with a ridge, for a cost nu_j >= 0:        -step_j min(g_j,0)^2 / (2 ridge)
//	without, for a message in [-Box, Box]:     -Box |g_j|
//	without, for a cost nu_j >= 0:             0 if g_j >= 0, otherwise -Inf
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		// This makes g_j >= 0 for all costs, so the bound is never -Inf.
		a = s.cappedAtMu(a)
	}
	atZero := 0.0 // L at x = 0
	for _, belief := range a {
		atZero += s.twoOverE * belief
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

// cappedAtMu reduces the beliefs a so that the dual bound is finite. In each cell (x_i,x_j) of an
// edge, the new beliefs a(y,z) of each label y sum to at most mu(y).
func (s *solver) cappedAtMu(a []float64) []float64 {
	// With two classes, the only belief in a cell never exceeds mu(0) or mu(1).
	if s.Classes == 2 {
		return a
	}
	ratio := slices.Repeat([]float64{1}, len(s.Mu)) // for each edge and label, a table over the cells, as in Mu
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

// sumsByLabel returns, for each edge, label y and cell (x_i,x_j), the sum of the beliefs a(y,z)
// over all other labels z. The result has the layout of Mu.
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

// costs returns label costs that satisfy all constraints. They are the costs in x plus missing
// amounts (see missingCosts). The result has the layout of Mu.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.scratchA)
	costs := s.missingCosts(s.scratchA)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts that must be added to the label costs to satisfy all constraints
// nu(y) + nu(z) >= u. The argument contains the violations u - nu(y) - nu(z). The result has the
// layout of Mu.
//
// Only the cost of the label that is rarer in the cell increases, because this adds least to nu.mu.
// If both labels are equally frequent, each cost increases by half the violation.
func (s *solver) missingCosts(violations []float64) []float64 {
	missing := make([]float64, len(s.Mu))
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			muY, muZ := s.labelTables(s.Mu, e, labels)
			missingY, missingZ := s.labelTables(missing, e, labels) // parts of missing
			for c, violation := range edge.table(violations, k) {
				if violation <= 0 {
					continue // the constraint is satisfied
				}
				// The same cost may also have to increase for other pairs of labels. The largest of
				// these increases satisfies all constraints.
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
