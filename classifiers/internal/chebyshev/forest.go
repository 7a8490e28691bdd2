package chebyshev

import (
	"math"
	"slices"

	"copse/classifiers/internal/spanning"
	"copse/stats"
)

// A forest is a set of edges without cycles, ordered from the leaves to the roots. Each edge joins
// a child feature to its parent. In this order, dynamic programming eliminates one child after
// another (see least).
type forest struct {
	*Marginals
	edges []int // indices of Pairs, from the leaves to the roots
	child []int // child[k] is the feature that is eliminated with edges[k]
}

// newForest returns the forest with the edges m.Pairs, or nil if the edges contain a cycle.
func newForest(m *Marginals) *forest {
	edgeOf := map[stats.Pair]int{}
	for e, p := range m.Pairs {
		edgeOf[p], edgeOf[stats.Pair{I: p.J, J: p.I}] = e, e
	}
	parent, order := spanning.Parents(len(m.Levels), m.Pairs)
	f := &forest{Marginals: m}
	for _, child := range slices.Backward(order) { // children before their parents
		if parent[child] >= 0 {
			f.edges = append(f.edges, edgeOf[stats.Pair{I: parent[child], J: child}])
			f.child = append(f.child, child)
		}
	}
	// spanning.Parents ignores each edge that closes a cycle.
	hasCycle := len(f.edges) < len(m.Pairs)
	if hasCycle {
		return nil
	}
	return f
}

// least returns the smallest sum of the costs of two labels, over all feature vectors. The cost of a
// label is the sum of its costs over all edges. The argument costs has the layout of Mu.
func (f *forest) least(costs []float64, labels stats.Pair) float64 {
	// Eliminate the features from the leaves to the roots (min-sum algorithm). messages[i][v] is
	// the smallest cost of all edges below feature i if x_i = v.
	messages := make([][]float64, len(f.Levels))
	for i, d := range f.Levels {
		messages[i] = make([]float64, d)
	}
	isRoot := slices.Repeat([]bool{true}, len(f.Levels))
	// messages[child] is complete when it is used, because f.edges begins with the leaves.
	for k, e := range f.edges {
		child := f.child[k]
		toParent := messages[f.other(e, child)]
		isRoot[child] = false
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

// eliminate minimises over the values of the child feature of edge e. For each value of the parent,
// it returns the smallest cost of edge e and of all edges below it. message[v] is the smallest cost
// of the edges below the child if the child has the value v.
func (f *forest) eliminate(costs []float64, e, child int, message []float64, labels stats.Pair) []float64 {
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

// other returns the feature of edge e that is not the given one.
func (m *Marginals) other(e, feature int) int { return m.Pairs[e].I + m.Pairs[e].J - feature }

// A tableShape describes the tables of an edge between a parent feature and a child feature.
type tableShape struct {
	parents, children         int // numbers of values of both features
	parentStride, childStride int // differences of index between neighbouring values
}

// shape returns the shape of the tables of edge e if child is its child feature.
func (m *Marginals) shape(e, child int) tableShape {
	di, dj := m.dims(e) // the table is d_i x d_j, row by row
	if child == m.Pairs[e].J {
		return tableShape{parents: di, children: dj, parentStride: dj, childStride: 1}
	}
	return tableShape{parents: dj, children: di, parentStride: 1, childStride: dj}
}

// index returns the index in the table for the given values of the parent and the child.
func (s tableShape) index(parent, child int) int { return parent*s.parentStride + child*s.childStride }

// cover returns the smallest sum of the costs of two labels, over all feature vectors and pairs of
// labels. Eq. 13 of the paper requires a sum of at least 2.
func (f *forest) cover(costs []float64) float64 {
	least := math.Inf(1)
	for _, labels := range stats.Pairs(f.Classes) {
		least = min(least, f.least(costs, labels))
	}
	return least
}

// tighten scales the nonnegative label costs so that cover returns 2. It returns an upper bound on
// the expected loss: the scalar product of the new costs and f.Mu.
func (f *forest) tighten(costs []float64) (bound float64) {
	scale := 2 / f.cover(costs)
	for j := range costs {
		costs[j] *= scale
		bound += costs[j] * f.Mu[j]
	}
	return bound
}
