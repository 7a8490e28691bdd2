package field

// A set of positions.
type set []uint64

func newSet(m int) set       { return make(set, (m+63)/64) }
func (s set) has(v int) bool { return s[v/64]>>(v%64)&1 == 1 }
func (s set) include(v int)  { s[v/64] |= 1 << (v % 64) }
func (s set) unite(other set) {
	for k, word := range other {
		s[k] |= word
	}
}

// descendants returns, for each node, those that a directed path leads to. A node
// is done after its children, all of them found by one look at the parents of
// every node: O(m^2 + arcs m/64).
func (g *graph) descendants() []set {
	m := len(g.nodes)
	children, left := make([][]int, m), make([]int, m)
	for v, parents := range g.relatives {
		for u, in := range parents {
			if in {
				children[u] = append(children[u], v)
				left[u]++
			}
		}
	}
	var done []int
	reached := make([]set, m)
	for v := range reached {
		reached[v] = newSet(m)
		if left[v] == 0 {
			done = append(done, v)
		}
	}
	for ; len(done) > 0; done = done[1:] {
		v := done[0]
		for _, w := range children[v] {
			reached[v].include(w)
			reached[v].unite(reached[w])
		}
		for u, in := range g.relatives[v] {
			if in {
				if left[u]--; left[u] == 0 {
					done = append(done, u)
				}
			}
		}
	}
	return reached
}

// reversible reports whether the arc u -> v can be turned round: no other path
// leads from u to v.
func (g *graph) reversible(v, u int, descends []set) bool {
	for w, parents := range g.relatives {
		if w != v && parents[u] && descends[w].has(v) {
			return false
		}
	}
	return true
}
