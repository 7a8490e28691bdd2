package tree

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Arborescence returns each vertex's parent, -1 for a root, in the directed
// forest of greatest total weight; weight.At(u, v) is that of u being v's
// parent. With spanning there is exactly one root, else a vertex becomes a root
// where that pays, a root weighing 0. The diagonal is not read; other weights
// are finite. Of equally good parents of a vertex the smallest is preferred,
// weights that differ by rounding alone being equal (quantise).
//
// Edmonds' algorithm (1967), O(d^3), from a vertex d above all others.
func Arborescence(weight mat.Matrix, spanning bool) []int {
	d, _ := weight.Dims()
	weights, largest := make([]float64, 0, d*d), 0.0
	for u := range d {
		for v := range d {
			if u != v {
				weights = append(weights, weight.At(u, v))
				largest = max(largest, math.Abs(weight.At(u, v)))
			}
		}
	}
	quantise(weights)
	root := 0.0
	if spanning { // more than any tree could gain by a second root
		root = -1
		if largest > 0 {
			root = -math.Ldexp(1, math.Ilogb(2*largest*float64(d))+1)
		}
	}
	w := square(d + 1)
	for u := range d {
		for v := range d {
			if u != v {
				w[u][v] = weights[0]
				weights = weights[1:]
			}
		}
		w[d][u] = root
	}
	parent := edmonds(w, d)[:d]
	for v, u := range parent {
		if u == d {
			parent[v] = -1
		}
	}
	return parent
}

// square returns an n x n matrix of -Inf: no edges.
func square(n int) [][]float64 {
	w, all := make([][]float64, n), make([]float64, n*n)
	for k := range all {
		all[k] = math.Inf(-1)
	}
	for u := range w {
		w[u] = all[u*n:][:n]
	}
	return w
}

// edmonds returns the parents, -1 for the root, of the heaviest arborescence.
func edmonds(w [][]float64, root int) []int {
	n := len(w)
	parent := make([]int, n)
	for v := range parent {
		parent[v] = -1
		for u := range n {
			if v != root && u != v && (parent[v] < 0 || w[u][v] > w[parent[v]][v]) {
				parent[v] = u
			}
		}
	}
	cycle := findCycle(parent)
	if cycle == nil {
		return parent
	}
	// Contract the cycle into one vertex c. Entering it at v replaces v's parent.
	inside, number, vertices := make([]bool, n), make([]int, n), []int{}
	for _, v := range cycle {
		inside[v] = true
	}
	for v := range n {
		if !inside[v] {
			number[v] = len(vertices)
			vertices = append(vertices, v)
		}
	}
	c := len(vertices)
	small := square(c + 1)
	entry, exit := make([]int, c), make([]int, c) // cycle vertex of the best edge from and to each outside vertex
	for k, u := range vertices {
		entry[k], exit[k] = cycle[0], cycle[0]
		for _, v := range cycle {
			if gain := w[u][v] - w[parent[v]][v]; gain > small[k][c] {
				small[k][c], entry[k] = gain, v
			}
			if w[v][u] > small[c][k] {
				small[c][k], exit[k] = w[v][u], v
			}
		}
		for l, v := range vertices {
			small[k][l] = w[u][v]
		}
	}
	for k, p := range edmonds(small, number[root]) {
		switch {
		case p < 0:
		case k == c:
			parent[entry[p]] = vertices[p]
		case p == c:
			parent[vertices[k]] = exit[k]
		default:
			parent[vertices[k]] = vertices[p]
		}
	}
	return parent
}

// findCycle returns the vertices of a cycle of the parent map, nil if there is
// none.
func findCycle(parent []int) []int {
	const unseen = -1
	walk := make([]int, len(parent)) // the walk that reached each vertex first
	for v := range walk {
		walk[v] = unseen
	}
	for start := range parent {
		v := start
		for v >= 0 && walk[v] == unseen {
			walk[v] = start
			v = parent[v]
		}
		if v < 0 || walk[v] != start {
			continue
		}
		cycle := []int{v}
		for u := parent[v]; u != v; u = parent[u] {
			cycle = append(cycle, u)
		}
		return cycle
	}
	return nil
}
