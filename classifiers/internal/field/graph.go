package field

import (
	"context"
	"math"
)

// Scores rate nodes with parents (or neighbours): the larger the better.
type Scores interface {
	// LogLik returns the score of node given parents, ascending.
	LogLik(node int, parents []int) float64
	// Prepare is told that the scores of node given parents and, in turn, each of more
	// are asked for next. Its only error is that of ctx.
	Prepare(ctx context.Context, node int, parents, more []int) error
}

// A graph is the state of a greedy search over m variables: relatives[v][u]
// says that u is a parent (or neighbour) of v. Scores decompose over the nodes,
// and one change of one node's set is called a toggle.
type graph struct {
	nodes     []int // the variables, ascending; everything else uses positions in it
	relatives [][]bool
	limit     int // most relatives of a node
	scores    Scores
	value     []float64   // each node's current score
	toggles   [][]float64 // gain of adding or removing u at v; NaN where not computed
	set       []int       // scratch
}

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

// variables returns the relatives of position v as variables, ascending.
func (g *graph) variables(v int) []int {
	g.set = g.set[:0]
	for u, in := range g.relatives[v] {
		if in {
			g.set = append(g.set, g.nodes[u])
		}
	}
	return g.set
}

// refresh re-reads the score of v after its set changed.
func (g *graph) refresh(v int) {
	g.value[v] = g.scores.LogLik(g.nodes[v], g.variables(v))
	for u := range g.toggles[v] {
		g.toggles[v][u] = math.NaN()
	}
}

// toggle returns what v's score gains when u joins or leaves its set, -Inf when
// the set is full.
func (g *graph) toggle(v, u int) float64 {
	if gain := g.toggles[v][u]; !math.IsNaN(gain) {
		return gain
	}
	gain := math.Inf(-1)
	if g.relatives[v][u] || len(g.variables(v)) < g.limit {
		g.relatives[v][u] = !g.relatives[v][u]
		gain = g.scores.LogLik(g.nodes[v], g.variables(v)) - g.value[v]
		g.relatives[v][u] = !g.relatives[v][u]
	}
	g.toggles[v][u] = gain
	return gain
}

// prepare announces the additions to v's set among the positions that are open.
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

// flip carries a toggle out.
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
		best, child, parent, reverse := minGain, -1, -1, false
		descends := g.descendants()
		for v := range nodes {
			if err := g.prepare(ctx, v, func(u int) bool { return !descends[v].has(u) }); err != nil {
				return nil, err
			}
			for u := range nodes {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if u == v || descends[v].has(u) { // u -> v would close a cycle
					continue
				}
				if gain := g.toggle(v, u); gain > best {
					best, child, parent, reverse = gain, v, u, false
				}
				if g.relatives[v][u] && g.reversible(v, u, descends) {
					if gain := g.toggle(v, u) + g.toggle(u, v); gain > best {
						best, child, parent, reverse = gain, v, u, true
					}
				}
			}
		}
		if child < 0 {
			return g.sets(), nil
		}
		g.flip(child, parent)
		if reverse {
			g.flip(parent, child)
		}
	}
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
		best, from, to := minGain, -1, -1
		for v := range nodes {
			if err := g.prepare(ctx, v, func(int) bool { return true }); err != nil {
				return nil, err
			}
		}
		for v := range nodes {
			for u := range v {
				gain := g.toggle(v, u) + g.toggle(u, v)
				if gain > best {
					best, from, to = gain, v, u
				}
			}
		}
		if from < 0 {
			return g.sets(), nil
		}
		g.flip(from, to)
		g.flip(to, from)
	}
}
