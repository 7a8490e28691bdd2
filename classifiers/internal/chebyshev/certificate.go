package chebyshev

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// bounds implements saddle.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns Phi plus the ridge term at x, which is an upper bound on the minimum.
//
// Without a ridge and without cycles, label costs that satisfy all constraints give another upper
// bound. objective then returns the smaller bound.
func (s *solver) objective(x []float64) float64 {
	phi := s.phi(x)
	if s.ridge > 0 {
		return phi + s.ridgeTerm(x)
	}
	if s.forest == nil {
		return phi
	}
	feasible := s.costs(x) // without violations, Phi is nu.mu, the result of tighten
	return min(phi, s.forest.tighten(feasible))
}

// phi returns the objective without the ridge term,
//
//	Phi(x) = nu.mu + sum_j price_j max(violation_j, 0).
//
// Here x contains the label costs nu, mu is s.Mu, violation_j is the amount by which x violates
// constraint j, and price_j = s.capacity[j] is its penalty.
func (s *solver) phi(x []float64) float64 {
	violations := s.scratchA
	s.gradientA(x, violations)
	phi := 0.0
	for j, price := range s.capacity {
		phi += price * max(violations[j], 0)
	}
	for j, nu := range x[s.nuStart:] {
		phi += nu * s.Mu[j]
	}
	return phi
}

// ridgeTerm returns ridge/2 sum_j x_j^2/step_j, where step_j is the step size of unknown j.
func (s *solver) ridgeTerm(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound on the optimum: the minimum over the unknowns x of L plus the ridge
// term.
//
// L is the Lagrangian with the beliefs a as multipliers. The unknowns are messages, then label costs
// from s.nuStart on. L is linear in x, with gradient g:
//
//	L(x) = 2/|E| sum_j a_j + sum_j g_j x_j.
//
// The minimum can therefore be computed for each x_j separately. Label costs are nonnegative. If
// there is no ridge, messages are in [-Box, Box].
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.cappedAtMu(a)
	}
	atZero := 0.0 // L at x = 0
	for _, belief := range a {
		atZero += s.twoOverE * belief
	}
	g := s.scratchX
	s.gradientX(a, g) // centring g changes no value of L, because the messages sum to 0
	if s.ridge > 0 {
		return atZero - s.largestDecrease(g)
	}
	// For a message x_j in [-Box, Box], the minimum of g_j x_j is -Box |g_j|. For a cost x_j >= 0,
	// it is 0, because cappedAtMu makes g_j >= 0.
	messages := g[:s.nuStart]
	return atZero - s.Box*floats.Norm(messages, 1)
}

// largestDecrease returns the negative of the minimum over x of
//
//	sum_j [g_j x_j + ridge x_j^2/(2 step_j)].
//
// The minimum over x_j is -step_j g_j^2 / (2 ridge), or 0 for a label cost with g_j >= 0.
func (s *solver) largestDecrease(g []float64) float64 {
	squares := 0.0 // sum_j step_j g_j^2
	for j, v := range g {
		isCost := j >= s.nuStart
		if isCost {
			v = min(v, 0)
		}
		squares += s.step[j] * v * v
	}
	return squares / (2 * s.ridge)
}

// cappedAtMu returns the beliefs a, scaled down until the dual bound is finite. In each cell, the
// beliefs a(y,z) about label y then sum to at most mu(y) over all other labels z. A belief about two
// labels gets the smaller of their factors.
//
// The derivative of L with respect to a label cost nu(y) >= 0 is mu(y) minus this sum. If it were
// negative, L would have no minimum.
func (s *solver) cappedAtMu(a []float64) []float64 {
	if s.Classes == 2 {
		return a // there are no label costs
	}
	factors := make([]float64, len(s.Mu)) // for each cell and label: mu(y) divided by the sum, but at most 1
	for j, sum := range s.sumsByLabel(a) {
		factors[j] = 1
		if sum > s.Mu[j] {
			factors[j] = s.Mu[j] / sum
		}
	}
	capped := slices.Clone(a)
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			beliefs := edge.table(capped, k)
			factorsY, factorsZ := s.labelTables(factors, e, labels)
			for c := range beliefs {
				beliefs[c] *= min(factorsY[c], factorsZ[c])
			}
		}
	}
	return capped
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

// costs returns label costs that satisfy all constraints, in the layout of Mu: the costs in x plus
// the result of missingCosts.
func (s *solver) costs(x []float64) []float64 {
	s.gradientA(x, s.scratchA)
	costs := s.missingCosts(s.scratchA)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts that must be added to the label costs to satisfy all constraints
// nu(y) + nu(z) >= u, in the layout of Mu. The argument violations contains u - nu(y) - nu(z) (see
// gradientA).
func (s *solver) missingCosts(violations []float64) []float64 {
	missing := make([]float64, len(s.Mu))
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			muY, muZ := s.labelTables(s.Mu, e, labels)
			missingY, missingZ := s.labelTables(missing, e, labels)
			for c, violation := range edge.table(violations, k) {
				y, z := cheapestIncreases(violation, muY[c], muZ[c])
				// Each pair with label y may require a different increase of its cost.
				missingY[c], missingZ[c] = max(missingY[c], y), max(missingZ[c], z)
			}
		}
	}
	return missing
}

// cheapestIncreases returns increases of the costs of labels y and z in a cell that remove the
// violation. Only the cost of the label that is rarer in the cell increases, because the objective
// nu.mu weights costs by frequency. Equally frequent labels share the violation.
func cheapestIncreases(violation, muY, muZ float64) (y, z float64) {
	switch {
	case violation <= 0:
		return 0, 0
	case muY < muZ:
		return violation, 0
	case muY > muZ:
		return 0, violation
	}
	return violation / 2, violation / 2
}
