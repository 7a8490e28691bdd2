package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

type copulaEdge struct {
	i, j int
	rho  float64 // correlation of the normal scores of i and j
}

// A copulaForest is a Gaussian copula whose dependence graph is a forest. With margins of densities
// f_j, the log density of a row is
//
//	log p(x) = sum_j log f_j(x_j) + sum_{edges} log c_rho(z_i, z_j),
//	log c_rho(u, v) = (2 rho u v - rho^2 (u^2 + v^2)) / (2 (1 - rho^2)) - log(1 - rho^2)/2,
//
// where z_j = Phi^-1(F_j(x_j)) is the normal score of x_j.
type copulaForest struct {
	edges []copulaEdge
	kinds []int // kind of each variable's margin: tKind or mixtureKind; unused if margins are normal

	// rooted computes these fields from the edges.
	order  []int     // all variables; each comes after its parent
	parent []int     // parent of each variable; -1: none
	rho    []float64 // correlation of each variable with its parent; 0: no parent
	logDet float64   // sum of log(1 - rho^2) over the edges: the log determinant of the correlation matrix
}

// Kinds of complex margins. Their values are the indices of forestMVNProblem.tables.
const (
	tKind       = 0 // t distribution
	mixtureKind = 1 // mixture of two normal distributions
)

// rooted returns a copy of f whose edges are directed away from roots, with the fields order,
// parent, rho and logDet.
func (f copulaForest) rooted() copulaForest {
	d := len(f.kinds)
	edgesAt := make([][]copulaEdge, d) // edges at each variable i, directed from i to j
	for _, e := range f.edges {
		edgesAt[e.i] = append(edgesAt[e.i], e)
		edgesAt[e.j] = append(edgesAt[e.j], copulaEdge{i: e.j, j: e.i, rho: e.rho})
	}
	f.parent, f.rho = slices.Repeat([]int{-1}, d), make([]float64, d)
	for root := range d {
		isInTree := slices.Contains(f.order, root)
		if !isInTree {
			f.addTree(root, edgesAt)
		}
	}
	return f
}

// addTree appends the variables of a tree to f.order, breadth first, and sets the other fields of
// rooted for them. edgesAt[i] contains the edges of variable i, directed away from it.
func (f *copulaForest) addTree(root int, edgesAt [][]copulaEdge) {
	first := len(f.order)
	f.order = append(f.order, root)
	for k := first; k < len(f.order); k++ { // f.order grows during the loop
		i := f.order[k]
		for _, e := range edgesAt[i] {
			if e.j == f.parent[i] {
				continue // the edge by which the search reached i
			}
			f.parent[e.j], f.rho[e.j] = i, e.rho
			f.logDet += math.Log(1 - e.rho*e.rho)
			f.order = append(f.order, e.j)
		}
	}
}

type forestMVNProblem struct {
	ForestMVN
	tables         []*quantileTable // table of each kind of margin; nil: all margins are standard normal
	classes        []copulaForest
	sharedEdges    []copulaEdge // edges that both classes share
	sharedIsolated []int        // isolated variables that both classes share
}

// hasNormalMargins reports whether all margins are standard normal.
func (p *forestMVNProblem) hasNormalMargins() bool { return p.tables == nil }

// Sample draws normal scores from the roots to the leaves. The score of a root is standard normal.
// A variable j with parent k has the score
//
//	z_j = rho z_k + sqrt(1 - rho^2) e,
//
// where e is standard normal. Sample then maps each score to a value of the variable's margin.
func (p *forestMVNProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	return sampleRows(counts, len(p.classes), p.D, func(class int, row []float64) {
		f := &p.classes[class]
		for _, j := range f.order {
			row[j] = rng.NormFloat64()
			if k, rho := f.parent[j], f.rho[j]; k >= 0 {
				row[j] = rho*row[k] + math.Sqrt(1-rho*rho)*row[j]
			}
		}
		if p.hasNormalMargins() { // the values are the scores
			return
		}
		for j, z := range row {
			row[j] = p.tables[f.kinds[j]].at(z)
		}
	})
}

// LogDensity returns the log density of row x in a class: the sum of the log densities of the
// margins and of one Gaussian copula for each edge (see copulaForest).
func (p *forestMVNProblem) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	f := &p.classes[class]
	var stack [64]float64        // avoids an allocation for up to 64 variables
	z := append(stack[:0], x...) // normal scores: equal to x if all margins are normal
	sum := -f.logDet / 2         // the terms -log(1 - rho^2)/2 of all edges
	for j := range x {
		if p.hasNormalMargins() {
			sum -= x[j]*x[j]/2 + logRoot2Pi
			continue
		}
		table := p.tables[f.kinds[j]]
		z[j] = table.score(x[j])
		sum += table.margin.logDensity(x[j])
	}
	for j, parent := range f.parent {
		if parent < 0 {
			continue // a root
		}
		rho, u, v := f.rho[j], z[j], z[parent]
		rest := 1 - rho*rho
		sum += rho/rest*u*v - rho*rho/(2*rest)*(u*u+v*v)
	}
	return sum
}

// Model describes the parameters, the shared edges and isolated variables, and the edges and
// margins of each class.
func (p *forestMVNProblem) Model() any {
	type edge struct {
		Between [2]string `json:"between"`
		Rho     float64   `json:"rho"`
	}
	type forest struct {
		Edges   []edge   `json:"edges"`
		Margins []string `json:"margins"`
	}
	describe := func(edges []copulaEdge) []edge {
		list := make([]edge, len(edges))
		for k, e := range edges {
			list[k] = edge{[2]string{columnName(e.i), columnName(e.j)}, e.rho}
		}
		return list
	}
	d := description{
		Generator:  "forestmvn",
		Parameters: describeParameters(p.ForestMVN),
		Drawn: map[string]any{
			"shared_edges": describe(p.sharedEdges), "shared_isolated": columnNames(p.sharedIsolated),
		},
	}
	for _, f := range p.classes {
		c := forest{Edges: describe(f.edges)}
		for _, kind := range f.kinds {
			name := "t"
			switch {
			case p.hasNormalMargins():
				name = "normal"
			case kind == mixtureKind:
				name = "mixture"
			}
			c.Margins = append(c.Margins, name)
		}
		d.Classes = append(d.Classes, c)
	}
	return d
}
