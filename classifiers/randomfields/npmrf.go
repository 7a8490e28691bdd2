package randomfields

import (
	"context"
	"math"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/glasso"
)

// NPMRF is the nonparanormal Markov random field that Freno et al. (2010) use as a baseline. For
// each class, the graphical lasso estimates a graph. It uses normal scores z_i, which are computed
// from a distribution function F_i of variable i and the standard normal distribution function Phi:
//
//	z_i = Phi^-1(F_i(x_i)).
//
// Here F_i(x) is the empirical distribution function: the rank of x divided by the number n of rows
// of the class. Equal values have their average rank. Values of F_i below delta are replaced by
// delta, and values above 1-delta by 1-delta. delta is 1/(4 n^(1/4) sqrt(pi log n)) (Liu et al.
// 2009).
//
// An empirical distribution has no density. For the conditional densities, F_i is therefore a
// smooth function, estimated by logistic kernels as in Freno's later paper (AISTATS 2012). The
// scores z_i are computed with this function. N is the normal density of z_i, given the scores of
// the neighbours of variable i in the graph:
//
//	p(x_i | neighbours) = N(z_i | neighbours' z) dz_i/dx_i.
//
// N is a conditional density of a joint normal distribution. The joint distribution has the mean
// and covariance of the scores of the training rows in the class. The covariance has divisor n, and
// the parameter ridge is added to the variances.
//
// A column that is constant in a class does not affect the penalty of the lasso in this class.
// Before version 4, it did: the variance of such a column is the parameter ridge, and this small
// number could determine the penalty.
//
// The logistic kernels have the standard deviation b s_i (4/(3n))^(1/5). Here b is the parameter
// bandwidth, and s_i is the standard deviation of column i in the class. The smooth F_i is kept
// between 1e-300 and 1-1e-300.
//
// The smooth F_i takes O(n) operations for each value of x. For each value of the penalty, the
// graphical lasso takes at least about d^3 operations for d columns.
type NPMRF struct {
	lassoGraph
	// factor applied to the bandwidth of the logistic kernels; 1 is the normal reference rule
	Bandwidth float64 `param:"bandwidth" range:"(0,inf)"`
	// lower bound on the standard deviation that determines the bandwidth of a column, as a
	// fraction of the column's range
	MinSD float64 `param:"min_sd" range:"(0,1]"`
	// lower bound on each conditional density, for columns scaled to [0,1]
	Floor float64 `param:"floor" range:"[1e-300,1)"`
}

// NewNPMRF returns an NPMRF with the normal reference bandwidth. The papers do not state a
// bandwidth.
func NewNPMRF() *NPMRF {
	return &NPMRF{lassoGraph: newLassoGraph(), Bandwidth: 1, MinSD: 1e-3, Floor: 1e-6}
}

// Fit implements method.Classifier. It does not use rng.
func (p *NPMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(fitFields(ctx, train, scaleMinMax, p.Priors, p.fitField))
}

// fitField is a fieldFit. The result is the log pseudo-likelihood of a row.
//
// Both the neighbours and the densities are estimated from normal scores Phi^-1(F(x)) of the values
// x. For the neighbours, F is the truncated empirical distribution function. For the densities, F
// is the smooth field.Multilogistic.
func (p *NPMRF) fitField(ctx context.Context, columns [][]float64) (logDensity, error) {
	f := &nonparanormalField{logFloor: math.Log(p.Floor)}
	var empirical, smooth [][]float64
	for _, x := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		marginal := field.NewMultilogistic(x, p.Bandwidth, p.MinSD)
		scores := make([]float64, len(x))
		for i, v := range x {
			scores[i], _ = marginal.Score(v) // without the slope of the transformation
		}
		f.marginals = append(f.marginals, marginal)
		empirical = append(empirical, glasso.Nonparanormal(x))
		smooth = append(smooth, scores)
	}
	estimate, err := p.graph(ctx, empirical)
	if err != nil {
		return nil, err
	}
	f.conditionals, err = newGaussianField(smooth, glasso.Covariance(smooth, p.Ridge), estimate.Neighbours())
	return f.LogDensity, err
}

// nonparanormalField is a product of conditional nonparanormal densities, one for each variable.
type nonparanormalField struct {
	marginals    []*field.Multilogistic // smooth distribution of each variable
	conditionals field.Field            // conditional densities of the normal scores
	logFloor     float64                // lower bound on a log conditional density
}

// LogDensity returns the log pseudo-likelihood of a row x,
//
//	sum_i max(log N(z_i | neighbours' z) + log dz_i/dx_i, logFloor).
//
// z_i is the normal score of x_i, and N is a conditional normal density.
func (f *nonparanormalField) LogDensity(row []float64) float64 {
	scores, logSlopes := make([]float64, len(row)), make([]float64, len(row)) // z and log dz/dx
	for j, v := range row {
		scores[j], logSlopes[j] = f.marginals[j].Score(v)
	}
	var total float64
	for j, c := range f.conditionals {
		total += max(c.LogDensity(scores)+logSlopes[j], f.logFloor)
	}
	return total
}
