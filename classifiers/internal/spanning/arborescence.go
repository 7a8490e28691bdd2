package spanning

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// Arborescence returns the directed forest with the largest total weight, as the parent of each
// vertex, or -1 for a root. If spanning is true, the forest has exactly one root.
//
// The weight of u as the parent of v is weight.At(u, v). A root has weight 0. The diagonal of the
// matrix is not read, and all other weights must be finite. Weights that differ only by rounding
// count as equal (see quantise). Ties go to the smallest parent.
//
// The method is Edmonds' algorithm (1967), which takes O(d^2 log d) for d vertices. Contracting a
// cycle of k vertices takes O(k d).
func Arborescence(weight mat.Matrix, spanning bool) []int {
	d, _ := weight.Dims()
	weights := offDiagonal(weight)
	rootWeight := 0.0
	if spanning {
		rootWeight = rootPenalty(weights, d) // so large that the rounding below does not matter
	}
	quantise(weights, noLowerBound) // rounds the weights
	// Edmonds' algorithm needs a root, so an additional vertex d is the parent of all roots.
	parent := edmonds(withRoot(weights, d, rootWeight), d)[:d]
	for v, u := range parent {
		if u == d {
			parent[v] = -1
		}
	}
	return parent
}

// offDiagonal returns all elements of a square matrix except the diagonal, row by row.
func offDiagonal(m mat.Matrix) (elements []float64) {
	d, _ := m.Dims()
	for u := range d {
		for v := range d {
			if u != v {
				elements = append(elements, m.At(u, v))
			}
		}
	}
	return elements
}

// withRoot adds a vertex d to the graph with the given weights (see offDiagonal). Edges from d have
// the weight root. In the result w, the edge from u to v has the weight w[u][v].
func withRoot(weights []float64, d int, root float64) [][]float64 {
	w := make([][]float64, d+1)
	for u := range w {
		w[u] = make([]float64, d+1)
	}
	for u := range d {
		for v := range d {
			if u != v {
				w[u][v], weights = weights[0], weights[1:]
			}
		}
		w[d][u] = root
	}
	return w
}

// rootPenalty returns a negative weight for roots. It is so large in absolute value that a second
// root never raises the total weight of a forest on d vertices.
func rootPenalty(weights []float64, d int) float64 {
	largest := floats.Norm(weights, math.Inf(1))
	if largest == 0 {
		return -1
	}
	return -math.Ldexp(1, math.Ilogb(2*largest*float64(d))+1) // a power of two, so that sums are exact
}

// edmonds returns the parent of each vertex in the heaviest arborescence, or -1 for the given root.
// w[u][v] is the weight of the edge from u to v, for u != v and v != root. edmonds overwrites w.
func edmonds(w [][]float64, root int) []int {
	n := len(w)
	parent, active := make([]int, n), stats.Indices(n) // active: the vertices that still exist
	for v := range parent {
		parent[v] = bestParent(w, active, v)
	}
	parent[root] = -1
	var contracted []contraction
	for {
		cycle := findCycle(parent)
		if cycle == nil {
			break
		}
		c := contract(w, active, parent, cycle)
		active = append(c.outside, cycle[0]) // the first vertex replaces the cycle
		contracted = append(contracted, c)
	}
	for _, c := range slices.Backward(contracted) {
		c.expand(parent)
	}
	return parent
}

// bestParent returns the vertex with the heaviest edge to v. Ties go to the smallest vertex. If
// there is no other vertex, bestParent returns -1.
func bestParent(w [][]float64, vertices []int, v int) int {
	best := -1
	for _, u := range vertices {
		if u != v && (best < 0 || w[u][v] > w[best][v] || w[u][v] == w[best][v] && u < best) {
			best = u
		}
	}
	return best
}

// A contraction describes how a cycle was replaced by its first vertex.
type contraction struct {
	cycle   []int // the vertices of the cycle
	parents []int // parents[k] is the parent of cycle[k] in the cycle
	outside []int // all other vertices
	entry   []int // the best edge from outside[k] into the cycle leads to vertex entry[k] of the cycle
	exit    []int // the best edge from the cycle to outside[k] comes from vertex exit[k] of the cycle
}

// contract replaces a cycle by its first vertex, in w and parent. In Edmonds' algorithm, each
// vertex in active first chooses the heaviest edge that leads to it. If these edges form a cycle,
// the search continues in a smaller graph without this cycle. Later, expand restores the cycle
// without one of its edges.
func contract(w [][]float64, active, parent, cycle []int) contraction {
	c := contraction{cycle: cycle}
	for _, v := range cycle {
		c.parents = append(c.parents, parent[v])
		parent[v] = -1 // removes the cycle
	}
	for _, u := range active {
		if !slices.Contains(cycle, u) {
			c.outside = append(c.outside, u)
		}
	}
	c.mergeEntries(w)
	c.mergeExits(w, parent)
	first := cycle[0] // the vertex that replaces the cycle
	parent[first] = bestParent(w, c.outside, first)
	return c
}

// mergeEntries keeps only the best edge from each outside vertex u to the cycle. An edge from u to a
// vertex v of the cycle replaces the edge from v's parent in the cycle. So the new weight of the edge
// is the gain w[u][v] - w[parent of v][v].
func (c *contraction) mergeEntries(w [][]float64) {
	for _, u := range c.outside {
		entry, gain := c.bestEntry(w, u)
		c.entry = append(c.entry, entry)
		w[u][c.cycle[0]] = gain
	}
}

// mergeExits keeps only the best edge from the cycle to each outside vertex. In w and parent, it moves this
// edge to the first vertex of the cycle.
func (c *contraction) mergeExits(w [][]float64, parent []int) {
	first := c.cycle[0]
	for _, u := range c.outside {
		exit := c.bestExit(w, u)
		c.exit = append(c.exit, exit)
		w[first][u] = w[exit][u]
		if slices.Contains(c.cycle, parent[u]) {
			parent[u] = first // the heaviest edge to u still comes from the cycle
		}
	}
}

// bestEntry returns the vertex of the cycle at which the best edge from u enters. The gain is the
// increase of the total weight if this edge replaces the cycle's edge to the same vertex.
func (c *contraction) bestEntry(w [][]float64, u int) (entry int, gain float64) {
	entry, gain = c.cycle[0], math.Inf(-1)
	for k, v := range c.cycle {
		if g := w[u][v] - w[c.parents[k]][v]; g > gain {
			entry, gain = v, g
		}
	}
	return entry, gain
}

// bestExit returns the vertex of the cycle from which the heaviest edge leads to u.
func (c *contraction) bestExit(w [][]float64, u int) int {
	exit := c.cycle[0]
	for _, v := range c.cycle {
		if w[v][u] > w[exit][u] {
			exit = v
		}
	}
	return exit
}

// expand restores the cycle in parent. Edges that leave the cycle start at their original vertices
// again. If an edge enters the cycle, it replaces the cycle's edge to the same vertex.
func (c *contraction) expand(parent []int) {
	first := c.cycle[0]
	from := parent[first] // the parent of the contracted cycle
	for k, u := range c.outside {
		if parent[u] == first {
			parent[u] = c.exit[k]
		}
	}
	for k, v := range c.cycle {
		parent[v] = c.parents[k]
	}
	if k := slices.Index(c.outside, from); k >= 0 { // an edge enters the cycle
		parent[c.entry[k]] = from
	}
}

// findCycle returns the vertices of a cycle in the parent map, or nil if there is none.
func findCycle(parent []int) []int {
	const unseen = -1
	walk := slices.Repeat([]int{unseen}, len(parent)) // the walk that reached each vertex first
	for start := range parent {
		v := start
		for v >= 0 && walk[v] == unseen {
			walk[v] = start
			v = parent[v]
		}
		if v < 0 || walk[v] != start {
			continue // the walk ended at a root or at an earlier walk
		}
		cycle := []int{v}
		for u := parent[v]; u != v; u = parent[u] {
			cycle = append(cycle, u)
		}
		return cycle
	}
	return nil
}
