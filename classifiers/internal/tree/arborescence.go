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
// Edmonds' algorithm (1967) from a vertex d above all others: a cycle of k vertices
// is contracted in O(k d), all of them, and the sorting, in O(d^2 log d).
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
	quantise(weights, 0)
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

// edmonds returns the parents, -1 for the root, of the heaviest arborescence. It
// overwrites w.
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

// A contraction is a cycle that became one vertex, its first.
type contraction struct {
	cycle, parents []int // its vertices, and their parents in it
	outside        []int // all other vertices
	entry, exit    []int // cycle vertex of the best edge from and to each of these
}

// contract makes the cycle its first vertex. Entering it at v replaces v's parent.
// O(|cycle| |active|).
func contract(w [][]float64, active, parent, cycle []int) contraction {
	c := contraction{cycle: cycle}
	inside := make([]bool, len(parent))
	for _, v := range cycle {
		inside[v] = true
		c.parents = append(c.parents, parent[v])
	}
	one := cycle[0]
	for _, u := range active {
		if inside[u] {
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
		if parent[u] >= 0 && inside[parent[u]] {
			parent[u] = one
		}
	}
	for _, v := range cycle {
		parent[v] = -1
	}
	parent[one] = bestParent(w, c.outside, one)
	return c
}

// expand puts the cycle back.
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
	for k, u := range c.outside {
		if u == from {
			parent[c.entry[k]] = u
		}
	}
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
