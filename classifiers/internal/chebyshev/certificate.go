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

// objective returns an upper bound on the optimum of the problem, which is the minimum over the unknowns x of
//
//	Phi(x) + ridge term,  Phi = nu.mu + sum_j price_j max(violation_j, 0).
//
// The value at any x is such a bound. In Phi, nu are the label costs, which are part of x, and mu = s.Mu are
// the marginals of the labels. Each constraint j applies to one cell of the table of an edge (a pair of
// features) and to a pair of labels. It requires that the sum of two label costs reaches a minimum. violation_j
// is the difference between the minimum and the sum, and price_j is s.capacity[j].
//
// If there is no ridge and the edges form a forest, there is a second bound: s.costs(x) returns label costs
// that satisfy all constraints, so Phi is nu.mu. The method tighten scales these costs to make nu.mu as small
// as the constraints allow, and returns nu.mu. objective returns the smaller of the two bounds.
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

// dual returns a lower bound on the optimum: the minimum over the unknowns x of the Lagrangian L plus the ridge
// term. The beliefs a are the multipliers in L and stay fixed. L is linear in x. At x = 0, it is 2/|E| times
// the sum of the beliefs. Each unknown x_j adds a term g_j x_j and, with a ridge, ridge/2 x_j^2/step_j. Here g
// is the centred gradient (gradientX), and step_j is the step size of x_j. Centring does not change the sum of
// these terms: it subtracts the same number from the g_j of messages that sum to 0 (zeroSum). The minimum of
// such a term is
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

// cappedAtMu scales beliefs a down so that the beliefs about label y sum to at most the marginal mu(y) in each
// cell of each edge. It multiplies each belief a(y,z) by min(ratio(y), ratio(z)), where ratio(y) is min(1,
// mu(y) / sum_z a(y,z)). The slice ratio has the layout of Mu: for each edge and label, a table over the cells.
// With two classes, the only belief in a cell never exceeds mu(0) or mu(1), so cappedAtMu returns its argument.
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

// sumsByLabel adds up the beliefs that concern each label y: sum_z a(y,z). There is one sum for each edge, label
// and cell (pair of feature values). The belief a(y,z) is about two labels, so it counts for both. The sums are
// in the same order as Marginals.Mu: for each edge and label, a table over the cells.
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

// costs returns label costs that satisfy all constraints. It takes the costs nu, the last elements of the
// unknowns x, and adds the missing amounts that missingCosts returns. The result has the layout of Mu: a table
// for each edge and label.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.scratchA)
	costs := s.missingCosts(s.scratchA)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts by which the label costs nu must increase to satisfy every constraint nu(y)
// + nu(z) >= u. The result has the layout of Mu: for each edge and label, a table over the cells (x_i,x_j). The
// argument violations contains u - nu(y) - nu(z) for each edge, pair of labels and cell. If a constraint is
// violated, only the cost of the label that is rarer in the cell increases, because this adds least to nu.mu.
// If both labels are equally frequent, each cost increases by half the violation.
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
				// The cost of a label may be in several violated constraints, one with each other label. It must
				// increase by the largest of the missing amounts. So max keeps the largest amount so far.
				// missingY and missingZ are parts of missing.
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
