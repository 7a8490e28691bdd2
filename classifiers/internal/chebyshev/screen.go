package chebyshev

import "slices"

// An adversary is a measure over the features of one tree and two labels for which no rule can
// separate the labels. Twice its mass is a lower bound on DCC_h, the optimal value. Only its marginals
// are stored. They are computed from the root to the leaves, and upper limits cut off some mass on the
// way. Marginals that were stored before still include this mass, the lost mass. So a stored
// marginal may be too large by up to the lost mass.
type adversary struct {
	single map[int][]float64 // single[i][v] limits the mass with x_i = v; no entry if no edge contains feature i
	lost   float64           // largest mass by which single[i] may exceed the marginal of feature i
}

// newAdversary computes an adversary from the beliefs about the edges of a tree, for two classes. The
// beliefs about an edge ij are a table of masses for the pairs of values (x_i, x_j). The marginal of a root
// consists of the sums of its beliefs. From the roots to the leaves, passOn then distributes the mass of each
// parent value among the values of the child feature. Mass above the limits p.capacity is lost.
func newAdversary(p *problem, beliefs []float64) adversary {
	result := adversary{single: map[int][]float64{}}
	f := newForest(p.Marginals)
	for k, child := range slices.Backward(f.child) { // from the roots to the leaves
		e := f.edges[k]
		parent := p.Pairs[e].other(child)
		t := edgeTable{
			tableShape: p.shape(e, child),
			beliefs:    p.edges[e].table(beliefs, 0), // two classes form one pair of labels, number 0
			limits:     p.edges[e].table(p.capacity, 0),
		}
		if result.single[parent] == nil { // a root
			result.single[parent] = t.parentSums()
		}
		masses, lost := t.passOn(result.single[parent])
		result.single[child] = masses
		result.lost += lost
	}
	return result
}

// An edgeTable contains the beliefs of one edge between a parent feature and a child feature, with their
// upper limits.
type edgeTable struct {
	tableShape
	beliefs, limits []float64
}

// parentSums returns the sum of the beliefs about each parent value.
func (t *edgeTable) parentSums() []float64 {
	sums := make([]float64, t.parents)
	for v := range sums {
		for c := range t.children {
			sums[v] += t.beliefs[t.index(v, c)]
		}
	}
	return sums
}

// passOn distributes parent[v], the mass of each parent value v, among the child values. The shares are
// proportional to the beliefs about v and each child value, but do not exceed the limits. passOn returns the masses
// of the child values, and the mass that is lost because of the limits.
func (t *edgeTable) passOn(parent []float64) (child []float64, lost float64) {
	child = make([]float64, t.children)
	for v, belief := range t.parentSums() {
		lost += parent[v]
		if belief <= 0 {
			continue // without beliefs about v, all its mass is lost
		}
		for c := range child {
			at := t.index(v, c)
			mass := min(t.beliefs[at]*parent[v]/belief, t.limits[at])
			child[c] += mass
			lost -= mass
		}
	}
	return child, lost
}

// screenBound returns a lower bound on DCC_h, the optimal worst-case loss, for the tree that edge e would
// create by joining two trees. There must be two classes. The bound is twice the mass of an adversary of the
// joined tree: a part of the population in which the same features may have either label. screenBound fits the
// largest possible table for e to the marginals of the adversaries of both trees, and caps it at them. The time
// does not depend on the size of the trees.
func (g *growth) screenBound(e int) float64 {
	p := g.Pairs[e]
	a, b := &g.parts[g.treeOf[p.I]].adversary, &g.parts[g.treeOf[p.J]].adversary
	rows, columns := a.single[p.I], b.single[p.J] // marginals; nil in a tree of one feature, which limits nothing
	width := g.Levels[p.J]
	limits := make([]float64, g.size(e))
	g.sharedMass(e, [2]int{0, 1}, limits)
	table := slices.Clone(limits)      // the largest possible table
	if rows != nil && columns != nil { // otherwise scaling down below gives the largest mass without a fit
		fitMargins(table, limits, rows, columns, width)
	}
	scaleDownSums(table, rows, columns, width) // the fit may exceed the marginals
	mass := -a.lost - b.lost                   // the marginals of the adversaries may be too large by their lost mass
	for _, v := range table {
		mass += v
	}
	return 2 * mass
}
