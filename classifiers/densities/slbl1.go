package densities

import (
	"context"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// SLBL1 is slb with an l1 penalty in place of the threshold on pairs. The discussion of Tenzer et
// al. (2020) proposes this penalty, after Zhu et al. (2004) and Neumann et al. (2005).
//
// The classifier is a lasso logistic regression. Its columns t(x) are the log densities of all
// variables and all pairs in each class. Each column is scaled to mean square 1. With two classes,
// y_i is 1 for rows of class 1 and -1 for rows of class 0. Let |w|_1 be the sum of the absolute
// values of the weights w. The fit chooses w and the constant b:
//
//	min_(b,w) 1/n sum_i log(1 + exp(-y_i (b + w't(x_i)))) + lambda |w|_1.
//
// With two classes, the score of class 1 is (b + w't)/2, and the score of class 0 is its negative.
// With more than two classes, the likelihood is multinomial, and the scores are defined as in
// logistic.
//
// Cross-validation chooses lambda, with the same candidates as in the classifier logistic. With
// select: refit, the densities in a fold are estimated without the held-out rows, but with the
// bandwidths computed from all rows. If held-out rows were used, densities that fit them too
// closely would seem better.
//
// The density estimate at a training row includes the kernel of this row.
//
// The paper does not state the loss function, the number of folds, or how to choose lambda.
//
// A fit first estimates all log densities. With select: refit, it estimates them again for each
// fold. Finally, it fits the lasso, which takes as long as a fit of the classifier logistic with
// the columns t(x).
type SLBL1 struct {
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"normal-reference,plug-in"`
	// lower bound on each density before its logarithm is taken. Columns are first divided by their
	// standard deviations in the class. 0 means no bound
	Floor float64 `param:"floor" range:"[0,inf)"`
	// estimation of the densities when the penalty is cross-validated: from the other folds
	// (`refit`), or from all rows (`in-sample`)
	Select string `param:"select" enum:"refit,in-sample"`
	// which lambda to choose: the one with the smallest cross-validated loss (`min`), or the
	// largest one whose loss is within one standard error of the smallest (`1se`)
	Choose string `param:"choose" enum:"min,1se"`
	// number of lambda values on the path
	Penalties int `param:"penalties" range:"[1,inf)"`
	// number of cross-validation folds; leave-one-out if there are fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
	// tolerance of the solver, as a fraction of the loss at zero weights. The solver stops when,
	// for each weight, the squared last change times the second derivative of the loss is at most
	// this tolerance
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
}

// NewSLBL1 returns an SLBL1 with the densities and the folds of NewSLB. The defaults for the
// penalties and the solver are from NewLogistic.
func NewSLBL1() *SLBL1 {
	s, l := NewSLB(), classics.NewLogistic()
	return &SLBL1{
		Bandwidth: s.Bandwidth,
		Floor:     s.Floor,
		Select:    refit,
		Choose:    l.Choose,
		Penalties: l.Penalties,
		Folds:     s.Folds,
		Tolerance: l.Tolerance,
	}
}

// Fit implements method.Classifier. It uses rng to draw the folds.
func (s *SLBL1) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	model, err := s.fit(ctx, train, rng, elasticnet.Deviance)
	if err != nil {
		return nil, err
	}
	return model.rule().WithProbabilities(method.Posteriors), nil
}

// SLBL1SVM is the classifier slb-l1 with the squared hinge loss of a support vector machine, for
// two classes. Let t(x) be the log densities of all variables and all pairs in each class at row x.
// For row i, y_i is 1 in class 1 and -1 in class 0. Let |w|_1 be the sum of the absolute values of
// the weights w. The fit chooses w and the constant b:
//
//	min_(b,w) 1/n sum_i max(0, 1 - y_i (b + w't(x_i)))^2 / 2 + lambda |w|_1.
//
// The score of class 1 is (b + w't)/2, and the score of class 0 is its negative.
//
// Zhu et al. (2004) use the hinge loss. This classifier uses its square, as do the l1-regularised
// machines in liblinear (Fan et al., JMLR 9:1871, 2008, section 2). The squared hinge loss is
// smooth.
//
// The solver is coordinate descent, which changes one weight at a time. With the hinge loss, it
// could stop too early: at a point where only a simultaneous change of several weights lowers the
// objective.
//
// Linear programming can minimise the hinge loss. But it would need one linear program for each
// penalty in each fold. With n rows and d variables, each program has d(d+1) weights and n slack
// variables.
//
// If the rule could be any function, both losses would lead to the Bayes rule (Bartlett, Jordan and
// McAuliffe, JASA 101:138, 2006). The squared hinge loss gives more weight to rows far on the wrong
// side.
type SLBL1SVM struct{ SLBL1 }

// NewSLBL1SVM returns an SLBL1SVM with the parameters of NewSLBL1.
func NewSLBL1SVM() *SLBL1SVM { return &SLBL1SVM{*NewSLBL1()} }

// Fit implements method.Classifier. It uses rng to draw the folds.
func (s *SLBL1SVM) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	model, err := s.fit(ctx, train, rng, elasticnet.Hinge)
	if err != nil {
		return nil, err
	}
	return model.rule(), nil
}

// refitColumns returns a function that estimates the log densities for each fold from the other
// folds. n is the number of rows.
func refitColumns(ctx context.Context, densities *logdensity.Map, n int) elasticnet.FoldColumns {
	return func(fold []int, folds int) (elasticnet.Fold, error) {
		if (folds+1)*n*len(densities.Entries) > crossNumbers {
			rotation := densities.Rotate(fold, folds)
			return func(f int, rows []int) (*mat.Dense, error) { return rotation.FeaturesIn(ctx, nil, f, rows) }, nil
		}
		_, without, err := densities.CrossFeatures(ctx, fold, folds)
		if err != nil {
			return nil, err
		}
		return func(f int, rows []int) (*mat.Dense, error) { return columns.Rows(without[f], rows), nil }, nil
	}
}

// fit fits an l1-penalised linear model to the log densities of all variables and pairs, and
// cross-validates the penalty. loss is elasticnet.Deviance or elasticnet.Hinge.
func (s *SLBL1) fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand, loss string,
) (*sparseModel, error) {
	if err := crossval.CheckTwoRows(train); err != nil {
		return nil, err
	}
	options := logdensity.Options{Rule: kde.Rule(s.Bandwidth), Floor: s.Floor}
	densities, err := logdensity.Fit(ctx, train, options, logdensity.All(train.C(), train.D()))
	if err != nil {
		return nil, err
	}
	t, err := densities.TrainingFeatures(ctx)
	if err != nil {
		return nil, err
	}
	// With refit, the log densities of each fold are estimated again, without its held-out rows.
	// Otherwise, all folds use t.
	foldColumns := elasticnet.SameColumns(t)
	if s.Select == refit {
		foldColumns = refitColumns(ctx, densities, train.N())
	}
	choice := elasticnet.Selection{
		Alpha:       1,
		Standardise: true,
		Penalties:   s.Penalties,
		Tolerance:   s.Tolerance,
		Folds:       s.Folds,
		Loss:        loss,
		Choose:      s.Choose,
		Weights:     method.EqualWeights(train),
	}
	linear, err := choice.Fit(ctx, t, foldColumns, train, rng)
	if err != nil {
		return nil, err
	}
	return newSparseModel(densities, linear), nil
}
