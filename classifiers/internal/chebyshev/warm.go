package chebyshev

import "math"

// startFrom sets the first iterate of a problem whose pairs are those of the
// solved parts, in order, and one new pair. The part with the smallest bound
// keeps its prices, all others are zero, so that the first upper bound is its
// bound; the beliefs of the other parts are scaled down to its mass and the new
// pair couples them as far as its capacities allow.
func (s *solver) startFrom(parts []part) {
	if len(parts) == 0 {
		return
	}
	lead := 0
	for k, p := range parts {
		if p.bound < parts[lead].bound {
			lead = k
		}
	}
	s.weight = parts[lead].end.weight
	x := s.x
	for e := range s.Pairs {
		for k := range s.first {
			x[s.masses[e]+k] = -s.even
		}
	}
	first := 0
	for k, p := range parts {
		scale := 1.0
		if p.bound > 0 {
			scale = parts[lead].bound / p.bound
		}
		for c, v := range p.end.a {
			s.a[s.cell[first]+c] = scale * v
		}
		if k == lead {
			s.keepPrices(first, p)
		}
		first += len(p.edges)
	}
	s.couple(first)
}

// keepPrices copies the messages and costs of a part whose pairs begin at first.
func (s *solver) keepPrices(first int, p part) {
	q := len(s.first)
	edges := len(p.edges)
	messages := s.toI[first]
	end := s.masses[0]
	if first+edges < len(s.toI) {
		end = s.toI[first+edges]
	}
	n := copy(s.x[messages:end], p.end.x)
	raise := 2/float64(edges) - s.even
	for k := range edges * q {
		s.x[s.masses[first]+k] = p.end.x[n+k] + raise
	}
	if q > 1 {
		copy(s.x[s.nu+s.Start[first]:], p.end.x[n+edges*q:])
	}
}

// coupleSweeps is the number of proportional fittings of the new pair's beliefs.
const coupleSweeps = 10

// couple fits the beliefs of pair e, within its capacities, to the beliefs of
// the other pairs about its two features and to their mass: iterative
// proportional fitting from the capacities down.
func (s *solver) couple(e int) {
	s.gradient(s.a, s.r)
	di, dj := s.Levels[s.Pairs[e].I], s.Levels[s.Pairs[e].J]
	limits, a := s.capacity[s.cell[e]:s.cell[e+1]], s.a[s.cell[e]:s.cell[e+1]]
	copy(a, limits)
	for k := range s.first {
		rows := s.belief(s.Pairs[e].I, s.toI[e], k)
		columns := s.belief(s.Pairs[e].J, s.toJ[e], k)
		block, limit := a[k*di*dj:][:di*dj], limits[k*di*dj:][:di*dj]
		for range coupleSweeps {
			for x, want := range rows {
				fit(block[x*dj:][:dj], limit[x*dj:][:dj], 1, want)
			}
			for x, want := range columns {
				fit(block[x:], limit[x:], dj, want)
			}
		}
		if rows == nil && columns == nil {
			fit(block, limit, 1, s.r[s.masses[0]+k])
		}
	}
}

// belief returns the marginal of another pair about feature i, nil when no
// other pair has it. at is where the new pair's messages about i start.
func (s *solver) belief(i, at, k int) []float64 {
	for _, b := range s.blocks[i] {
		if b != at {
			return s.r[b+k*s.Levels[i]:][:s.Levels[i]]
		}
	}
	return nil
}

// fit scales every stride-th value so that their sum is want, or as large as
// the limits permit.
func fit(values, limits []float64, stride int, want float64) {
	sum := 0.0
	for c := 0; c < len(values); c += stride {
		sum += values[c]
	}
	if sum == 0 {
		return
	}
	for c := 0; c < len(values); c += stride {
		values[c] = math.Min(limits[c], values[c]*want/sum)
	}
}
