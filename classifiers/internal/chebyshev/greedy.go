package chebyshev

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Greedy returns the pairs of gDCC in the order of their choice: starting from
// none, the pair that closes no cycle and whose addition makes the bound DCC_h
// smallest is added until the pairs span all features (section 8.2 of the
// paper). m holds all pairs.
//
// A pair is preferred over an earlier candidate when its bound is smaller by
// more than the tolerance; candidates come in the order of the bounds of single
// pairs. When no pair lowers the bound, the first legal one is taken.
//
// Three facts save most solves without changing the choice. A solve ends as soon as its
// lower bound shows that the candidate cannot win. With two classes the adversaries of the
// trees that it joins often show this before the solve (screen). And with two classes the
// bound of a forest is the smallest of its trees' bounds, because beliefs of one tree can
// be scaled down to the mass of another. So only the tree that the candidate would make is
// solved, and its bounds are valid until one of the two trees that it joins changes.
func Greedy(ctx context.Context, m *Marginals, o Options) ([]int, error) {
	g := newGrowth(m, o)
	for len(g.chosen) < len(m.Levels)-1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := g.next(ctx)
		if err != nil {
			return nil, err
		}
		if err := g.add(ctx, e); err != nil {
			return nil, err
		}
	}
	return g.chosen, nil
}

// growth is a forest of the pairs that are chosen so far.
type growth struct {
	*Marginals
	Options
	order  []int     // all pairs, in ascending order of the bound of the pair alone
	chosen []int     // pairs of the forest, in the order of their choice
	tree   []int     // tree[i] is the number of the tree with feature i
	parts  []part    // parts[t] is tree t with two classes, else parts[0] is the whole forest
	bound  float64   // bound of the forest
	least  []float64 // least[e] is a lower bound of the bound with pair e added; 0: unknown
}

// A part of the forest is solved on its own.
type part struct {
	edges []int   // its pairs
	bound float64 // DCC_h of these pairs; +Inf without any
	end   state   // solution, from which solves with one more pair start
	adversary
}

// newGrowth returns the forest without pairs.
func newGrowth(m *Marginals, o Options) *growth {
	g := &growth{
		Marginals: m, Options: o, bound: math.Inf(1),
		parts: make([]part, len(m.Levels)), least: make([]float64, len(m.Pairs)),
	}
	single := make([]float64, len(m.Pairs))
	for e := range m.Pairs {
		g.order = append(g.order, e)
		single[e] = m.pairBound(e)
	}
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(single[a], single[b]) })
	for i := range m.Levels {
		g.tree = append(g.tree, i)
		g.parts[i].bound = math.Inf(1)
	}
	return g
}

// next returns the pair to add: of those that close no cycle, the one whose addition makes
// the bound smallest, or the first one if none lowers the bound.
func (g *growth) next(ctx context.Context) (int, error) {
	best, bound := -1, g.bound
	for _, e := range g.order {
		if g.tree[g.Pairs[e].I] == g.tree[g.Pairs[e].J] {
			continue // e closes a cycle
		}
		if best < 0 {
			best = e
		}
		if len(g.chosen) == 0 {
			break // the pairs are in the order of their own bounds
		}
		target := bound * (1 - g.Tolerance)  // e wins if its bound is below
		enough := target * (1 - g.Tolerance) // and cannot win if a lower bound reaches this
		if g.Classes == 2 && g.least[e] == 0 {
			g.least[e] = g.screen(e)
		}
		if g.least[e] >= enough {
			continue
		}
		s, err := g.solve(ctx, e, target)
		if err != nil {
			return 0, err
		}
		g.least[e] = s.Lower
		if s.Upper < target {
			best, bound = e, s.Upper
		}
	}
	return best, nil
}

// solve solves the part of the forest that pair e makes. It stops when the bound is
// certain to reach the cutoff.
func (g *growth) solve(ctx context.Context, e int, cutoff float64) (*Solution, error) {
	parts := g.joined(e)
	s := newSolver(g.Restrict(edgesOf(parts, e)), g.Options)
	s.Tolerance, s.Cutoff = g.Tolerance/2, cutoff
	s.startFrom(parts)
	return s.solve(ctx)
}

// joined returns the parts with edges that pair e joins.
func (g *growth) joined(e int) (parts []part) {
	for _, t := range g.numbers(e) {
		if len(g.parts[t].edges) > 0 {
			parts = append(parts, g.parts[t])
		}
	}
	return parts
}

// numbers returns the numbers of the parts that pair e joins.
func (g *growth) numbers(e int) []int {
	if g.Classes > 2 {
		return []int{0}
	}
	return []int{g.tree[g.Pairs[e].I], g.tree[g.Pairs[e].J]}
}

// edgesOf returns the pairs of the parts, in order, and then e.
func edgesOf(parts []part, e int) (edges []int) {
	for _, p := range parts {
		edges = append(edges, p.edges...)
	}
	return append(edges, e)
}

// add adds pair e to the forest, solves the part that it makes and resets the lower bounds
// of the candidates that touch this part.
func (g *growth) add(ctx context.Context, e int) error {
	s, err := g.solve(ctx, e, math.Inf(1))
	if err != nil {
		return err
	}
	g.chosen = append(g.chosen, e)
	g.bound = min(g.bound, s.Upper)
	numbers, edges := g.numbers(e), edgesOf(g.joined(e), e)
	for _, t := range numbers {
		g.parts[t] = part{}
	}
	g.parts[numbers[0]] = part{edges, s.Upper, s.end, g.adversary(edges, s.end)}
	to, from := g.tree[g.Pairs[e].I], g.tree[g.Pairs[e].J]
	for i, t := range g.tree {
		if t == from {
			g.tree[i] = to
		}
	}
	for c, p := range g.Pairs {
		if g.Classes > 2 || g.tree[p.I] == to || g.tree[p.J] == to {
			g.least[c] = 0
		}
	}
	return nil
}

// adversary returns the adversary of a solved tree, or an empty one with more than two
// classes.
func (g *growth) adversary(edges []int, end state) adversary {
	if g.Classes > 2 {
		return adversary{}
	}
	return newAdversary(newProblem(g.Restrict(edges)), end.a)
}

// pairBound returns DCC_h of the single pair e, in closed form. In each cell
// the beliefs a(y,z) are a fractional matching of the masses mu(y): half of
// their sum can be matched, unless one label outweighs all others together.
func (m *Marginals) pairBound(e int) float64 {
	table := m.Table(e)
	size := len(table) / m.Classes
	bound := 0.0
	for c := range size {
		sum, largest := 0.0, 0.0
		for y := range m.Classes {
			sum += table[y*size+c]
			largest = math.Max(largest, table[y*size+c])
		}
		bound += 2 * math.Min(sum/2, sum-largest)
	}
	return bound
}
