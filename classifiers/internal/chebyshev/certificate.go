package chebyshev

import (
	"math"
	"slices"
)

// bounds returns an upper bound of the optimum, which is the objective at x, and a lower bound,
// which is the dual bound of the beliefs a.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns an upper bound of the optimum: the objective at the unknowns x, which is
//
//	Phi(x) + ridge term,  Phi = sum c (u - nu(y) - nu(z))+ + nu.mu.
//
// Without a ridge, label costs that are tightened along a forest may give a smaller upper bound.
func (s *solver) objective(x []float64) float64 {
	violations := s.v // u - nu(y) - nu(z)
	s.violations(x, violations)
	phi := 0.0
	for j, limit := range s.capacity {
		phi += limit * max(violations[j], 0)
	}
	for j, nu := range x[s.nu:] {
		phi += nu * s.Mu[j]
	}
	if s.ridge > 0 {
		return phi + s.ridgeTerm(x)
	}
	if s.forest == nil {
		return phi
	}
	return min(phi, s.forest.tighten(s.costs(x)))
}

// ridgeTerm returns ridge/2 sum_j x_j^2/step_j.
func (s *solver) ridgeTerm(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound of the optimum: the minimum over x of the objective's saddle function
// L, for fixed beliefs a. At x = 0, L is 2/|E| sum a. Other x lower it by at most a penalty, which
// depends on the gradient g of L in x:
//
//	with a ridge:  sum_j step_j g_j^2 / (2 ridge), where only negative g_j count in nu >= 0
//	without:       Box sum |g_j| over the messages, which lie in [-Box, Box]
//
// Without a ridge, dual first caps the beliefs at mu, so that no g_j is negative in nu.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.capped(a)
	}
	atZero := 0.0
	for _, v := range a {
		atZero += s.even * v
	}
	g := s.r
	s.gradientX(a, g)
	if s.ridge == 0 {
		return atZero - s.Box*sumAbs(g[:s.nu])
	}
	squares := 0.0
	for j, v := range g {
		if j >= s.nu {
			v = min(v, 0)
		}
		squares += s.step[j] * v * v
	}
	return atZero - squares/(2*s.ridge)
}

func sumAbs(values []float64) (sum float64) {
	for _, v := range values {
		sum += math.Abs(v)
	}
	return sum
}

// capped returns the beliefs, scaled down cell by cell so that the beliefs about a label sum to at
// most mu of this label. With two classes, no belief exceeds mu, and capped returns a itself.
func (s *solver) capped(a []float64) []float64 {
	if len(s.first) == 1 {
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
// to at most mu of this label. beliefs contains one table for each pair of labels, and mu contains
// one table for each label. ratio is scratch memory with one number for each label.
func (s *solver) capBeliefs(beliefs, mu []float64, c int, ratio []float64) {
	size := len(beliefs) / len(s.first)
	clear(ratio)
	for k, y := range s.first { // sum of the beliefs about each label
		ratio[y] += beliefs[k*size+c]
		ratio[s.second[k]] += beliefs[k*size+c]
	}
	for y, sum := range ratio { // the sum becomes the factor of the beliefs about label y
		ratio[y] = 1
		if limit := mu[y*size+c]; sum > limit {
			ratio[y] = limit / sum
		}
	}
	for k, y := range s.first {
		beliefs[k*size+c] *= min(ratio[y], ratio[s.second[k]])
	}
}

// costs returns label costs that satisfy all constraints: nu of the unknowns x plus the missing
// costs.
func (s *solver) costs(x []float64) []float64 {
	s.violations(x, s.v)
	costs := make([]float64, len(s.Mu))
	copy(costs, x[s.nu:])
	for e := range s.Pairs {
		for c, v := range s.missingCosts(e) {
			costs[s.Start[e]+c] += v
		}
	}
	return costs
}

// missingCosts returns, for each label in each cell of edge e, the cost that must be added to nu so
// that no constraint nu(y) + nu(z) >= u is violated. s.v must contain the violations u - nu(y) -
// nu(z). The label that is rarer in the cell pays the whole violation. Equally frequent labels pay
// half of it each.
func (s *solver) missingCosts(e int) []float64 {
	size, mu := s.size(e), s.Table(e)
	missing := make([]float64, len(mu)) // [label*size+cell]
	for k := range s.first {
		for c, violation := range s.v[s.cell[e]+k*size:][:size] {
			if violation <= 0 {
				continue // the constraint is satisfied
			}
			y, z := s.first[k]*size+c, s.second[k]*size+c
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
