package generators

import (
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/recipe"
)

// BayesNet draws two classes whose densities are Bayesian networks with three parents per variable
// (Tenzer et al. 2020, section 5.1.2). Roots are standard normal. Given the values z_1..z_p of its
// parents, another variable is
//
//	gaussian: N(c sum z, s^2)
//	complex:  c sum z + s t(df) with probability 1/2,
//	          else N(c (z_1 + .. + z_{p-1}), s^2)/2 + N(c (z_2 + .. + z_p), s^2)/2.
//
// The text does not state how networks are drawn. Here the variables are put in random order. The
// first n_roots are roots; each later variable draws n_parents distinct parents among the earlier
// ones, or takes all of them where there are fewer. The complex density of a variable with fewer
// parents takes the missing z as 0. With parent_pool only so many variables, which come first in
// the order, can be parents.
//
// In the literal reading every earlier variable can be a parent. Variances then grow along the
// order, the classes are nearly separable by scale, and errors lie below the published ones. The
// calibrated reading is the nearest to the published errors that was found: a pool of four
// parents, two of them roots, with the complex density's type drawn per variable. It was fitted
// to these errors; the text does not mention it.
//
// With common_nodes so many variables outside the pool that are not roots have the same parents
// and the same random choices in both classes. The second class's order is drawn among the orders
// that put each of these variables behind its parents.
type BayesNet struct {
	D              int     `param:"d" doc:"number of variables" range:"[1,inf)"`
	Reading        string  `param:"reading" doc:"preset for the parameters left at by_reading or 0: the text, or nearest to the published errors" enum:"literal,calibrated"`
	CPD            string  `param:"cpd" doc:"conditional densities" enum:"gaussian,complex"`
	NParents       int     `param:"n_parents" doc:"parents of a variable that is not a root, where there are as many" range:"[1,inf)"`
	NRoots         int     `param:"n_roots" doc:"number of roots; 0: by reading (1, calibrated 2)" range:"[0,inf)"`
	ParentPool     int     `param:"parent_pool" doc:"number of variables that may be parents, d: all; 0: by reading (all, calibrated 4)" range:"[0,inf)"`
	PoolCommon     bool    `param:"pool_common" doc:"the classes have the same pool of parents"`
	CommonNodes    int     `param:"common_nodes" doc:"number of variables whose parents and density the classes share" range:"[0,inf)"`
	Order          string  `param:"order" doc:"order of the variables: drawn per class, common to both, or per class within blocks" enum:"per_class,common,blocks"`
	BlockCuts      []int   `param:"block_cuts" doc:"last variable of each block of order blocks" range:"[1,inf)"`
	Coef           float64 `param:"coef" doc:"coefficient c of each parent" range:"(-inf,inf)"`
	NoiseSD        float64 `param:"noise_sd" doc:"scale s of variables with parents" range:"(0,inf)"`
	TypeLevel      string  `param:"type_level" doc:"t or mixture: drawn for each variable of each sample, once per variable of a class, per row, per class or per problem; by_reading: sample, calibrated node" enum:"by_reading,sample,node,row,class,problem"`
	ComponentLevel string  `param:"component_level" doc:"the mixture's component: drawn likewise" enum:"sample,node,row,class,problem"`
	TDF            float64 `param:"t_df" doc:"degrees of freedom of the t distribution" range:"[1,inf)"`
	RootProb       float64 `param:"root_prob" doc:"probability that a variable behind the first n_roots is a root, too" range:"[0,1]"`
	departures
}

// The calibrated reading's roots and pool of possible parents.
const (
	calibratedRoots = 2
	calibratedPool  = 4
)

// NewBayesNet returns the paper's setting.
func NewBayesNet() *BayesNet {
	return &BayesNet{
		D: 20, Reading: literal, CPD: "gaussian",
		NParents: 3, PoolCommon: true, Order: "per_class",
		Coef: 1, NoiseSD: 1,
		TypeLevel: byReading, ComponentLevel: "sample", TDF: 5, departures: asWritten(),
	}
}

// resolve returns the parameters with everything that the reading decides
// filled in.
func (g *BayesNet) resolve() (BayesNet, error) {
	r := *g
	roots, pool, typeLevel := 1, r.D, "sample"
	if r.Reading == calibrated {
		roots, pool, typeLevel = min(calibratedRoots, r.D), min(calibratedPool, r.D), "node"
	}
	if r.NRoots == 0 {
		r.NRoots = roots
	}
	if r.ParentPool == 0 {
		r.ParentPool = pool
	}
	if r.TypeLevel == byReading {
		r.TypeLevel = typeLevel
	}
	if r.Order != "blocks" {
		r.BlockCuts = nil
	} else if err := checkBlocks(r.BlockCuts, r.D); err != nil {
		return r, err
	}
	return r, r.check()
}

// check checks resolved parameters against each other.
func (g *BayesNet) check() error {
	pooled := g.ParentPool < g.D
	free := g.D - g.NRoots // variables that may be shared
	if pooled {
		free = g.D - max(g.NRoots, g.ParentPool)
	}
	switch {
	case g.NRoots > g.D:
		return &recipe.Error{Key: "n_roots", Msg: fmt.Sprintf("%d roots of %d variables", g.NRoots, g.D)}
	case g.ParentPool > g.D:
		return &recipe.Error{Key: "parent_pool", Msg: fmt.Sprintf("%d parents of %d variables", g.ParentPool, g.D)}
	case g.CommonNodes > free:
		problem := fmt.Sprintf("%d of the %d variables that are neither roots nor in a pool of parents",
			g.CommonNodes, free)
		return &recipe.Error{Key: "common_nodes", Msg: problem}
	case pooled && !g.PoolCommon && g.CommonNodes > 0:
		return &recipe.Error{Key: "pool_common", Msg: "shared variables need a common pool of parents"}
	case pooled && !g.PoolCommon && g.Order == "common":
		return &recipe.Error{Key: "pool_common", Msg: "a common order needs a common pool of parents"}
	}
	return nil
}

// Validate checks the parameters against each other.
func (g *BayesNet) Validate() error {
	_, err := g.resolve()
	return err
}

// New draws the two networks and the node-level choices of their densities.
func (g *BayesNet) New(rng *rand.Rand) (Problem, error) {
	r, err := g.resolve()
	if err != nil {
		return nil, err
	}
	f := cpd{
		departures: r.departures, complex: r.CPD == "complex",
		typeLevel: r.TypeLevel, componentLevel: r.ComponentLevel, factor: 1,
		coef: r.Coef, noiseSD: r.NoiseSD, t: r.TDF, components: r.components,
	}
	p := &networkProblem{description: description{Generator: "bayesnet", Parameters: describeParameters(r)}}
	var pool, order []int
	graphs := twoGraphs{common: r.CommonNodes, shareable: r.shareable}
	graphs.draw = func(class int, shared sharing) dag {
		if class == 0 || !r.PoolCommon {
			pool = choose(columns(r.D), r.ParentPool, rng)
		}
		if class == 0 || r.Order != "common" {
			order = ordering{rank: r.ranks(pool), before: shared.parents, first: r.NRoots}.draw(rng)
		}
		return r.drawGraph(order, pool, shared, rng)
	}
	shared := p.addTwoClasses(r.D, graphs, f, rng)
	p.description.Drawn = map[string][]string{"common_nodes": columnNames(shared)}
	return p, nil
}

// components returns the mixture's components: the last parent is missing in
// the first one, the first parent in the second.
func (g *BayesNet) components(parents []int) [2]branch {
	return [2]branch{{parents: parents[:min(len(parents), g.NParents-1)]}, {parents: parents[1:]}}
}

// ranks puts the pool of parents before the other variables, and the blocks in
// their order inside either.
func (g *BayesNet) ranks(pool []int) []int {
	rank := blockRanks(g.D, g.BlockCuts)
	for j := range rank {
		rank[j] += len(g.BlockCuts) + 1
	}
	for _, j := range pool {
		rank[j] -= len(g.BlockCuts) + 1
	}
	return rank
}

// drawGraph draws the parents of the variables in the given order, but for
// those that are shared.
func (g *BayesNet) drawGraph(order, pool []int, shared sharing, rng *rand.Rand) dag {
	inPool := make([]bool, g.D)
	for _, j := range pool {
		inPool[j] = true
	}
	parents, depth := make([][]int, g.D), make([]int, g.D)
	var earlier []int // possible parents before the current variable
	for i, j := range order {
		switch {
		case slices.Contains(shared.nodes, j):
			parents[j] = shared.parents[j]
		case i >= g.NRoots && (g.RootProb == 0 || rng.Float64() >= g.RootProb):
			candidates := g.candidates(earlier, depth)
			parents[j] = g.pick(candidates, min(g.NParents, len(candidates)), rng)
		}
		depth[j] = depthOf(parents[j], depth)
		if inPool[j] {
			earlier = append(earlier, j)
		}
	}
	return dag{order: order, parents: parents}
}

// shareable returns the variables of the first class's graph that the classes may
// share: those that are neither roots by their place nor in the pool.
func (g *BayesNet) shareable(first dag) []int {
	start := g.NRoots
	if g.ParentPool < g.D {
		start = max(start, g.ParentPool) // the pool stands first
	}
	return first.order[start:]
}
