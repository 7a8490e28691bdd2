package chebyshev

// An adversary is a measure over the features of one tree and two labels that no
// rule tells apart: 2 mass is a lower bound of DCC_h. Its marginals are known but
// for what was lost when they were made consistent.
type adversary struct {
	single map[int][]float64 // by feature, at least the measure's marginal
	lost   float64           // at most this much of their mass is not the measure's
}

// newAdversary makes beliefs about the edges of a tree, two classes, a measure:
// from a root on, the beliefs of a feature's values given its parent's, cut to
// the capacities, say how the parent's mass goes on.
func newAdversary(p *problem, beliefs []float64) adversary {
	m := adversary{single: map[int][]float64{}}
	f := newForest(p.Marginals)
	for k := len(f.edges) - 1; k >= 0; k-- {
		e, child := f.edges[k], f.child[k]
		i, j := p.Pairs[e].I, p.Pairs[e].J
		parent := i + j - child
		stepP, stepC := p.Levels[j], 1 // of the parent's and the child's values in the table
		if parent == j {
			stepP, stepC = 1, p.Levels[j]
		}
		table, limits := beliefs[p.cell[e]:p.cell[e+1]], p.capacity[p.cell[e]:p.cell[e+1]]
		if m.single[parent] == nil {
			m.single[parent] = margin(table, p.Levels[parent], stepP, p.Levels[child], stepC)
		}
		single := make([]float64, p.Levels[child])
		given := margin(table, p.Levels[parent], stepP, p.Levels[child], stepC)
		for v, mass := range m.single[parent] {
			m.lost += mass
			if given[v] <= 0 {
				continue
			}
			for c := range single {
				at := v*stepP + c*stepC
				goes := min(table[at]*mass/given[v], limits[at])
				single[c] += goes
				m.lost -= goes
			}
		}
		m.single[child] = single
	}
	return m
}

// margin sums a table over its second variable.
func margin(table []float64, levels, step, others, stepOther int) []float64 {
	sums := make([]float64, levels)
	for v := range sums {
		for c := range others {
			sums[v] += table[v*step+c*stepOther]
		}
	}
	return sums
}

// screen returns a lower bound of the bound of the tree that pair e, two classes,
// would make, in a time that does not depend on the tree: of what both
// adversaries' marginals and the capacities of e let pass from one to the other.
// A measure may be thinned out at single values of one feature, and then still
// is one.
func (g *growth) screen(e int) float64 {
	p := g.Pairs[e]
	di, dj := g.Levels[p.I], g.Levels[p.J]
	table := g.Table(e)
	g.limits = g.limits[:0]
	for c, v := range table[:di*dj] {
		g.limits = append(g.limits, min(v, table[di*dj+c]))
	}
	g.table = append(g.table[:0], g.limits...)
	limits, t := g.limits, g.table
	a, b := &g.parts[g.tree[p.I]].adversary, &g.parts[g.tree[p.J]].adversary
	rows, columns := a.single[p.I], b.single[p.J]
	sweeps := coupleSweeps
	if rows == nil || columns == nil {
		sweeps = 0 // cutting down is best
	}
	for range sweeps {
		for v, want := range rows {
			fit(t[v*dj:][:dj], limits[v*dj:][:dj], 1, want)
		}
		for v, want := range columns {
			fit(t[v:], limits[v:], dj, want)
		}
	}
	for v, want := range rows {
		scaleDown(t[v*dj:][:dj], 1, want)
	}
	for v, want := range columns {
		scaleDown(t[v:], dj, want)
	}
	mass := -a.lost - b.lost
	for _, v := range t {
		mass += v
	}
	return 2 * mass
}
