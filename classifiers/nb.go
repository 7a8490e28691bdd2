package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// NB is naive Bayes: Bayes' rule for
//
//	log p_c(x) = sum_i log p_c(x_i).
//
// For a numeric variable p_c is a Gaussian kernel estimate from the training rows
// of class c; Tenzer et al. (2020), section 5, take it from R's ks, so the
// bandwidths are its plug-in ones. For a discrete variable it is the relative
// frequency, unsmoothed as the marginals of Eban et al. (2014), section 8.1, whose
// naive Bayes this is then; 1 pseudo-count per level is Laplace's rule.
type NB struct {
	Bandwidth string  `param:"bandwidth" doc:"bandwidth rule of the numeric variables' densities" enum:"plug-in,normal-reference,matlab"`
	Smoothing float64 `param:"smoothing" doc:"pseudo-count of each level of a discrete variable in each class" range:"[0,inf)"`
	Floor     float64 `param:"floor" doc:"least density or frequency before the logarithm" range:"(0,inf)"`
	Priors    string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewNB returns the papers' setting; what they leave open are the floor and the
// priors.
func NewNB() *NB {
	return &NB{Bandwidth: string(kde.PlugIn), Floor: 1e-10, Priors: trainingPriors}
}

// Fit estimates the density of every variable in every class.
func (s *NB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	if err := checkTraining("nb", train); err != nil {
		return nil, err
	}
	how := estimates{
		bandwidth: kde.Rule(s.Bandwidth),
		pseudo:    func(int) float64 { return s.Smoothing },
		floor:     s.Floor,
	}
	parts, err := how.fit(ctx, train, univariateTerms(train.C(), train.D()))
	if err != nil {
		return nil, fmt.Errorf("nb: %w", err)
	}
	return sumBayes(logPriors(train, s.Priors), parts), nil
}
