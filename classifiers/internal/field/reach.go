package field

// A set is a set of positions in a graph, one bit each.
type set []uint64

func newSet(m int) set       { return make(set, (m+63)/64) }
func (s set) has(v int) bool { return s[v/64]>>(v%64)&1 == 1 }
func (s set) include(v int)  { s[v/64] |= 1 << (v % 64) }
func (s set) unite(other set) {
	for k, word := range other {
		s[k] |= word
	}
}

// descendants returns, for each node, the set of nodes that a directed path from this node reaches.
// It visits every node after all its children, in O(m^2 + arcs m/64).
func (g *graph) descendants() []set {
	m := len(g.nodes)
	children := g.children()
	left := make([]int, m) // left[v] is the number of children of v that were not visited yet
	var ready []int        // nodes that can be visited: left is 0
	reached := make([]set, m)
	for v := range reached {
		reached[v] = newSet(m)
		left[v] = len(children[v])
		if left[v] == 0 {
			ready = append(ready, v)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		v := ready[0]
		for _, w := range children[v] {
			reached[v].include(w)
			reached[v].unite(reached[w])
		}
		for u, isParent := range g.relatives[v] {
			if isParent {
				left[u]--
				if left[u] == 0 {
					ready = append(ready, u)
				}
			}
		}
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

// reversible reports whether the graph stays acyclic if the arc u -> v is reversed. This is the
// case if no other directed path leads from u to v.
func (g *graph) reversible(v, u int, descends []set) bool {
	for w, parents := range g.relatives {
		if w != v && parents[u] && descends[w].has(v) {
			return false
		}
	}
	return true
}
