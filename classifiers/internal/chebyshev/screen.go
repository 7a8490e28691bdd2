package chebyshev

import (
	"slices"

	"copse/stats"
)

// An adversary is a part of the population in which any values of the features may have either of
// two labels. No rule can predict these labels. So twice the mass of an adversary is a lower bound
// on the optimal value DCC_h.
//
// This type describes an adversary of one tree by the masses of each feature's values. They include
// masses that are lost at edges further from the root (see newAdversary).
type adversary struct {
	single map[int][]float64 // single[i][v] limits the mass with x_i = v; no entry if no edge contains feature i
	lost   float64           // largest mass by which single[i] may exceed the marginal of feature i
}

// newAdversary computes the adversary of the tree with the edges of p. There must be two classes.
//
// The argument beliefs contains a table for each edge: the approximate mass of the adversary in
// each cell (x_i,x_j). Tables with a common feature may disagree about the masses of its values. So
// newAdversary reads only the root's masses from a table. It then goes from the root to the leaves
// and divides the mass of each value of a parent among the values of the child. In each cell, the
// mass is limited. Mass beyond these limits is lost.
func newAdversary(p *problem, beliefs []float64) adversary {
	const labelPair = 0 // the only one, because there are two classes
	result := adversary{single: map[int][]float64{}}
	f := newForest(p.Marginals) // its edges are in the order from the leaves to the root
	for k, e := range slices.Backward(f.edges) {
		child := f.child[k]
		parent := p.other(e, child) // the other feature of edge e
		t := edgeTable{
			tableShape: p.shape(e, child),
			beliefs:    p.edges[e].table(beliefs, labelPair),
			limits:     p.edges[e].table(p.maxBelief, labelPair),
		}
		isRoot := result.single[parent] == nil // the masses of other parents are already computed
		if isRoot {
			result.single[parent] = t.parentSums()
		}
		masses, lost := t.passOn(result.single[parent])
		result.single[child] = masses
		result.lost += lost
	}
	return result
}

// An edgeTable contains the beliefs of one edge, from a parent feature to a child feature, and
// their upper limits.
type edgeTable struct {
	tableShape
	beliefs, limits []float64
}

// parentSums returns the sum of the beliefs for each value of the parent.
func (t *edgeTable) parentSums() []float64 {
	sums := make([]float64, t.parents)
	for v := range sums {
		for c := range t.children {
			sums[v] += t.beliefs[t.index(v, c)]
		}
	}
	return sums
}

// passOn divides the masses of the parent's values v, parent[v], among the values c of the child.
// Value c receives mass in proportion to the belief in the cell (v,c), up to the limit of this
// cell. The total mass beyond the limits is lost.
func (t *edgeTable) passOn(parent []float64) (child []float64, lost float64) {
	child = make([]float64, t.children)
	for v, sum := range t.parentSums() { // sum of the beliefs in all cells (v,c)
		lost += parent[v] // the loop below subtracts the masses that the child receives
		if sum <= 0 {
			continue // without beliefs about v, all its mass is lost
		}
		for c := range child {
			at := t.index(v, c)
			mass := min(t.beliefs[at]*parent[v]/sum, t.limits[at])
			child[c] += mass
			lost -= mass
		}
	}
	return child, lost
}

// screenBound returns a lower bound on DCC_h of the tree that edge e would create by joining two
// trees. There must be two classes.
//
// The bound is twice the mass of an adversary of the new tree. The adversaries of the two old trees
// limit the row and column sums of a table over the cells (x_i,x_j) of edge e. The mass of the new
// adversary is at least the total of this table, minus the masses that are lost at the edges of the
// old trees. The time does not depend on the size of the trees.
func (g *growth) screenBound(e int) float64 {
	p := g.Pairs[e]
	i, j := g.treesOf(e)
	a, b := &g.parts[i].adversary, &g.parts[j].adversary
	mass := -a.lost - b.lost
	for _, v := range g.joiningTable(e, a.single[p.I], b.single[p.J]) {
		mass += v
	}
	return 2 * mass
}

// joiningTable returns a table over the cells (x_i,x_j) of edge e. Its total is large, but need not
// be the largest within these limits: Row x_i sums to at most rows[x_i], and column x_j to at most
// columns[x_j]. An element is at most the probability of the cell with the rarer of the two labels.
// If rows or columns is nil, the corresponding sums have no limit.
func (g *growth) joiningTable(e int, rows, columns []float64) []float64 {
	width := g.Levels[g.Pairs[e].J]
	limits := make([]float64, g.size(e)) // of the elements
	g.smallerMass(e, stats.Pair{I: 0, J: 1}, limits)
	table := slices.Clone(limits)
	// If the row sums and the column sums are both limited, fitting the margins first gives a
	// larger total. If only one of them is limited, scaling down alone gives the largest total.
	if rows != nil && columns != nil {
		fitMargins(table, limits, rows, columns, width)
	}
	scaleDownSums(table, rows, columns, width) // fitMargins is only approximate
	return table
}
