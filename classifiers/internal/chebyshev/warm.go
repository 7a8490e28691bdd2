package chebyshev

import "math"

// startFrom sets the first iterate from the solutions of smaller problems, called parts. Without
// parts, the first iterate is zero.
//
// The edges of s must be the edges of all parts, in order, followed by one new edge. An iterate
// consists of the unknowns (messages and label costs) and of a vector of beliefs (multipliers).
//
// Only the part with the smallest upper bound, the tightest part, provides its unknowns. The other
// edges get neutral messages, which satisfy the constraints with label costs of 0. All parts provide
// their beliefs. At the solution, the beliefs of all edges have the same total, which is proportional
// to the bound. So the beliefs of each part are scaled to the bound of the tightest part.
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
	s.setNeutralMessages()
	first := 0 // first edge of the current part
	for k, p := range parts {
		if k == tightest {
			s.copyUnknowns(first, p) // overwrites the neutral messages
		}
		s.copyBeliefs(first, p, parts[tightest].bound)
		first += len(p.edges)
	}
	s.fitNewEdge()
}

// setNeutralMessages sets the messages gamma of all edges to -2/|E|. All other unknowns must be 0.
// Each constraint nu(y) + nu(z) >= 2/|E| + gamma + delta_ij + delta_ji is then 0 >= 0.
func (s *solver) setNeutralMessages() {
	gamma := s.x[s.edges[0].gammaStart:s.nuStart]
	for j := range gamma {
		gamma[j] = -s.twoOverE
	}
}

// copyBeliefs copies the beliefs of part p to the edges of s from index first on, multiplied by
// bound / p.bound.
func (s *solver) copyBeliefs(first int, p part, bound float64) {
	scale := 1.0
	if p.bound > 0 {
		scale = bound / p.bound
	}
	beliefs := s.a[s.edges[first].beliefStart:]
	for c, belief := range p.end.a {
		beliefs[c] = scale * belief
	}
}

// copyUnknowns copies the unknowns of part p, p.end.x, to the edges of s from index first on. A
// problem with E edges contains its unknowns in this order:
//
//	delta_1 ... delta_E  gamma_1 ... gamma_E  nu_1 ... nu_E.
//
// There is no nu with two classes. The constraints contain 2/E + gamma. Since s has more edges than
// the part, copyUnknowns raises gamma to keep this sum.
func (s *solver) copyUnknowns(first int, p part) {
	begin := s.edges[first]
	end := s.edges[first+len(p.edges)] // exists, because the last edge of s belongs to no part
	delta := s.x[begin.deltaStartI:end.deltaStartI]
	gamma := s.x[begin.gammaStart:end.gammaStart]
	partDelta, rest := p.end.x[:len(delta)], p.end.x[len(delta):]
	partGamma, partNu := rest[:len(gamma)], rest[len(gamma):]
	copy(delta, partDelta)
	raise := 2/float64(len(p.edges)) - s.twoOverE
	for j, v := range partGamma {
		gamma[j] = v + raise
	}
	if s.hasCosts() {
		nu := s.x[s.nuStart:] // in the layout of Mu, where edge e begins at Start[e]
		copy(nu[s.Start[first]:], partNu)
	}
}

// coupleSweeps is the number of sweeps of proportional fitting in fitMargins.
const coupleSweeps = 10

// fitNewEdge sets the beliefs of the last edge, the new one, in agreement with the beliefs of the
// other edges. s must have at least two edges.
//
// The beliefs of an edge form a table for each pair of labels. Edges with a common feature should
// have equal sums of beliefs for each value of this feature. All edges should have the same total.
func (s *solver) fitNewEdge() {
	last := len(s.edges) - 1
	pair, edge := s.Pairs[last], s.edges[last]
	sums := s.scratchX // row sums in place of delta_ij, column sums of delta_ji, and totals of gamma_ij
	for _, other := range s.edges[:last] {
		s.sumBeliefs(other, s.a, sums)
	}
	for k := range s.labelPairs {
		table, limits := edge.table(s.a, k), edge.table(s.maxBelief, k)
		copy(table, limits) // start from the largest possible beliefs
		rows, columns := s.sumsAbout(pair.I, sums, k), s.sumsAbout(pair.J, sums, k)
		isSeparate := rows == nil && columns == nil // no other edge has one of the features
		if isSeparate {
			totalOfFirstEdge := sums[s.edges[0].gammaStart+k]
			fit(table, limits, adjacent, totalOfFirstEdge)
		} else {
			fitMargins(table, limits, rows, columns, edge.dj)
		}
	}
}

// sumsAbout returns the sum of the beliefs of label pair k for each value of a feature, at the first
// edge with this feature. If only the new edge has the feature, it returns nil. The argument sums
// contains the results of sumBeliefs for the other edges.
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

// fitMargins scales a table to row sums of about rows[r] and column sums of about columns[c]. No
// element exceeds its limit.
//
// It uses iterative proportional fitting: it scales all rows and then all columns, coupleSweeps
// times. It does not scale rows or columns whose sums are nil.
func fitMargins(table, limits, rows, columns []float64, width int) {
	for range coupleSweeps {
		for r, sum := range rows {
			fit(table[r*width:][:width], limits[r*width:][:width], adjacent, sum)
		}
		for c, sum := range columns {
			fit(table[c:], limits[c:], width, sum)
		}
	}
}

// adjacent is the stride of values that follow one another in a slice.
const adjacent = 1

// fit scales the values at indices 0, stride, 2 stride, ... to the given sum. It then reduces each
// value that exceeds its limit.
func fit(values, limits []float64, stride int, sum float64) {
	old := 0.0
	for c := 0; c < len(values); c += stride {
		old += values[c]
	}
	if old == 0 {
		return // scaling cannot change the sum
	}
	for c := 0; c < len(values); c += stride {
		values[c] = math.Min(limits[c], values[c]*sum/old)
	}
}
