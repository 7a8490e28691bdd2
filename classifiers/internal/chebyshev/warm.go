package chebyshev

import "math"

// startFrom sets the first iterate from the solutions of smaller problems. The parts are solved
// trees; the edges of s are the edges of all parts, in their order, and then one new edge. If
// there are no parts, the first iterate stays zero.
//
// The unknowns of the part with the smallest bound are kept, and the prices u of all other edges
// are zero, so that the first upper bound is the smallest bound. The beliefs of every part are
// scaled down to the mass of this part. The beliefs of the new edge follow from them (couple).
func (s *solver) startFrom(parts []part) {
	if len(parts) == 0 {
		return
	}
	tightest := 0 // the first part with the smallest bound
	for k, p := range parts {
		if p.bound < parts[tightest].bound {
			tightest = k
		}
	}
	s.weight = parts[tightest].end.weight
	for e := range s.Pairs {
		for k := range s.first {
			s.x[s.masses[e]+k] = -s.even // gamma = -2/|E| makes u zero
		}
	}
	firstEdge := 0 // of the current part
	for k, p := range parts {
		if k == tightest {
			s.keepPrices(firstEdge, p)
		}
		scale := 1.0
		if p.bound > 0 {
			scale = parts[tightest].bound / p.bound
		}
		for c, belief := range p.end.a {
			s.a[s.cell[firstEdge]+c] = scale * belief
		}
		firstEdge += len(p.edges)
	}
	s.couple(firstEdge) // the new edge is the last one
}

// keepPrices copies the unknowns (delta, gamma, nu) of a part to s, where the edges of the part
// begin at edge first. Each gamma grows by the difference between 2/|E| of the part and of s, so
// that the prices u stay the same.
func (s *solver) keepPrices(first int, p part) {
	edges := len(p.edges)
	end := s.masses[0] // the messages of the part end here if its edges are the last ones
	if first+edges < len(s.toI) {
		end = s.toI[first+edges]
	}
	messages := copy(s.x[s.toI[first]:end], p.end.x)
	masses := edges * len(s.first)
	raise := 2/float64(edges) - s.even
	for k, gamma := range p.end.x[messages:][:masses] {
		s.x[s.masses[first]+k] = gamma + raise
	}
	if len(s.first) > 1 { // with two classes there is no nu
		copy(s.x[s.nu+s.Start[first]:], p.end.x[messages+masses:])
	}
}

// coupleSweeps is the number of sweeps of proportional fitting in fitMargins.
const coupleSweeps = 10

// couple sets the beliefs of edge e from the beliefs of the other edges. It starts at the
// capacities and fits the row sums and column sums to the beliefs of the other edges about the two
// features, by iterative proportional fitting. If neither feature has another edge, it fits only
// the mass.
func (s *solver) couple(e int) {
	s.gradient(s.a, s.r)
	di, dj := s.Levels[s.Pairs[e].I], s.Levels[s.Pairs[e].J]
	limits, a := s.capacity[s.cell[e]:s.cell[e+1]], s.a[s.cell[e]:s.cell[e+1]]
	copy(a, limits)
	for k := range s.first {
		rows := s.belief(s.Pairs[e].I, s.toI[e], k)
		columns := s.belief(s.Pairs[e].J, s.toJ[e], k)
		table, limit := a[k*di*dj:][:di*dj], limits[k*di*dj:][:di*dj]
		fitMargins(table, limit, rows, columns, dj)
		if rows == nil && columns == nil {
			fit(table, limit, 1, s.r[s.masses[0]+k])
		}
	}
}

// fitMargins fits the row sums and column sums of a table with rows of the given width by iterative
// proportional fitting. No value exceeds its limit. If rows or columns is nil, these sums are free.
func fitMargins(table, limits, rows, columns []float64, width int) {
	for range coupleSweeps {
		for r, want := range rows {
			fit(table[r*width:][:width], limits[r*width:][:width], 1, want)
		}
		for c, want := range columns {
			fit(table[c:], limits[c:], width, want)
		}
	}
}

// belief returns the beliefs of another edge about feature i for label pair k, or nil if no other
// edge has the feature. at is the place where the new edge's messages about i begin.
func (s *solver) belief(i, at, k int) []float64 {
	for _, b := range s.blocks[i] {
		if b != at {
			return s.r[b+k*s.Levels[i]:][:s.Levels[i]]
		}
	}
	return nil
}

// fit scales the values at 0, stride, 2 stride, ... so that their sum is want, and then reduces
// each value to its limit.
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
