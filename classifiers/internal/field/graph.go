package field

import (
	"context"
	"math"
)

// Scores rate a node with its parents (or neighbours). Larger scores are better.
type Scores interface {
	// LogLik returns the score of node given parents, ascending.
	LogLik(node int, parents []int) float64
	// Prepare computes the scores of node given parents and one of more, for each of more, so
	// that LogLik returns them at once. It fails only if ctx ends.
	Prepare(ctx context.Context, node int, parents, more []int) error
}

// A graph is the state of a greedy search over some variables. The score of the graph is the
// sum of the scores of its nodes. A toggle adds one relative (a parent or a neighbour) to a
// node, or removes it.
type graph struct {
	nodes     []int    // the variables, ascending; all other fields use positions in nodes
	relatives [][]bool // relatives[v][u]: u is a relative of v
	limit     int      // largest number of relatives of a node
	scores    Scores
	value     []float64   // value[v] is the score of v with its relatives
	toggles   [][]float64 // toggles[v][u] is the gain of toggling u at v; NaN: not computed
	set       []int       // scratch of variables
}

// newGraph returns the graph without edges.
func newGraph(ctx context.Context, nodes []int, limit int, scores Scores) (*graph, error) {
	g := &graph{nodes: nodes, limit: limit, scores: scores, value: make([]float64, len(nodes))}
	for v := range nodes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.relatives = append(g.relatives, make([]bool, len(nodes)))
		g.toggles = append(g.toggles, make([]float64, len(nodes)))
		g.refresh(v)
	}
	return g, nil
}

// variables returns the relatives of position v as variables, ascending, valid until the next
// call.
func (g *graph) variables(v int) []int {
	g.set = g.set[:0]
	for u, in := range g.relatives[v] {
		if in {
			g.set = append(g.set, g.nodes[u])
		}
	}
	return g.set
}

// refresh computes the score of v after its relatives changed.
func (g *graph) refresh(v int) {
	g.value[v] = g.scores.LogLik(g.nodes[v], g.variables(v))
	for u := range g.toggles[v] {
		g.toggles[v][u] = math.NaN()
	}
}

// toggle returns the gain of v's score if u joins or leaves its relatives, or -Inf if u would
// be one too many.
func (g *graph) toggle(v, u int) float64 {
	if gain := g.toggles[v][u]; !math.IsNaN(gain) {
		return gain
	}
	gain := math.Inf(-1)
	if g.relatives[v][u] || len(g.variables(v)) < g.limit {
		g.relatives[v][u] = !g.relatives[v][u]
		gain = g.scores.LogLik(g.nodes[v], g.variables(v)) - g.value[v]
		g.relatives[v][u] = !g.relatives[v][u] // back again
	}
	g.toggles[v][u] = gain
	return gain
}

// prepare computes the scores of v with one more relative, for each open position u.
func (g *graph) prepare(ctx context.Context, v int, open func(u int) bool) error {
	set := g.variables(v)
	if len(set) >= g.limit {
		return nil
	}
	var more []int
	for u, gain := range g.toggles[v] {
		if math.IsNaN(gain) && u != v && !g.relatives[v][u] && open(u) {
			more = append(more, g.nodes[u])
		}
	}
	return g.scores.Prepare(ctx, g.nodes[v], set, more)
}

// flip toggles u at v.
func (g *graph) flip(v, u int) {
	g.relatives[v][u] = !g.relatives[v][u]
	g.refresh(v)
}

// sets returns the relatives of every position as fresh slices of variables.
func (g *graph) sets() [][]int {
	sets := make([][]int, len(g.nodes))
	for v := range sets {
		sets[v] = append([]int{}, g.variables(v)...)
	}
	return sets
}

// HillClimb learns a Bayesian network over nodes (ascending) by greedy search
// for the largest sum of scores: from the empty graph, the best addition, deletion
// or reversal of an arc that keeps the graph acyclic and every node at no more
// than maxParents parents, until none gains more than minGain. The first of equal
// moves in the order of (child, parent) is taken. It returns the parents of each
// node, aligned with nodes.
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
		if best.child == none {
			return g.sets(), nil
		}
		g.flip(best.child, best.parent)
		if best.reverse {
			g.flip(best.parent, best.child)
		}
	}
}

// A move adds or removes the arc parent -> child, or reverses it.
type move struct {
	child, parent int // positions; none if there is no move
	reverse       bool
}

// none is the position of no node.
const none = -1

// bestMove returns the move of a Bayesian network that gains most, if it gains more than
// minGain.
func (g *graph) bestMove(ctx context.Context, minGain float64) (move, error) {
	most, best := minGain, move{child: none}
	descends := g.descendants()
	for v := range g.nodes {
		if err := g.prepare(ctx, v, func(u int) bool { return !descends[v].has(u) }); err != nil {
			return best, err
		}
		for u := range g.nodes {
			if ctx.Err() != nil {
				return best, ctx.Err()
			}
			if u == v || descends[v].has(u) {
				continue // u -> v would close a cycle
			}
			if gain := g.toggle(v, u); gain > most {
				most, best = gain, move{v, u, false}
			}
			if !g.relatives[v][u] || !g.reversible(v, u, descends) {
				continue
			}
			if gain := g.toggle(v, u) + g.toggle(u, v); gain > most {
				most, best = gain, move{v, u, true}
			}
		}
	}
	return best, nil
}

// ToggleEdges learns a Markov random field over nodes (ascending) by greedy
// search for the largest sum of scores, the pseudo-likelihood:
// from the empty graph, the addition or removal of the edge that gains most,
// no node having more than maxNeighbours, until none gains more than minGain.
// The first of equal edges is taken. It returns the neighbours of each node,
// aligned with nodes.
func ToggleEdges(ctx context.Context, nodes []int, maxNeighbours int, minGain float64, scores Scores) ([][]int, error) {
	g, err := newGraph(ctx, nodes, maxNeighbours, scores)
	if err != nil {
		return nil, err
	}
	for {
		for v := range nodes {
			if err := g.prepare(ctx, v, func(int) bool { return true }); err != nil {
				return nil, err
			}
		}
		most, from, to := minGain, none, none
		for v := range nodes {
			for u := range v {
				gain := g.toggle(v, u) + g.toggle(u, v)
				if gain > most {
					most, from, to = gain, v, u
				}
			}
		}
		if from == none {
			return g.sets(), nil
		}
		g.flip(from, to)
		g.flip(to, from)
	}
}
