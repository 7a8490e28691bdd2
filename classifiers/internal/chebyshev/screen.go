package chebyshev

import "slices"

// An adversary is a measure over the features of one tree and two labels that no rule can
// separate: 2 mass is a lower bound of DCC_h. Its marginals are known but for what was lost when
// they were made consistent.
type adversary struct {
	single map[int][]float64 // by feature, at least the measure's marginal
	lost   float64           // at most this much of their mass is not the measure's
}

// newAdversary turns the beliefs about the edges of a tree, for two classes, into a
// measure. From a root on, it passes the mass of each value of a feature on to the values
// of the next one, in proportion to the beliefs and within the capacities.
func newAdversary(p *problem, beliefs []float64) adversary {
	m := adversary{single: map[int][]float64{}}
	f := newForest(p.Marginals)
	for k := len(f.edges) - 1; k >= 0; k-- { // from the roots to the leaves
		e, child := f.edges[k], f.child[k]
		i, j := p.Pairs[e].I, p.Pairs[e].J
		t := edgeTable{
			beliefs: beliefs[p.cell[e]:p.cell[e+1]],
			limits:  p.capacity[p.cell[e]:p.cell[e+1]],
			child:   p.Levels[child],
			stepP:   p.Levels[j], stepC: 1,
		}
		parent := i
		if child == i {
			parent = j
			t.stepP, t.stepC = 1, p.Levels[j]
		}
		if m.single[parent] == nil { // a root
			m.single[parent] = t.margin(p.Levels[parent])
		}
		var lost float64
		m.single[child], lost = t.passOn(m.single[parent])
		m.lost += lost
	}
	return m
}

// An edgeTable has the beliefs and capacities of one edge. Value v of the parent and value
// c of the child are at v*stepP + c*stepC.
type edgeTable struct {
	beliefs, limits []float64
	child           int // number of the child's values
	stepP, stepC    int
}

// margin returns the beliefs about each of the parent's values.
func (t *edgeTable) margin(values int) []float64 {
	sums := make([]float64, values)
	for v := range sums {
		for c := range t.child {
			sums[v] += t.beliefs[v*t.stepP+c*t.stepC]
		}
	}
	return sums
}

// passOn returns the mass of the child's values that follows from the mass of the parent's
// values, and how much was lost because of the limits.
func (t *edgeTable) passOn(parent []float64) (child []float64, lost float64) {
	child = make([]float64, t.child)
	for v, given := range t.margin(len(parent)) {
		lost += parent[v]
		if given <= 0 {
			continue // nothing shows where the mass of v goes: all of it is lost
		}
		for c := range child {
			at := v*t.stepP + c*t.stepC
			goes := min(t.beliefs[at]*parent[v]/given, t.limits[at])
			child[c] += goes
			lost -= goes
		}
	}
	return child, lost
}

// screen returns a lower bound of the bound of the tree that pair e would make, for two
// classes. It fits a table of e, within its capacities, to the marginals of the adversaries
// of the two trees and counts the mass that remains. The time does not depend on the trees.
// The bound is valid because a measure stays one if it loses mass at single values.
func (g *growth) screen(e int) float64 {
	p := g.Pairs[e]
	di, dj := g.Levels[p.I], g.Levels[p.J]
	mu := g.Table(e)
	limits := make([]float64, di*dj) // the capacities of e
	for c := range limits {
		limits[c] = min(mu[c], mu[di*dj+c])
	}
	table := slices.Clone(limits)
	a, b := &g.parts[g.tree[p.I]].adversary, &g.parts[g.tree[p.J]].adversary
	rows, columns := a.single[p.I], b.single[p.J] // nil for a tree of one feature
	if rows != nil && columns != nil {
		fitMargins(table, limits, rows, columns, dj)
	}
	for v, want := range rows {
		scaleDown(table[v*dj:][:dj], 1, want)
	}
	for v, want := range columns {
		scaleDown(table[v:], dj, want)
	}
	mass := -a.lost - b.lost
	for _, v := range table {
		mass += v
	}
	return 2 * mass
}
