package generators

import (
	_ "embed"

	"copse/stats/recipe"
)

// A Spec describes a generator in the registry.
type Spec struct {
	recipe.Entry[Generator]
	Classes func(Generator) int // returns the number of classes of a problem
	Columns func(Generator) int // returns the number of variables of a problem

	Discrete bool // all variables are discrete; otherwise all are numeric

	// NoDensity reports whether the densities of the problems are unknown. If it is nil, they are
	// always known.
	NoDensity func(Generator) bool
}

func twoClasses(Generator) int { return 2 }

type entry = recipe.Entry[Generator]

// Registry lists all generators, grouped by paper.
var Registry = recipe.Registry[Spec]{
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*Forest).D }, Entry: entry{
		Name: "forest", Version: 1, New: func() Generator { return NewForest() },
		Summary: "two forest-structured Bayesian networks of Gaussian densities, or of mixtures with a t density",
		Source:  "Tenzer et al. 2020, section 5.1.1",
	}},
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*BayesNet).D }, Entry: entry{
		Name: "bayesnet", Version: 1, New: func() Generator { return NewBayesNet() },
		Summary: "two Bayesian networks, which can share variables and their parents",
		Source:  "Tenzer et al. 2020, section 5.1.2",
	}},
	{Classes: func(g Generator) int { return g.(*PolyBeta).Classes },
		Columns:   func(g Generator) int { return g.(*PolyBeta).D },
		NoDensity: func(g Generator) bool { return g.(*PolyBeta).Normalise == "sample" }, Entry: entry{
			Name: "polybeta", Version: 1, New: func() Generator { return NewPolyBeta() },
			Summary: "sums of beta noise and cubic polynomials of the parents; some polynomials differ between classes",
			Source:  "Freno et al. 2010, section 6.1, Algorithms 2-4",
		}},
	{Classes: twoClasses, Discrete: true,
		Columns: func(g Generator) int { return g.(*ChebyshevToy).columns() }, Entry: entry{
			Name: "chebyshev-toy", Version: 1, New: func() Generator { return NewChebyshevToy() },
			Summary: "one strong and several weak binary variables, with copies and exclusive ors of weak ones",
			Source:  "Eban et al. 2014, section 8.1, Figure 1a",
		}},
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*ForestMVN).D }, Entry: entry{
		Name: "forestmvn", Version: 1, New: func() Generator { return NewForestMVN() },
		Summary: "two forest-structured Gaussian copulas with normal margins, or with t and mixture margins",
		Source:  "Dorn et al. 2018, section 5.1",
	}},
}

//go:embed defaults.txt
var defaultsText string

var defaults = recipe.MustParseDefaults(defaultsText)

// Recipe identifies a generator by its name, its version, and the parameters that differ from the
// defaults of this version in defaults.txt. Generators with equal recipes draw the same problems.
func (s Spec) Recipe(made Generator) string { return defaults.Canonical(s.Name, s.Version, made) }
