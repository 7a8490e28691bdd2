package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/glasso"
)

// GMRF is the Gaussian Markov random field that Freno et al. (2010) compare with. The graph of each
// class comes from the graphical lasso on its covariance. The class density is the
// pseudo-likelihood
//
//	p*(x) = prod_i N(x_i | neighbours of i)
//
// with conditional normal densities of the sample covariance (divisor n, ridge included) or of the
// lasso's own estimate.
type GMRF struct {
	lassoGraph
	Conditional string `param:"conditional" doc:"covariance of the conditional densities: the sample's or the lasso's" enum:"sample,glasso"`
	Scale       string `param:"scale" doc:"minmax: map the training range of each feature to [0,1]; none: leave features unchanged" enum:"minmax,none"`
}

// NewGMRF returns the defaults.
func NewGMRF() *GMRF {
	return &GMRF{lassoGraph: newLassoGraph(), Conditional: "sample", Scale: scaleMinMax}
}

// Fit estimates each class's graph and conditional densities.
func (g *GMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(fitFields(ctx, train, g.Scale, g.Priors, g.fitField))
}

// fitField returns the density of a class with the given columns: the graph of the lasso and a
// normal density of each variable given its neighbours.
func (g *GMRF) fitField(ctx context.Context, columns [][]float64) (logDensity, error) {
	estimate, err := g.graph(ctx, columns)
	if err != nil {
		return nil, err
	}
	covariance := estimate.W
	if g.Conditional == "sample" {
		covariance = glasso.Covariance(columns, g.Ridge)
	}
	return newGaussianField(columns, covariance, estimate.Neighbours())
}
