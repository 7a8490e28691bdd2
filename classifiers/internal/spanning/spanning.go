// Package spanning finds maximum spanning trees of complete graphs (Chow and Liu 1968) for
// tree-augmented classifiers.
package spanning

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// An Edge joins the vertices I and J, where 0 <= I < J < d.
type Edge = stats.Pair

// Maximum returns the d-1 edges of the spanning tree with the largest total weight in the complete
// graph on d vertices, sorted by (I, J).
//
// Weights may have any sign. Weights that differ only by rounding count as equal (see quantise).
// Ties go to the lexicographically smaller edge, so the tree is unique. Maximum panics if a weight
// is NaN. It takes O(d^2 log d) time.
func Maximum(weight mat.Symmetric) []Edge {
	return maximum(quantised(weight, noLowerBound), compareByIndex)
}

// maximum returns the edges of the maximum spanning tree, sorted by (I, J). It uses Prim's
// algorithm, in O(d^2) time. Ties go to the edge that compare puts first.
func maximum(weight *mat.SymDense, compare func(a, b Edge) int) []Edge {
	d := weight.SymmetricDim()
	best := make([]Edge, d) // best[v]: preferred edge from v to the tree; Edge{}: none (an edge has I < J)
	inTree := make([]bool, d)
	var edges []Edge
	added := 0 // the vertex that was added last
	for range d - 1 {
		inTree[added] = true
		next := -1
		for v := range d {
			if inTree[v] {
				continue
			}
			e := edge(added, v)
			if best[v] == (Edge{}) || preferred(weight, e, best[v], compare) {
				best[v] = e
			}
			if next < 0 || preferred(weight, best[v], best[next], compare) {
				next = v
			}
		}
		edges = append(edges, best[next])
		added = next
	}
	slices.SortFunc(edges, compareByIndex)
	return edges
}

// MaximumOf returns the maximum spanning forest if forest is true, else the maximum spanning tree.
func MaximumOf(weight mat.Symmetric, forest bool) []Edge {
	if forest {
		return positive(quantised(weight, noLowerBound), compareByIndex)
	}
	return Maximum(weight)
}

func positive(weight *mat.SymDense, compare func(a, b Edge) int) []Edge {
	return slices.DeleteFunc(maximum(weight, compare), func(e Edge) bool { return weight.At(e.I, e.J) <= 0 })
}

// Informative returns the maximum spanning forest for weights that are mutual information in nats.
// Edges of equal weight are ordered by the ranks of their vertices.
func Informative(information mat.Symmetric, ranks func() []int) []Edge {
	q := quantised(information, leastInformation)
	return positive(q, func(a, b Edge) int {
		if q.At(a.I, a.J) <= 0 {
			return compareByIndex(a, b) // neither edge is in the forest
		}
		r := ranks()
		return compareByIndex(edge(r[a.I], r[a.J]), edge(r[b.I], r[b.J]))
	})
}

// quantised returns a copy of the weights in which weights are equal if they differ only by
// rounding. Differences up to lowerBound always count as rounding (see quantise).
func quantised(weight mat.Symmetric, lowerBound float64) *mat.SymDense {
	d := weight.SymmetricDim()
	pairs := stats.Pairs(d)
	weights := make([]float64, len(pairs))
	for k, p := range pairs {
		weights[k] = weight.At(p.I, p.J)
	}
	quantise(weights, lowerBound)
	q := mat.NewSymDense(d, nil)
	for k, p := range pairs {
		q.SetSym(p.I, p.J, weights[k])
	}
	return q
}

// Parents directs the edges of a tree or forest on d vertices away from the smallest vertex of each
// component. parent[v] is the parent of v, or -1 for a root. order contains every parent before its
// children.
func Parents(d int, edges []Edge) (parent, order []int) {
	neighbours := make([][]int, d)
	for _, e := range edges {
		neighbours[e.I] = append(neighbours[e.I], e.J)
		neighbours[e.J] = append(neighbours[e.J], e.I)
	}
	const unseen = -2
	parent = slices.Repeat([]int{unseen}, d)
	for root := range d {
		if parent[root] != unseen {
			continue
		}
		parent[root] = -1
		order = append(order, root)
		// Search breadth first. The queue is the part of order from the root on, and it grows in the loop.
		for k := len(order) - 1; k < len(order); k++ {
			for _, v := range neighbours[order[k]] {
				if parent[v] == unseen {
					parent[v] = order[k]
					order = append(order, v)
				}
			}
		}
	}
	return parent, order
}

func edge(a, b int) Edge { return Edge{I: min(a, b), J: max(a, b)} }

func compareByIndex(a, b Edge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }

// preferred reports whether edge a is preferred to edge b: a is heavier, or both are equally heavy
// and compare puts a first.
func preferred(weight *mat.SymDense, a, b Edge, compare func(a, b Edge) int) bool {
	wa, wb := weight.At(a.I, a.J), weight.At(b.I, b.J)
	return wa > wb || wa == wb && compare(a, b) < 0
}
