package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// copulaEdge joins variables i and j, whose normal scores have correlation rho.
type copulaEdge struct {
	i, j int
	rho  float64
}

// A copulaForest is a Gaussian copula on a forest with margins:
//
//	log p(x) = sum_j log f_j(x_j) + sum_{edges} log c_rho(z_i, z_j),
//	log c_rho(u, v) = (2 rho u v - rho^2 (u^2 + v^2)) / (2 (1 - rho^2)) - log(1 - rho^2)/2,
//
// with z_j = Phi^-1(F_j(x_j)).
type copulaForest struct {
	edges  []copulaEdge
	margin []int     // by variable: 0 t, 1 mixture; unused if margins are normal
	order  []int     // every variable after its parent
	parent []int     // by variable, -1: none
	rho    []float64 // by variable, of the edge to its parent; 0: no parent
	logDet float64   // sum of log(1 - rho^2) over the edges
}

// rooted returns f with order, parent, rho and logDet. The root of a component is its first variable;
// variables follow in order of their distance from it.
func (f copulaForest) rooted() copulaForest {
	d := len(f.margin)
	neighbours := make([][]copulaEdge, d) // by variable i, edges from it to j
	for _, e := range f.edges {
		neighbours[e.i] = append(neighbours[e.i], e)
		neighbours[e.j] = append(neighbours[e.j], copulaEdge{i: e.j, j: e.i, rho: e.rho})
	}
	f.parent, f.rho = slices.Repeat([]int{-1}, d), make([]float64, d)
	seen := make([]bool, d)
	for root := range d {
		if seen[root] {
			continue
		}
		seen[root] = true
		queue := []int{root}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			f.order = append(f.order, i)
			for _, e := range neighbours[i] {
				if seen[e.j] {
					continue // the parent of i
				}
				seen[e.j] = true
				f.parent[e.j], f.rho[e.j] = i, e.rho
				f.logDet += math.Log(1 - e.rho*e.rho)
				queue = append(queue, e.j)
			}
		}
	}
	return f
}

// forestMVNProblem is one draw of ForestMVN.
type forestMVNProblem struct {
	ForestMVN
	margins        []*quantileTable // t and mixture; nil: all margins are standard normal
	classes        []copulaForest
	sharedEdges    []copulaEdge
	sharedIsolated []int
}

// Sample draws rows. Given the score z_k of its parent, a normal score is z_j = rho z_k + sqrt(1 - rho^2) e
// with e standard normal. Complex margins then replace each score by its value.
func (p *forestMVNProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	return sampleRows(counts, len(p.classes), p.D, func(class int, row []float64) {
		f := &p.classes[class]
		for _, j := range f.order {
			row[j] = rng.NormFloat64()
			if k := f.parent[j]; k >= 0 {
				row[j] = f.rho[j]*row[k] + math.Sqrt(1-f.rho[j]*f.rho[j])*row[j]
			}
		}
		if p.margins == nil {
			return // standard normal margins
		}
		for j, z := range row {
			row[j] = p.margins[f.margin[j]].at(z)
		}
	})
}

// LogDensity returns the log density of a copula forest.
func (p *forestMVNProblem) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	f := &p.classes[class]
	var stack [64]float64        // saves an allocation for usual d
	z := append(stack[:0], x...) // normal scores
	sum := -f.logDet / 2
	for j := range x {
		if p.margins == nil {
			sum -= x[j]*x[j]/2 + logRoot2Pi
			continue
		}
		m := p.margins[f.margin[j]]
		z[j] = m.score(x[j])
		sum += m.margin.logDensity(x[j])
	}
	for j, k := range f.parent {
		if k >= 0 {
			rho := f.rho[j]
			rest := 1 - rho*rho
			sum += rho/rest*z[j]*z[k] - rho*rho/(2*rest)*(z[j]*z[j]+z[k]*z[k])
		}
	}
	return sum
}

// Model describes what was drawn.
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
		for _, m := range f.margin {
			name := "normal"
			if p.margins != nil {
				name = []string{"t", "mixture"}[m]
			}
			c.Margins = append(c.Margins, name)
		}
		d.Classes = append(d.Classes, c)
	}
	return d
}
