package chebyshev

import "math"

// startFrom builds the first iterate from the solutions of smaller problems, called parts. The edges of s
// must be the edges of all parts, in order, followed by one new edge. Without parts, the first iterate is
// zero.
//
// The unknowns come from the part with the smallest upper bound. A constraint is nu(y) + nu(z) >= u, where u
// is 2/|E| + gamma plus two messages delta. For all other edges, u becomes 0 and the constraints are void, so
// the iterate has the same upper bound. The bound of a part is proportional to the total of its beliefs. The
// beliefs of all parts are scaled to the smallest bound, and the beliefs of the new edge are fitted to them.
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
	s.weight = parts[tightest].end.weight // the primal weight of the solver
	// Make all constraints void: delta is still 0, so with this gamma, u = 2/|E| + gamma is 0. copyUnknowns
	// restores the constraints of one part.
	gamma := s.x[s.edges[0].gamma:s.nuStart] // the messages gamma of all edges
	for j := range gamma {
		gamma[j] = -s.twoOverE
	}
	first := 0 // first edge of the current part
	for k, p := range parts {
		if k == tightest {
			s.copyUnknowns(first, p)
		}
		s.copyBeliefs(first, p, parts[tightest].bound)
		first += len(p.edges)
	}
	s.fitNewEdge()
}

// copyBeliefs copies the beliefs of part p to s. The argument first is the index in s of the part's first
// edge. copyBeliefs scales the beliefs so that the bound of the part becomes the given bound.
func (s *solver) copyBeliefs(first int, p part, bound float64) {
	scale := 1.0
	if p.bound > 0 {
		scale = bound / p.bound
	}
	beliefs := s.a[s.edges[first].beliefs:]
	for c, belief := range p.end.a {
		beliefs[c] = scale * belief
	}
}

// copyUnknowns copies the unknowns of part p to s. The argument first is the index in s of the part's first
// edge. The unknowns of a problem with edges 1, ..., E are in the order
//
//	delta_1 ... delta_E  gamma_1 ... gamma_E  nu_1 ... nu_E.
//
// A constraint of an edge is nu(y) + nu(z) >= u, where u is 2/|E| + gamma plus two messages delta. Because s
// has more edges than the part, 2/|E| is smaller in s. copyUnknowns raises each gamma by the difference, so
// that u does not change.
func (s *solver) copyUnknowns(first int, p part) {
	begin, next := s.edges[first], s.edges[first+len(p.edges)] // next is the next part's first edge or the new edge
	delta, gamma := s.x[begin.deltaI:next.deltaI], s.x[begin.gamma:next.gamma]
	copied := copy(delta, p.end.x)
	partGamma, partNu := p.end.x[copied:][:len(gamma)], p.end.x[copied+len(gamma):]
	raise := 2/float64(len(p.edges)) - s.twoOverE
	for j, v := range partGamma {
		gamma[j] = v + raise
	}
	if s.Classes > 2 { // with two classes there is no nu
		copy(s.x[s.nuStart+s.Start[first]:], partNu) // nu is in the layout of Mu: edge e begins at Start[e]
	}
}

// coupleSweeps is the number of sweeps of proportional fitting in fitMargins.
const coupleSweeps = 10

// fitNewEdge sets the beliefs of the new edge from the beliefs of the other edges. The new edge is the last
// one, there is at least one other edge, and the old beliefs of the new edge are not read. For each pair of
// labels, it starts at the largest possible beliefs, s.capacity. Then it fits the row sums and column sums to
// the beliefs of other edges about the two features. If neither feature has another edge, it fits only the
// total.
func (s *solver) fitNewEdge() {
	// The gradient consists of row sums, column sums and totals of the beliefs, in the positions of delta and gamma.
	sums := s.scratchX
	s.gradient(s.a, sums)
	last := len(s.edges) - 1
	pair, edge := s.Pairs[last], s.edges[last]
	for k := range s.labelPairs { // k is the index of the label pair
		table, limits := edge.table(s.a, k), edge.table(s.capacity, k)
		copy(table, limits)
		rows, columns := s.sumsAbout(pair.I, sums, k), s.sumsAbout(pair.J, sums, k) // nil without another edge
		fitMargins(table, limits, rows, columns, edge.dj)
		if rows == nil && columns == nil {
			total := sums[s.edges[0].gamma+k] // of the first edge; in a solution, all totals are equal
			fit(table, limits, 1, total)
		}
	}
}

// sumsAbout returns, for each value of a feature, the sum of an edge's beliefs about this value, for the
// label pair with index k. The argument sums contains these sums for all edges (see fitNewEdge). sumsAbout
// uses the first edge that has the feature. It ignores the last edge, which is new. If no other edge has the
// feature, it returns nil.
func (s *solver) sumsAbout(feature int, sums []float64, k int) []float64 {
	for e, edge := range s.edges[:len(s.edges)-1] {
		sumsI, sumsJ := edge.messages(sums, k)
		switch feature {
		case s.Pairs[e].I:
			return sumsI
		case s.Pairs[e].J:
			return sumsJ
		}
	}
	return nil
}

// fitMargins changes a table with rows of the given width by iterative proportional fitting, so that it has
// approximately the row sums in the slice rows and the column sums in the slice columns. No value exceeds its
// limit. If one of the two slices is nil, these sums are not fitted.
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

// fit scales the values at indices 0, stride, 2 stride, ... so that they sum to want, and then
// reduces values that exceed their limits.
func fit(values, limits []float64, stride int, want float64) {
	sum := 0.0
	for c := 0; c < len(values); c += stride {
		sum += values[c]
	}
	if sum == 0 {
		return // scaling cannot change the sum
	}
	for c := 0; c < len(values); c += stride {
		values[c] = math.Min(limits[c], values[c]*want/sum)
	}
}
