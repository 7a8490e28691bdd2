package chebyshev

import (
	"math"
	"slices"
)

// bounds returns the objective at x and the dual bound of a.
func (s *solver) bounds(x, a []float64) (upper, lower float64) {
	return s.objective(x), s.dual(a)
}

// objective returns Phi(x) plus the ridge term.
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

// price returns the ridge term.
func (s *solver) price(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += v * v / s.step[j]
	}
	return s.ridge / 2 * sum
}

// dual returns the lower bound of the objective that the beliefs a certify. At messages
// and nu = 0 they earn 2/|E| sum a. From this the bound subtracts the price of what they
// violate: g, the centred gradient, in the messages, and mass beyond mu in nu. With a
// ridge the price is sum step g^2/(2 ridge). Without one, beliefs are first scaled down to
// mu, and g costs Box |g|_1, since all messages lie in the box.
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

// within returns the beliefs scaled down, cell by cell, so that those about a
// label sum to its mu at most.
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

// capBeliefs scales the beliefs in cell c of one pair of features so that those about each
// label sum to its mu at most. beliefs has q tables, one for each pair of labels; mu has
// one for each label. ratio is scratch for a number per label.
func (s *solver) capBeliefs(beliefs, mu []float64, c int, ratio []float64) {
	size := len(beliefs) / len(s.first)
	clear(ratio)
	for k, y := range s.first {
		ratio[y] += beliefs[k*size+c]
		ratio[s.second[k]] += beliefs[k*size+c]
	}
	for y, sum := range ratio {
		ratio[y] = 1
		if limit := mu[y*size+c]; sum > limit {
			ratio[y] = limit / sum
		}
	}
	for k, y := range s.first {
		beliefs[k*size+c] *= min(ratio[y], ratio[s.second[k]])
	}
}

// costs returns label costs that satisfy all constraints: nu and, in every cell, what the
// constraints of the cell still lack.
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

// lack returns how much each label of each cell of pair e must add to its cost, given the
// slack s.v. The cost of a pair of labels falls on the rarer one, or on both alike if they
// are equally frequent.
func (s *solver) lack(e int) []float64 {
	size, mu := s.size(e), s.Table(e)
	lack := make([]float64, len(mu))
	for k := range s.first {
		for c, v := range s.v[s.cell[e]+k*size:][:size] {
			if v <= 0 {
				continue // the constraint holds
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
