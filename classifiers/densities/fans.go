package densities

import (
	"context"
	"fmt"
	"slices"

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

// FANS is feature augmentation via nonparametrics and selection (Fan, Feng, Jiang and Tong, JASA
// 111:275, 2016) for two classes. The training rows are split at random into two halves, stratified
// by class. The first half gives a kernel estimate p_c(x_j) of the density of each variable j in
// each class c. The second half is used to fit a lasso logistic regression. Its columns are the log
// density ratios
//
//	z_j = log p_1(x_j) - log p_0(x_j).
//
// Cross-validation chooses the penalty of the regression. The procedure is repeated for several
// splits. The score of a class is the mean of its probabilities over the splits.
//
// The paper does not state the bandwidths or the lower bound on densities. It also does not state
// how to choose between penalties with similar deviances. This implementation fits the regression
// by the classifier logistic with its defaults, and so chooses the penalty as glmnet does.
//
// Each class needs at least four training rows. The fit gives a warning if a variable is constant
// in a class in the first half of any split.
//
// With n rows and d variables, a split takes O(n d) operations for the densities. It also takes the
// time of a logistic fit with d columns.
type FANS struct {
	// number of random splits of the training rows into halves
	Splits int `param:"splits" range:"[1,inf)"`
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"normal-reference,plug-in,matlab"`
	// lower bound on each density before its logarithm is taken. Columns are first divided by their
	// standard deviations in the class. 0 means no bound
	Floor float64 `param:"floor" range:"[0,inf)"`
	// which penalty to choose: the one with the smallest cross-validated deviance (`min`), or the
	// largest one whose deviance is within one standard error of the smallest (`1se`)
	Choose string `param:"choose" enum:"min,1se"`
	// number of folds for choosing the penalty by cross-validation; leave-one-out if there are
	// fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
}

// NewFANS returns a FANS with twenty splits. It chooses the penalty as NewLogistic does.
func NewFANS() *FANS {
	return &FANS{
		Splits:    20,
		Bandwidth: string(kde.NormalReference),
		Floor:     1e-10,
		Choose:    elasticnet.OneStdError,
		Folds:     10,
	}
}

// Fit fits the densities and the regression of each split. It uses rng to draw the splits and the
// folds.
func (s *FANS) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitFANS(ctx, *s, false, train, rng)
}

// FANS2 is the second classifier proposed by Fan et al. (2016). In contrast to FANS, the regression
// also uses the variables themselves, not only the log density ratios.
type FANS2 struct{ FANS }

// NewFANS2 returns a FANS2 with the parameters of NewFANS.
func NewFANS2() *FANS2 { return &FANS2{*NewFANS()} }

// Fit fits the densities and the regression of each split. It uses rng to draw the splits and the
// folds.
func (s *FANS2) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitFANS(ctx, s.FANS, true, train, rng)
}

// fitFANS fits all splits and returns a rule that averages their class probabilities. If
// useVariables is true, the regressions also use the variables themselves.
func fitFANS(ctx context.Context, s FANS, useVariables bool, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	for c, count := range train.Counts() {
		if count < 4 {
			return nil, fmt.Errorf("class %q needs four training rows but has %d: two for the densities and "+
				"two for the cross-validation", train.Classes[c], count)
		}
	}
	var variables *columns.Scaled // nil: only log density ratios
	if useVariables {
		variables = columns.NewScaled(train, columns.Standardise)
	}
	var splits fansSplits
	for range s.Splits {
		split, err := s.split(ctx, variables, train, rng)
		if err != nil {
			return nil, err
		}
		splits = append(splits, *split)
	}
	// The scores are already probabilities.
	identity := func(scores *mat.Dense) *mat.Dense { return scores }
	rule := &method.Rule{Scores: splits.probabilities, Warnings: splits.warnings()}
	return rule.WithProbabilities(identity), nil
}

// split estimates densities from a random half of the training rows and fits the regression to the
// other half. If variables is nil, the regression uses only log density ratios.
func (s *FANS) split(
	ctx context.Context, variables *columns.Scaled, train *dataset.Set, rng *rand.Rand,
) (*fansSplit, error) {
	const halves = 2
	half, _, err := crossval.Folds(train, halves, crossval.ClassesByFirstRow, rng)
	if err != nil {
		return nil, err
	}
	firstRows, secondRows := dataset.SplitFold(half, 1)
	firstHalf, secondHalf := train.Subset(firstRows), train.Subset(secondRows)
	options := logdensity.Options{Rule: kde.Rule(s.Bandwidth), Floor: s.Floor}
	densities, err := logdensity.Fit(ctx, firstHalf, options, logdensity.Univariate(2, train.D()))
	if err != nil {
		return nil, err
	}
	split := &fansSplit{
		densities: densities.WithoutSample(),
		warnings:  densities.Warnings(),
		variables: variables,
	}
	z, err := split.columns(ctx, secondHalf.X)
	if err != nil {
		return nil, err
	}
	logistic := classics.NewLogistic()
	logistic.Choose, logistic.Folds = s.Choose, s.Folds
	split.model, err = logistic.FitColumns(ctx, z, secondHalf, method.EqualWeights(secondHalf), rng)
	return split, err
}

// A fansSplit holds the densities and the regression of one split.
type fansSplit struct {
	densities *logdensity.Map   // density of each variable in class 0, then in class 1
	warnings  []string          // warnings of the density estimates
	variables *columns.Scaled   // further regression columns, after the log ratios; nil if there are none
	model     *elasticnet.Model // regression
}

// columns returns the columns of the regression for the rows of x.
func (s *fansSplit) columns(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	t, err := s.densities.FeaturesIn(ctx, nil, x)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	ratios := mat.NewDense(n, d, nil)
	ratios.Sub(t.Slice(0, n, d, 2*d), t.Slice(0, n, 0, d))
	if s.variables == nil {
		return ratios, nil
	}
	var both mat.Dense
	both.Augment(ratios, s.variables.Apply(x))
	return &both, nil
}

type fansSplits []fansSplit

func (s fansSplits) warnings() []string {
	var all []string
	for i := range s {
		for _, warning := range s[i].warnings {
			if !slices.Contains(all, warning) {
				all = append(all, warning)
			}
		}
	}
	return all
}

// probabilities returns the class probabilities at the rows of x, averaged over all splits.
func (s fansSplits) probabilities(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	mean := mat.NewDense(n, 2, nil)
	for i := range s {
		z, err := s[i].columns(context.Background(), x)
		if err != nil {
			panic(err) // the background context is never cancelled
		}
		mean.Add(mean, method.Posteriors(s[i].model.LinearPredictors(z)))
	}
	mean.Scale(1/float64(len(s)), mean)
	return mean
}
