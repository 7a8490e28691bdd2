package generators

import (
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
)

// PolyBeta draws problems with C classes by Algorithms 2 to 4 of Freno et al. (2010). The variables
// are the nodes of a directed graph. The value x_i of variable i is a sum of noise e_i and of one
// cubic polynomial for each parent. The polynomial of class c for variable i and its parent j is
// f_cij. The noise has a beta distribution on the interval (a, b):
//
//	x_i = sum_{j in parents(i)} f_cij(x_j) + e_i,
//	f_cij(x) = a_1 x^3 + a_2 x^2 + a_3 x + a_4,   e_i ~ beta(alpha_i, beta_i) on (a, b).
//
// Each polynomial has its own coefficients a_1 to a_4, and each variable has its own parameters
// alpha_i and beta_i. The interval (a, b) is the same for all variables.
//
// The variables have an order. If m variables come before a variable, its parents are drawn from
// these m variables. The number of parents is uniform between min(m, p_min) and min(m, p_max).
//
// All classes have the same graph and the same noise. A class copies the polynomials of the class
// before it and changes at least one.
//
// The paper maps every feature to [0, 1] by the minimum and maximum of the whole data set. Only
// then does it split the data into folds. Two values of `normalise` select similar maps:
//
//   - normalise: sample uses the minimum and maximum of each sample. Use it if one sample is split
//     into folds, not for separate training and test sets. The densities are unknown, because the
//     map depends on all rows.
//   - normalise: problem uses the minimum and maximum of a pilot sample for all samples of the
//     problem. Some values then lie outside [0, 1].
//
// If the graph is deep, polynomials of polynomials can become too large for a floating-point
// number. This is called an overflow. PolyBeta discards a problem and draws a new one in two cases:
//
//   - The pilot sample overflows.
//   - The graph has no edges, so all classes have the same distribution.
//
// model.json contains the number of discarded problems. In rare cases, a row of a later sample
// overflows. Sample then draws another row. LogDensity does not correct for such replaced rows.
type PolyBeta struct {
	// number of variables
	D int `param:"d" range:"[2,inf)"`
	// number of classes
	Classes int `param:"classes" range:"[2,inf)"`
	// smallest number of parents of a variable, if there are enough earlier variables
	PMin int `param:"p_min" range:"[0,inf)"`
	// largest number of parents of a variable. The paper does not give it. With 2, the values of
	// the variables rarely overflow
	PMax int `param:"p_max" range:"[1,inf)"`
	// coefficients are uniform on [-a_max, a_max]
	AMax float64 `param:"a_max" range:"(0,inf)"`
	// the first shape parameter of the noise is drawn uniformly from (0, alpha_max]
	AlphaMax float64 `param:"alpha_max" range:"(0,inf)"`
	// the second shape parameter of the noise is drawn uniformly from (0, beta_max]
	BetaMax float64 `param:"beta_max" range:"(0,inf)"`
	// smallest value of the noise
	A float64 `param:"a" range:"(-inf,inf)"`
	// largest value of the noise
	B float64 `param:"b" range:"(-inf,inf)"`
	// probability that a polynomial changes from one class to the next. At least one polynomial
	// always changes
	P float64 `param:"p" range:"[1e-4,1]"`
	// when a polynomial changes, its coefficients are multiplied by numbers drawn uniformly from
	// `[-max_r, max_r]`
	MaxR float64 `param:"max_r" range:"(0,inf)"`
	// rule for mapping the variables to [0, 1]. `problem`: by the minima and maxima in a pilot
	// sample. `sample`: by the minima and maxima in each sample. `none`: no mapping
	Normalise string `param:"normalise" enum:"problem,sample,none"`
	// number of rows of each class in the pilot sample
	Pilot int `param:"pilot" range:"[2,inf)"`
	// largest number of problems that may be discarded because they overflow or have no edges
	MaxRedraws int `param:"max_redraws" range:"[0,inf)"`
}

// NewPolyBeta returns the generator with the parameters of section 6.2 of the paper at d = 20.
func NewPolyBeta() *PolyBeta {
	return &PolyBeta{
		D: 20, Classes: 2, PMin: 0, PMax: 2,
		AMax: 2, AlphaMax: 2, BetaMax: 2, A: -2, B: 2, P: 0.1, MaxR: 2,
		Normalise: "problem", Pilot: 250, MaxRedraws: 1000,
	}
}

func (g *PolyBeta) Validate() error {
	if g.PMin > g.PMax {
		return invalid("p_min", "%d exceeds `p_max` %d", g.PMin, g.PMax)
	}
	if !(g.A < g.B) {
		return invalid("a", "the interval (%v, %v) of the noise is empty: `a` must be below `b`", g.A, g.B)
	}
	return nil
}

// New draws the graph, the noise and the polynomials of each class. It discards a problem without
// edges and a problem whose pilot sample overflows.
func (g *PolyBeta) New(rng *rand.Rand) (Problem, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	p := &polyBetaProblem{PolyBeta: *g}
	for p.overflowing+p.edgeless <= g.MaxRedraws {
		p.noise, p.classes = g.drawDistribution(rng)
		if len(p.classes) == 0 { // the graph has no edges
			p.edgeless++
			continue
		}
		if ok := p.setNormalisation(rng); !ok {
			p.overflowing++
			continue
		}
		if g.Normalise == "sample" { // densities are unknown, because the minima and maxima vary with the sample
			return p, nil
		}
		return &polyBetaDensity{p}, nil
	}
	return nil, fmt.Errorf("polybeta: found no usable problem: %d overflowed and %d had no edges; "+
		"lower d or p_max, or raise max_redraws", p.overflowing, p.edgeless)
}

// A polynomial is a cubic function f of the value x of one parent of a variable.
type polynomial struct {
	parent int
	a      [4]float64 // coefficients of x^3, x^2, x and 1
}

// at returns f(x).
func (f *polynomial) at(x float64) float64 {
	return ((f.a[0]*x+f.a[1])*x+f.a[2])*x + f.a[3]
}

// polynomials contains the polynomials of one class. Element i lists the polynomials of variable i,
// one for each parent.
type polynomials [][]polynomial

// drawDistribution draws a graph, the noise of each variable, and a polynomial for each edge in
// each class. See Algorithms 2 and 3, and steps 4 to 13 of Algorithm 4. If the graph has no edges,
// classes is nil.
func (g *PolyBeta) drawDistribution(rng *rand.Rand) (noise []betaNoise, classes []polynomials) {
	parents := g.drawParents(rng)
	noise = make([]betaNoise, g.D)
	for i := range noise {
		alpha := g.AlphaMax * (1 - rng.Float64()) // above 0
		beta := g.BetaMax * (1 - rng.Float64())
		noise[i] = newBetaNoise(alpha, beta, g.A, g.B)
	}
	first := g.drawPolynomials(parents, rng)
	edges := len(slices.Concat(first...))
	if edges == 0 {
		return noise, nil
	}
	classes = []polynomials{first}
	for len(classes) < g.Classes {
		classes = append(classes, g.change(classes[len(classes)-1], rng))
	}
	return noise, classes
}

// drawPolynomials draws the polynomials of the first class, one for each edge.
func (g *PolyBeta) drawPolynomials(parents [][]int, rng *rand.Rand) polynomials {
	first := make(polynomials, g.D)
	for i := range first {
		for _, j := range parents[i] {
			f := polynomial{parent: j}
			for l := range f.a {
				f.a[l] = uniform(g.AMax, rng)
			}
			first[i] = append(first[i], f)
		}
	}
	return first
}

// drawParents draws the parents of each variable among the variables before it (Algorithm 2).
func (g *PolyBeta) drawParents(rng *rand.Rand) [][]int {
	parents := make([][]int, g.D)
	for i := range parents {
		fewest, most := min(i, g.PMin), min(i, g.PMax)
		parents[i] = drawDistinct(stats.Indices(i), fewest+rng.Intn(most-fewest+1), rng)
	}
	return parents
}

// change derives the polynomials of a class from the previous class (steps 4 to 13 of Algorithm 4).
// Each polynomial changes with probability g.P, and at least one changes.
func (g *PolyBeta) change(from polynomials, rng *rand.Rand) polynomials {
	to := make(polynomials, len(from))
	for unchanged := true; unchanged; {
		for i := range from {
			to[i] = slices.Clone(from[i]) // with copies of the coefficients, which are arrays
			for e := range to[i] {
				if rng.Float64() >= g.P {
					continue
				}
				for l := range to[i][e].a {
					to[i][e].a[l] *= uniform(g.MaxR, rng)
				}
				unchanged = false
			}
		}
	}
	return to
}

// uniform draws a number uniformly from [-upper, upper).
func uniform(upper float64, rng *rand.Rand) float64 {
	return upper * (2*rng.Float64() - 1)
}
