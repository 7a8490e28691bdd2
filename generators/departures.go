package generators

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"
)

// departures are other ways to read section 5.1 of Tenzer et al. (2020): what the
// text leaves open, or what programs that were written from it may have done. The
// defaults are the text.
type departures struct {
	TLaw         string  `param:"t_law" doc:"t of the complex density: Student's t beside c z, or non-central t, the parameter c z over the scale of its branch" enum:"central,noncentral"`
	TScale       float64 `param:"t_scale" doc:"scale of the t branch over noise_sd" range:"(0,inf)"`
	TShift       float64 `param:"t_shift" doc:"location of the t branch beside c z" range:"(-inf,inf)"`
	Mixture      string  `param:"mixture" doc:"half of one normal and half of another: a mixture, or the average of two independent normal variables" enum:"components,average"`
	MixtureScale float64 `param:"mixture_scale" doc:"scale of the two normals over noise_sd" range:"(0,inf)"`
	Standardise  string  `param:"standardise" doc:"divided by standard deviations in the class, of 4000 rows: the parents where they enter a density, or all columns as they are drawn" enum:"none,parents,columns"`
	Attachment   string  `param:"attachment" doc:"parents among the earlier variables: uniform, the latest ones (chain) or the earliest ones (star)" enum:"uniform,chain,star"`
	MaxDepth     int     `param:"max_depth" doc:"most edges on a path from a root; variables as deep get no children but shared ones; 0: any" range:"[0,inf)"`
	ClassScale   float64 `param:"class_scale" doc:"scale of the second class's variables given their parents, roots included, over the first's" range:"(0,inf)"`
}

// asWritten are the departures of the text from itself: none.
func asWritten() departures {
	return departures{
		TLaw:         "central",
		TScale:       1,
		Mixture:      "components",
		MixtureScale: 1,
		Standardise:  "none",
		Attachment:   "uniform",
		ClassScale:   1,
	}
}

// Levels at which the complex density's type and the mixture's component are
// drawn, beside "sample": for each variable of each row.
const (
	nodeLevel    = "node"    // once per variable and class
	rowLevel     = "row"     // once per row, for all its variables
	classLevel   = "class"   // once per class
	problemLevel = "problem" // once for both classes
)

// addClass adds the network of a class with the given coins of its variables; first are
// the coins of the first class. A class whose type or component is drawn once per row
// is a mixture of the networks with either outcome, in equal shares.
func (p *networkProblem) addClass(g dag, f cpd, tosses, first []coins, rng *rand.Rand) {
	f.nodeType, f.nodeComponent = f.typeLevel != "sample", f.componentLevel != "sample"
	if len(p.classes) > 0 {
		f.factor = f.ClassScale
	}
	both := []bool{true, false}
	types, components := both[:1], both[:1]
	if f.complex && f.typeLevel == rowLevel {
		types = both
	}
	if f.complex && f.componentLevel == rowLevel {
		components = both
	}
	var networks []network
	for _, t := range types {
		for _, component := range components {
			c := make([]coins, len(tosses))
			for j, own := range tosses {
				c[j] = coins{
					t:     decide(f.typeLevel, own.t, tosses[0].t, first[0].t, t),
					first: decide(f.componentLevel, own.first, tosses[0].first, first[0].first, component),
				}
			}
			networks = append(networks, newNetwork(g, f, c))
		}
	}
	standardise(networks, f.Standardise, rng)
	p.classes, p.mixtures = append(p.classes, networks[0]), append(p.mixtures, networks)
}

// decide returns the outcome of a coin at a level.
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

// pilotRows are the rows whose standard deviations standardise.
const pilotRows = 4000

// standardise divides parents or columns by their standard deviations in a class
// that is a mixture of networks of one graph, in equal shares.
func standardise(networks []network, what string, rng *rand.Rand) {
	if what == "none" {
		return
	}
	d := len(networks[0])
	rows, column, sd := make([][]float64, pilotRows), make([]float64, pilotRows), make([]float64, d)
	of := make([]int, pilotRows)
	for r := range rows {
		rows[r] = make([]float64, d)
		if len(networks) > 1 {
			of[r] = rng.Intn(len(networks))
		}
	}
	for i := range d {
		j := networks[0][i].column
		if what == "parents" {
			for _, net := range networks {
				net[i].divideParents(sd)
			}
		}
		for r, row := range rows {
			networks[of[r]][i].draw(row, rng)
			column[r] = row[j]
		}
		sd[j] = stat.StdDev(column, nil)
		if what != "columns" {
			continue
		}
		for _, net := range networks {
			net[i].divide(sd[j])
		}
		for _, row := range rows {
			row[j] /= sd[j]
		}
	}
}

// divideParents makes the parents enter in units of sd, by column.
func (n *node) divideParents(sd []float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.weights = make([]float64, len(b.parents))
		for k, parent := range b.parents {
			b.weights[k] = 1 / sd[parent]
		}
	}
}

// divide makes the node's variable its value over s.
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

// candidates are the earlier variables, in order, that may be parents: those that
// are not as deep as paths may be.
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

// pick returns k parents among candidates, which are in order.
func (o departures) pick(candidates []int, k int, rng *rand.Rand) []int {
	switch o.Attachment {
	case "chain":
		return append([]int(nil), candidates[len(candidates)-k:]...)
	case "star":
		return append([]int(nil), candidates[:k]...)
	}
	return choose(candidates, k, rng)
}

// depthOf is the number of edges on the longest path to a variable with the given
// parents.
func depthOf(parents, depth []int) int {
	deepest := 0
	for _, j := range parents {
		deepest = max(deepest, depth[j]+1)
	}
	return deepest
}

// noncentral is the t distribution with df degrees of freedom and noncentrality d.
type noncentral struct {
	df, d   float64
	logNorm float64
}

func newNoncentral(df, d float64) noncentral {
	gamma, _ := math.Lgamma(df / 2)
	return noncentral{df, d, df/2*math.Log(df) - math.Log(math.Pi)/2 - gamma - (df-1)/2*math.Ln2}
}

// legendre is the rule of Gauss and Legendre on [-1, 1].
var legendre = func() (rule struct{ x, weight []float64 }) {
	const points = 128
	rule.x, rule.weight = make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(rule.x, rule.weight, -1, 1)
	return rule
}()

// logDensity is that of Johnson, Kotz and Balakrishnan (1995), eq. 31.15:
//
//	log f(x) = logNorm - df d^2/(2 (x^2+df)) - (df+1)/2 log(x^2+df) + log I,
//	I = int_0^inf y^df exp(-(y-m)^2/2) dy,  m = d x / sqrt(x^2+df).
//
// The integrand is log-concave; I is the sum of Gauss and Legendre between the
// points that lie reach of its standard deviations at the mode beside it.
func (t noncentral) logDensity(x float64) float64 {
	r := x*x + t.df
	m := t.d * x / math.Sqrt(r)
	root := math.Sqrt(m*m + 4*t.df)
	mode := 2 * t.df / (root - m)
	if m > 0 {
		mode = (m + root) / 2
	}
	const reach = 40
	width := reach / math.Sqrt(1+t.df/(mode*mode))
	log := func(y float64) float64 { return t.df*math.Log(y) - (y-m)*(y-m)/2 }
	low, top, sum := max(0, mode-width), log(mode), 0.0
	half := (mode + width - low) / 2
	for k, at := range legendre.x {
		sum += legendre.weight[k] * math.Exp(log(low+half*(1+at))-top)
	}
	return t.logNorm - t.df*t.d*t.d/(2*r) - (t.df+1)/2*math.Log(r) + top + math.Log(half*sum)
}
