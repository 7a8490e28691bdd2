package field

// descendants returns a matrix whose element [v][u] is true if a directed path leads from v to u.
// The graph must be acyclic.
func (g *graph) descendants() [][]bool {
	children := g.children()
	reached := make([][]bool, len(g.nodes)) // nil: not computed yet
	for v := range g.nodes {
		follow(v, children, reached)
	}
	return reached
}

// follow marks the nodes to which a directed path leads from v in reached[v], unless an earlier call
// has done so.
func follow(v int, children [][]int, reached [][]bool) {
	if reached[v] != nil {
		return
	}
	reached[v] = make([]bool, len(children))
	for _, w := range children[v] {
		follow(w, children, reached)
		reached[v][w] = true
		for u, isReached := range reached[w] {
			reached[v][u] = reached[v][u] || isReached
		}
	}
}

// children returns the children of each node in ascending order.
func (g *graph) children() [][]int {
	children := make([][]int, len(g.nodes))
	for v, parents := range g.relatives {
		for u, isParent := range parents {
			if isParent {
				children[u] = append(children[u], v)
			}
		}
	}
	return children
}

// reversible reports whether the arc u -> v can be reversed without creating a cycle. This is
// possible if no other path leads from u to v.
func (g *graph) reversible(v, u int, descends [][]bool) bool {
	for w, parents := range g.relatives {
		if w != v && parents[u] && descends[w][v] {
			return false
		}
	}
	return true
}
