package chebyshev

import (
	"math"
	"slices"
)

// bounds returns an upper bound on the optimum, given by the objective at x, and a lower bound, given by
// the dual bound of the beliefs a.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns an upper bound on the optimum: the objective at the unknowns x, which is
//
//	Phi(x) + ridge term,  Phi = sum c (u - nu(y) - nu(z))+ + nu.mu.
//
// Here nu(y) and nu(z) are the costs of labels y and z, u is the smallest sum that the two costs
// may have, and c is the price of a violation. Without a ridge, scaling the costs until one
// constraint holds with equality may give a smaller upper bound. This works only if the edges form
// a forest.
func (s *solver) objective(x []float64) float64 {
	violations := s.scratchA // u - nu(y) - nu(z)
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
	scaledDown := s.forest.tighten(s.costs(x)) // bound of the costs scaled so that one constraint is exactly met
	return min(phi, scaledDown)
}

// ridgeTerm returns ridge/2 sum_j x_j^2/step_j.
func (s *solver) ridgeTerm(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound on the optimum: the minimum of the Lagrangian L over the unknowns x for fixed
// beliefs a, the multipliers of the constraints. At x = 0, L is 2/|E| sum a. Any other x lowers L by at
// most a penalty that depends on the gradient g of L in x:
//
//	with a ridge:  sum_j step_j g_j^2 / (2 ridge), where only negative g_j count in nu >= 0
//	without:       Box sum |g_j| over the messages, which lie in [-Box, Box]
//
// Without a ridge, dual first caps the beliefs at mu, so that the gradient in nu has no negative
// elements.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.capped(a)
	}
	atZero := 0.0
	for _, v := range a {
		atZero += s.evenShare * v // 2/|E|
	}
	g := s.scratchX
	s.gradientX(a, g)
	if s.ridge == 0 {
		messages := g[:s.nuStart]
		return atZero - s.Box*sumAbs(messages)
	}
	squares := 0.0
	for j, v := range g {
		isCost := j >= s.nuStart
		if isCost {
			v = min(v, 0)
		}
		squares += s.step[j] * v * v
	}
	// The ridge term is ridge/2 sum_j x_j^2/step_j, so the minimum over x_j is -step_j g_j^2 / (2 ridge).
	return atZero - squares/(2*s.ridge)
}

func sumAbs(values []float64) (sum float64) {
	for _, v := range values {
		sum += math.Abs(v)
	}
	return sum
}

// capped returns the beliefs, scaled down cell by cell so that the beliefs about each label sum to
// at most the label's mu. With two classes, no belief exceeds mu, so capped returns a itself.
func (s *solver) capped(a []float64) []float64 {
	if len(s.firstLabel) == 1 {
		return a
	}
	scaled, ratio := slices.Clone(a), make([]float64, s.Classes)
	for e := range s.Pairs {
		for c := range s.size(e) {
			s.capBeliefs(scaled[s.cell[e]:s.cell[e+1]], s.Table(e), c, ratio)
		}
	}
	return scaled
}

// capBeliefs scales down the beliefs in cell c of one edge so that the beliefs about each label sum
// to at most the label's mu. beliefs contains one table for each pair of labels, and mu contains
// one table for each label. ratio is scratch memory with one number for each label.
func (s *solver) capBeliefs(beliefs, mu []float64, c int, ratio []float64) {
	size := len(beliefs) / len(s.firstLabel)
	clear(ratio)
	for k, y := range s.firstLabel { // sum of the beliefs about each label
		ratio[y] += beliefs[k*size+c]
		ratio[s.secondLabel[k]] += beliefs[k*size+c]
	}
	for y, sum := range ratio { // turns the sum into the scale factor of the beliefs about label y
		ratio[y] = 1
		if limit := mu[y*size+c]; sum > limit {
			ratio[y] = limit / sum
		}
	}
	for k, y := range s.firstLabel {
		beliefs[k*size+c] *= min(ratio[y], ratio[s.secondLabel[k]])
	}
}

// costs returns label costs that satisfy all constraints: the costs nu in the unknowns x plus the
// missing costs.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.scratchA)
	costs := make([]float64, len(s.Mu))
	copy(costs, x[s.nuStart:])
	for e := range s.Pairs {
		for c, v := range s.missingCosts(e) {
			costs[s.Start[e]+c] += v
		}
	}
	return costs
}

// missingCosts returns, for each label in each cell of edge e, the amount to add to the label costs nu so
// that every constraint nu(y) + nu(z) >= u is satisfied. A cell is a pair of values of the two features.
// s.scratchA must contain the violations u - nu(y) - nu(z) for all pairs of labels y < z. The label that
// is rarer in the cell pays for the whole violation; equally frequent labels share it.
func (s *solver) missingCosts(e int) []float64 {
	size, mu := s.size(e), s.Table(e)
	missing := make([]float64, len(mu)) // [label*size+cell]
	for k := range s.firstLabel {
		for c, violation := range s.scratchA[s.cell[e]+k*size:][:size] {
			if violation <= 0 {
				continue // the constraint is satisfied
			}
			y, z := s.firstLabel[k]*size+c, s.secondLabel[k]*size+c
			switch {
			case mu[y] < mu[z]:
				missing[y] = max(missing[y], violation)
			case mu[y] > mu[z]:
				missing[z] = max(missing[z], violation)
			default:
				missing[y] = max(missing[y], violation/2)
				missing[z] = max(missing[z], violation/2)
			}
		}
	}
	return missing
}
