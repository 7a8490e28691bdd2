package chebyshev

import "math"

// startFrom builds the first iterate from the solutions of smaller problems, called parts. The edges of s
// must be the edges of all parts, in order, followed by one new edge. Without parts, the first iterate is
// zero.
//
// An iterate consists of unknowns x and beliefs a. The unknowns come from the part with the
// smallest upper bound. The constraints of all other edges are made void (u = 0), so the iterate
// has the same upper bound. The beliefs of all parts are scaled to the mass of the part with the
// smallest upper bound. The beliefs of the new edge are fitted to the scaled beliefs.
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
	for e := range s.Pairs { // makes all constraints void; copyUnknowns restores some of them
		for k := range s.firstLabel {
			s.x[s.gammaStart[e]+k] = -s.evenShare // gamma = -2/|E| makes u = 2/|E| + gamma zero
		}
	}
	first := 0 // first edge of the current part
	for k, p := range parts {
		if k == tightest {
			s.copyUnknowns(first, p)
		}
		s.copyBeliefs(first, p, parts[tightest].bound)
		first += len(p.edges)
	}
	newEdge := first // the new edge comes last
	s.couple(newEdge)
}

// copyBeliefs copies the beliefs of part p to s, where the part's edges begin at edge first. It scales
// them so that the bound of the part becomes the given bound.
func (s *solver) copyBeliefs(first int, p part, bound float64) {
	scale := 1.0
	if p.bound > 0 {
		scale = bound / p.bound
	}
	for c, belief := range p.end.a {
		s.a[s.cell[first]+c] = scale * belief
	}
}

// copyUnknowns copies the unknowns of part p to s, where the edges of the part begin at edge first.
// The unknowns of a problem are the messages delta of all edges, then the prices gamma of all
// edges, and then the label costs nu. In a constraint, u is 2/|E| + gamma plus messages. Because s
// has more edges than the part, 2/|E| is smaller in s. copyUnknowns raises each gamma by the
// difference.
func (s *solver) copyUnknowns(first int, p part) {
	edges := len(p.edges)
	messagesEnd := s.gammaStart[0] // end of the messages if the part's edges are the last ones
	if first+edges < len(s.deltaStartI) {
		messagesEnd = s.deltaStartI[first+edges]
	}
	messages := copy(s.x[s.deltaStartI[first]:messagesEnd], p.end.x) // number of messages of the part
	gammas := edges * len(s.firstLabel)
	raise := 2/float64(edges) - s.evenShare // evenShare is 2/|E| in s
	for k, gamma := range p.end.x[messages:][:gammas] {
		s.x[s.gammaStart[first]+k] = gamma + raise
	}
	if len(s.firstLabel) > 1 { // with two classes there is no nu
		copy(s.x[s.nuStart+s.Start[first]:], p.end.x[messages+gammas:])
	}
}

// coupleSweeps is the number of sweeps of proportional fitting in fitMargins.
const coupleSweeps = 10

// couple sets the beliefs of the new edge e from the beliefs of the other edges. For each pair of
// labels, it starts at the largest possible beliefs. Then it fits the row sums and column sums to
// the beliefs of other edges about the two features. If neither feature has another edge, it fits
// only the total.
func (s *solver) couple(e int) {
	s.gradient(s.a, s.scratchX) // the gradient contains the row sums, column sums and totals of the beliefs
	di, dj := s.Levels[s.Pairs[e].I], s.Levels[s.Pairs[e].J]
	limits, a := s.capacity[s.cell[e]:s.cell[e+1]], s.a[s.cell[e]:s.cell[e+1]]
	copy(a, limits)
	for k := range s.firstLabel { // k is a pair of labels
		rows := s.belief(s.Pairs[e].I, s.deltaStartI[e], k)
		columns := s.belief(s.Pairs[e].J, s.deltaStartJ[e], k)
		table, tableLimits := a[k*di*dj:][:di*dj], limits[k*di*dj:][:di*dj]
		fitMargins(table, tableLimits, rows, columns, dj) // rows or columns is nil if its feature has no other edge
		if rows == nil && columns == nil {
			fit(table, tableLimits, 1, s.scratchX[s.gammaStart[0]+k]) // total of the beliefs of edge 0
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

// belief returns the sums of another edge's beliefs over each value of feature i, for label pair k. It
// returns nil if no other edge contains the feature. The new edge's messages about i begin at index at.
func (s *solver) belief(i, at, k int) []float64 {
	for _, b := range s.blocks[i] {
		if b != at {
			return s.scratchX[b+k*s.Levels[i]:][:s.Levels[i]]
		}
	}
	return nil
}

// fit scales the values at indices 0, stride, 2 stride, ... so that they sum to want, and then
// reduces values that exceed their limits.
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
