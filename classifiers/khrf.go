package classifiers

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/stats/dataset"
)

// KHRF is the kernel-based hybrid random field of Freno et al. (2010). Each
// class has a Bayesian network per variable, which says no more than that
// variable's Markov blanket; the class density is the pseudo-likelihood (Eq. 1)
//
//	p*(x) = prod_i p(x_i | mb_i(x)),
//
// of Nadaraya-Watson conditional densities (Eqs. 2-5) whose bandwidths Algorithm
// 1 chooses for each (variable, relatives). Structure: Markov Blanket Merging.
type KHRF struct {
	HMax1        float64 `param:"hmax1" doc:"range (0, hmax1) of the node's bandwidth" range:"(0,inf)"`
	HMax2        float64 `param:"hmax2" doc:"range (0, hmax2) of the relatives' bandwidth" range:"(0,inf)"`
	Iterations   int     `param:"iterations" doc:"iterations s of the bandwidth search" range:"[1,50]"`
	Floor        float64 `param:"floor" doc:"least conditional density, in scaled units" range:"[1e-200,1)"`
	Measure      string  `param:"measure" doc:"association that picks the first relatives: Eq. 13 as printed (which only compares means), or absolute correlation" enum:"eta,pearson,spearman"`
	Relatives    int     `param:"relatives" doc:"first relatives of a variable, k" range:"[1,inf)"`
	MaxRelatives int     `param:"max_relatives" doc:"most relatives of a variable after merging, k*" range:"[1,64]"`
	MaxParents   int     `param:"max_parents" doc:"most parents of a node in a local network, p*" range:"[1,64]"`
	Merge        string  `param:"merge" doc:"new relatives: blankets in all networks with the variable, blankets of the blanket's members, or blankets made symmetric" enum:"networks,blankets,symmetric"`
	MinGain      float64 `param:"min_gain" doc:"least gain of log-likelihood, in nats, for a change of structure" range:"[0,inf)"`
	Scale        string  `param:"scale" doc:"map each feature to [0,1] by its training range, or leave it" enum:"minmax,none"`
	Priors       string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewKHRF returns the paper's setting; what it leaves open are the floor, the
// numbers of relatives and parents, and the merging step.
func NewKHRF() *KHRF {
	return &KHRF{
		HMax1: 0.05, HMax2: 0.5, Iterations: 2, Floor: 1e-6,
		Measure: string(field.Eta), Relatives: 5, MaxRelatives: 10, MaxParents: 3,
		Merge: string(field.MergeNetworks), MinGain: 1e-6,
		Scale: scaleMinMax, Priors: trainingPriors,
	}
}

// Fit learns each class's blankets and their densities.
func (k *KHRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	bandwidths := field.Bandwidths{Max1: k.HMax1, Max2: k.HMax2, Iterations: k.Iterations, Floor: k.Floor}
	merging := field.Merging{
		Measure: field.Measure(k.Measure), Relatives: k.Relatives, MaxRelatives: k.MaxRelatives,
		MaxParents: k.MaxParents, Merge: field.Merge(k.Merge), MinGain: k.MinGain,
	}
	return fitFields(ctx, "khrf", train, k.Scale, k.Priors, func(ctx context.Context, columns [][]float64) (logDensity, error) {
		scorer := field.NewScorer(columns, bandwidths)
		blankets, err := merging.Learn(ctx, scorer)
		if err != nil {
			return nil, err
		}
		return scorer.Field(blankets), nil
	})
}
