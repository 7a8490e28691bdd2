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
// cycle. The edges are in the order of elimination, from the leaves to the roots. newForest reverses the order of
// tree.Parents, which lists the features from the roots to the leaves. tree.Parents also returns the parent of
// each feature, -1 for a root. It ignores each edge that closes a cycle, so in this case the forest has too few
// edges.
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

// least returns the smallest sum of the costs of two labels y and z, nu(x,y) + nu(x,z), over all feature vectors
// x. The cost nu(x,y) of a label is the sum of its costs for the edges. These are in the argument costs, which
// has the layout of Mu.
//
// least uses the min-sum algorithm: it eliminates one feature after another, from the leaves to the roots.
func (f *forest) least(costs []float64, labels [2]int) float64 {
	// messages[i][v] is the smallest cost of all edges below feature i if x_i = v.
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

// eliminate removes the child feature of edge e by minimising over its values. For each value of the parent
// feature, it returns the smallest cost of the edge and of all edges below the child. message[v] is the
// smallest cost of the edges below the child if the child has value v. The cost of edge e is the sum of the
// costs of both labels in its tables. The argument costs contains a table for each edge and label, as f.Mu
// does.
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

// shape returns the shape of the probability tables for the two features that edge e connects. child is the feature
// to which the edge leads.
func (m *Marginals) shape(e, child int) tableShape {
	di, dj := m.dims(e) // the table is d_i x d_j, row by row
	if child == m.Pairs[e].J {
		return tableShape{parents: di, children: dj, parentStride: dj, childStride: 1}
	}
	return tableShape{parents: dj, children: di, parentStride: 1, childStride: dj}
}

// index returns the index in the table for the given values of the parent and the child.
func (s tableShape) index(parent, child int) int { return parent*s.parentStride + child*s.childStride }

// cover returns the smallest sum of the costs of two labels: the minimum of nu(x,y) + nu(x,z). The minimum is
// over all combinations x of feature values and all labels y < z. The cost nu(x,y) of label y is the sum of its
// costs over all edges. Eq. 13 of the paper requires the minimum to be at least 2.
func (f *forest) cover(costs []float64) float64 {
	least := math.Inf(1)
	for _, labels := range stats.Pairs(f.Classes) {
		least = min(least, f.least(costs, labels))
	}
	return least
}

// tighten scales the label costs, which must not be negative, so that they just satisfy the constraints: for every
// feature vector, the costs of two different labels must sum to at least 2. Since cover returns the smallest of
// these sums, the factor is 2/cover. tighten returns an upper bound on the loss, the scalar product of the scaled
// costs and Mu.
func (f *forest) tighten(costs []float64) (bound float64) {
	scale := 2 / f.cover(costs)
	for j := range costs {
		costs[j] *= scale
		bound += costs[j] * f.Mu[j]
	}
	return bound
}
