package generators

// Registry lists every generator in the papers' order.
var Registry = []Spec{
	{
		Name:    "forest",
		Summary: "two forest-structured Bayesian networks, Gaussian or complex conditional densities",
		Source:  "Tenzer et al. 2020, section 5.1.1",
		Version: 1,
		Classes: twoClasses,
		New:     func() Generator { return NewForest() },
	},
	{
		Name:    "bayesnet",
		Summary: "two Bayesian networks with three parents per variable, optionally with common structure",
		Source:  "Tenzer et al. 2020, section 5.1.2",
		Version: 1,
		Classes: twoClasses,
		New:     func() Generator { return NewBayesNet() },
	},
	{
		Name:    "polybeta",
		Summary: "cubic polynomials of the parents plus beta noise, some polynomials changed from class to class",
		Source:  "Freno et al. 2010, section 6.1, Algorithms 2-4",
		Version: 1,
		Classes: func(g Generator) int { return g.(*PolyBeta).Classes },
		New:     func() Generator { return NewPolyBeta() },
	},
	{
		Name:    "chebyshev-toy",
		Summary: "2k + 11 binary variables: one strong, ten weak, copies and exclusive ors of the weak ones",
		Source:  "Eban et al. 2014, section 8.1, Figure 1a",
		Version: 1,
		Classes: twoClasses,
		New:     func() Generator { return NewChebyshevToy() },
	},
	{
		Name:    "forestmvn",
		Summary: "two forest-structured Gaussian copulas with normal, or t and mixture margins",
		Source:  "Dorn et al. 2018, section 5.1",
		Version: 1,
		Classes: twoClasses,
		New:     func() Generator { return NewForestMVN() },
	},
}

// Lookup returns the entry of the given name.
func Lookup(name string) (Spec, bool) {
	for _, s := range Registry {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}
