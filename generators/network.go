package generators

import (
	"maps"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"

	"copse/stats/dataset"
)

// A node is one variable of a Bayesian network. Given its parents, its density is a mixture whose
// weighted components are the branches.
type node struct {
	column   int
	parents  []int // columns
	branches []branch
}

// logDensity returns the log density of the node's variable in row x, given the values of its
// parents.
func (n *node) logDensity(x []float64) float64 {
	if len(n.branches) == 1 {
		return n.branches[0].logDensity(x, n.column)
	}
	var terms [3]float64 // one term for each branch, at most three
	for b := range n.branches {
		terms[b] = n.branches[b].logDensity(x, n.column)
	}
	return floats.LogSumExp(terms[:len(n.branches)])
}

// draw draws the node's variable from a random branch and stores it in row, which contains the
// values of the parents.
func (n *node) draw(row []float64, rng *rand.Rand) {
	b := 0
	if len(n.branches) > 1 {
		// The branch whose weight makes u negative is chosen.
		u := rng.Float64() - n.branches[0].weight
		for u >= 0 && b < len(n.branches)-1 {
			b++
			u -= n.branches[b].weight
		}
	}
	row[n.column] = n.branches[b].draw(row, rng)
}

// A network is a Bayesian network in which each node comes after its parents.
type network []node

// networkProblem is a problem with two classes. The density of each class is a mixture of networks
// with equal weights, usually a single network.
type networkProblem struct {
	description description
	classes     [][]network // networks of each class
}

// A firstClass is class 0 of a problem whose class 1 has not been drawn yet.
type firstClass struct {
	networks []network
	choices  []choices     // random choices that determine the density of each variable
	shared   map[int][]int // from each column that both classes share to its parents in both
}

// sharedNames returns the names of the columns that both classes share.
func (c firstClass) sharedNames() []string { return columnNames(slices.Sorted(maps.Keys(c.shared))) }

// drawFirstClass draws the densities of class 0 for the graph g, from the family f. It also draws
// nShared of the shareable columns.
func drawFirstClass(g dag, nShared int, shareable []int, f cpd, rng *rand.Rand) firstClass {
	c := firstClass{choices: drawChoices(len(g.order), rng), shared: map[int][]int{}}
	for _, j := range drawDistinct(shareable, nShared, rng) {
		c.shared[j] = g.parents[j]
	}
	f.scaleFactor = 1
	c.networks = f.networks(g, c.choices, c.choices[0], rng)
	return c
}

// withSecondClass returns the problem with c as class 0. Class 1 has the graph g and random
// densities from the family f.
func (c firstClass) withSecondClass(g dag, f cpd, rng *rand.Rand) *networkProblem {
	second := drawChoices(len(c.choices), rng)
	for j := range c.shared {
		second[j] = c.choices[j]
	}
	f.scaleFactor = f.ClassScale
	networks := f.networks(g, second, c.choices[0], rng)
	return &networkProblem{classes: [][]network{c.networks, networks}}
}

func (p *networkProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	return sampleRows(counts, len(p.classes), len(p.classes[0][0]), func(class int, row []float64) {
		mixture := p.classes[class]
		net := mixture[0]
		if len(mixture) > 1 {
			net = mixture[rng.Intn(len(mixture))]
		}
		for i := range net {
			net[i].draw(row, rng)
		}
	})
}

func (p *networkProblem) LogDensity(class int, x []float64) float64 {
	mixture := p.classes[class]
	checkRow(x, len(mixture[0]))
	if len(mixture) == 1 {
		return mixture[0].logDensity(x) // logAdd would turn NaN into -Inf
	}
	sum := math.Inf(-1)
	for _, net := range mixture {
		sum = logAdd(sum, net.logDensity(x))
	}
	return sum - math.Log(float64(len(mixture)))
}

func (net network) logDensity(x []float64) float64 {
	sum := 0.0
	for i := range net {
		sum += net[i].logDensity(x)
	}
	return sum
}

func (p *networkProblem) Model() any {
	d := p.description
	for _, mixture := range p.classes {
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

// nodeDescription describes a node in model.json.
type nodeDescription struct {
	Name    string              `json:"name"`
	Parents []string            `json:"parents"`
	Density []branchDescription `json:"density"`
}

// branchDescription describes one weighted component of a variable's density in model.json. The
// location of the component is coef * sum(weights * parents) + shift. For a noncentral t, the
// location is only shift, and the other term is the noncentrality. Weights are omitted if all are
// 1.
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

func (net network) describe() []nodeDescription {
	nodes := make([]nodeDescription, len(net))
	for i, n := range net {
		nodes[i] = nodeDescription{Name: columnName(n.column), Parents: columnNames(n.parents)}
		for _, b := range n.branches {
			nodes[i].Density = append(nodes[i].Density, branchDescription{
				Weight: b.weight, Family: b.family(), DF: b.df, Parents: columnNames(b.parents),
				Weights: b.weights, Coef: b.coef, Shift: b.shift, Scale: b.scale,
			})
		}
	}
	return nodes
}

func (b *branch) family() string {
	switch {
	case b.noncentral:
		return "noncentral t"
	case b.df > 0:
		return "t"
	}
	return "normal"
}
