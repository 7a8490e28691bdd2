package tree

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Arborescence returns each vertex's parent, or -1 for a root, in the directed forest of
// greatest total weight. weight.At(u, v) is the weight of u as the parent of v, and a root
// has weight 0. With spanning there is exactly one root. The diagonal is not read; other
// weights are finite. Weights that differ by rounding alone count as equal (quantise). Of
// equally good parents the smallest is preferred.
//
// It is Edmonds' algorithm (1967) from an additional vertex d above all others. Contracting a
// cycle of k vertices takes O(k d), and everything O(d^2 log d).
func Arborescence(weight mat.Matrix, spanning bool) []int {
	d, _ := weight.Dims()
	var weights []float64 // off the diagonal, row by row
	for u := range d {
		for v := range d {
			if u != v {
				weights = append(weights, weight.At(u, v))
			}
		}
	}
	root := 0.0
	if spanning {
		root = rootPenalty(weights, d)
	}
	quantise(weights, 0)
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

// rootPenalty returns a negative weight of roots such that no forest on d vertices gains by a
// second root.
func rootPenalty(weights []float64, d int) float64 {
	largest := 0.0
	for _, w := range weights {
		largest = max(largest, math.Abs(w))
	}
	if largest == 0 {
		return -1
	}
	return -math.Ldexp(1, math.Ilogb(2*largest*float64(d))+1) // a power of two, so that sums are exact
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

// edmonds returns the parents, -1 for the root, of the heaviest arborescence, where w[u][v] is
// the weight of the edge from u to v. It contracts cycles of best parents until there are none,
// and then expands them again. It overwrites w.
func edmonds(w [][]float64, root int) []int {
	n := len(w)
	parent, active := make([]int, n), make([]int, n)
	for v := range parent {
		active[v] = v
	}
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
		active = append(c.outside, cycle[0])
		contracted = append(contracted, c)
	}
	for k := len(contracted) - 1; k >= 0; k-- {
		contracted[k].expand(parent)
	}
	return parent
}

// bestParent returns the first of the vertices from which the heaviest edge leads
// to v.
func bestParent(w [][]float64, vertices []int, v int) int {
	best := -1
	for _, u := range vertices {
		if u != v && (best < 0 || w[u][v] > w[best][v] || w[u][v] == w[best][v] && u < best) {
			best = u
		}
	}
	return best
}

// A contraction replaces a cycle by its first vertex.
type contraction struct {
	cycle   []int // the vertices of the cycle
	parents []int // parents[k] is the parent of cycle[k] in the cycle
	outside []int // all other vertices
	entry   []int // entry[k] is where the best edge from outside[k] enters the cycle
	exit    []int // exit[k] is where the best edge to outside[k] leaves the cycle
}

// contract replaces the cycle by its first vertex in w and parent. An edge that enters the
// cycle at v replaces the edge from v's parent, so its weight is the difference of both. It
// takes O(|cycle| |active|).
func contract(w [][]float64, active, parent, cycle []int) contraction {
	c := contraction{cycle: cycle}
	for _, v := range cycle {
		c.parents = append(c.parents, parent[v])
	}
	one := cycle[0]
	for _, u := range active {
		if slices.Contains(cycle, u) {
			continue
		}
		entry, exit, in := one, one, math.Inf(-1)
		for k, v := range cycle {
			if gain := w[u][v] - w[c.parents[k]][v]; gain > in {
				in, entry = gain, v
			}
			if w[v][u] > w[exit][u] {
				exit = v
			}
		}
		c.outside, c.entry, c.exit = append(c.outside, u), append(c.entry, entry), append(c.exit, exit)
		w[u][one], w[one][u] = in, w[exit][u]
		if slices.Contains(cycle, parent[u]) {
			parent[u] = one
		}
	}
	for _, v := range cycle {
		parent[v] = -1
	}
	parent[one] = bestParent(w, c.outside, one)
	return c
}

// expand replaces the first vertex of the cycle by the cycle in parent. Edges that left it get
// their vertex of the cycle. The edge that entered it replaces one edge of the cycle.
func (c *contraction) expand(parent []int) {
	one := c.cycle[0]
	from := parent[one]
	for k, u := range c.outside {
		if parent[u] == one {
			parent[u] = c.exit[k]
		}
	}
	for k, v := range c.cycle {
		parent[v] = c.parents[k]
	}
	k := slices.Index(c.outside, from)
	if k >= 0 {
		parent[c.entry[k]] = from
	}
}

// findCycle returns the vertices of a cycle of the parent map, or nil if there is none.
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
