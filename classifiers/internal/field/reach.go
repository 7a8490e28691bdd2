package field

// ancestors returns a matrix whose element [v][u] is true if a directed path leads from u to v. The
// graph must be acyclic.
func (g *graph) ancestors() [][]bool {
	ancestors := make([][]bool, len(g.nodes))
	for v := range g.nodes {
		g.findAncestors(v, ancestors)
	}
	return ancestors
}

// findAncestors sets ancestors[v] and the ancestors of all nodes in it, unless they are already set.
func (g *graph) findAncestors(v int, ancestors [][]bool) {
	if ancestors[v] != nil {
		return
	}
	ancestors[v] = make([]bool, len(g.nodes))
	for parent, isParent := range g.relatives[v] {
		if !isParent {
			continue
		}
		g.findAncestors(parent, ancestors)
		ancestors[v][parent] = true
		for u, isAncestor := range ancestors[parent] {
			ancestors[v][u] = ancestors[v][u] || isAncestor
		}
	}
}

// reversible reports whether the arc u -> v can be reversed without creating a cycle. This is
// possible if no other path leads from u to v.
func (g *graph) reversible(v, u int, ancestors [][]bool) bool {
	for w, parents := range g.relatives {
		if w != v && parents[u] && ancestors[v][w] {
			return false
		}
	}
	return true
}
