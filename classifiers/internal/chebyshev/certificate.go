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

// objective returns the value at x of the function that the solver minimises,
//
//	Phi(x) + ridge term,  Phi(x) = nu.mu + sum_j price_j max(violation_j, 0),
//
// or a smaller value at another point that it derives from x. Both are upper bounds on the minimum. Here nu are
// the label costs, which are the last elements of x, and mu = s.Mu are the marginals. Constraint j requires a
// minimum for the sum of the costs of two labels in one cell, a pair of feature values. violation_j is this
// minimum minus the sum, and price_j is s.capacity[j].
//
// objective uses the other point if there is no ridge and the edges form a forest. s.costs(x) returns label
// costs that satisfy all constraints, so Phi is only nu.mu. The method tighten scales these costs, which makes
// nu.mu as small as the constraints allow, and returns nu.mu.
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

// dual returns a lower bound on the optimum: the minimum over the unknowns x of L plus the ridge term. L is the
// Lagrangian of the problem, and the given beliefs a are its multipliers. L is linear in x, so each unknown can
// be minimised separately:
//
//	L + ridge term = 2/|E| sum(a) + sum_j (g_j x_j + ridge/2 x_j^2/step_j).
//
// Here |E| is the number of edges, g is the gradient that gradientX computes, and step_j is the step size of
// x_j. gradientX subtracts the same number from g_j for all messages that must sum to 0. This does not change
// the sum. Without a ridge, s.Box limits the messages. The minimum of term j is
//
//	with a ridge, for a message:               -step_j g_j^2 / (2 ridge)
//	with a ridge, for a cost nu_j >= 0:        -step_j min(g_j,0)^2 / (2 ridge)
//	without, for a message in [-Box, Box]:     -Box |g_j|
//	without, for a cost nu_j >= 0:             0 if g_j >= 0, otherwise -Inf
//
// Without a ridge, dual reduces the beliefs first, so that g_j >= 0 for all costs (see cappedAtMu). The bound
// is then never -Inf.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
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

// cappedAtMu returns beliefs that are at most a and for which the dual bound is finite. A belief a(y,z) is the
// multiplier of the constraint on the costs of labels y and z in one cell (pair of feature values) of an edge.
// In each cell, the new beliefs about a label y must sum to at most the marginal mu(y).
//
// If the sum is larger, ratio(y) = mu(y) / sum_z a(y,z); otherwise ratio(y) is 1. cappedAtMu multiplies each
// a(y,z) by min(ratio(y), ratio(z)). With two classes, the only belief in a cell never exceeds mu(0) or mu(1),
// so cappedAtMu returns a itself.
func (s *solver) cappedAtMu(a []float64) []float64 {
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

// sumsByLabel returns sums of beliefs. A belief a(y,z) is a number for two class labels y and z in one cell (pair
// of feature values) of an edge (pair of features). For each edge, label y and cell, sumsByLabel adds a(y,z) over
// all other labels z. So each belief counts in two sums: for y and for z. The order of the sums is the same as in
// Marginals.Mu: for each edge and label, a table over the cells.
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

// costs returns label costs that satisfy all constraints: the costs nu, which are the last elements of x, plus
// the amounts by which they are too small (see missingCosts). The result contains a table for each edge and
// label, as s.Mu does.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.scratchA)
	costs := s.missingCosts(s.scratchA)
	for j, nu := range x[s.nuStart:] {
		costs[j] += nu
	}
	return costs
}

// missingCosts returns the amounts by which label costs nu must increase to satisfy all constraints. Each
// constraint is nu(y) + nu(z) >= u, for one pair of labels in one cell (pair of feature values) of an edge. The
// argument violations contains u - nu(y) - nu(z), with a table over the cells for each edge and pair of labels.
// The result contains a table over the cells for each edge and label, as s.Mu does.
//
// If a constraint is violated, only the cost of the label that is rarer in the cell increases, because this
// adds least to nu.mu. If both labels are equally frequent, each cost increases by half the violation.
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
				// Other pairs of labels may already have required an increase of the same cost. The largest
				// increase satisfies the constraints of all pairs.
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
