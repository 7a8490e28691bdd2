package densities

import (
	"context"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// SLBL1 is SLB with a penalty in place of its filter, which the discussion of Tenzer et al. (2020)
// proposes after Zhu et al. (2004) and Neumann et al. (2005). It is the lasso logistic regression on
// the log densities t(x) of all variables and all pairs in every class,
//
//	min_(b,w) 1/n sum_i log(1 + exp(-y_i (b + w't(x_i)))) + lambda |w|_1,
//
// with t standardised to mean square 1 and lambda chosen by cross-validation from the path of the
// classifier logistic. In its folds the densities are estimated from the rows that are not held out,
// at the bandwidths of all rows (select: refit). Otherwise the training rows' own kernels would favour
// densities that fit them too closely. The density at a training row includes the row's own kernel.
// More than two classes have the multinomial likelihood. Scores are defined as in logistic: of two
// classes, half of b + w't and the negative half.
//
// The paper leaves the loss, the penalty and the folds open. A fit takes the log densities of slb-,
// with refit once per fold, and the path of logistic.
type SLBL1 struct {
	Bandwidth string  `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"normal-reference,plug-in"`
	Floor     float64 `param:"floor" doc:"lower bound on each density before its logarithm is taken; densities are for columns divided by their standard deviations in the class. 0: no bound" range:"[0,inf)"`
	Select    string  `param:"select" doc:"densities in the cross-validation of the penalty: from the other folds (refit), or from all rows (in-sample)" enum:"refit,in-sample"`
	Choose    string  `param:"choose" doc:"the penalty with the smallest cross-validated loss (min), or the largest within one standard error of it (1se)" enum:"min,1se"`
	Penalties int     `param:"penalties" doc:"number of penalties on the path" range:"[1,inf)"`
	Folds     int     `param:"folds" doc:"number of folds of the cross-validation; leave-one-out if there are fewer rows than folds" range:"[2,inf)"`
	Tolerance float64 `param:"tolerance" doc:"the solver stops when curvature times squared change of each weight is below this share of the loss without weights" range:"(0,1)"`
}

// NewSLBL1 returns SLB's densities and folds and Logistic's path.
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

// Fit estimates all densities and separates the classes by their logarithms.
func (s *SLBL1) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	model, err := s.fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return model.rule().WithProbabilities(method.Posteriors), nil
}

// fit returns the lasso logistic regression.
func (s *SLBL1) fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*sparseModel, error) {
	pose := func(x *mat.Dense, y []int) (*elasticnet.Problem, error) {
		return elasticnet.New(x, y, train.C(), 1, true)
	}
	return s.fitLoss(ctx, train, rng, elasticnet.Deviance, pose)
}

// SLBL1SVM is SLB-l1 with the loss of a support vector machine, for two classes:
//
//	min_(b,w) 1/n sum_i max(0, 1 - y_i (b + w't(x_i)))^2 / 2 + lambda |w|_1.
//
// The scores are half of b + w't and the negative half. The loss is the square of the hinge of Zhu et
// al. (2004), as in the l1-regularised machines of liblinear (Fan et al., JMLR 9:1871, 2008, section
// 2); apart from the penalty the problem is then smooth.
//
// The hinge itself has edges at which no single weight improves the objective although several
// together do. Coordinate descent, which solves the path of penalties, would stop short of the
// minimum there. The linear programs that reach it have d(d+1) weights and n slacks for each penalty
// and fold. Either loss, minimised over all functions, gives the Bayes rule (Bartlett, Jordan and
// McAuliffe, JASA 101:138, 2006). The squared hinge weighs rows far on the wrong side more.
type SLBL1SVM SLBL1

// NewSLBL1SVM returns the settings of SLBL1.
func NewSLBL1SVM() *SLBL1SVM { return (*SLBL1SVM)(NewSLBL1()) }

// Fit estimates all densities and separates the classes by their logarithms.
func (s *SLBL1SVM) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	model, err := s.fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return model.rule(), nil
}

// fit returns the l1-regularised machine.
func (s *SLBL1SVM) fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*sparseModel, error) {
	pose := func(x *mat.Dense, y []int) (*elasticnet.Problem, error) { return elasticnet.NewMachine(x, y, 1, true) }
	return (*SLBL1)(s).fitLoss(ctx, train, rng, elasticnet.Hinge, pose)
}

// refitColumns returns the log densities of rows as each fold sees them, estimated without the
// fold: for all folds together or, if they do not fit in memory, for one fold at a time. n is the
// number of rows.
func refitColumns(ctx context.Context, densities *logdensity.Map, n int) elasticnet.FoldColumns {
	return func(fold []int, folds int) (elasticnet.Fold, error) {
		if (folds+1)*n*len(densities.Entries) > crossNumbers {
			rotation := densities.Rotate(fold, folds)
			return func(f int, rows []int) (*mat.Dense, error) { return rotation.FeaturesIn(ctx, nil, f, rows) }, nil
		}
		_, without, err := densities.CrossFeatures(ctx, fold, folds)
		return func(f int, rows []int) (*mat.Dense, error) { return columns.Rows(without[f], rows), nil }, err
	}
}

// A penalisedProblem states the problem of rows x with classes y.
type penalisedProblem func(x *mat.Dense, y []int) (*elasticnet.Problem, error)

// fitLoss estimates all densities and fits the penalised problem to their logarithms. loss is the
// loss of held-out rows.
func (s *SLBL1) fitLoss(
	ctx context.Context, train *dataset.Set, rng *rand.Rand, loss string, pose penalisedProblem,
) (*sparseModel, error) {
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, err
	}
	floor, all := logdensity.Floor{Density: s.Floor}, logdensity.All(train.C(), train.D())
	densities, err := logdensity.Fit(ctx, train, kde.Rule(s.Bandwidth), floor, all)
	if err != nil {
		return nil, err
	}
	t, err := densities.TrainingFeatures(ctx)
	if err != nil {
		return nil, err
	}
	foldColumns := elasticnet.SameColumns(t)
	if s.Select == refit {
		foldColumns = refitColumns(ctx, densities, train.N())
	}
	choice := elasticnet.Selection{
		Pose:      pose,
		Penalties: s.Penalties,
		Tolerance: s.Tolerance,
		Folds:     s.Folds,
		Loss:      loss,
		Choose:    s.Choose,
	}
	linear, err := choice.Fit(ctx, t, foldColumns, train, rng)
	if err != nil {
		return nil, err
	}
	return newSparseModel(densities, linear), nil
}
