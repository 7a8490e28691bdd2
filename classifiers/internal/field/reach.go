package field

// A set is a set of nodes in a graph, with one bit for each node.
type set []uint64

func newSet(m int) set       { return make(set, (m+63)/64) }
func (s set) has(v int) bool { return s[v/64]>>(v%64)&1 == 1 }
func (s set) include(v int)  { s[v/64] |= 1 << (v % 64) }
func (s set) unite(other set) {
	for k, word := range other {
		s[k] |= word
	}
}

// descendants returns, for each node, the set of nodes reachable from it by a directed path. The graph
// must be acyclic.
func (g *graph) descendants() []set {
	children := g.children()
	reached := make([]set, len(g.nodes)) // nil: not computed yet
	var from func(v int) set
	from = func(v int) set {
		if reached[v] == nil {
			reached[v] = newSet(len(g.nodes))
			for _, w := range children[v] {
				reached[v].include(w)
				reached[v].unite(from(w))
			}
		}
		return reached[v]
	}
	for v := range g.nodes {
		from(v)
	}
	return reached
}

// children returns the children of each node, ascending.
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

// reversible reports whether the arc u -> v can be reversed without creating a cycle. This is possible if
// no other path leads from u to v.
func (g *graph) reversible(v, u int, descends []set) bool {
	for w, parents := range g.relatives {
		if w != v && parents[u] && descends[w].has(v) {
			return false
		}
	}
	return true
}
