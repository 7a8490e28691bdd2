package chebyshev

import (
	"cmp"
	"math"
	"slices"
)

// startFrom sets the first iterate of a problem with the pairs of the solved parts, in order,
// and one new pair. The part with the smallest bound keeps its prices, all others are zero, so
// that the first upper bound is its bound; the beliefs of the other parts are scaled down to its
// mass and the new pair couples them as far as its capacities allow.
func (s *solver) startFrom(parts []part) {
	if len(parts) == 0 {
		return
	}
	lead := slices.MinFunc(parts, func(a, b part) int { return cmp.Compare(a.bound, b.bound) })
	s.weight = lead.end.weight
	for e := range s.Pairs {
		for k := range s.first {
			s.x[s.masses[e]+k] = -s.even // cancels the constant of u: all prices are zero
		}
	}
	first, kept := 0, false // first: the part's first pair
	for _, p := range parts {
		scale := 1.0
		if p.bound > 0 {
			scale = lead.bound / p.bound
		}
		for c, v := range p.end.a {
			s.a[s.cell[first]+c] = scale * v
		}
		if !kept && p.bound == lead.bound {
			s.keepPrices(first, p)
			kept = true
		}
		first += len(p.edges)
	}
	s.couple(first)
}

// keepPrices copies the messages, masses and costs of a part whose pairs begin at pair
// first of s. The masses grow by the difference of 2/|E| between the part and s.
func (s *solver) keepPrices(first int, p part) {
	q := len(s.first)
	edges := len(p.edges)
	messages := s.toI[first]
	end := s.masses[0]
	if first+edges < len(s.toI) {
		end = s.toI[first+edges]
	}
	n := copy(s.x[messages:end], p.end.x) // the part's masses and costs follow
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
		table, limit := a[k*di*dj:][:di*dj], limits[k*di*dj:][:di*dj]
		fitMargins(table, limit, rows, columns, dj)
		if rows == nil && columns == nil {
			fit(table, limit, 1, s.r[s.masses[0]+k])
		}
	}
}

// fitMargins fits a table of rows of the given width to row sums and column sums, within
// its limits, by proportional fitting. nil sums are free.
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

// belief returns the beliefs of another pair about feature i for pair k of labels, or nil
// if no other pair has the feature. at is where the new pair's messages about i start.
func (s *solver) belief(i, at, k int) []float64 {
	for _, b := range s.blocks[i] {
		if b != at {
			return s.r[b+k*s.Levels[i]:][:s.Levels[i]]
		}
	}
	return nil
}

// fit scales the values 0, stride, 2 stride, ... so that their sum is want, and cuts each
// at its limit.
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
