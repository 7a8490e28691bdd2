package generators

import (
	"cmp"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
)

// BayesNet draws problems with two classes. The density of each class is a Bayesian network with
// three parents per variable (Tenzer et al. 2020, section 5.1.2). Variables without parents are
// called roots and are standard normal.
//
// The parameter `cpd` selects one of two densities for the other variables, gaussian or complex.
// Let z_1..z_p be the values of the parents, and let sum z be their sum. N(m, s^2) is the normal
// density with mean m and standard deviation s. t(df) is a t-distributed number with df degrees of
// freedom. The last line is a mixture of two normal densities with equal weights:
//
//	gaussian: N(c sum z, s^2)
//	complex:  c sum z + s t(df) with probability 1/2,
//	          else N(c (z_1 + .. + z_{p-1}), s^2)/2 + N(c (z_2 + .. + z_p), s^2)/2.
//
// The paper does not state how it draws networks. Here the variables are in random order, and the
// first `n_roots` variables are roots. Each later variable draws `n_parents` different parents from
// the variables before it. With `parent_pool`, only the first `parent_pool` variables in the order
// can be parents.
//
// If fewer than `n_parents` variables can be parents of a variable, all of them are its parents. In
// the mixture, each missing parent then counts as z = 0.
//
// The paper leaves some parameters open. A choice of these parameters is called a reading, and
// there are two of them.
//
// In the literal reading, every earlier variable can be a parent. The variance of a variable then
// grows with its position in the order, which differs between the classes. A classifier can almost
// separate the classes by these variances alone. The errors are therefore smaller than the
// published errors.
//
// In the calibrated reading, only the first four variables in the order can be parents. The first
// two of them are roots. With complex densities, a variable of a class has either the t
// distribution in all rows, or the mixture in all rows. The paper does not mention these settings.
// They were chosen because their errors are nearest to the published errors.
//
// The classes share `common_nodes` variables, which are drawn at random. The first `n_roots`
// variables in the order of the first class cannot be shared. With `parent_pool`, neither can the
// variables that can be parents. A shared variable has the same parents in both classes.
//
// A shared variable also has the same random choices in both classes: between the t distribution
// and the mixture, and between the two parts of the mixture. Choices that are made once per class
// are an exception: they belong to variable x1 and apply to all variables of the class, so they can differ
// between the classes unless x1 is shared.
type BayesNet struct {
	// number of variables
	D int `param:"d" range:"[1,inf)"`
	// interpretation of section 5.1 of Tenzer et al. (2020). It supplies the values of `n_roots`
	// and `parent_pool` where these are 0. It supplies the value of `type_level` where this is
	// `by_reading`
	Reading string `param:"reading" enum:"literal,calibrated"`
	// conditional densities
	CPD string `param:"cpd" enum:"gaussian,complex"`
	// number of parents of each variable that is not a root
	NParents int `param:"n_parents" range:"[1,inf)"`
	// smallest number of roots (variables without parents). 0 means 1 if `reading` is `literal`,
	// and 2 if it is `calibrated`
	NRoots int `param:"n_roots" range:"[0,inf)"`
	// number of variables that can be parents. 0 means 4 if `reading` is `calibrated`, and
	// otherwise all variables
	ParentPool int `param:"parent_pool" range:"[0,inf)"`
	// whether both classes have the same pool of parents
	PoolCommon bool `param:"pool_common"`
	// number of variables that both classes share. A shared variable has the same parents and
	// usually the same density in both classes. The density may differ if `class_scale` is not 1 or
	// `standardise` is not `none`. It may also differ if `type_level` or `component_level` is
	// `class`
	CommonNodes int `param:"common_nodes" range:"[0,inf)"`
	ordering
	// coefficient c by which each parent is multiplied
	Coef float64 `param:"coef" range:"(-inf,inf)"`
	// scale s of the conditional density of variables with parents
	NoiseSD float64 `param:"noise_sd" range:"(0,inf)"`
	// how often a complex density chooses at random between the t distribution and the mixture.
	// `sample`: for each value. `node`: once per variable and class. `row`: once per row, for all
	// its variables. `class`: once per class. `problem`: once for both classes. `by_reading`:
	// `sample` if `reading` is `literal`, and `node` if it is `calibrated`
	TypeLevel string `param:"type_level" enum:"by_reading,sample,node,row,class,problem"`
	// how often a component of the mixture is chosen at random: for each value (`sample`), node, row,
	// class or problem, as in `type_level`
	ComponentLevel string `param:"component_level" enum:"sample,node,row,class,problem"`
	// degrees of freedom of the t distribution
	TDF float64 `param:"t_df" range:"[1,1e6]"`
	// probability that a variable other than the first `n_roots` is also a root
	RootProb float64 `param:"root_prob" range:"[0,1]"`
	departures
}

const (
	calibratedRoots = 2
	calibratedPool  = 4
)

// NewBayesNet returns the generator with the parameters of the paper.
func NewBayesNet() *BayesNet {
	return &BayesNet{
		D: 20, Reading: literal, CPD: "gaussian",
		NParents: 3, PoolCommon: true, ordering: ordering{Order: "per_class"},
		Coef: 1, NoiseSD: 1,
		TypeLevel: byReading, ComponentLevel: sampleLevel, TDF: 5, departures: asWritten(),
	}
}

// resolve returns a copy of g in which the parameter Reading has replaced the placeholders NRoots =
// 0, ParentPool = 0 and TypeLevel = by_reading. It returns an error if parameters contradict each
// other.
func (g *BayesNet) resolve() (BayesNet, error) {
	r := *g
	roots, pool, typeLevel := 1, r.D, sampleLevel
	if r.Reading == calibrated {
		roots, pool, typeLevel = min(calibratedRoots, r.D), min(calibratedPool, r.D), nodeLevel
	}
	r.NRoots = cmp.Or(r.NRoots, roots)
	r.ParentPool = cmp.Or(r.ParentPool, pool)
	if r.TypeLevel == byReading {
		r.TypeLevel = typeLevel
	}
	err := cmp.Or(r.resolveBlocks(r.D), r.check()) // resolveBlocks changes r
	return r, err
}

// check returns an error if the parameters contradict each other. g must come from resolve, so that
// NRoots and ParentPool are not 0. The pool consists of the ParentPool variables that can be
// parents.
func (g *BayesNet) check() error {
	separatePools := g.ParentPool < g.D && !g.PoolCommon // each class draws its own pool
	shareable := g.D - g.unshareable()
	switch {
	case g.NRoots > g.D:
		return invalid("n_roots", "there cannot be %d roots among d = %d variables", g.NRoots, g.D)
	case g.ParentPool > g.D:
		return invalid("parent_pool", "a pool of %d parents exceeds d = %d variables", g.ParentPool, g.D)
	case g.CommonNodes > shareable:
		return invalid("common_nodes", "the classes can share at most %d variables, not %d; "+
			"lower `common_nodes`, `n_roots` or `parent_pool`", shareable, g.CommonNodes)
	case separatePools && g.CommonNodes > 0:
		return invalid("pool_common", "must be true, because `common_nodes` needs a common pool of parents")
	case separatePools && g.Order == "common":
		return invalid("pool_common", "must be true, because `order: common` needs a common pool of parents")
	}
	return nil
}

func (g *BayesNet) Validate() error {
	_, err := g.resolve()
	return err
}

// New draws a graph and the densities of the variables for each of two classes. Shared variables
// have the same parents and the same random choices in both classes.
func (g *BayesNet) New(rng *rand.Rand) (Problem, error) {
	r, err := g.resolve()
	if err != nil {
		return nil, err
	}
	// Draw class 0. In the order of the variables, parents come before their children. The pool, the
	// variables that can be parents, comes first.
	var noneShared map[int][]int // parents of the shared variables; class 0 has none yet
	pool := drawDistinct(stats.Indices(r.D), r.ParentPool, rng)
	order := drawOrder(r.orderRanks(pool), noneShared, r.NRoots, rng)
	graph := r.drawGraph(order, pool, noneShared, rng)
	shareable := order[r.unshareable():] // the variables after the roots and the pool
	first := drawFirstClass(graph, r.CommonNodes, shareable, r.densities(), rng)

	// Draw class 1. The parameters determine whether both classes have the same pool of parents and
	// the same order.
	if !r.PoolCommon {
		pool = drawDistinct(stats.Indices(r.D), r.ParentPool, rng)
	}
	if r.Order != "common" {
		order = drawOrder(r.orderRanks(pool), first.shared, r.NRoots, rng)
	}
	p := first.withSecondClass(r.drawGraph(order, pool, first.shared, rng), r.densities(), rng)
	p.description = description{
		Generator:  "bayesnet",
		Parameters: describeParameters(r),
		Drawn:      map[string][]string{"common_nodes": first.sharedNames()},
	}
	return p, nil
}

// densities returns the family of the conditional densities.
func (g *BayesNet) densities() cpd {
	return cpd{
		departures: g.departures, complex: g.CPD == "complex",
		typeLevel: g.TypeLevel, componentLevel: g.ComponentLevel,
		coef: g.Coef, noiseSD: g.NoiseSD, df: g.TDF, components: g.components,
	}
}

// components returns the two components of the mixture. The first leaves out the last parent, and
// the second the first.
func (g *BayesNet) components(parents []int) [2]branch {
	return [2]branch{{parents: parents[:min(len(parents), g.NParents-1)]}, {parents: parents[1:]}}
}

// orderRanks returns a rank for each variable. drawOrder puts smaller ranks first. The variables of
// the pool come before all others. Within the pool and among the others, earlier blocks come first.
func (g *BayesNet) orderRanks(pool []int) []int {
	rank := g.blockRanks(g.D)
	blocks := len(g.BlockCuts) + 1
	for j := range rank {
		if !slices.Contains(pool, j) {
			rank[j] += blocks
		}
	}
	return rank
}

// drawGraph draws the parents of the variables of one class. order lists all variables, and pool
// lists the variables that can be parents. shared maps each shared variable to its parents in the
// other class. Every other variable draws its parents from the pool variables before it in the
// order, unless it is a root.
func (g *BayesNet) drawGraph(order, pool []int, shared map[int][]int, rng *rand.Rand) dag {
	parents := make([][]int, g.D)
	depth := make([]int, g.D) // length of the longest path from a root to each variable
	var earlier []int         // the pool variables before variable j in the order
	for i, j := range order { // variable j is at position i
		if known, isShared := shared[j]; isShared {
			parents[j] = known
		} else if !g.drawIsRoot(i, rng) {
			parents[j] = g.pickParents(earlier, depth, g.NParents, rng)
		}
		depth[j] = depthOf(parents[j], depth)
		if slices.Contains(pool, j) {
			earlier = append(earlier, j)
		}
	}
	return dag{order: order, parents: parents}
}

// drawIsRoot reports whether the variable at position i of the order is a root. After the first
// g.NRoots variables, each is a root with probability g.RootProb.
func (g *BayesNet) drawIsRoot(i int, rng *rand.Rand) bool {
	return i < g.NRoots || g.RootProb > 0 && rng.Float64() < g.RootProb
}

// unshareable returns the number of variables that the classes cannot share, which come first in the
// order: the first g.NRoots variables and the pool. A pool of all variables is ignored.
func (g *BayesNet) unshareable() int {
	if g.ParentPool == g.D {
		return g.NRoots
	}
	return max(g.NRoots, g.ParentPool)
}
