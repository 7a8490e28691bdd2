package classifiers

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/stats/dataset"
)

// KBN is the kernel-based Bayesian network that Freno et al. (2010) compare
// with: structure after Hofmann and Tresp (NIPS 1995), greedy search from the
// empty graph for the largest leave-one-out log-likelihood (Eq. 14); conditional
// densities and bandwidths as in KHRF, and the class density
//
//	p(x) = prod_i p(x_i | pa_i(x)).
type KBN struct {
	HMax1      float64 `param:"hmax1" doc:"range (0, hmax1) of the node's bandwidth" range:"(0,inf)"`
	HMax2      float64 `param:"hmax2" doc:"range (0, hmax2) of the parents' bandwidth" range:"(0,inf)"`
	Iterations int     `param:"iterations" doc:"iterations s of the bandwidth search" range:"[1,50]"`
	Floor      float64 `param:"floor" doc:"least conditional density, in scaled units" range:"[1e-200,1)"`
	MaxParents int     `param:"max_parents" doc:"most parents of a node" range:"[1,64]"`
	MinGain    float64 `param:"min_gain" doc:"least gain of log-likelihood, in nats, for a change of structure" range:"[0,inf)"`
	Scale      string  `param:"scale" doc:"map each feature to [0,1] by its training range, or leave it" enum:"minmax,none"`
	Priors     string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewKBN returns the paper's setting; what it leaves open are the floor and the
// number of parents.
func NewKBN() *KBN {
	return &KBN{HMax1: 2, HMax2: 1, Iterations: 2, Floor: 1e-6, MaxParents: 3, MinGain: 1e-6, Scale: scaleMinMax, Priors: trainingPriors}
}

// Fit learns each class's network and its densities.
func (k *KBN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	bandwidths := field.Bandwidths{Max1: k.HMax1, Max2: k.HMax2, Iterations: k.Iterations, Floor: k.Floor}
	return fitFields(ctx, "kbn", train, k.Scale, k.Priors, func(ctx context.Context, columns [][]float64) (logDensity, error) {
		scorer := field.NewScorer(columns, bandwidths)
		parents, err := field.HillClimb(ctx, scorer.Variables(), k.MaxParents, k.MinGain, scorer.LogLik)
		if err != nil {
			return nil, err
		}
		return scorer.Field(parents), nil
	})
}
