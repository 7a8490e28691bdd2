// Package tree finds maximum spanning trees of complete graphs, the step that
// every tree-augmented classifier shares (Chow and Liu 1968).
package tree

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An Edge joins vertices I < J of 0..d-1.
type Edge struct{ I, J int }

// Maximum returns the d-1 edges of the spanning tree of greatest total weight
// in the complete graph on d vertices, sorted by (I, J). Weights may be of any
// sign; NaN panics. Of equally heavy edges the lexicographically smaller one is
// preferred: this orders all edges strictly, so the tree is unique and does not
// depend on how it is found. Prim's algorithm, O(d^2).
func Maximum(weight mat.Symmetric) []Edge {
	d := weight.SymmetricDim()
	// best[v] is the preferred edge that joins v to the tree grown so far.
	best := make([]Edge, d)
	inTree := make([]bool, d)
	edges := make([]Edge, 0, d-1)
	for added := 0; ; { // vertex 0 first
		inTree[added] = true
		for v := range d {
			if e := edge(added, v); !inTree[v] && (best[v] == Edge{} || preferred(weight, e, best[v])) {
				best[v] = e
			}
		}
		next := -1
		for v := range d {
			if !inTree[v] && (next < 0 || preferred(weight, best[v], best[next])) {
				next = v
			}
		}
		if next < 0 {
			break
		}
		edges = append(edges, best[next])
		added = next
	}
	slices.SortFunc(edges, compare)
	return edges
}

// MaximumForest returns the edges of the forest of greatest total weight: those
// of Maximum whose weight is positive.
func MaximumForest(weight mat.Symmetric) []Edge {
	return slices.DeleteFunc(Maximum(weight), func(e Edge) bool {
		return weight.At(e.I, e.J) <= 0
	})
}

// Parents directs the edges of a tree or forest on d vertices away from the
// smallest vertex of each component and returns each vertex's parent, -1 for a
// root, and an order in which every parent comes before its children.
func Parents(d int, edges []Edge) (parent, order []int) {
	neighbours := make([][]int, d)
	for _, e := range edges {
		neighbours[e.I] = append(neighbours[e.I], e.J)
		neighbours[e.J] = append(neighbours[e.J], e.I)
	}
	const unseen = -2
	parent = make([]int, d)
	for v := range parent {
		parent[v] = unseen
	}
	for root := range d {
		if parent[root] != unseen {
			continue
		}
		parent[root] = -1
		order = append(order, root)
		for k := len(order) - 1; k < len(order); k++ { // breadth first
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

func edge(a, b int) Edge { return Edge{min(a, b), max(a, b)} }

func compare(a, b Edge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }

// preferred tells whether edge a comes before edge b: heavier, or as heavy and
// lexicographically smaller.
func preferred(weight mat.Symmetric, a, b Edge) bool {
	wa, wb := weight.At(a.I, a.J), weight.At(b.I, b.J)
	if math.IsNaN(wa) || math.IsNaN(wb) {
		panic(fmt.Sprintf("tree: edge %v or %v has no weight (NaN)", a, b))
	}
	return wa > wb || wa == wb && compare(a, b) < 0
}
