package generators

import (
	"math"

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
	margin []int // by variable: 0 t, 1 mixture; ignored where margins are normal
	order  []int // every variable after its parent
	parent []int // by variable, -1: none
	// By variable, of its edge with the parent: rho, the factors in log c_rho of
	// the product and of the squares,
	//
	//	cross = rho / (1 - rho^2),   square = rho^2 / (2 (1 - rho^2)).
	rho, cross, square []float64
	logDet             float64 // sum of log(1 - rho^2)
}

// rooted returns f with all that its edges give: every component hangs from its
// first variable.
func (f copulaForest) rooted() copulaForest {
	d := len(f.margin)
	neighbours := make([][]copulaEdge, d)
	for _, e := range f.edges {
		neighbours[e.i] = append(neighbours[e.i], e)
		neighbours[e.j] = append(neighbours[e.j], copulaEdge{i: e.j, j: e.i, rho: e.rho})
	}
	f.parent, f.rho, f.cross, f.square = make([]int, d), make([]float64, d), make([]float64, d), make([]float64, d)
	seen := make([]bool, d)
	for root := range d {
		if seen[root] {
			continue
		}
		seen[root], f.parent[root] = true, -1
		f.order = append(f.order, root)
		for k := len(f.order) - 1; k < len(f.order); k++ {
			for _, e := range neighbours[f.order[k]] {
				if !seen[e.j] {
					seen[e.j], f.parent[e.j], f.rho[e.j] = true, e.i, e.rho
					f.order = append(f.order, e.j)
					rest := 1 - e.rho*e.rho
					f.cross[e.j], f.square[e.j] = e.rho/rest, e.rho*e.rho/(2*rest)
					f.logDet += math.Log(rest)
				}
			}
		}
	}
	return f
}

// forestMVNProblem is one draw of ForestMVN.
type forestMVNProblem struct {
	ForestMVN
	margins        []*quantileTable // t and mixture; nil: every margin is standard normal
	classes        []copulaForest
	sharedEdges    []copulaEdge
	sharedIsolated []int
}

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
			return
		}
		for j, z := range row {
			row[j] = p.margins[f.margin[j]].at(z)
		}
	})
}

func (p *forestMVNProblem) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	f := &p.classes[class]
	var stack [64]float64 // no allocation for usual d
	z := append(stack[:0], x...)
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
			sum += f.cross[j]*z[j]*z[k] - f.square[j]*(z[j]*z[j]+z[k]*z[k])
		}
	}
	return sum
}

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
