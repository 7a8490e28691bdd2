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
// The number of parents is uniform among those that p_min and p_max allow, and the parents are drawn
// among the earlier variables. The classes share the graph and the noise. Each class has the
// polynomials of the class before it, of which at least one is changed.
//
// The paper maps every feature to [0, 1] by the minimum and maximum of the whole data set, before it
// is split into folds. normalise: sample does that to each sample; it fits studies that split one
// sample and none that draw training and test sets separately. normalise: problem takes the minima
// and maxima of a pilot sample when the problem is drawn and maps every sample alike, so that values
// may lie outside [0, 1]. Densities are known except under normalise: sample, where the map depends
// on the other rows.
//
// Cubics of cubics overflow in deep graphs. A problem with a row in its pilot sample that is not
// finite is drawn again, and so is a problem without edges, whose classes cannot differ. The
// problem's description counts these. A later row that is not finite, which is rare, is drawn again
// by Sample; LogDensity neglects that.
type PolyBeta struct {
	D          int     `param:"d" doc:"number of variables" range:"[2,inf)"`
	Classes    int     `param:"classes" doc:"number of classes" range:"[2,inf)"`
	PMin       int     `param:"p_min" doc:"fewest parents of a variable, where there are as many before it" range:"[0,inf)"`
	PMax       int     `param:"p_max" doc:"most parents of a variable; the paper is silent, 2 seldom overflows" range:"[1,inf)"`
	AMax       float64 `param:"a_max" doc:"coefficients are uniform on [-a_max, a_max]" range:"(0,inf)"`
	AlphaMax   float64 `param:"alpha_max" doc:"the noise's first shape is uniform on (0, alpha_max]" range:"(0,inf)"`
	BetaMax    float64 `param:"beta_max" doc:"the noise's second shape is uniform on (0, beta_max]" range:"(0,inf)"`
	A          float64 `param:"a" doc:"lower end of the noise" range:"(-inf,inf)"`
	B          float64 `param:"b" doc:"upper end of the noise" range:"(-inf,inf)"`
	P          float64 `param:"p" doc:"probability that a polynomial changes from one class to the next, drawn for all of them again until one does: with few polynomials more of them change" range:"(0,1]"`
	MaxR       float64 `param:"max_r" doc:"each coefficient of a changed polynomial is multiplied by a uniform number in [-max_r, max_r]" range:"(0,inf)"`
	Normalise  string  `param:"normalise" doc:"min-max constants: of a pilot sample of the problem, of each sample (the paper: for cross-validation only), or none" enum:"problem,sample,none"`
	Pilot      int     `param:"pilot" doc:"rows per class of the pilot sample" range:"[2,inf)"`
	MaxRedraws int     `param:"max_redraws" doc:"problems that may be drawn again, because they overflow or have no edges, before New gives up" range:"[0,inf)"`
}

// NewPolyBeta returns the setting of section 6.2 of the paper at d = 20.
func NewPolyBeta() *PolyBeta {
	return &PolyBeta{
		D: 20, Classes: 2, PMin: 0, PMax: 2,
		AMax: 2, AlphaMax: 2, BetaMax: 2, A: -2, B: 2, P: 0.1, MaxR: 2,
		Normalise: "problem", Pilot: 250, MaxRedraws: 1000,
	}
}

// Validate checks the parameters against each other.
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

func (f *polynomial) at(x float64) float64 {
	return ((f.a[0]*x+f.a[1])*x+f.a[2])*x + f.a[3]
}

// polynomials holds the polynomials of one class by child.
type polynomials [][]polynomial

// drawDistribution is Algorithms 2, 3 and the part of Algorithm 4 that derives
// the classes. It returns no classes when the graph has no edges.
func (g *PolyBeta) drawDistribution(rng *rand.Rand) ([]betaNoise, []polynomials) {
	graph := g.drawGraph(rng)
	// Algorithm 3. 1 - U lies in (0, 1].
	noise := make([]betaNoise, g.D)
	for i := range noise {
		alpha := g.AlphaMax * (1 - rng.Float64())
		beta := g.BetaMax * (1 - rng.Float64())
		noise[i] = newBetaNoise(alpha, beta, g.A, g.B)
	}
	first, edges := make(polynomials, g.D), 0
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
	if edges == 0 {
		return noise, nil
	}
	classes := []polynomials{first}
	for len(classes) < g.Classes {
		classes = append(classes, g.change(classes[len(classes)-1], rng))
	}
	return noise, classes
}

// drawGraph is Algorithm 2: variable i, counted from 1, has a uniform number of
// parents in p_min..p_max, but at most i-1, chosen among 1..i-1.
func (g *PolyBeta) drawGraph(rng *rand.Rand) dag {
	graph := dag{order: columns(g.D), parents: make([][]int, g.D)}
	for i := range g.D {
		fewest, most := min(i, g.PMin), min(i, g.PMax)
		graph.parents[i] = choose(graph.order[:i], fewest+rng.Intn(most-fewest+1), rng)
	}
	return graph
}

// change is steps 4 to 13 of Algorithm 4: every polynomial is changed with
// probability P, over again until at least one is.
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

// uniform draws from [-most, most).
func uniform(most float64, rng *rand.Rand) float64 {
	return most * (2*rng.Float64() - 1)
}
