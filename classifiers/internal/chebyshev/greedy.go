package chebyshev

import (
	"context"
	"math"
	"slices"

	"copse/stats"
)

// Greedy chooses a tree of edges over all features, one edge at a time (method gDCC, section 8.2 of
// the paper on DCC).
//
// m contains the marginals of all pairs. The result contains indices of m.Pairs in the order of
// selection.
//
// DCC_h is the smallest worst-case expected hinge loss of a classifier with the chosen edges. Each
// step adds the edge that gives the smallest DCC_h without closing a cycle. Values of DCC_h tie if
// they differ by at most the relative tolerance. Of tied edges, Greedy chooses the edge that has
// the smallest DCC_h as the only edge.
func Greedy(ctx context.Context, m *Marginals, o Options) ([]int, error) {
	g := newGrowth(m, o)
	for len(g.chosen) < len(m.Levels)-1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := g.bestEdge(ctx)
		if err != nil {
			return nil, err
		}
		if err := g.add(ctx, e); err != nil {
			return nil, err
		}
	}
	return g.chosen, nil
}

// growth contains the forest of the edges selected so far. For each other edge, it contains bounds on
// the loss of this forest with the edge.
type growth struct {
	*Marginals
	Options
	order      []int           // all pairs, in ascending order of the DCC_h of a forest with only this edge
	chosen     []int           // edges of the forest, in the order of selection
	trees      stats.Partition // divides the features into the trees of the forest
	parts      []part          // two classes: parts[t] is tree t; more classes: parts[0] is the whole forest
	bound      float64         // upper bound on DCC_h of the forest
	lowerBound []float64       // lowerBound[e] is a lower bound on DCC_h after adding edge e; 0: unknown
}

// A part is a set of edges for which the problem is solved separately. With two classes, a part is
// a tree. With more classes, it is the whole forest.
//
// With two classes, the beliefs of all edges must have the same total, and DCC_h is twice the
// largest such total. Each tree can reach every total up to its own maximum, and the totals are the
// only link between different trees. So DCC_h of a forest is the smallest DCC_h of its trees.
type part struct {
	edges []int
	bound float64 // upper bound on DCC_h of these edges; undefined if there are none
	end   state   // the solution, from which larger problems start
	adversary
}

// newGrowth returns a forest without edges, in which every feature is a tree.
func newGrowth(m *Marginals, o Options) *growth {
	g := &growth{
		Marginals:  m,
		Options:    o,
		trees:      stats.NewPartition(len(m.Levels)),
		bound:      math.Inf(1),
		parts:      make([]part, len(m.Levels)),
		lowerBound: make([]float64, len(m.Pairs)),
	}
	onlyEdge := make([]float64, len(m.Pairs))
	for e := range m.Pairs {
		onlyEdge[e] = m.pairBound(e)
	}
	g.order = stats.Ascending(onlyEdge)
	return g
}

// bestEdge returns the edge that closes no cycle and reduces DCC_h most. It skips edges whose lower
// bound proves that they cannot be best.
//
// Candidates are in ascending order of DCC_h as the only edge. If none of them reduces DCC_h by more
// than the tolerance, bestEdge returns the first one.
func (g *growth) bestEdge(ctx context.Context) (int, error) {
	candidates := g.withoutCycle()
	best := candidates[0]
	if len(g.chosen) == 0 {
		return best, nil // it is the best only edge
	}
	smallest := g.bound // smallest upper bound on DCC_h so far, at first without any candidate
	for _, e := range candidates {
		target := smallest * (1 - g.Tolerance) // e is better if its upper bound is below target
		if g.isRuledOut(e, target) {
			continue
		}
		s, err := g.solve(ctx, e, target) // stops early if s.Lower reaches target
		if err != nil {
			return 0, err
		}
		g.lowerBound[e] = s.Lower
		if s.Upper < target {
			best, smallest = e, s.Upper
		}
	}
	return best, nil
}

// isRuledOut reports whether the lower bound of edge e proves that its upper bound cannot be below
// target. With two classes, it first computes an unknown lower bound.
func (g *growth) isRuledOut(e int, target float64) bool {
	isUnknown := g.lowerBound[e] == 0
	if g.Classes == 2 && isUnknown {
		g.lowerBound[e] = g.screenBound(e)
	}
	// The solver stops at a relative gap of Tolerance/2. So even if the upper bound of e is not
	// below target, its lower bound may be slightly below target.
	return g.lowerBound[e] >= target*(1-g.Tolerance)
}

// withoutCycle returns the edges that would not close a cycle, in the order of g.order. They
// connect different trees.
func (g *growth) withoutCycle() (edges []int) {
	for _, e := range g.order {
		if i, j := g.treesOf(e); i != j {
			edges = append(edges, e)
		}
	}
	return edges
}

// solve solves the problem for edge e and the parts that it joins. It stops early if the lower
// bound reaches the cutoff.
func (g *growth) solve(ctx context.Context, e int, cutoff float64) (*Solution, error) {
	parts := g.joined(e)
	s := newSolver(g.Restrict(edgesOf(parts, e)), g.Options)
	s.Tolerance, s.Cutoff = g.Tolerance/2, cutoff
	s.startFrom(parts)
	return s.solve(ctx)
}

// joined returns the parts that edge e would join, except parts without edges.
func (g *growth) joined(e int) (parts []part) {
	for _, t := range g.joinedNumbers(e) {
		if len(g.parts[t].edges) > 0 {
			parts = append(parts, g.parts[t])
		}
	}
	return parts
}

// joinedNumbers returns the indices in g.parts of the parts that edge e connects.
func (g *growth) joinedNumbers(e int) []int {
	if g.Classes > 2 {
		return []int{0}
	}
	i, j := g.treesOf(e)
	return []int{i, j}
}

// treesOf returns the numbers of the trees that contain the features of edge e. The number of a tree
// is its smallest feature.
func (g *growth) treesOf(e int) (i, j int) {
	return g.trees.Smallest(g.Pairs[e].I), g.trees.Smallest(g.Pairs[e].J)
}

func edgesOf(parts []part, e int) (edges []int) {
	for _, p := range parts {
		edges = append(edges, p.edges...)
	}
	return append(edges, e)
}

// add adds edge e to the forest and solves the problem for the part that e creates: a tree with two
// classes, otherwise the whole forest. It then discards the lower bounds of all edges that would
// extend this part.
func (g *growth) add(ctx context.Context, e int) error {
	s, err := g.solve(ctx, e, math.Inf(1)) // never stops early
	if err != nil {
		return err
	}
	g.chosen = append(g.chosen, e)
	// Both are upper bounds on DCC_h of the new forest: an additional edge cannot increase DCC_h,
	// and DCC_h of a forest is at most DCC_h of each part.
	g.bound = min(g.bound, s.Upper)
	newPart := g.replaceParts(e, s)
	g.trees.Join(g.Pairs[e].I, g.Pairs[e].J)
	for candidate := range g.Pairs {
		isOutdated := slices.Contains(g.joinedNumbers(candidate), newPart)
		if isOutdated {
			g.lowerBound[candidate] = 0 // unknown
		}
	}
	return nil
}

// replaceParts replaces the parts that edge e connects by a single part with the solution s. It
// returns the index of this part in g.parts.
func (g *growth) replaceParts(e int, s *Solution) (newPart int) {
	numbers, edges := g.joinedNumbers(e), edgesOf(g.joined(e), e)
	for _, t := range numbers {
		g.parts[t] = part{}
	}
	newPart = slices.Min(numbers)
	g.parts[newPart] = part{edges, s.Upper, s.end, g.adversary(edges, s.end)}
	return newPart
}

// adversary returns the adversary of the tree with the given edges (see newAdversary). end is the
// solution for the tree, and its multipliers end.a are the beliefs. With more than two classes, the
// result is empty and not used.
func (g *growth) adversary(edges []int, end state) adversary {
	if g.Classes > 2 {
		return adversary{}
	}
	return newAdversary(newProblem(g.Restrict(edges)), end.a)
}

// pairBound returns DCC_h of the single edge e in closed form. Each cell (x_i,x_j) contributes 2
// min(m/2, m-l), where m is its mass and l is the mass of its most frequent label.
func (m *Marginals) pairBound(e int) float64 {
	bound := 0.0
	for c := range m.size(e) {
		sum, largest := 0.0, 0.0
		for y := range m.Classes {
			mass := m.labelTable(m.Mu, e, y)[c]
			sum += mass
			largest = max(largest, mass)
		}
		bound += 2 * min(sum/2, sum-largest)
	}
	return bound
}
