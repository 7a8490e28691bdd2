package generators

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"
)

// departures are parameters for other interpretations of section 5.1 of Tenzer et al. (2020). They
// vary what the paper leaves open, and mistakes that a program written from it may contain. The
// default values follow the paper.
type departures struct {
	TLaw         string  `param:"t_law" doc:"t distribution of the complex density: central, shifted by c z, or with noncentrality c z" enum:"central,noncentral"`
	TScale       float64 `param:"t_scale" doc:"scale of the t distribution divided by noise_sd" range:"(0,inf)"`
	TShift       float64 `param:"t_shift" doc:"number added to the location c z of the t distribution" range:"(-inf,inf)"`
	Mixture      string  `param:"mixture" doc:"the complex density contains a mixture of two normals (components), or the average of two normal variables" enum:"components,average"`
	MixtureScale float64 `param:"mixture_scale" doc:"scale of the two normals divided by noise_sd" range:"(0,inf)"`
	Standardise  string  `param:"standardise" doc:"divide the parents in a density, or all columns, by their standard deviation in the class, estimated from 4000 rows" enum:"none,parents,columns"`
	Attachment   string  `param:"attachment" doc:"choice of parents among the earlier variables: uniform, the latest (chain) or the earliest (star)" enum:"uniform,chain,star"`
	MaxDepth     int     `param:"max_depth" doc:"largest number of edges on a path from a root, ignoring shared variables; 0: unlimited" range:"[0,inf)"`
	ClassScale   float64 `param:"class_scale" doc:"factor that multiplies all scales in the second class" range:"(0,inf)"`
}

// asWritten returns the parameters that follow the text of the paper.
func asWritten() departures {
	return departures{TLaw: "central", TScale: 1, Mixture: "components", MixtureScale: 1, Standardise: "none",
		Attachment: "uniform", ClassScale: 1}
}

// Levels at which the type of the complex density and the component of its mixture are chosen. At a
// further level, "sample", each value of each variable has its own choice.
const (
	nodeLevel    = "node"    // once per variable and class
	rowLevel     = "row"     // once per row, for all its variables
	classLevel   = "class"   // once per class
	problemLevel = "problem" // once for both classes
)

// addClass adds a class with the graph g and densities of the family f. own are the coins, i.e. the
// random choices, of its variables; first are the coins of the first class. If the type or the
// component is chosen once per row, the class is a mixture in equal shares, with one network for each
// outcome of the choice.
func (p *networkProblem) addClass(g dag, f cpd, own, first []coins, rng *rand.Rand) {
	f.nodeType, f.nodeComponent = f.typeLevel != "sample", f.componentLevel != "sample"
	if secondClass := len(p.classes) > 0; secondClass {
		f.factor = f.ClassScale
	}
	var networks []network
	for _, row := range f.rowCoins() {
		chosen := f.choices(own, first[0], row)
		networks = append(networks, newNetwork(g, f, chosen))
	}
	standardise(networks, f.Standardise, rng)
	p.classes = append(p.classes, networks[0])
	p.mixtures = append(p.mixtures, networks)
}

// choices returns the coins that determine the density of each variable of a class. They come from the
// variable itself, from the class, from the problem or from the row, as typeLevel and componentLevel
// demand. own are the coins of the variables of the class.
func (f cpd) choices(own []coins, problem, row coins) []coins {
	chosen := make([]coins, len(own))
	class := own[0]
	for j, node := range own {
		chosen[j].t = decide(f.typeLevel, node.t, class.t, problem.t, row.t)
		chosen[j].first = decide(f.componentLevel, node.first, class.first, problem.first, row.first)
	}
	return chosen
}

// rowCoins returns all outcomes of the choices that are made once per row. It returns a single
// element if no choice is made per row.
func (f cpd) rowCoins() (outcomes []coins) {
	for _, t := range f.rowOutcomes(f.typeLevel) {
		for _, first := range f.rowOutcomes(f.componentLevel) {
			outcomes = append(outcomes, coins{t: t, first: first})
		}
	}
	return outcomes
}

// rowOutcomes returns both outcomes of a choice that is made once per row, or one arbitrary outcome
// if the choice is made at another level.
func (f cpd) rowOutcomes(level string) []bool {
	if f.complex && level == rowLevel {
		return []bool{true, false}
	}
	return []bool{true}
}

// decide returns the outcome of a choice that is made at the given level: node, class, problem or
// row.
func decide(level string, node, class, problem, row bool) bool {
	switch level {
	case classLevel:
		return class
	case problemLevel:
		return problem
	case rowLevel:
		return row
	}
	return node
}

// pilotRows is the number of rows from which standard deviations are estimated.
const pilotRows = 4000

// standardise divides variables by their standard deviations in a class, which it estimates from a
// pilot sample. what is "parents" (divide each variable where it is a parent in a density), "columns"
// (divide the variable itself) or "none". The class is a mixture in equal shares of networks with the
// same graph.
func standardise(networks []network, what string, rng *rand.Rand) {
	if what == "none" {
		return
	}
	p := newPilot(networks, rng)
	sd := make([]float64, len(networks[0])) // standard deviation of each column
	for i, node := range networks[0] {      // parents come first, so their deviations are known
		if what == "parents" {
			for _, net := range networks {
				net[i].divideParents(sd)
			}
		}
		sd[node.column] = p.draw(i, rng)
		if what == "columns" {
			for _, net := range networks {
				net[i].divide(sd[node.column])
			}
			p.divide(node.column, sd[node.column])
		}
	}
}

// A pilot is a sample of rows from a mixture of networks. Its columns are drawn one after the
// other.
type pilot struct {
	networks []network
	of       []int       // of[r] is the index of the network of row r
	rows     [][]float64 // columns are filled in the order of the nodes
}

// newPilot returns a pilot without values and draws the network of each row.
func newPilot(networks []network, rng *rand.Rand) *pilot {
	p := &pilot{networks: networks, of: make([]int, pilotRows), rows: make([][]float64, pilotRows)}
	for r := range p.rows {
		p.rows[r] = make([]float64, len(networks[0]))
		if len(networks) > 1 {
			p.of[r] = rng.Intn(len(networks))
		}
	}
	return p
}

// draw draws the column of node i in all rows and returns its standard deviation.
func (p *pilot) draw(i int, rng *rand.Rand) float64 {
	column := make([]float64, len(p.rows))
	for r, row := range p.rows {
		node := &p.networks[p.of[r]][i]
		node.draw(row, rng)
		column[r] = row[node.column]
	}
	return stat.StdDev(column, nil)
}

// divide divides column j of the sample by s.
func (p *pilot) divide(j int, s float64) {
	for _, row := range p.rows {
		row[j] /= s
	}
}

// divideParents changes the density of the node so that it uses each parent divided by its standard
// deviation. sd has the standard deviation of each column.
func (n *node) divideParents(sd []float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.weights = make([]float64, len(b.parents))
		for k, parent := range b.parents {
			b.weights[k] = 1 / sd[parent]
		}
	}
}

// divide changes the density of the node to the density of its variable divided by s.
func (n *node) divide(s float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.scale, b.shift = b.scale/s, b.shift/s
		if !b.noncentral {
			b.coef /= s
		}
		*b = b.completed()
	}
}

// candidates returns the earlier variables that can be parents: variables whose depth is below
// MaxDepth, or all if MaxDepth is 0.
func (o departures) candidates(earlier []int, depth []int) []int {
	if o.MaxDepth == 0 {
		return earlier
	}
	var list []int
	for _, j := range earlier {
		if depth[j] < o.MaxDepth {
			list = append(list, j)
		}
	}
	return list
}

// pick chooses k parents among candidates, as Attachment demands. The candidates are in the order
// of the variables.
func (o departures) pick(candidates []int, k int, rng *rand.Rand) []int {
	switch o.Attachment {
	case "chain":
		return append([]int(nil), candidates[len(candidates)-k:]...)
	case "star":
		return append([]int(nil), candidates[:k]...)
	}
	return choose(candidates, k, rng)
}

// depthOf returns the number of edges on the longest path from a root to a variable with the given
// parents; depth has the same number for each parent.
func depthOf(parents, depth []int) int {
	deepest := 0
	for _, j := range parents {
		deepest = max(deepest, depth[j]+1)
	}
	return deepest
}

// noncentral is the non-central t distribution with df degrees of freedom and noncentrality d.
type noncentral struct {
	df, d   float64
	logNorm float64
}

// newNoncentral returns the non-central t distribution and computes its normalising constant.
func newNoncentral(df, d float64) noncentral {
	gamma, _ := math.Lgamma(df / 2)
	return noncentral{df, d, df/2*math.Log(df) - math.Log(math.Pi)/2 - gamma - (df-1)/2*math.Ln2}
}

// legendre contains the nodes and weights of Gauss-Legendre quadrature on [-1, 1].
var legendre = func() (rule struct{ x, weight []float64 }) {
	const points = 128
	rule.x, rule.weight = make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(rule.x, rule.weight, -1, 1)
	return rule
}()

// logDensity returns the logarithm of the density at x (Johnson, Kotz and Balakrishnan 1995, eq.
// 31.15),
//
//	log f(x) = logNorm - df d^2/(2 (x^2+df)) - (df+1)/2 log(x^2+df) + log I,
//	I = int_0^inf y^df exp(-(y-m)^2/2) dy,  m = d x / sqrt(x^2+df).
func (t noncentral) logDensity(x float64) float64 {
	r := x*x + t.df
	logI := t.logIntegral(t.d * x / math.Sqrt(r))
	return t.logNorm - t.df*t.d*t.d/(2*r) - (t.df+1)/2*math.Log(r) + logI
}

// logIntegral returns log I, where I = int_0^inf y^df exp(-(y-m)^2/2) dy. The integrand is
// log-concave, and its mode is the positive root of y^2 - m y - df = 0. The quadrature covers reach
// standard deviations on either side of the mode.
func (t noncentral) logIntegral(m float64) float64 {
	const reach = 40
	root := math.Sqrt(m*m + 4*t.df)
	mode := (m + root) / 2
	if m <= 0 { // the same root, computed without cancellation
		mode = 2 * t.df / (root - m)
	}
	logIntegrand := func(y float64) float64 { return t.df*math.Log(y) - (y-m)*(y-m)/2 }
	top := logIntegrand(mode)
	width := reach / math.Sqrt(1+t.df/(mode*mode))
	low := max(0, mode-width)
	half := (mode + width - low) / 2
	sum := 0.0
	for k, at := range legendre.x {
		sum += legendre.weight[k] * math.Exp(logIntegrand(low+half*(1+at))-top)
	}
	return top + math.Log(half*sum)
}
