package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
)

// ForestMVN draws problems with two classes from the factorial design of Dorn et al. (2018),
// section 5.1. The density of each class is a Gaussian copula whose edges form a forest. The design
// has three factors:
//
//   - The edges form a tree over all variables, or a forest with two thirds of the edges of a tree.
//   - The margins are standard normal or complex. A complex margin is a t distribution or a mixture
//     of two normals.
//   - The forests of the two classes are drawn independently, or they share two thirds of their
//     features. The features are the edges, and the variables without edges (isolated variables).
//
// The paper leaves some details open. In this implementation, each edge is drawn uniformly from the
// pairs of variables whose edge would not close a cycle. It has a correlation, which is the
// correlation of the normal scores of its two variables. The absolute value of the correlation is
// uniform on [rho_min, rho_max].
//
// A complex margin is a t distribution with probability 1/2, and otherwise a mixture. Shared edges
// have the same correlation in both classes. Shared isolated variables have the same margin.
type ForestMVN struct {
	// number of variables
	D int `param:"d" range:"[1,inf)"`
	// `tree` has d-1 edges; `forest` has `round(edge_share (d-1))` edges
	Sparsity string `param:"sparsity" enum:"tree,forest"`
	// number of edges of a forest divided by d-1, the number of edges of a tree
	EdgeShare float64 `param:"edge_share" range:"[0,1]"`
	// fraction of edges and isolated variables that are the same in both classes
	Shared float64 `param:"shared" range:"[0,1]"`
	// margins: standard normal (gaussian), or t and mixtures of normals (complex)
	Marginals string `param:"marginals" enum:"gaussian,complex"`
	// whether complex margins are drawn separately for each class or once for both classes
	MarginalsPer string `param:"marginals_per" enum:"class,problem"`
	// lower limit of the absolute correlation of an edge
	RhoMin float64 `param:"rho_min" range:"[0,1)"`
	// upper limit of the absolute correlation of an edge
	RhoMax float64 `param:"rho_max" range:"[0,1)"`
	// whether each correlation is negative with probability 1/2
	RandomSign bool `param:"random_sign"`
	// degrees of freedom of the t-distributed margins
	TDF float64 `param:"t_df" range:"[1,1e6]"`
	// weight of the first normal component of the mixture margins
	MixWeight float64 `param:"mix_weight" range:"(0,1)"`
	// means of the two normal components of the mixture margins
	MixMeans []float64 `param:"mix_means" range:"[-1e6,1e6]"`
	// standard deviations of the two normal components of the mixture margins
	MixSDs []float64 `param:"mix_sds" range:"[1e-3,1e6]"`
}

// NewForestMVN returns the generator for the simplest cell of the design, with d = 20 as in the
// paper.
func NewForestMVN() *ForestMVN {
	return &ForestMVN{
		D: 20, Sparsity: "tree", EdgeShare: 2.0 / 3, Marginals: "gaussian", MarginalsPer: "class",
		RhoMin: 0.5, RhoMax: 0.9, RandomSign: true,
		TDF: 3, MixWeight: 0.5, MixMeans: []float64{-1, 1}, MixSDs: []float64{0.5, 1},
	}
}

func (g *ForestMVN) Validate() error {
	if g.RhoMin > g.RhoMax {
		return invalid("rho_min", "%v exceeds `rho_max` %v", g.RhoMin, g.RhoMax)
	}
	if len(g.MixMeans) != 2 {
		return invalid("mix_means", "a mixture of two normals needs two means, not %d", len(g.MixMeans))
	}
	if len(g.MixSDs) != 2 {
		return invalid("mix_sds", "a mixture of two normals needs two standard deviations, not %d", len(g.MixSDs))
	}
	return nil
}

// New draws a problem with two classes, each a Gaussian copula whose graph is a forest. The margins
// are standard normal or, if g.Marginals is "complex", t distributions and mixtures of normals. The
// classes share the fraction g.Shared of the edges and of the isolated variables (variables without
// edges) of the first class.
func (g *ForestMVN) New(rng *rand.Rand) (Problem, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	p := &forestMVNProblem{ForestMVN: *g}
	if g.Marginals == "complex" {
		mixture := newMixtureMargin(g.MixWeight, [2]float64(g.MixMeans), [2]float64(g.MixSDs))
		p.tables = []*quantileTable{
			tKind:       newQuantileTable(newTMargin(g.TDF)),
			mixtureKind: newQuantileTable(mixture),
		}
	}
	edges := g.D - 1 // number of edges of a tree
	if g.Sparsity == "forest" {
		edges = int(math.Round(g.EdgeShare * float64(g.D-1)))
	}
	var noEdges []copulaEdge
	var noVariables []int
	first := copulaForest{edges: g.growForest(noEdges, edges, noVariables, rng), kinds: g.drawKinds(rng)}
	// The second class keeps the shared edges, and gives no edge to the shared isolated variables.
	p.sharedEdges, p.sharedIsolated = g.drawShared(first.edges, rng)
	second := copulaForest{edges: g.growForest(p.sharedEdges, edges, p.sharedIsolated, rng), kinds: g.drawKinds(rng)}
	for j := range g.D {
		sameMargin := g.MarginalsPer == "problem" || slices.Contains(p.sharedIsolated, j)
		if sameMargin {
			second.kinds[j] = first.kinds[j]
		}
	}
	p.classes = []copulaForest{first.rooted(), second.rooted()}
	return p, nil
}

// drawKinds chooses the kind of each variable's margin at random, tKind or mixtureKind. New calls it
// even if margins are normal, so that the same seed gives the same forests.
func (g *ForestMVN) drawKinds(rng *rand.Rand) []int {
	kinds := make([]int, g.D)
	for j := range kinds {
		kinds[j] = rng.Intn(2)
	}
	return kinds
}

// growForest adds random edges to the edges in kept, until the forest has the given number of
// edges. It draws each new edge uniformly from the pairs of variables that no path connects yet.
// The variables in the list isolated get no edges.
func (g *ForestMVN) growForest(kept []copulaEdge, edges int, isolated []int, rng *rand.Rand) []copulaEdge {
	forest := slices.Clone(kept)
	components := stats.NewPartition(g.D) // connected components of the forest
	for _, e := range kept {
		components.Join(e.i, e.j)
	}
	for len(forest) < edges {
		pairs := unconnected(components, isolated)
		pair := pairs[rng.Intn(len(pairs))]
		rho := g.RhoMin + (g.RhoMax-g.RhoMin)*rng.Float64()
		if g.RandomSign && rng.Float64() < 0.5 {
			rho = -rho
		}
		e := copulaEdge{i: pair[0], j: pair[1], rho: rho}
		components.Join(e.i, e.j)
		forest = append(forest, e)
	}
	return forest
}

// unconnected returns the pairs i < j of variables in different components, without the isolated
// variables.
func unconnected(components stats.Partition, isolated []int) (pairs [][2]int) {
	open := slices.DeleteFunc(stats.Indices(len(components)), func(j int) bool { return slices.Contains(isolated, j) })
	for k, i := range open {
		for _, j := range open[k+1:] {
			if components.Smallest(i) != components.Smallest(j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// drawShared draws the fraction g.Shared of the edges and isolated variables of the first class.
// The returned isolated variables are in ascending order.
func (g *ForestMVN) drawShared(edges []copulaEdge, rng *rand.Rand) (kept []copulaEdge, isolated []int) {
	var candidates []int
	for j := range g.D {
		onEdge := func(e copulaEdge) bool { return e.i == j || e.j == j }
		if !slices.ContainsFunc(edges, onEdge) {
			candidates = append(candidates, j)
		}
	}
	features := len(edges) + len(candidates) // numbered with the edges first
	count := int(math.Round(g.Shared * float64(features)))
	for _, f := range drawDistinct(stats.Indices(features), count, rng) {
		if f < len(edges) {
			kept = append(kept, edges[f])
		} else {
			isolated = append(isolated, candidates[f-len(edges)])
		}
	}
	slices.Sort(isolated)
	return kept, isolated
}
