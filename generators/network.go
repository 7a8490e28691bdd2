package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A node is one variable of a Bayesian network. Its density, given the values of its parents, is a
// mixture of branches.
type node struct {
	column   int
	parents  []int // columns
	branches []branch
}

// logDensity returns the logarithm of the density of the node's variable in row x, given its
// parents in the same row: the logarithm of the sum of its branches.
func (n *node) logDensity(x []float64) float64 {
	if len(n.branches) == 1 {
		return n.branches[0].logDensity(x, n.column)
	}
	var terms [3]float64 // logarithm of each branch; a node has at most three
	largest := math.Inf(-1)
	for b := range n.branches {
		terms[b] = n.branches[b].logDensity(x, n.column)
		largest = math.Max(largest, terms[b])
	}
	if math.IsInf(largest, -1) {
		return largest // t - largest would be NaN
	}
	sum := 0.0
	for _, t := range terms[:len(n.branches)] {
		sum += math.Exp(t - largest)
	}
	return largest + math.Log(sum)
}

// draw draws the value of the node's variable in a row that already contains its parents. It
// chooses a branch at random by the weights, then draws a value of that branch.
func (n *node) draw(row []float64, rng *rand.Rand) {
	b := 0
	if len(n.branches) > 1 {
		// u minus the weights of branches 0 to b first becomes negative at the chosen branch b.
		u := rng.Float64() - n.branches[0].weight
		for u >= 0 && b < len(n.branches)-1 {
			b++
			u -= n.branches[b].weight
		}
	}
	row[n.column] = n.branches[b].draw(row, rng)
}

// A network is a Bayesian network: a list of its nodes in which each node comes after its parents.
type network []node

// newNetwork returns a network with graph g and densities of the family f. c[j] are the coins of
// column j, i.e. the random choices among the densities.
func newNetwork(g dag, f cpd, c []coins) network {
	net := make(network, len(g.order))
	for i, j := range g.order {
		net[i] = node{column: j, parents: g.parents[j], branches: f.branches(g.parents[j], c[j])}
	}
	return net
}

// networkProblem is a problem in which the density of each class is a Bayesian network or, rarely,
// a mixture of several.
type networkProblem struct {
	description description
	classes     []network   // the first network of each class
	mixtures    [][]network // all networks of each class; they have equal shares
}

// twoGraphs describes how to draw the graphs of two classes. A shared variable has the same parents
// and the same density in both classes.
type twoGraphs struct {
	common    int                                 // number of shared variables
	shareable func(first dag) []int               // the columns that may be shared
	draw      func(class int, shared sharing) dag // class 0 shares nothing
}

// sharing lists the variables that the second class shares with the first.
type sharing struct {
	nodes   []int   // columns, ascending
	parents [][]int // parents[j] are the parents of column j if it is shared, else nil
}

// addTwoClasses draws the graphs of both classes on d columns, and the coins, i.e. the random choices
// among the densities of the family f. It returns the columns that have the same parents and density
// in both classes, in ascending order.
func (p *networkProblem) addTwoClasses(d int, graphs twoGraphs, f cpd, rng *rand.Rand) []int {
	shared := sharing{parents: make([][]int, d)}
	first := graphs.draw(0, shared)
	firstCoins := tossAll(d, rng)
	shared.nodes = choose(graphs.shareable(first), graphs.common, rng)
	slices.Sort(shared.nodes)
	for _, j := range shared.nodes {
		shared.parents[j] = first.parents[j]
	}
	p.addClass(first, f, firstCoins, firstCoins, rng)

	second := graphs.draw(1, shared)
	secondCoins := tossAll(d, rng)
	for _, j := range shared.nodes {
		secondCoins[j] = firstCoins[j]
	}
	p.addClass(second, f, secondCoins, firstCoins, rng)
	return shared.nodes
}

// Sample draws rows. For each row it chooses one of the networks of the class at random.
func (p *networkProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	return sampleRows(counts, len(p.classes), len(p.classes[0]), func(class int, row []float64) {
		net := p.classes[class]
		if k := len(p.mixtures[class]); k > 1 {
			net = p.mixtures[class][rng.Intn(k)]
		}
		for i := range net {
			net[i].draw(row, rng)
		}
	})
}

// LogDensity returns the logarithm of the density of row x in a class: the mean density of its
// networks.
func (p *networkProblem) LogDensity(class int, x []float64) float64 {
	checkRow(x, len(p.classes[class]))
	mixture := p.mixtures[class]
	if len(mixture) == 1 {
		return mixture[0].logDensity(x)
	}
	sum := math.Inf(-1)
	for _, net := range mixture {
		sum = logAdd(sum, net.logDensity(x))
	}
	return sum - math.Log(float64(len(mixture)))
}

// logDensity returns the logarithm of the density of row x.
func (net network) logDensity(x []float64) float64 {
	sum := 0.0
	for i := range net {
		sum += net[i].logDensity(x)
	}
	return sum
}

// Model describes the networks of each class for model.json.
func (p *networkProblem) Model() any {
	d := p.description
	for _, mixture := range p.mixtures {
		if len(mixture) == 1 {
			d.Classes = append(d.Classes, mixture[0].describe())
			continue
		}
		var parts []any
		for _, net := range mixture {
			parts = append(parts, net.describe())
		}
		d.Classes = append(d.Classes, parts)
	}
	return d
}

// nodeDescription describes a node of a network in model.json.
type nodeDescription struct {
	Name    string              `json:"name"`
	Parents []string            `json:"parents"`
	Density []branchDescription `json:"density"`
}

// branchDescription describes a branch of a density in model.json. The location of the branch is
// coef * sum(parents) + shift.
type branchDescription struct {
	Weight  float64   `json:"weight"`
	Family  string    `json:"family"`
	DF      float64   `json:"df,omitempty"`
	Parents []string  `json:"parents"`
	Weights []float64 `json:"weights,omitempty"`
	Coef    float64   `json:"coef"`
	Shift   float64   `json:"shift"`
	Scale   float64   `json:"scale"`
}

// describe returns descriptions of the nodes; each comes after its parents.
func (net network) describe() []nodeDescription {
	nodes := make([]nodeDescription, len(net))
	for i, n := range net {
		nodes[i] = nodeDescription{Name: columnName(n.column), Parents: columnNames(n.parents)}
		for _, b := range n.branches {
			family := "normal"
			if b.df > 0 {
				family = "t"
			}
			if b.noncentral {
				family = "noncentral t"
			}
			nodes[i].Density = append(nodes[i].Density, branchDescription{
				Weight: b.weight, Family: family, DF: b.df, Parents: columnNames(b.parents),
				Weights: b.weights, Coef: b.coef, Shift: b.shift, Scale: b.scale,
			})
		}
	}
	return nodes
}
