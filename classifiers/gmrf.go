package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/field"
	"copse/stats/dataset"
	"copse/stats/glasso"
)

// How GMRF and NPMRF choose the graphical lasso's penalty.
const (
	criterionEBIC  = "ebic"
	criterionBIC   = "bic"
	criterionCV    = "cv"
	criterionFixed = "fixed"
)

// GMRF is the Gaussian Markov random field that Freno et al. (2010) compare
// with: the graph of each class is that of the graphical lasso on its covariance
// (Friedman et al. 2008), and the class density the pseudo-likelihood
//
//	p*(x) = prod_i N(x_i | neighbours of i)
//
// with the conditional normal densities of the sample covariance, or of the
// lasso's own. The ridge is added to every variance first, so that constant and
// repeated columns can be fitted.
type GMRF struct {
	Criterion        string  `param:"criterion" doc:"choice of the penalty: extended or plain Bayesian criterion, cross-validated likelihood, or the value of lambda" enum:"ebic,bic,cv,fixed"`
	Lambda           float64 `param:"lambda" doc:"penalty under criterion fixed, in the units of the covariance" range:"[0,inf)"`
	Gamma            float64 `param:"gamma" doc:"EBIC's weight of the number of graphs" range:"[0,1]"`
	GridSize         int     `param:"grid_size" doc:"number of penalties tried, log-spaced down from the one without edges" range:"[1,1000]"`
	GridRatio        float64 `param:"grid_ratio" doc:"smallest penalty over largest" range:"(0,1]"`
	Folds            int     `param:"folds" doc:"folds of criterion cv; row i is in fold i mod folds" range:"[2,inf)"`
	PenalizeDiagonal bool    `param:"penalize_diagonal" doc:"penalise the diagonal of the precision too, as R's glasso"`
	Conditional      string  `param:"conditional" doc:"covariance of the conditional densities: the sample's or the lasso's" enum:"sample,glasso"`
	Ridge            float64 `param:"ridge" doc:"added to every variance, in squared scaled units" range:"[0,inf)"`
	Tolerance        float64 `param:"tolerance" doc:"the lasso's tolerance, as R's thr" range:"(0,1)"`
	Scale            string  `param:"scale" doc:"map each feature to [0,1] by its training range, or leave it" enum:"minmax,none"`
	Priors           string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewGMRF returns the defaults; the paper is silent on the choice of the penalty.
func NewGMRF() *GMRF {
	return &GMRF{
		Criterion: criterionEBIC, Lambda: 0.01, Gamma: 0.5, GridSize: 10, GridRatio: 0.01, Folds: 5,
		PenalizeDiagonal: true, Conditional: "sample", Ridge: 1e-6, Tolerance: 1e-4,
		Scale: scaleMinMax, Priors: trainingPriors,
	}
}

// Fit estimates each class's graph and conditional densities.
func (g *GMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	return fitFields(ctx, "gmrf", train, g.Scale, g.Priors, func(ctx context.Context, columns [][]float64) (logDensity, error) {
		estimate, err := g.graph(ctx, columns)
		if err != nil {
			return nil, err
		}
		return g.conditionals(columns, estimate)
	})
}

// graph is the graphical lasso at the chosen penalty.
func (g *GMRF) graph(ctx context.Context, columns [][]float64) (*glasso.Estimate, error) {
	s := glasso.Covariance(columns, g.Ridge)
	grid := glasso.Grid(s, g.GridSize, g.GridRatio)
	o := glasso.DefaultOptions()
	o.PenalizeDiagonal, o.Tolerance = g.PenalizeDiagonal, g.Tolerance
	n := len(columns[0])
	switch g.Criterion {
	case criterionEBIC:
		return glasso.ChooseEBIC(ctx, s, n, grid, g.Gamma, o)
	case criterionBIC:
		return glasso.ChooseEBIC(ctx, s, n, grid, 0, o)
	case criterionFixed:
		return glasso.Fit(ctx, s, g.Lambda, o, nil)
	case criterionCV:
		fold := make([]int, n)
		for i := range fold {
			fold[i] = i % g.Folds
		}
		return glasso.ChooseCV(ctx, columns, g.Ridge, fold, g.Folds, grid, o)
	}
	panic("gmrf: unknown criterion " + g.Criterion)
}

// gaussianField is a product of conditional normal densities.
type gaussianField []*field.Gaussian

func (f gaussianField) LogDensity(row []float64) float64 {
	var total float64
	for _, c := range f {
		total += c.LogDensity(row)
	}
	return total
}

// conditionals returns the density of each variable given its neighbours.
func (g *GMRF) conditionals(columns [][]float64, estimate *glasso.Estimate) (gaussianField, error) {
	s := glasso.Covariance(columns, g.Ridge)
	if g.Conditional == "glasso" {
		s = estimate.W
	}
	mean := make([]float64, len(columns))
	for j, x := range columns {
		mean[j] = stat.Mean(x, nil)
	}
	var f gaussianField
	for i, neighbours := range estimate.Neighbours() {
		c, err := field.NewGaussian(mean, s, i, neighbours)
		if err != nil {
			return nil, fmt.Errorf("%w; raise ridge", err)
		}
		f = append(f, c)
	}
	return f, nil
}
