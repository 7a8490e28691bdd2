package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// NB is naive Bayes with kernel densities: Bayes' rule for
//
//	log p_c(x) = sum_i log p_c(x_i),
//
// each p_c(x_i) a Gaussian kernel estimate from the training rows of class c.
// Tenzer et al. (2020), section 5, take the densities from R's ks, so the
// bandwidths are its plug-in ones.
type NB struct {
	Bandwidth string  `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"plug-in,normal-reference,matlab"`
	Floor     float64 `param:"floor" doc:"least density before the logarithm" range:"(0,inf)"`
	Priors    string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewNB returns the paper's setting; what it leaves open are the floor and the
// priors.
func NewNB() *NB {
	return &NB{Bandwidth: string(kde.PlugIn), Floor: 1e-10, Priors: trainingPriors}
}

// Fit estimates the density of every variable in every class.
func (s *NB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	if err := checkTraining("nb", train); err != nil {
		return nil, err
	}
	entries := univariateEntries(train.C(), train.D())
	densities, err := fitLogDensities(ctx, train, kde.Rule(s.Bandwidth), s.Floor, entries)
	if err != nil {
		return nil, fmt.Errorf("nb: %w", err)
	}
	weights := make([]float64, len(entries))
	for k := range weights {
		weights[k] = 1
	}
	return weightedBayes(logPriors(train, s.Priors), densities, weights), nil
}
