package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KHRF is the kernel-based hybrid random field of Freno et al. (2010). In each class every
// variable has a small Bayesian network of its own, which only determines its Markov blanket mb_i.
// The class density is the pseudo-likelihood (Eq. 1)
//
//	p*(x) = prod_i p(x_i | mb_i(x))
//
// of kernel conditional densities (Eqs. 2-5) with the bandwidths of Algorithm 1. The floor also
// bounds the joint densities in the objective of that algorithm (Eq. 9).
//
// Markov Blanket Merging (section 4) learns the structure. The first network of a variable has the
// k variables most strongly associated with it and is learnt as in KBN. Then each variable in turn
// learns a network on its blanket and the merged ones, with at most the k* variables most strongly
// associated. It keeps the new network if its term of Eq. 15 grows by more than min_gain. The
// search ends when no variable improves.
//
// Repeated rows do not enter the choice of structure and bandwidths; before version 3 they did. A
// test row without training neighbours in any class has the density floor in all of them, so that
// the priors decide. Networks of k* variables bound the number of families by about k*^2 for each
// variable.
type KHRF struct {
	kernelField
	Measure      string `param:"measure" doc:"association that picks the first relatives: Eq. 13 as printed (which only compares means), or absolute correlation" enum:"eta,pearson,spearman"`
	Relatives    int    `param:"relatives" doc:"number of first relatives of a variable, k" range:"[1,64]"`
	MaxRelatives int    `param:"max_relatives" doc:"largest number of relatives of a variable after merging, k*" range:"[1,64]"`
	MaxParents   int    `param:"max_parents" doc:"largest number of parents of a node in a local network, p*" range:"[1,64]"`
	Merge        string `param:"merge" doc:"new relatives: blankets in all networks with the variable, blankets of the blanket's members, or blankets made symmetric" enum:"networks,blankets,symmetric"`
}

// NewKHRF returns the paper's setting. The paper does not state the numbers of relatives and
// parents, and leaves the merging step open.
func NewKHRF() *KHRF {
	return &KHRF{
		kernelField:  newKernelField(0.05, 0.5),
		Measure:      string(field.Eta),
		Relatives:    5,
		MaxRelatives: 10,
		MaxParents:   3,
		Merge:        string(field.MergeNetworks),
	}
}

// Fit learns each class's blankets and their densities.
func (k *KHRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	merging := field.Merging{
		Measure:      field.Measure(k.Measure),
		Relatives:    k.Relatives,
		MaxRelatives: k.MaxRelatives,
		MaxParents:   k.MaxParents,
		Merge:        field.Merge(k.Merge),
		MinGain:      k.MinGain,
	}
	return withoutProbabilities(k.fit(ctx, train, merging.Learn))
}
