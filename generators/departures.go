package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"

	"copse/stats"
)

// departures contains parameters for other interpretations of section 5.1 of Tenzer et al. (2020).
// They vary details that the paper leaves open, or imitate possible mistakes of an implementation.
type departures struct {
	// role of the parents in the t distribution of a complex density. `central`: `coef` times the
	// sum of the parents is the location. `noncentral`: this product, divided by the scale of the t
	// distribution, is the noncentrality. The scale is `noise_sd` times `t_scale`, and in the
	// second class also times `class_scale`
	TLaw string `param:"t_law" enum:"central,noncentral"`
	// scale of the t distribution, as a multiple of `noise_sd`
	TScale float64 `param:"t_scale" range:"(0,inf)"`
	// constant that is added to each value from the t distribution
	TShift float64 `param:"t_shift" range:"(-inf,inf)"`
	// form of the mixture in a complex density. `components`: a mixture of two normal
	// distributions. `average`: the average of two normal variables
	Mixture string `param:"mixture" enum:"components,average"`
	// scale of each normal distribution of the mixture, as a multiple of `noise_sd`
	MixtureScale float64 `param:"mixture_scale" range:"(0,inf)"`
	// which values are divided by their standard deviation within the class. `parents`: values of
	// parents, but only inside the density of a child; the data keep their scale. `columns`: all
	// columns of the data. `none`: no values. The standard deviation is estimated from 4000 random
	// rows
	Standardise string `param:"standardise" enum:"none,parents,columns"`
	// choice of parents among the earlier variables: uniformly at random (`uniform`), the latest
	// (`chain`), or the earliest (`star`)
	Attachment string `param:"attachment" enum:"uniform,chain,star"`
	// largest number of edges on a path from a root. 0 means no limit. In the second class, paths
	// through shared variables may be longer, because these variables keep their parents
	MaxDepth int `param:"max_depth" range:"[0,inf)"`
	// factor by which all scales are multiplied in the second class
	ClassScale float64 `param:"class_scale" range:"(0,inf)"`
}

func asWritten() departures {
	return departures{TLaw: "central", TScale: 1, Mixture: "components", MixtureScale: 1, Standardise: "none",
		Attachment: "uniform", ClassScale: 1}
}

// A level states how often a random choice is made anew. A complex density makes two choices, each with
// its own level: between the t distribution and the mixture, and between the two components of the
// mixture.
const (
	sampleLevel  = "sample"  // for each value of each variable
	nodeLevel    = "node"    // once per variable and class
	rowLevel     = "row"     // once per row, for all its variables
	classLevel   = "class"   // once per class
	problemLevel = "problem" // once for both classes
)

// networks returns the density of a class with the graph g. It is a mixture of networks with equal
// weights, one for each combination of random choices that are made once per row.
//
// Two choices determine the density of a variable: between the t distribution and the mixture, and
// between the components of the mixture. The levels f.typeLevel and f.componentLevel state how
// often they are made. perNode[j] contains the choices for variable j, and perProblem the choices
// for both classes.
func (f cpd) networks(g dag, perNode []choices, perProblem choices, rng *rand.Rand) []network {
	var mixture []network
	for _, perRow := range f.rowChoices() {
		at := map[string]choices{ // by level
			sampleLevel:  evenChoices, // made for each value, with equal probabilities
			rowLevel:     perRow,
			classLevel:   perNode[0], // all variables use the choices for variable 0
			problemLevel: perProblem,
		}
		var net network
		for _, j := range g.order {
			at[nodeLevel] = perNode[j]
			c := choices{pT: at[f.typeLevel].pT, pFirst: at[f.componentLevel].pFirst}
			net = append(net, node{column: j, parents: g.parents[j], branches: f.branches(g.parents[j], c)})
		}
		mixture = append(mixture, net)
	}
	standardise(mixture, f.Standardise, rng)
	return mixture
}

// rowChoices returns all combinations of the random choices that are made once per row: one, two or
// four. The probabilities of all other choices are 1, and callers must ignore them.
func (f cpd) rowChoices() (outcomes []choices) {
	outcomesAt := func(level string) []float64 {
		if f.complex && level == rowLevel {
			return []float64{1, 0}
		}
		return []float64{1}
	}
	for _, pT := range outcomesAt(f.typeLevel) {
		for _, pFirst := range outcomesAt(f.componentLevel) {
			outcomes = append(outcomes, choices{pT: pT, pFirst: pFirst})
		}
	}
	return outcomes
}

const pilotRows = 4000

// standardise changes the networks of a class so that they divide values by standard deviations,
// estimated from pilotRows random rows. It draws these rows column by column. If mode is "parents",
// the density of a variable divides the values of its parents. If mode is "columns", every variable
// is divided.
func standardise(mixture []network, mode string, rng *rand.Rand) {
	if mode == "none" {
		return
	}
	// networkOf[r] is the network in mixture that draws row r. Changes to mixture below also change it.
	networkOf := drawNetworks(mixture, rng)
	rows := make([][]float64, pilotRows)
	for r := range rows {
		rows[r] = make([]float64, len(mixture[0]))
	}
	sd := make([]float64, len(mixture[0])) // of the columns drawn so far
	// All networks have their nodes in the same order of columns, parents first.
	for i, node := range mixture[0] {
		j := node.column
		if mode == "parents" {
			for _, net := range mixture {
				net[i].divideParents(sd)
			}
		}
		for r, row := range rows {
			networkOf[r][i].draw(row, rng) // sets row[j]
		}
		sd[j] = stat.StdDev(stats.Column(rows, j), nil)
		if mode == "columns" {
			for _, net := range mixture {
				net[i].divide(sd[j])
			}
			for _, row := range rows { // the draws of the children depend on the divided values
				row[j] /= sd[j]
			}
		}
	}
}

// drawNetworks chooses a random network of the mixture for each of pilotRows rows.
func drawNetworks(mixture []network, rng *rand.Rand) []network {
	if len(mixture) == 1 { // needs no random numbers
		return slices.Repeat(mixture, pilotRows)
	}
	networkOf := make([]network, pilotRows)
	for r := range networkOf {
		networkOf[r] = mixture[rng.Intn(len(mixture))]
	}
	return networkOf
}

// divideParents changes the density of n so that it depends on its parents divided by their
// standard deviations. sd[j] is the standard deviation of column j.
func (n *node) divideParents(sd []float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.weights = make([]float64, len(b.parents))
		for k, parent := range b.parents {
			b.weights[k] = 1 / sd[parent]
		}
	}
}

// divide replaces the density of a variable X by the density of X/s.
func (n *node) divide(s float64) {
	for i := range n.branches {
		b := &n.branches[i]
		b.scale, b.shift = b.scale/s, b.shift/s
		if !b.noncentral { // the noncentrality does not depend on the unit of X
			b.coef /= s
		}
		*b = b.withConstants()
	}
}

// pickParents chooses at most the given number of parents among the variables in earlier, according to
// o.Attachment. It excludes variables whose depth is MaxDepth or more.
func (o departures) pickParents(earlier, depth []int, most int, rng *rand.Rand) []int {
	candidates := slices.DeleteFunc(slices.Clone(earlier), func(j int) bool {
		return o.MaxDepth > 0 && depth[j] >= o.MaxDepth
	})
	k := min(most, len(candidates))
	switch o.Attachment {
	case "chain":
		return candidates[len(candidates)-k:]
	case "star":
		return candidates[:k]
	}
	return drawDistinct(candidates, k, rng)
}

// depthOf returns the length of the longest path from a root to a variable with the given parents.
// depth contains the depths of the parents.
func depthOf(parents, depth []int) int {
	deepest := 0
	for _, j := range parents {
		deepest = max(deepest, depth[j]+1)
	}
	return deepest
}

// legendre contains the nodes and weights of Gauss-Legendre quadrature on [-1, 1].
var legendre = func() (rule struct{ x, weight []float64 }) {
	const points = 128
	rule.x, rule.weight = make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(rule.x, rule.weight, -1, 1)
	return rule
}()

// noncentralLogDensity returns log f(x), where f is the density of the noncentral t distribution
// (Johnson, Kotz and Balakrishnan 1995, eq. 31.15). It has df degrees of freedom and the
// noncentrality d:
//
//	log f(x) = logNorm - df d^2/(2 (x^2+df)) - (df+1)/2 log(x^2+df) + log I,
//	m = d x / sqrt(x^2+df),  I = int_0^inf y^df exp(-(y-m)^2/2) dy.
func noncentralLogDensity(df, d, x float64) float64 {
	gamma, _ := math.Lgamma(df / 2)
	logNorm := df/2*math.Log(df) - math.Log(math.Pi)/2 - gamma - (df-1)/2*math.Ln2
	r := x*x + df
	logI := logIntegral(df, d*x/math.Sqrt(r))
	return logNorm - df*d*d/(2*r) - (df+1)/2*math.Log(r) + logI
}

// logIntegral returns log I for
//
//	I = int_0^inf y^df exp(-(y-m)^2/2) dy.
//
// The mode of the integrand is the positive root of y^2 - m y - df = 0. Near the mode, the integrand
// resembles a normal density with standard deviation 1/sqrt(1 + df/mode^2).
func logIntegral(df, m float64) float64 {
	const reach = 40 // standard deviations that the quadrature covers on either side of the mode
	root := math.Sqrt(m*m + 4*df)
	mode := (m + root) / 2
	if m <= 0 { // the same root, computed without cancellation
		mode = 2 * df / (root - m)
	}
	logIntegrand := func(y float64) float64 { return df*math.Log(y) - (y-m)*(y-m)/2 }
	top := logIntegrand(mode)
	width := reach / math.Sqrt(1+df/(mode*mode)) // the integrand is negligible outside mode +- width
	low := max(0, mode-width)
	half := (mode + width - low) / 2
	sum := 0.0
	for k, node := range legendre.x { // the nodes lie in [-1, 1]
		y := low + half*(1+node)
		sum += legendre.weight[k] * math.Exp(logIntegrand(y)-top) // subtracting top avoids overflow
	}
	return top + math.Log(half*sum)
}
