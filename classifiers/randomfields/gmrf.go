package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/glasso"
)

// GMRF is the Gaussian Markov random field that Freno et al. (2010) use as a baseline. For each
// class, the graphical lasso estimates a graph from the covariance. Two variables are neighbours if
// the graph has an edge between them. The density of the class is replaced by a product over the
// variables i, the pseudo-likelihood
//
//	p*(x) = prod_i N(x_i | neighbours of i).
//
// N is the normal density of variable i, given the values of its neighbours. The parameter
// conditional selects the covariance from which N is computed:
//
//   - sample: the sample covariance, with divisor n. The parameter ridge is added to the variances.
//   - glasso: the covariance that the lasso estimates.
//
// A column that is constant in a class does not affect the penalty of the lasso in this class. In
// version 1, it did: the variance of such a column is the parameter ridge, and this small number
// could determine the penalty.
type GMRF struct {
	lassoGraph
	// covariance matrix used for the conditional densities: the sample covariance (`sample`), or
	// the estimate of the graphical lasso (`glasso`)
	Conditional string `param:"conditional" enum:"sample,glasso"`
	// scaling of the features: to [0,1] on the training rows (`minmax`), or none (`none`)
	Scale string `param:"scale" enum:"minmax,none"`
}

// NewGMRF returns a GMRF with the sample covariance and features scaled to [0,1].
func NewGMRF() *GMRF {
	return &GMRF{lassoGraph: newLassoGraph(), Conditional: "sample", Scale: scaleMinMax}
}

// Fit implements method.Classifier. It does not use rng.
func (g *GMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(fitFields(ctx, train, g.Scale, g.Priors, g.fitField))
}

// fitField is a fieldFit. The result is the log pseudo-likelihood of a row.
func (g *GMRF) fitField(ctx context.Context, columns [][]float64) (logDensity, error) {
	estimate, err := g.graph(ctx, columns)
	if err != nil {
		return nil, err
	}
	covariance := estimate.W
	if g.Conditional == "sample" {
		covariance = glasso.Covariance(columns, g.Ridge)
	}
	f, err := newGaussianField(columns, covariance, estimate.Neighbours())
	return f.LogDensity, err
}
