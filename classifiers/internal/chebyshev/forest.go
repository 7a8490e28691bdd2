package chebyshev

import (
	"math"
	"slices"

	"copse/classifiers/internal/tree"
	"copse/stats"
)

// A forest is a set of edges without cycles. The edges are ordered so that dynamic programming can
// eliminate one feature after another.
type forest struct {
	*Marginals
	edges []int // indices of Pairs, from the leaves to the roots
	child []int // child[k] is the feature that is eliminated with edges[k]
}

// newForest returns the forest whose edges are the pairs of features m.Pairs, or nil if the pairs contain a
// cycle. The edges are in the order of elimination, from the leaves to the roots. tree.Parents returns the
// features in the opposite order, and the parent of each feature (-1 for a root). It leaves out edges that
// close a cycle.
func newForest(m *Marginals) *forest {
	edgeOf, edges := map[Pair]int{}, make([]tree.Edge, len(m.Pairs))
	for e, p := range m.Pairs {
		edges[e] = tree.Edge(p)
		edgeOf[p], edgeOf[Pair{p.J, p.I}] = e, e
	}
	parent, order := tree.Parents(len(m.Levels), edges)
	f := &forest{Marginals: m}
	for _, child := range slices.Backward(order) {
		if parent[child] >= 0 { // a root has no parent and therefore no edge
			f.edges = append(f.edges, edgeOf[Pair{parent[child], child}])
			f.child = append(f.child, child)
		}
	}
	hasCycle := len(f.edges) < len(m.Pairs)
	if hasCycle {
		return nil
	}
	return f
}

// least returns the minimum of nu(x,y) + nu(x,z) over all x, for a pair of labels y and z. The label cost
// nu(x,y) is the sum over the edges ij of nu_ij(x_i,x_j,y). The argument costs contains these nu_ij in the
// layout of Mu. least eliminates one feature after another, from the leaves to the roots (min-sum algorithm).
// messages[i][v] is the smallest cost of the subtree below feature i if x_i = v.
func (f *forest) least(costs []float64, labels [2]int) float64 {
	messages := make([][]float64, len(f.Levels))
	for i, d := range f.Levels {
		messages[i] = make([]float64, d)
	}
	isRoot := slices.Repeat([]bool{true}, len(f.Levels))
	// f.edges is in order from the leaves to the roots, so messages[child] is complete when it is used.
	for k, e := range f.edges {
		child := f.child[k]
		toParent := messages[f.Pairs[e].other(child)]
		isRoot[child] = false
		// For each value v of the parent, add the smallest cost of edge e and of the subtree below the child.
		for v, cost := range f.eliminate(costs, e, child, messages[child], labels) {
			toParent[v] += cost
		}
	}
	sum := 0.0
	for i, root := range isRoot {
		if root {
			sum += slices.Min(messages[i])
		}
	}
	return sum
}

// eliminate returns, for each value of the parent in edge e, the smallest cost of e and the subtree below the
// child, over all values of the child. The cost of e for a pair of values is the sum of the costs of both
// labels, which the slice costs contains in the layout of Mu. message[v] is the smallest cost of the subtree
// below the child if the child has value v.
func (f *forest) eliminate(costs []float64, e, child int, message []float64, labels [2]int) []float64 {
	ofY, ofZ := f.labelTables(costs, e, labels)
	shape := f.shape(e, child)
	least := slices.Repeat([]float64{math.Inf(1)}, shape.parents)
	for above := range least { // values of the parent
		for below, cost := range message { // values of the child
			at := shape.index(above, below)
			least[above] = min(least[above], ofY[at]+ofZ[at]+cost)
		}
	}
	return least
}

// A tableShape describes the tables of an edge between a parent feature and a child feature.
type tableShape struct {
	parents, children         int // numbers of values of both features
	parentStride, childStride int // distances in the table between neighbouring values
}

// shape returns the shape of the tables of edge e, which leads to the given child feature.
func (m *Marginals) shape(e, child int) tableShape {
	di, dj := m.dims(e) // the table is d_i x d_j, row by row
	if child == m.Pairs[e].J {
		return tableShape{parents: di, children: dj, parentStride: dj, childStride: 1}
	}
	return tableShape{parents: dj, children: di, parentStride: 1, childStride: dj}
}

// index returns the index in the table for the given values of the parent and the child.
func (s tableShape) index(parent, child int) int { return parent*s.parentStride + child*s.childStride }

// cover returns the minimum of nu(x,y) + nu(x,z) over all x and y < z. The constraints of Eq. 13
// require this minimum to be at least 2.
func (f *forest) cover(costs []float64) float64 {
	least := math.Inf(1)
	for _, labels := range stats.Pairs(f.Classes) {
		least = min(least, f.least(costs, labels))
	}
	return least
}

// tighten scales nonnegative costs so that the smallest nu(x,y) + nu(x,z) is exactly 2, as the constraints
// require. It returns nu.mu, the bound that the scaled costs give.
func (f *forest) tighten(costs []float64) (bound float64) {
	scale := 2 / f.cover(costs)
	for j := range costs {
		costs[j] *= scale
		bound += costs[j] * f.Mu[j]
	}
	return bound
}
