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

// NPMRF is the nonparanormal Markov random field that Freno et al. (2010) compare with. The graph
// of each class comes from the graphical lasso on normal scores z_i = Phi^-1(F_i(x_i)). Here F_i
// is the empirical distribution function: mean ranks over n, truncated at 1/(4 n^(1/4) sqrt(pi log
// n)) (Liu et al. 2009). An empirical F_i has no density. As in Freno's sequel (AISTATS 2012),
// densities therefore use the smooth F_i of logistic kernels,
//
//	p(x_i | neighbours) = N(z_i | neighbours' z) dz_i/dx_i,
//
// with the mean and covariance (divisor n, ridge included) of the smooth scores of the class. The
// kernels have standard deviation sd (4/(3n))^(1/5) times bandwidth, and F_i stays 1e-300 away
// from 0 and 1.
//
// Sums over a class take O(n), apart from a term of order n^0.4. The graphical lasso takes at
// least O(d^3) for each penalty.
type NPMRF struct {
	lassoGraph
	Bandwidth float64 `param:"bandwidth" doc:"factor of the bandwidth of the logistic kernels; 1 is the normal reference rule" range:"(0,inf)"`
	MinSD     float64 `param:"min_sd" doc:"smallest standard deviation of a column for the bandwidth, in units of its range" range:"(0,1]"`
	Floor     float64 `param:"floor" doc:"smallest conditional density, of columns scaled to [0,1]" range:"[1e-300,1)"`
}

// NewNPMRF returns the defaults; the papers are silent on the bandwidth.
func NewNPMRF() *NPMRF {
	return &NPMRF{lassoGraph: newLassoGraph(), Bandwidth: 1, MinSD: 1e-3, Floor: 1e-6}
}

// Fit estimates each class's scores, graph and conditional densities.
func (p *NPMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(fitFields(ctx, train, scaleMinMax, p.Priors, p.fitField))
}

// fitField returns the density of a class with the given columns. The graph follows from the
// empirical normal scores, the conditional densities from the smooth ones.
func (p *NPMRF) fitField(ctx context.Context, columns [][]float64) (logDensity, error) {
	f := &nonparanormalField{logFloor: math.Log(p.Floor)}
	var empirical, smooth [][]float64
	for _, x := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		marginal := field.NewMultilogistic(x, p.Bandwidth, p.MinSD)
		f.marginals = append(f.marginals, marginal)
		empirical = append(empirical, glasso.Nonparanormal(x))
		smooth = append(smooth, smoothScores(marginal, x))
	}
	estimate, err := p.graph(ctx, empirical)
	if err != nil {
		return nil, err
	}
	f.conditionals, err = newGaussianField(smooth, glasso.Covariance(smooth, p.Ridge), estimate.Neighbours())
	return f, err
}

// smoothScores returns the normal score of each value of x.
func smoothScores(marginal *field.Multilogistic, x []float64) []float64 {
	scores := make([]float64, len(x))
	for i, v := range x {
		scores[i], _ = marginal.Score(v)
	}
	return scores
}

// nonparanormalField is a product of conditional nonparanormal densities, one for each variable.
type nonparanormalField struct {
	marginals    []*field.Multilogistic
	conditionals gaussianField // of the normal scores
	logFloor     float64       // least log conditional density
}

// LogDensity returns the sum over variables of log N(z_i | neighbours) + log dz_i/dx_i at a row.
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
