package classifiers

import (
	"context"
	"math"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/stats/dataset"
	"copse/stats/glasso"
)

// NPMRF is the nonparanormal Markov random field that Freno et al. (2010)
// compare with: the graph of each class is that of the graphical lasso on normal
// scores z_i = Phi^-1(F_i(x_i)), F_i the truncated empirical distribution
// function (Liu et al. 2009). An empirical F_i has no density; as in Freno's
// sequel (AISTATS 2012) the densities take the smooth F_i of logistic kernels,
//
//	p(x_i | neighbours) = N(z_i | neighbours' z) dz_i/dx_i,
//
// with the mean and covariance of the class's smooth scores.
type NPMRF struct {
	Criterion        string  `param:"criterion" doc:"choice of the penalty: extended or plain Bayesian criterion, cross-validated likelihood, or the value of lambda" enum:"ebic,bic,cv,fixed"`
	Lambda           float64 `param:"lambda" doc:"penalty under criterion fixed, in the units of the scores' covariance" range:"[0,inf)"`
	Gamma            float64 `param:"gamma" doc:"EBIC's weight of the number of graphs" range:"[0,1]"`
	GridSize         int     `param:"grid_size" doc:"number of penalties tried, log-spaced down from the one without edges" range:"[1,1000]"`
	GridRatio        float64 `param:"grid_ratio" doc:"smallest penalty over largest" range:"(0,1]"`
	Folds            int     `param:"folds" doc:"folds of criterion cv; row i is in fold i mod folds" range:"[2,inf)"`
	PenalizeDiagonal bool    `param:"penalize_diagonal" doc:"penalise the diagonal of the precision too, as R's glasso"`
	Ridge            float64 `param:"ridge" doc:"added to every variance of the scores; its root is the least standard deviation of a column, in units of its range, for the bandwidth" range:"(0,inf)"`
	Tolerance        float64 `param:"tolerance" doc:"the lasso's tolerance, as R's thr" range:"(0,1)"`
	Bandwidth        float64 `param:"bandwidth" doc:"bandwidth of the logistic kernels over the normal reference rule's" range:"(0,inf)"`
	Floor            float64 `param:"floor" doc:"least conditional density, columns scaled to [0,1]" range:"[1e-300,1)"`
	Priors           string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewNPMRF returns the defaults; the paper is silent on penalty and bandwidth.
func NewNPMRF() *NPMRF {
	return &NPMRF{
		Criterion: criterionEBIC, Lambda: 0.1, Gamma: 0.5, GridSize: 10, GridRatio: 0.01, Folds: 5,
		PenalizeDiagonal: true, Ridge: 1e-6, Tolerance: 1e-4, Bandwidth: 1, Floor: 1e-6, Priors: trainingPriors,
	}
}

// Fit estimates each class's scores, graph and conditional densities.
func (p *NPMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	gaussian := &GMRF{
		Criterion: p.Criterion, Lambda: p.Lambda, Gamma: p.Gamma, GridSize: p.GridSize, GridRatio: p.GridRatio, Folds: p.Folds,
		PenalizeDiagonal: p.PenalizeDiagonal, Ridge: p.Ridge, Tolerance: p.Tolerance, Conditional: "sample",
	}
	return fitFields(ctx, "npmrf", train, scaleMinMax, p.Priors, func(ctx context.Context, columns [][]float64) (logDensity, error) {
		ranked, smooth := make([][]float64, len(columns)), make([][]float64, len(columns))
		f := &nonparanormalField{logFloor: math.Log(p.Floor)}
		for j, x := range columns {
			ranked[j] = glasso.Nonparanormal(x)
			m := field.NewMultilogistic(x, p.Bandwidth, math.Sqrt(p.Ridge))
			f.marginals = append(f.marginals, m)
			smooth[j] = make([]float64, len(x))
			for i, v := range x {
				smooth[j][i], _ = m.Score(v)
			}
		}
		estimate, err := gaussian.graph(ctx, ranked)
		if err != nil {
			return nil, err
		}
		f.conditionals, err = gaussian.conditionals(smooth, estimate)
		return f, err
	})
}

// nonparanormalField is a product of conditional nonparanormal densities.
type nonparanormalField struct {
	marginals    []*field.Multilogistic
	conditionals gaussianField
	logFloor     float64
}

func (f *nonparanormalField) LogDensity(row []float64) float64 {
	z, slope := make([]float64, len(row)), make([]float64, len(row))
	for j, v := range row {
		z[j], slope[j] = f.marginals[j].Score(v)
	}
	var total float64
	for j, c := range f.conditionals {
		total += max(c.LogDensity(z)+slope[j], f.logFloor)
	}
	return total
}
