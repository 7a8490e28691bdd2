package generators

import (
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/recipe"
)

// PolyBeta draws C classes by Algorithms 2 to 4 of Freno et al. (2010). In class c variable i is
//
//	x_i = sum_{j in parents(i)} f_cij(x_j) + e_i,
//	f_cij(x) = a_1 x^3 + a_2 x^2 + a_3 x + a_4,   e_i ~ beta(alpha_i, beta_i) on (a, b).
//
// The number of parents is uniform between p_min and p_max, as far as there are earlier variables, among
// which the parents are drawn. The classes share the graph and the noise. Each class has the
// polynomials of the class before it, of which at least one is changed.
//
// The paper maps every feature to [0, 1] by the minimum and maximum of the whole data set, before it
// is split into folds. normalise: sample does that to each sample, which suits studies that split
// one sample into folds, but not studies with separate training and test sets. normalise: problem
// takes the minima and maxima of a pilot sample and maps all samples of the problem by them, so that
// some values are outside [0, 1]. Under normalise: sample the map depends on the other rows, so
// densities are unknown.
//
// Cubics of cubics overflow in deep graphs. A problem whose pilot sample overflows is drawn again, and
// so is a problem without edges, whose classes cannot differ. The model counts these. If a later row
// overflows, which is rare, Sample draws it again; LogDensity neglects that.
type PolyBeta struct {
	D          int     `param:"d" doc:"number of variables" range:"[2,inf)"`
	Classes    int     `param:"classes" doc:"number of classes" range:"[2,inf)"`
	PMin       int     `param:"p_min" doc:"smallest number of parents, if there are as many earlier variables" range:"[0,inf)"`
	PMax       int     `param:"p_max" doc:"largest number of parents; not in the paper, 2 seldom overflows" range:"[1,inf)"`
	AMax       float64 `param:"a_max" doc:"coefficients are uniform on [-a_max, a_max]" range:"(0,inf)"`
	AlphaMax   float64 `param:"alpha_max" doc:"the noise's first shape is uniform on (0, alpha_max]" range:"(0,inf)"`
	BetaMax    float64 `param:"beta_max" doc:"the noise's second shape is uniform on (0, beta_max]" range:"(0,inf)"`
	A          float64 `param:"a" doc:"lower end of the noise" range:"(-inf,inf)"`
	B          float64 `param:"b" doc:"upper end of the noise" range:"(-inf,inf)"`
	P          float64 `param:"p" doc:"probability that a polynomial changes from one class to the next; drawn again until one does" range:"(0,1]"`
	MaxR       float64 `param:"max_r" doc:"coefficients that change are multiplied by a number uniform on [-max_r, max_r]" range:"(0,inf)"`
	Normalise  string  `param:"normalise" doc:"sample that gives minima and maxima: the pilot sample (problem), each sample, or none" enum:"problem,sample,none"`
	Pilot      int     `param:"pilot" doc:"rows per class of the pilot sample" range:"[2,inf)"`
	MaxRedraws int     `param:"max_redraws" doc:"largest number of problems drawn again because they overflow or have no edges" range:"[0,inf)"`
}

// NewPolyBeta returns the generator with the setting of section 6.2 of the paper at d = 20.
func NewPolyBeta() *PolyBeta {
	return &PolyBeta{
		D: 20, Classes: 2, PMin: 0, PMax: 2,
		AMax: 2, AlphaMax: 2, BetaMax: 2, A: -2, B: 2, P: 0.1, MaxR: 2,
		Normalise: "problem", Pilot: 250, MaxRedraws: 1000,
	}
}

// Validate returns an error if parameters contradict each other.
func (g *PolyBeta) Validate() error {
	if g.PMin > g.PMax {
		return &recipe.Error{Key: "p_min", Msg: fmt.Sprintf("%d exceeds p_max %d", g.PMin, g.PMax)}
	}
	if !(g.A < g.B) {
		return &recipe.Error{Key: "a", Msg: fmt.Sprintf("the noise's interval (%v, %v) is empty", g.A, g.B)}
	}
	return nil
}

// New draws the graph, the noise and every class's polynomials.
func (g *PolyBeta) New(rng *rand.Rand) (Problem, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	p := &polyBetaProblem{PolyBeta: *g}
	for p.overflowing+p.edgeless <= g.MaxRedraws {
		p.noise, p.classes = g.drawDistribution(rng)
		if len(p.classes) == 0 {
			p.edgeless++
			continue
		}
		if !p.pilot(rng) {
			p.overflowing++
			continue
		}
		if g.Normalise == "sample" {
			return p, nil
		}
		return &polyBetaDensity{p}, nil
	}
	return nil, fmt.Errorf("polybeta: gave up after %d problems that overflow and %d without edges; "+
		"lower d or p_max, or raise max_redraws", p.overflowing, p.edgeless)
}

// A polynomial is the cubic f that one parent contributes to a variable.
type polynomial struct {
	parent int
	a      [4]float64 // of x^3, x^2, x, 1
}

// at returns f(x).
func (f *polynomial) at(x float64) float64 {
	return ((f.a[0]*x+f.a[1])*x+f.a[2])*x + f.a[3]
}

// polynomials are the polynomials of one class, by the variable to which they contribute.
type polynomials [][]polynomial

// drawDistribution draws the noise of each variable and the polynomials of each class (Algorithms 2 and 3,
// and the part of Algorithm 4 that derives the classes). It returns nil classes if the graph has no
// edges.
func (g *PolyBeta) drawDistribution(rng *rand.Rand) ([]betaNoise, []polynomials) {
	graph := g.drawGraph(rng)
	noise := make([]betaNoise, g.D)
	for i := range noise {
		alpha := g.AlphaMax * (1 - rng.Float64()) // above 0
		beta := g.BetaMax * (1 - rng.Float64())
		noise[i] = newBetaNoise(alpha, beta, g.A, g.B)
	}
	first, edges := g.drawPolynomials(graph, rng)
	if edges == 0 {
		return noise, nil
	}
	classes := []polynomials{first}
	for len(classes) < g.Classes {
		classes = append(classes, g.change(classes[len(classes)-1], rng))
	}
	return noise, classes
}

// drawPolynomials draws the polynomials of the first class, one for each edge of the graph.
func (g *PolyBeta) drawPolynomials(graph dag, rng *rand.Rand) (first polynomials, edges int) {
	first = make(polynomials, g.D)
	for i, parents := range graph.parents {
		for _, j := range parents {
			f := polynomial{parent: j}
			for l := range f.a {
				f.a[l] = uniform(g.AMax, rng)
			}
			first[i] = append(first[i], f)
			edges++
		}
	}
	return first, edges
}

// drawGraph draws the graph (Algorithm 2): a variable has a uniform number of parents from p_min to
// p_max, but no more than there are earlier variables, among which it draws them.
func (g *PolyBeta) drawGraph(rng *rand.Rand) dag {
	graph := dag{order: columns(g.D), parents: make([][]int, g.D)}
	for i := range g.D {
		fewest, most := min(i, g.PMin), min(i, g.PMax)
		graph.parents[i] = choose(graph.order[:i], fewest+rng.Intn(most-fewest+1), rng)
	}
	return graph
}

// change returns the polynomials of the next class (steps 4 to 13 of Algorithm 4): each is changed with
// probability P, and all are drawn again until at least one is changed.
func (g *PolyBeta) change(from polynomials, rng *rand.Rand) polynomials {
	to := make(polynomials, len(from))
	for unchanged := true; unchanged; {
		for i := range from {
			to[i] = append([]polynomial(nil), from[i]...)
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

// uniform returns a number uniform on [-most, most).
func uniform(most float64, rng *rand.Rand) float64 {
	return most * (2*rng.Float64() - 1)
}
