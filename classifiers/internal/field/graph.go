package field

import (
	"context"
	"math"
)

// Scores computes the score of a node given its parents (or neighbours). Larger scores are better.
type Scores interface {
	// LogLik returns the score of node given parents, which must be in ascending order.
	LogLik(node int, parents []int) float64
	// Prepare computes scores for later calls of LogLik: for each j in more, the score of node
	// given parents and j. It returns an error only if ctx is cancelled.
	Prepare(ctx context.Context, node int, parents, more []int) error
}

// A graph is the state of a greedy search for the largest sum of the nodes' scores. A relative of a
// node is a parent or a neighbour. A toggle adds a relative to a node or removes it.
type graph struct {
	nodes     []int    // the variables, ascending; all other fields use positions in nodes
	relatives [][]bool // relatives[v][u]: u is a relative of v
	limit     int      // largest number of relatives of a node
	scores    Scores
	value     []float64   // value[v] is the score of v with its relatives
	gains     [][]float64 // gains[v][u] is the change of value[v] if u is toggled; NaN: not computed
}

// newGraph returns the graph without edges over the given variables.
func newGraph(ctx context.Context, nodes []int, limit int, scores Scores) (*graph, error) {
	g := &graph{nodes: nodes, limit: limit, scores: scores, value: make([]float64, len(nodes))}
	for v := range nodes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.relatives = append(g.relatives, make([]bool, len(nodes)))
		g.gains = append(g.gains, make([]float64, len(nodes)))
		g.refresh(v)
	}
	return g, nil
}

// variables returns the relatives of v in ascending order, as indices of variables.
func (g *graph) variables(v int) []int {
	list := []int{}
	for u, isRelative := range g.relatives[v] {
		if isRelative {
			list = append(list, g.nodes[u])
		}
	}
	return list
}

// refresh recomputes the score of v and discards the gains of v.
func (g *graph) refresh(v int) {
	g.value[v] = g.scores.LogLik(g.nodes[v], g.variables(v))
	for u := range g.gains[v] {
		g.gains[v][u] = math.NaN()
	}
}

// toggleGain returns the change in the score of v if u becomes a relative of v or, if it already is
// one, ceases to be one. It returns -Inf if v would have too many relatives.
func (g *graph) toggleGain(v, u int) float64 {
	if gain := g.gains[v][u]; !math.IsNaN(gain) {
		return gain
	}
	gain := math.Inf(-1)
	if g.relatives[v][u] || len(g.variables(v)) < g.limit {
		g.relatives[v][u] = !g.relatives[v][u]
		gain = g.scores.LogLik(g.nodes[v], g.variables(v)) - g.value[v]
		g.relatives[v][u] = !g.relatives[v][u] // undo the toggle
	}
	g.gains[v][u] = gain
	return gain
}

// prepareAdditions computes the scores of v with one additional relative u, for every u that is
// accepted and whose score is unknown. If v may not have more relatives, it does nothing. It only saves
// time, because toggleGain computes the scores that are still unknown.
func (g *graph) prepareAdditions(ctx context.Context, v int, accepts func(u int) bool) error {
	relatives := g.variables(v)
	if len(relatives) >= g.limit {
		return nil
	}
	var more []int
	for u, gain := range g.gains[v] {
		if math.IsNaN(gain) && u != v && !g.relatives[v][u] && accepts(u) {
			more = append(more, g.nodes[u])
		}
	}
	return g.scores.Prepare(ctx, g.nodes[v], relatives, more)
}

// toggle adds u to the relatives of v or, if u is one of them, removes it.
func (g *graph) toggle(v, u int) {
	g.relatives[v][u] = !g.relatives[v][u]
	g.refresh(v)
}

// allRelatives returns the parents or neighbours of every node, as indices of variables.
func (g *graph) allRelatives() [][]int {
	sets := make([][]int, len(g.nodes))
	for v := range sets {
		sets[v] = g.variables(v)
	}
	return sets
}

// HillClimb learns a Bayesian network over nodes (ascending) by greedy search for the largest sum of
// the nodes' scores, given their parents. It returns the parents of each node, in the order of nodes.
//
// The search starts from the empty graph and makes the best move until no move gains more than
// minGain. A move adds, deletes or reverses one arc. It must not create a cycle or give a node more
// than maxParents parents. Ties go to the first move in the order of (child, parent).
func HillClimb(ctx context.Context, nodes []int, maxParents int, minGain float64, scores Scores) ([][]int, error) {
	g, err := newGraph(ctx, nodes, maxParents, scores)
	if err != nil {
		return nil, err
	}
	for {
		best, err := g.bestMove(ctx, minGain)
		if err != nil {
			return nil, err
		}
		if best.child == none { // no move gains more than minGain
			return g.allRelatives(), nil
		}
		g.toggle(best.child, best.parent) // adds the arc parent -> child, or deletes it
		if best.reverse {
			g.toggle(best.parent, best.child) // adds the opposite arc
		}
	}
}

// A move adds, removes or reverses the arc parent -> child.
type move struct {
	child, parent int // positions; none if there is no move
	reverse       bool
}

const none = -1

// bestMove returns the move that increases the sum of scores most. If no move gains more than
// minGain, the child of the result is none.
func (g *graph) bestMove(ctx context.Context, minGain float64) (move, error) {
	most, best := minGain, move{child: none}
	hasAncestor := g.ancestors() // hasAncestor[v][u]: a directed path leads from u to v
	for child := range g.nodes {
		// An arc to child from one of its descendants would close a cycle.
		isPossibleParent := func(u int) bool { return u != child && !hasAncestor[u][child] }
		if err := g.prepareAdditions(ctx, child, isPossibleParent); err != nil {
			return best, err
		}
		for parent := range g.nodes {
			if ctx.Err() != nil {
				return best, ctx.Err()
			}
			if !isPossibleParent(parent) {
				continue
			}
			// Add the arc parent -> child, or delete it if it exists.
			if gain := g.toggleGain(child, parent); gain > most {
				most, best = gain, move{child: child, parent: parent}
			}
			isParent := g.relatives[child][parent]
			if !isParent || !g.reversible(child, parent, hasAncestor) {
				continue
			}
			// Reverse the arc: delete parent -> child and add child -> parent.
			if gain := g.toggleGain(child, parent) + g.toggleGain(parent, child); gain > most {
				most, best = gain, move{child: child, parent: parent, reverse: true}
			}
		}
	}
	return best, nil
}

// ToggleEdges learns a Markov random field over nodes (ascending) by greedy search. It returns the
// neighbours of each node, in the order of nodes.
//
// The search maximises the pseudo-likelihood: the sum of scores. It starts from the empty graph. It
// adds or removes the best edge until no change gains more than minGain. Ties go to the first edge.
// No node gets more than maxNeighbours neighbours.
func ToggleEdges(ctx context.Context, nodes []int, maxNeighbours int, minGain float64, scores Scores) ([][]int, error) {
	g, err := newGraph(ctx, nodes, maxNeighbours, scores)
	if err != nil {
		return nil, err
	}
	anyNode := func(int) bool { return true } // every node may become a neighbour
	for {
		for v := range nodes {
			if err := g.prepareAdditions(ctx, v, anyNode); err != nil {
				return nil, err
			}
		}
		v, u := g.bestEdge(minGain)
		if v == none {
			return g.allRelatives(), nil
		}
		g.toggle(v, u)
		g.toggle(u, v)
	}
}

// bestEdge returns the edge whose addition or removal gains most. If no edge gains more than minGain,
// both vertices are none.
func (g *graph) bestEdge(minGain float64) (from, to int) {
	most := minGain
	from, to = none, none
	for v := range g.nodes {
		for u := range v {
			if gain := g.toggleGain(v, u) + g.toggleGain(u, v); gain > most {
				most, from, to = gain, v, u
			}
		}
	}
	return from, to
}
