package randomfields

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/glasso"
)

// Ways to choose the penalty of a lassoGraph.
const (
	criterionEBIC  = "ebic"
	criterionBIC   = "bic"
	criterionCV    = "cv"
	criterionFixed = "fixed"
)

// lassoGraph holds the parameters that GMRF and NPMRF share. The graph of a class comes from the
// graphical lasso (Friedman et al. 2008) on the covariance, divisor n, of its columns or scores. The
// ridge is first added to every variance, so that constant and repeated columns can be fitted.
type lassoGraph struct {
	Criterion        string  `param:"criterion" doc:"choice of the penalty: extended or plain Bayesian criterion, cross-validated likelihood, or the value of lambda" enum:"ebic,bic,cv,fixed"`
	Lambda           float64 `param:"lambda" doc:"penalty of criterion: fixed, in the units of the covariance" range:"[0,inf)"`
	Gamma            float64 `param:"gamma" doc:"weight of the number of graphs in the extended criterion" range:"[0,1]"`
	GridSize         int     `param:"grid_size" doc:"number of penalties to try, on a log scale down from the smallest one without edges" range:"[1,1000]"`
	GridRatio        float64 `param:"grid_ratio" doc:"ratio of the smallest penalty to the largest" range:"(0,1]"`
	Folds            int     `param:"folds" doc:"number of folds of criterion cv; row i of a class is in fold i mod folds" range:"[2,inf)"`
	PenalizeDiagonal bool    `param:"penalize_diagonal" doc:"penalise the diagonal of the precision matrix, too, like R's glasso"`
	Ridge            float64 `param:"ridge" doc:"number added to every variance, in squared scaled units" range:"[0,inf)"`
	Tolerance        float64 `param:"tolerance" doc:"tolerance of the lasso, like thr in R" range:"(0,1)"`
	Priors           string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// newLassoGraph returns the defaults. Freno et al. do not state the penalty.
func newLassoGraph() lassoGraph {
	return lassoGraph{
		Criterion:        criterionEBIC,
		Lambda:           0.01,
		Gamma:            0.5,
		GridSize:         10,
		GridRatio:        0.01,
		Folds:            5,
		PenalizeDiagonal: true,
		Ridge:            1e-6,
		Tolerance:        1e-4,
		Priors:           method.TrainingPriors,
	}
}

// graph returns the graphical lasso of the columns at the chosen penalty.
func (g *lassoGraph) graph(ctx context.Context, columns [][]float64) (*glasso.Estimate, error) {
	covariance := glasso.Covariance(columns, g.Ridge)
	penalties := glasso.Grid(covariance, g.GridSize, g.GridRatio)
	options := glasso.DefaultOptions()
	options.PenalizeDiagonal, options.Tolerance = g.PenalizeDiagonal, g.Tolerance
	n := len(columns[0])
	switch g.Criterion {
	case criterionEBIC:
		return glasso.ChooseEBIC(ctx, covariance, n, penalties, g.Gamma, options)
	case criterionBIC: // the extended criterion with gamma = 0
		return glasso.ChooseEBIC(ctx, covariance, n, penalties, 0, options)
	case criterionFixed:
		return glasso.Fit(ctx, covariance, g.Lambda, options, nil)
	case criterionCV:
		folds := min(g.Folds, n)
		fold := make([]int, n)
		for i := range fold {
			fold[i] = i % folds
		}
		return glasso.ChooseCV(ctx, columns, g.Ridge, fold, folds, penalties, options)
	}
	panic("randomfields: unknown criterion " + g.Criterion)
}

// gaussianField is a product of conditional normal densities, one for each variable.
type gaussianField []*field.Gaussian

// LogDensity returns the sum of the log conditional densities at a row.
func (f gaussianField) LogDensity(row []float64) float64 {
	var total float64
	for _, c := range f {
		total += c.LogDensity(row)
	}
	return total
}

// newGaussianField returns the normal density of each variable given its neighbours, with the means
// of the columns and the given covariance.
func newGaussianField(columns [][]float64, covariance mat.Symmetric, neighbours [][]int) (gaussianField, error) {
	mean := make([]float64, len(columns))
	for j, x := range columns {
		mean[j] = stat.Mean(x, nil)
	}
	var f gaussianField
	for i, given := range neighbours {
		c, err := field.NewGaussian(mean, covariance, i, given)
		if err != nil {
			return nil, fmt.Errorf("%w; raise ridge", err)
		}
		f = append(f, c)
	}
	return f, nil
}
