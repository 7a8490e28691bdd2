package chebyshev

import "slices"

// An adversary is a part of the population, described for one tree. In this part, the same values of the
// features of the tree may have either of two labels. No rule can distinguish the labels of this part, so twice
// its mass is a lower bound on DCC_h, the optimal value. screenBound uses adversaries to bound DCC_h of joined
// trees.
//
// Only the marginals of single features are stored. They are computed from the root to the leaves. At each
// edge, some mass may be lost, because each pair of feature values has a limited mass. The marginals above the
// edge still include the lost mass, so they may be too large by up to this mass.
type adversary struct {
	single map[int][]float64 // single[i][v] limits the mass with x_i = v; no entry if no edge contains feature i
	lost   float64           // largest mass by which single[i] may exceed the marginal of feature i
}

// newAdversary computes an adversary of a tree, for two classes: a part of the population in which the same
// feature values may have either label. The result contains the marginals of its features and its lost mass.
//
// The argument beliefs contains, for each edge ij of the tree, a table with a mass for each pair of values
// (x_i, x_j). These masses are approximate, so two tables with a common feature may give it different
// marginals. Therefore newAdversary takes only the marginal of the root from a table: the sums of its beliefs.
// From the root to the leaves, passOn distributes the mass of each parent value among the values of the child,
// in the proportions of the beliefs. Mass above the limits p.capacity is lost.
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

// An edgeTable contains the beliefs of one edge between a parent feature and a child feature, and an upper
// limit for each belief.
type edgeTable struct {
	tableShape
	beliefs, limits []float64
}

// parentSums returns, for each value of the parent, the sum of the beliefs over all values of the child.
func (t *edgeTable) parentSums() []float64 {
	sums := make([]float64, t.parents)
	for v := range sums {
		for c := range t.children {
			sums[v] += t.beliefs[t.index(v, c)]
		}
	}
	return sums
}

// passOn distributes the mass parent[v] of each value v of the parent feature among the values c of the child
// feature. Value c gets a share proportional to the belief for the cell (v,c), but at most the limit for this
// cell. The excess is lost. passOn returns the mass of each c and the total mass that is lost.
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

// screenBound returns a lower bound on DCC_h, the smallest worst-case loss, for the tree that edge e would
// create by joining two trees. There must be two classes. An adversary of a tree is a part of the population in
// which the same feature values may have either label. No rule can distinguish the labels there, so DCC_h is at
// least twice the mass of any adversary.
//
// The adversaries of both trees are known. Their marginals for the features i and j of e are rows and columns.
// An adversary of the joined tree also needs a table of masses for the pairs of values (x_i, x_j), with
//
//	table <= min(mu(0), mu(1)),  row sums <= rows,  column sums <= columns.
//
// screenBound makes the total of this table as large as it easily can. The marginals may be too large by the
// lost masses of the adversaries (field lost). So the joined tree has an adversary with at least the total of
// the table minus both lost masses. The time does not depend on the size of the trees.
func (g *growth) screenBound(e int) float64 {
	p := g.Pairs[e]
	a, b := &g.parts[g.treeOf[p.I]].adversary, &g.parts[g.treeOf[p.J]].adversary
	rows, columns := a.single[p.I], b.single[p.J] // marginals; nil in a tree of one feature, which limits nothing
	width := g.Levels[p.J]
	limits := make([]float64, g.size(e))
	g.sharedMass(e, [2]int{0, 1}, limits)
	table := slices.Clone(limits)      // the largest possible table
	if rows != nil && columns != nil { // with one limit only, scaling down below gives the largest mass
		fitMargins(table, limits, rows, columns, width)
	}
	scaleDownSums(table, rows, columns, width) // the fit may exceed the marginals
	mass := -a.lost - b.lost                   // the marginals of the adversaries may be too large by their lost mass
	for _, v := range table {
		mass += v
	}
	return 2 * mass
}
