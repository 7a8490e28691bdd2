package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KHRF is the kernel-based hybrid random field of Freno et al. (2010). In each class, each variable
// i has its own small Bayesian network. This network only serves to find the Markov blanket mb_i of
// the variable: its parents, its children and the other parents of its children. The density of the
// class is replaced by a product over the variables, the pseudo-likelihood (Eq. 1)
//
//	p*(x) = prod_i p(x_i | mb_i(x)),
//
// where mb_i(x) are the values of the blanket in row x. The factors are kernel conditional
// densities (Eqs. 2-5) with the bandwidths of Algorithm 1. The parameter floor is a lower bound on
// them. It is also a lower bound on the joint densities that the algorithm maximises (Eq. 9).
//
// Markov Blanket Merging (section 4) estimates the blankets. The first network of a variable
// contains the k variables that are most strongly associated with it. It is estimated as in kbn.
// The algorithm then visits the variables in the order of the columns, which can therefore affect the result.
// It estimates a new network for each variable, with at most k* other variables:
//
//   - First come the variables of the current blanket.
//   - Then come variables from other blankets (see the parameter merge), the most strongly
//     associated first.
//
// The algorithm keeps the new network if the variable's term in Eq. 15 increases by more than
// min_gain. It ends when no variable improves.
//
// If a row occurs several times in a class, the fit uses it only once to choose the networks and
// bandwidths. Before version 3, it used all rows.
//
// If a test row is far from all training rows, all its conditional densities equal the floor in
// every class. The prediction is then the class with the largest prior.
//
// Each new network takes about k*^2 estimates of a conditional density, where k* is the parameter
// max_relatives.
type KHRF struct {
	kernelField
	// measure of association between two variables. Each variable's first network contains the
	// other variables with the strongest association. `eta`: Eq. 13 of Freno et al. (2010) as
	// printed, in which similar means count as a strong association. `pearson`, `spearman`: the
	// absolute correlation
	Measure string `param:"measure" enum:"eta,pearson,spearman"`
	// k, the number of other variables in the first network of a variable
	Relatives int `param:"relatives" range:"[1,64]"`
	// k*, the largest number of other variables in the network that a merging step estimates for a
	// variable
	MaxRelatives int `param:"max_relatives" range:"[1,64]"`
	// largest number of parents p* of each node in a network
	MaxParents int `param:"max_parents" range:"[1,64]"`
	// candidates for the new network of a variable. `networks`: the variables in its Markov blankets
	// in all networks that contain it. The other two rules use only the blanket of each variable in its
	// own network. `blankets`: the variables in its blanket, and in the blankets of these variables.
	// `symmetric`: the variables in its blanket, and the variables whose blankets contain it
	Merge string `param:"merge" enum:"networks,blankets,symmetric"`
}

// NewKHRF returns a KHRF as in Freno et al. (2010). The paper states neither the sizes of the
// networks, nor the number of parents, nor how Markov Blanket Merging selects candidates. The
// defaults of these parameters are choices of this package.
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

// Fit implements method.Classifier. It does not use rng.
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
