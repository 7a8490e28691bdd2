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

// phi returns the objective without the ridge term. It is the maximum of the Lagrangian over all
// beliefs with 0 <= a_j <= maxBelief_j,
//
//	Phi(x) = nu.mu + sum_j maxBelief_j max(violation_j, 0).
//
// Here x contains the label costs nu, mu is s.Mu, and violation_j is the amount by which x violates
// constraint j.
func (s *solver) phi(x []float64) float64 {
	violations := s.scratchA
	s.setViolations(x, violations)
	phi := 0.0
	for j, violation := range violations {
		phi += s.maxBelief[j] * max(violation, 0)
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

// dual returns a lower bound on the optimum: the minimum over the unknowns x of L(x) plus the ridge
// term, where L is the Lagrangian with the beliefs a as multipliers. The unknowns are the messages
// and then the label costs.
//
// L is linear, L(x) = L(0) + sum_j g_j x_j. The minimum can therefore be computed for each x_j
// separately.
func (s *solver) dual(a []float64) float64 {
	if s.ridge > 0 {
		atZero, g := s.lagrangian(a)
		return atZero - s.largestDecrease(g)
	}
	// Without a ridge, messages are assumed to lie in [-Box, Box], so the minimum of g_j x_j is
	// -Box |g_j|. For a label cost x_j >= 0, the minimum is 0, because cappedAtMu makes g_j >= 0.
	atZero, g := s.lagrangian(s.cappedAtMu(a))
	ofMessages := g[:s.nuStart] // the label costs follow
	return atZero - s.Box*floats.Norm(ofMessages, 1)
}

// lagrangian returns the value of the Lagrangian L at x = 0 and its gradient g, for the beliefs a.
func (s *solver) lagrangian(a []float64) (atZero float64, g []float64) {
	for _, belief := range a {
		atZero += s.twoOverE * belief // without unknowns, each violation is 2/|E|
	}
	g = s.scratchX
	s.gradientX(a, g) // centring g changes no value of L, because the messages sum to 0
	return atZero, g
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

// cappedAtMu returns the beliefs a, scaled down so that the dual bound is finite. A belief a(y,z)
// belongs to two labels and to a cell (x_i,x_j) of an edge. After scaling, the sum of a(y,z) over all
// labels z other than y is at most mu(y) in each cell.
//
// The derivative of L with respect to a label cost nu(y) >= 0 is mu(y) minus this sum. If it were
// negative, L would have no minimum.
func (s *solver) cappedAtMu(a []float64) []float64 {
	if !s.hasCosts() {
		return a
	}
	factors := make([]float64, len(s.Mu)) // for each edge, label and cell
	for j, sum := range s.sumsByLabel(a) {
		factors[j] = 1
		if sum > s.Mu[j] {
			factors[j] = s.Mu[j] / sum
		}
	}
	capped := slices.Clone(a)
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			beliefs := edge.table(capped, k) // a(y,z) in each cell
			factorsY, factorsZ := s.labelTables(factors, e, labels)
			for cell := range beliefs {
				beliefs[cell] *= min(factorsY[cell], factorsZ[cell])
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
			for cell, belief := range edge.table(a, k) {
				ofY[cell] += belief
				ofZ[cell] += belief
			}
		}
	}
	return sums
}

// costs returns label costs that satisfy all constraints, in the layout of Mu: the costs in x plus
// the result of missingCosts.
func (s *solver) costs(x []float64) []float64 {
	violations := s.scratchA
	s.setViolations(x, violations)
	costs := s.missingCosts(violations)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts that must be added to the label costs nu to satisfy all
// constraints. There is a constraint for each edge, pair of labels y < z and cell of the edge's
// tables: the costs nu(y) + nu(z) in the cell must be at least some number u. The argument
// violations contains u - nu(y) - nu(z). The result has an amount for each edge, label and cell, in
// the layout of s.Mu.
func (s *solver) missingCosts(violations []float64) []float64 {
	missing := make([]float64, len(s.Mu))
	for e, edge := range s.edges {
		for k, labels := range s.labelPairs {
			muY, muZ := s.labelTables(s.Mu, e, labels) // probabilities of the cells with either label
			missingY, missingZ := s.labelTables(missing, e, labels)
			for cell, violation := range edge.table(violations, k) {
				increaseY, increaseZ := cheapestIncreases(violation, muY[cell], muZ[cell])
				// Each pair with label y may require a different increase of its cost.
				missingY[cell] = max(missingY[cell], increaseY)
				missingZ[cell] = max(missingZ[cell], increaseZ)
			}
		}
	}
	return missing
}

// cheapestIncreases returns increases of the costs of labels y and z in a cell that remove the
// violation. Only the cost of the label that is rarer in the cell increases, because the objective
// nu.mu weights costs by frequency. Equally frequent labels share the violation.
func cheapestIncreases(violation, muY, muZ float64) (increaseY, increaseZ float64) {
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
