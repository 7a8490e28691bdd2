package generators

import (
	_ "embed"

	"copse/stats/recipe"
)

// A Spec is one entry of the registry.
type Spec struct {
	recipe.Entry[Generator]
	Classes func(Generator) int // returns the number of classes of its problems
	Columns func(Generator) int // returns the number of attributes of its problems

	// NoDensity reports whether its problems lack densities; nil: all are DensityProblems.
	NoDensity func(Generator) bool
}

type entry = recipe.Entry[Generator]

// Registry lists every generator in the papers' order.
var Registry = recipe.Registry[Spec]{
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*Forest).D }, Entry: entry{
		Name: "forest", Version: 1, New: func() Generator { return NewForest() },
		Summary: "two forest-structured Bayesian networks, Gaussian or complex conditional densities",
		Source:  "Tenzer et al. 2020, section 5.1.1",
	}},
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*BayesNet).D }, Entry: entry{
		Name: "bayesnet", Version: 1, New: func() Generator { return NewBayesNet() },
		Summary: "two Bayesian networks with three parents per variable, optionally with common structure",
		Source:  "Tenzer et al. 2020, section 5.1.2",
	}},
	{Classes: func(g Generator) int { return g.(*PolyBeta).Classes },
		Columns:   func(g Generator) int { return g.(*PolyBeta).D },
		NoDensity: func(g Generator) bool { return g.(*PolyBeta).Normalise == "sample" }, Entry: entry{
			Name: "polybeta", Version: 1, New: func() Generator { return NewPolyBeta() },
			Summary: "cubic polynomials of the parents plus beta noise, some polynomials changed from class to class",
			Source:  "Freno et al. 2010, section 6.1, Algorithms 2-4",
		}},
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*ChebyshevToy).columns() }, Entry: entry{
		Name: "chebyshev-toy", Version: 1, New: func() Generator { return NewChebyshevToy() },
		Summary: "2k + 11 binary variables: one strong, ten weak, copies and exclusive ors of the weak ones",
		Source:  "Eban et al. 2014, section 8.1, Figure 1a",
	}},
	{Classes: twoClasses, Columns: func(g Generator) int { return g.(*ForestMVN).D }, Entry: entry{
		Name: "forestmvn", Version: 1, New: func() Generator { return NewForestMVN() },
		Summary: "two forest-structured Gaussian copulas with normal, or t and mixture margins",
		Source:  "Dorn et al. 2018, section 5.1",
	}},
}

//go:embed defaults.txt
var defaults string

// pins has the defaults of each version of each generator.
var pins = recipe.MustParsePins(defaults)

// Recipe returns the identity of a generator of this entry: its name, version and the parameters that
// differ from the defaults pinned in defaults.txt. Equal texts mean equal recipes.
func (s Spec) Recipe(made Generator) string { return pins.Canonical(s.Name, s.Version, made) }
