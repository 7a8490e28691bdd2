package randomfields

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/glasso"
)

// These values of lassoGraph.Criterion determine how the penalty is chosen.
const (
	criterionEBIC  = "ebic"
	criterionBIC   = "bic"
	criterionCV    = "cv"
	criterionFixed = "fixed"
)

// lassoGraph has the parameters that GMRF and NPMRF share. For each class, the graphical lasso
// (Friedman et al. 2008) estimates a graph. Its input is the covariance (divisor n) of the columns
// or of their normal scores. The ridge is added to each variance, so that columns may be constant
// or equal.
type lassoGraph struct {
	method.Revision
	// rule for choosing the penalty. `ebic`: the smallest extended Bayesian information criterion.
	// `bic`: the smallest plain criterion. `cv`: the largest cross-validated likelihood. `fixed`:
	// the value of `lambda`
	Criterion string `param:"criterion" enum:"ebic,bic,cv,fixed"`
	// penalty if `criterion` is `fixed`, in the units of the covariance
	Lambda float64 `param:"lambda" range:"[0,inf)"`
	// the number gamma in the extended BIC, used only if `criterion` is `ebic`. For a graph with
	// |E| edges and d columns, the extended BIC adds 4 gamma |E| log d to the plain BIC
	Gamma float64 `param:"gamma" range:"[0,1]"`
	// number of penalties to try, equally spaced on a log scale. The largest penalty is just large
	// enough to remove all edges
	GridSize int `param:"grid_size" range:"[1,1000]"`
	// ratio of the smallest penalty to the largest
	GridRatio float64 `param:"grid_ratio" range:"(0,1]"`
	// number of folds if `criterion` is `cv`; row i of a class belongs to fold i mod `folds`
	Folds int `param:"folds" range:"[2,inf)"`
	// also penalise the diagonal of the precision matrix, as R's glasso does
	PenalizeDiagonal bool `param:"penalize_diagonal"`
	// number added to each variance in the covariance matrix of a class
	Ridge float64 `param:"ridge" range:"[0,inf)"`
	// tolerance of the lasso, like the thr argument of R's glasso
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// newLassoGraph returns the default parameters. Freno et al. (2010) do not state the penalty, so
// EBIC chooses it.
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

// graph is like lasso, but constant columns do not affect the penalty. In older versions (see
// Pinned), they do.
func (g *lassoGraph) graph(ctx context.Context, columns [][]float64) (*glasso.Estimate, error) {
	isConstant := func(x []float64) bool { return slices.Min(x) == slices.Max(x) }
	varying := slices.DeleteFunc(slices.Clone(columns), isConstant)
	if len(varying) == 0 || len(varying) == len(columns) || g.Pinned() > 0 {
		return g.lasso(ctx, columns)
	}
	chosen, err := g.lasso(ctx, varying)
	if err != nil {
		return nil, err
	}
	fixed := *g
	fixed.Criterion, fixed.Lambda = criterionFixed, chosen.Lambda
	return fixed.lasso(ctx, columns)
}

// lasso fits the graphical lasso to the columns. The criterion chooses the penalty, except that
// criterionFixed uses g.Lambda.
func (g *lassoGraph) lasso(ctx context.Context, columns [][]float64) (*glasso.Estimate, error) {
	covariance := glasso.Covariance(columns, g.Ridge)
	penalties := glasso.Grid(covariance, g.GridSize, g.GridRatio)
	options := glasso.Options{PenalizeDiagonal: g.PenalizeDiagonal, Tolerance: g.Tolerance}
	n := len(columns[0])
	switch g.Criterion {
	case criterionEBIC:
		return glasso.ChooseEBIC(ctx, covariance, n, penalties, g.Gamma, options)
	case criterionBIC: // the extended criterion with gamma = 0
		return glasso.ChooseEBIC(ctx, covariance, n, penalties, 0, options)
	case criterionFixed:
		return glasso.Fit(ctx, covariance, g.Lambda, options, nil) // nil: no estimate to start from
	default: // criterionCV
		folds := min(g.Folds, n) // each fold has at least one row
		fold := make([]int, n)   // fold[i] is the fold of row i
		for i := range fold {
			fold[i] = i % folds
		}
		return glasso.ChooseCV(ctx, columns, g.Ridge, fold, folds, penalties, options)
	}
}

// newGaussianField returns the normal density of each variable i given the variables neighbours[i].
// It uses the means of the columns and the given covariance matrix.
func newGaussianField(columns [][]float64, covariance mat.Symmetric, neighbours [][]int) (field.Field, error) {
	mean := glasso.Means(columns)
	var f field.Field
	for i, given := range neighbours {
		c, err := field.NewGaussian(mean, covariance, i, given)
		if err != nil {
			return nil, fmt.Errorf("%w: raise ridge", err)
		}
		f = append(f, c)
	}
	return f, nil
}
