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

// objective returns Phi(x) plus the ridge term. Without a ridge, if the edges form a forest, it
// returns the bound of the tightened costs instead if that is smaller.
func (s *solver) objective(x []float64) float64 {
	s.slack(x, s.v)
	phi := 0.0
	for j, limit := range s.capacity {
		phi += limit * max(s.v[j], 0)
	}
	for j, v := range x[s.nu:] {
		phi += v * s.Mu[j]
	}
	if s.ridge > 0 {
		return phi + s.price(x)
	}
	if s.forest != nil {
		phi = min(phi, s.forest.tighten(s.costs(x)))
	}
	return phi
}

// price returns the ridge term, ridge/2 sum_j x_j^2/step_j.
func (s *solver) price(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns a lower bound of the objective that follows from the beliefs a. If messages and nu
// are 0, the beliefs earn 2/|E| sum a. The bound is this sum minus a penalty for the constraints
// that a violates. In the messages, the violation is the centred gradient g. In nu, it is the mass
// of the beliefs that exceeds mu, i.e. min(g, 0). With a ridge, the penalty is sum step g^2 / (2
// ridge). Without a ridge, dual first scales the beliefs down to mu; then the penalty is Box |g|_1,
// because all messages lie in the box.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.within(a)
	}
	s.gradientX(a, s.r)
	messages, costs := s.r[:s.nu], s.r[s.nu:]
	earned := 0.0
	for _, v := range a {
		earned += s.even * v
	}
	if s.ridge == 0 {
		l1 := 0.0
		for _, g := range messages {
			l1 += math.Abs(g)
		}
		return earned - s.Box*l1
	}
	l2 := 0.0
	for j, g := range messages {
		l2 += s.step[j] * g * g
	}
	for j, g := range costs {
		beyond := min(g, 0)
		l2 += s.step[s.nu+j] * beyond * beyond
	}
	return earned - l2/(2*s.ridge)
}

// within returns a copy of the beliefs, scaled down cell by cell so that the beliefs about a label
// sum to at most mu of this label.
func (s *solver) within(a []float64) []float64 {
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
// to at most mu of this label. beliefs contains q tables, one for each pair of labels; mu contains
// one table for each label. ratio is scratch memory with a number per label.
func (s *solver) capBeliefs(beliefs, mu []float64, c int, ratio []float64) {
	size := len(beliefs) / len(s.first)
	clear(ratio)
	for k, y := range s.first { // first the sum of the beliefs about each label
		ratio[y] += beliefs[k*size+c]
		ratio[s.second[k]] += beliefs[k*size+c]
	}
	for y, sum := range ratio { // then the factor of these beliefs
		ratio[y] = 1
		if limit := mu[y*size+c]; sum > limit {
			ratio[y] = limit / sum
		}
	}
	for k, y := range s.first {
		beliefs[k*size+c] *= min(ratio[y], ratio[s.second[k]])
	}
}

// costs returns label costs that satisfy all constraints: nu plus, in every cell, the costs that
// lack adds.
func (s *solver) costs(x []float64) []float64 {
	s.slack(x, s.v)
	costs := make([]float64, len(s.Mu))
	copy(costs, x[s.nu:])
	for e := range s.Pairs {
		for c, v := range s.lack(e) {
			costs[s.Start[e]+c] += v
		}
	}
	return costs
}

// lack returns the costs that must be added to each label in each cell of edge e so that the
// constraints are satisfied. It expects the slack of all cells in s.v. For each pair of labels y <
// z with positive slack, the rarer label gets the whole slack, or both labels get half of it if
// they are equally frequent.
func (s *solver) lack(e int) []float64 {
	size, mu := s.size(e), s.Table(e)
	lack := make([]float64, len(mu))
	for k := range s.first {
		for c, v := range s.v[s.cell[e]+k*size:][:size] {
			if v <= 0 {
				continue // the constraint is satisfied
			}
			y, z := s.first[k]*size+c, s.second[k]*size+c
			switch {
			case mu[y] < mu[z]:
				lack[y] = max(lack[y], v)
			case mu[y] > mu[z]:
				lack[z] = max(lack[z], v)
			default:
				lack[y], lack[z] = max(lack[y], v/2), max(lack[z], v/2)
			}
		}
	}
	return lack
}
