package chebyshev

import "math"

// A forest is an edge set without cycles, in an order in which dynamic
// programming can eliminate one feature after the other.
type forest struct {
	*Marginals
	edges []int // from the leaves to the roots
	child []int // feature that edges[k] eliminates
}

// newForest returns nil when the pairs of m form a cycle.
func newForest(m *Marginals) *forest {
	incident := make([][]int, len(m.Levels))
	for e, p := range m.Pairs {
		incident[p.I] = append(incident[p.I], e)
		incident[p.J] = append(incident[p.J], e)
	}
	f := &forest{Marginals: m}
	seen := make([]bool, len(m.Levels))
	for root := range m.Levels {
		if seen[root] {
			continue
		}
		seen[root] = true
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			parents := 0
			for _, e := range incident[queue[0]] {
				other := m.Pairs[e].I + m.Pairs[e].J - queue[0]
				if seen[other] {
					parents++
					continue
				}
				seen[other] = true
				queue = append(queue, other)
				f.edges, f.child = append(f.edges, e), append(f.child, other)
			}
			if parents > 1 || parents == 1 && queue[0] == root {
				return nil
			}
		}
	}
	for a, b := 0, len(f.edges)-1; a < b; a, b = a+1, b-1 {
		f.edges[a], f.edges[b] = f.edges[b], f.edges[a]
		f.child[a], f.child[b] = f.child[b], f.child[a]
	}
	return f
}

// least returns min_x nu(x,y) + nu(x,z), exactly, by min-sum elimination.
func (f *forest) least(costs []float64, y, z int) float64 {
	messages := make([][]float64, len(f.Levels))
	for i, d := range f.Levels {
		messages[i] = make([]float64, d)
	}
	roots := make([]bool, len(f.Levels))
	for i := range roots {
		roots[i] = true
	}
	for k, e := range f.edges {
		p := f.Pairs[e]
		di, dj := f.Levels[p.I], f.Levels[p.J]
		ty, tz := costs[f.Start[e]+y*di*dj:], costs[f.Start[e]+z*di*dj:]
		child := f.child[k]
		parent := p.I + p.J - child
		roots[child] = false
		best := make([]float64, f.Levels[parent])
		for v := range best {
			best[v] = math.Inf(1)
		}
		for xi := range di {
			for xj := range dj {
				c, v := xi, xj
				if child == p.J {
					c, v = xj, xi
				}
				at := xi*dj + xj
				best[v] = min(best[v], ty[at]+tz[at]+messages[child][c])
			}
		}
		for v, b := range best {
			messages[parent][v] += b
		}
	}
	sum := 0.0
	for i, root := range roots {
		if !root {
			continue
		}
		least := messages[i][0]
		for _, v := range messages[i] {
			least = min(least, v)
		}
		sum += least
	}
	return sum
}

// cover returns min over x and y < z of nu(x,y) + nu(x,z); the constraints of
// Eq. 13 ask for 2.
func (f *forest) cover(costs []float64) float64 {
	least := math.Inf(1)
	for y := range f.Classes {
		for z := y + 1; z < f.Classes; z++ {
			least = min(least, f.least(costs, y, z))
		}
	}
	return least
}

// tighten scales nonnegative costs so that they just satisfy the constraints
// and returns their bound nu.mu. On a nil forest it changes nothing.
func (f *forest) tighten(costs []float64) (bound float64) {
	if f == nil {
		return math.Inf(1)
	}
	scale := 2 / f.cover(costs)
	for j := range costs {
		costs[j] *= scale
		bound += costs[j] * f.Mu[j]
	}
	return bound
}
