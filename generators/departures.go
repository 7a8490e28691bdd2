package generators

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"
)

// departures are other readings of section 5.1 of Tenzer et al. (2020): what the text leaves open, or
// what programs written from it may do. The defaults are the text.
type departures struct {
	TLaw         string  `param:"t_law" doc:"t distribution of the complex density, shifted by c z or with that noncentrality" enum:"central,noncentral"`
	TScale       float64 `param:"t_scale" doc:"scale of the t branch over noise_sd" range:"(0,inf)"`
	TShift       float64 `param:"t_shift" doc:"shift of the t branch from c z" range:"(-inf,inf)"`
	Mixture      string  `param:"mixture" doc:"a mixture of two normals, or the average of two normal variables" enum:"components,average"`
	MixtureScale float64 `param:"mixture_scale" doc:"scale of the two normals over noise_sd" range:"(0,inf)"`
	Standardise  string  `param:"standardise" doc:"variables divided by their standard deviation in the class, over 4000 rows" enum:"none,parents,columns"`
	Attachment   string  `param:"attachment" doc:"choice of parents: uniform, latest variables (chain) or earliest (star)" enum:"uniform,chain,star"`
	MaxDepth     int     `param:"max_depth" doc:"largest number of edges on a path from a root, shared variables aside; 0: any" range:"[0,inf)"`
	ClassScale   float64 `param:"class_scale" doc:"factor of all scales in the second class" range:"(0,inf)"`
}

// asWritten returns the reading without departures from the text.
func asWritten() departures {
	return departures{TLaw: "central", TScale: 1, Mixture: "components", MixtureScale: 1, Standardise: "none",
		Attachment: "uniform", ClassScale: 1}
}

// Levels at which the type of the complex density and the component of its mixture are drawn. A further
// level, "sample", is once per variable and row.
const (
	nodeLevel    = "node"    // once per variable and class
	rowLevel     = "row"     // once per row, for all its variables
	classLevel   = "class"   // once per class
	problemLevel = "problem" // once for both classes
)

// addClass adds a class with the given coins of its variables; first are the coins of the first class.
// If the type or the component is drawn once per row, the class is a mixture of the networks with
// either outcome, in equal shares.
func (p *networkProblem) addClass(g dag, f cpd, own, first []coins, rng *rand.Rand) {
	f.nodeType, f.nodeComponent = f.typeLevel != "sample", f.componentLevel != "sample"
	if len(p.classes) > 0 {
		f.factor = f.ClassScale
	}
	var networks []network
	for _, t := range f.rowOutcomes(f.typeLevel) {
		for _, component := range f.rowOutcomes(f.componentLevel) {
			decided := make([]coins, len(own))
			for j := range own {
				decided[j].t = decide(f.typeLevel, own[j].t, own[0].t, first[0].t, t)
				decided[j].first = decide(f.componentLevel, own[j].first, own[0].first, first[0].first, component)
			}
			networks = append(networks, newNetwork(g, f, decided))
		}
	}
	standardise(networks, f.Standardise, rng)
	p.classes, p.mixtures = append(p.classes, networks[0]), append(p.mixtures, networks)
}

// rowOutcomes returns the outcomes of a choice at the level of rows: both, or any one if the choice is
// made at another level.
func (f cpd) rowOutcomes(level string) []bool {
	if f.complex && level == rowLevel {
		return []bool{true, false}
	}
	return []bool{true}
}

// decide returns the outcome of a choice at a level: that of the variable itself (node), of the first
// variable of its class (class) or of the problem, or of the row.
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

// pilotRows is the number of rows that estimate standard deviations.
const pilotRows = 4000

// standardise divides parents or columns by their standard deviations in a class, which is a mixture of
// networks of one graph in equal shares. Pilot rows give the standard deviation of each column before
// its children are drawn.
func standardise(networks []network, what string, rng *rand.Rand) {
	if what == "none" {
		return
	}
	p := newPilot(networks, rng)
	sd := make([]float64, len(networks[0])) // by column
	for i := range networks[0] {
		j := networks[0][i].column
		if what == "parents" {
			for _, net := range networks {
				net[i].divideParents(sd)
			}
		}
		sd[j] = p.draw(i, rng)
		if what == "columns" {
			for _, net := range networks {
				net[i].divide(sd[j])
			}
			for _, row := range p.rows {
				row[j] /= sd[j]
			}
		}
	}
}

// A pilot is rows of a mixture of networks, drawn column by column.
type pilot struct {
	networks []network
	of       []int       // by row, the index of its network
	rows     [][]float64 // whose columns are filled in the order of the nodes
}

// newPilot returns rows without values and draws their networks.
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

// draw fills the column of node i and returns its standard deviation.
func (p *pilot) draw(i int, rng *rand.Rand) float64 {
	column := make([]float64, len(p.rows))
	for r, row := range p.rows {
		node := &p.networks[p.of[r]][i]
		node.draw(row, rng)
		column[r] = row[node.column]
	}
	return stat.StdDev(column, nil)
}

// divideParents divides the parents, where they enter the density, by sd, given by column.
func (n *node) divideParents(sd []float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.weights = make([]float64, len(b.parents))
		for k, parent := range b.parents {
			b.weights[k] = 1 / sd[parent]
		}
	}
}

// divide changes the density so that the variable is divided by s.
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

// candidates returns the earlier variables, in order, that may be parents: those above MaxDepth.
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

// pick returns k parents among candidates, which are in the order of the variables.
func (o departures) pick(candidates []int, k int, rng *rand.Rand) []int {
	switch o.Attachment {
	case "chain":
		return append([]int(nil), candidates[len(candidates)-k:]...)
	case "star":
		return append([]int(nil), candidates[:k]...)
	}
	return choose(candidates, k, rng)
}

// depthOf returns the number of edges on the longest path to a variable with the given parents.
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

// newNoncentral returns the distribution with its constant.
func newNoncentral(df, d float64) noncentral {
	gamma, _ := math.Lgamma(df / 2)
	return noncentral{df, d, df/2*math.Log(df) - math.Log(math.Pi)/2 - gamma - (df-1)/2*math.Ln2}
}

// legendre is the quadrature rule of Gauss and Legendre on [-1, 1].
var legendre = func() (rule struct{ x, weight []float64 }) {
	const points = 128
	rule.x, rule.weight = make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(rule.x, rule.weight, -1, 1)
	return rule
}()

// logDensity returns (Johnson, Kotz and Balakrishnan 1995, eq. 31.15)
//
//	log f(x) = logNorm - df d^2/(2 (x^2+df)) - (df+1)/2 log(x^2+df) + log I,
//	I = int_0^inf y^df exp(-(y-m)^2/2) dy,  m = d x / sqrt(x^2+df).
func (t noncentral) logDensity(x float64) float64 {
	r := x*x + t.df
	logI := t.logIntegral(t.d * x / math.Sqrt(r))
	return t.logNorm - t.df*t.d*t.d/(2*r) - (t.df+1)/2*math.Log(r) + logI
}

// logIntegral returns log I. The integrand is log-concave with its mode at the positive root of
// y^2 - m y - df = 0. Quadrature covers reach standard deviations at the mode on either side.
func (t noncentral) logIntegral(m float64) float64 {
	const reach = 40
	root := math.Sqrt(m*m + 4*t.df)
	mode := (m + root) / 2
	if m <= 0 { // the same without cancellation
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
