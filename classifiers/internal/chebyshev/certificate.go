package chebyshev

import "math"

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

// dual returns a lower bound of the objective. Beliefs earn 2 sum t at nu = 0 =
// messages. What they lack of local consistency, the centred gradient g, and what
// they have beyond mu costs sum step g^2/(2 ridge) at most; without a ridge they
// are first scaled down to mu, and g costs Box |g|_1 over messages in the box.
func (s *solver) dual(a []float64) float64 {
	if s.ridge == 0 {
		a = s.within(a)
	}
	s.gradientX(a, s.r)
	earned, l1, l2 := 0.0, 0.0, 0.0
	for _, v := range a {
		earned += s.even * v
	}
	for j, r := range s.r[:s.nu] {
		l1 += math.Abs(r)
		l2 += s.step[j] * r * r
	}
	if s.ridge == 0 {
		return earned - s.Box*l1
	}
	for j, r := range s.r[s.nu:] {
		beyond := min(r, 0)
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
	scaled, ratio := append([]float64(nil), a...), make([]float64, s.Classes)
	for e := range s.Pairs {
		size, mu := s.size(e), s.Table(e)
		cells := scaled[s.cell[e]:s.cell[e+1]]
		for c := range size {
			clear(ratio)
			for k, y := range s.first {
				ratio[y] += cells[k*size+c]
				ratio[s.second[k]] += cells[k*size+c]
			}
			for y, sum := range ratio {
				ratio[y] = 1
				if limit := mu[y*size+c]; sum > limit {
					ratio[y] = limit / sum
				}
			}
			for k, y := range s.first {
				cells[k*size+c] *= min(ratio[y], ratio[s.second[k]])
			}
		}
	}
	return scaled
}

// costs returns nu plus what the constraints of a cell still lack. This falls
// on the rarer of the two labels, on both alike when they are equally frequent.
func (s *solver) costs(x []float64) []float64 {
	s.slack(x, s.v)
	costs := make([]float64, len(s.Mu))
	copy(costs, x[s.nu:])
	var lack []float64
	for e := range s.Pairs {
		size, mu := s.size(e), s.Table(e)
		lack = append(lack[:0], make([]float64, len(mu))...)
		for k, y := range s.first {
			z := s.second[k]
			for c, v := range s.v[s.cell[e]+k*size:][:size] {
				switch y, z := y*size+c, z*size+c; {
				case v <= 0:
				case mu[y] < mu[z]:
					lack[y] = max(lack[y], v)
				case mu[y] > mu[z]:
					lack[z] = max(lack[z], v)
				default:
					lack[y], lack[z] = max(lack[y], v/2), max(lack[z], v/2)
				}
			}
		}
		for c, v := range lack {
			costs[s.Start[e]+c] += v
		}
	}
	return costs
}
