package densities

import (
	"context"
	"fmt"
	"slices"

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

// FANS is feature augmentation via nonparametrics and selection (Fan, Feng, Jiang and Tong, JASA
// 111:275, 2016) for two classes. The rows are split at random into halves that hold the classes in
// proportion. One half gives the kernel density of each variable in each class. On the other half a
// lasso logistic regression is fitted to the log ratios
//
//	z_j = log p_1(x_j) - log p_0(x_j),
//
// with its penalty chosen by cross-validation. This is repeated for each split, and a class scores
// the mean of the probabilities.
//
// The paper's outline leaves open the bandwidths, the least density, and the choice among penalties
// of similar deviance. Here that choice is glmnet's rule, and the regression is the classifier
// logistic with its defaults. A class needs four rows. A split takes O(n d) for the densities and
// the time of logistic for d columns.
type FANS struct {
	Splits    int     `param:"splits" doc:"number of random halves" range:"[1,inf)"`
	Bandwidth string  `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"normal-reference,plug-in,matlab"`
	Floor     float64 `param:"floor" doc:"least density before the logarithm, of columns in units of their standard deviations in the class; 0: none" range:"[0,inf)"`
	Choose    string  `param:"choose" doc:"the penalty of least cross-validated deviance, or the largest within one standard error of it" enum:"min,1se"`
	Folds     int     `param:"folds" doc:"folds of that cross-validation, one row each where there are fewer rows" range:"[2,inf)"`
}

// NewFANS returns twenty splits; the penalty as Logistic.
func NewFANS() *FANS {
	return &FANS{
		Splits:    20,
		Bandwidth: string(kde.NormalReference),
		Floor:     1e-10,
		Choose:    elasticnet.OneStdError,
		Folds:     10,
	}
}

// Fit fits the densities and the regression of each split.
func (s *FANS) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitFANS(ctx, *s, false, train, rng)
}

// FANS2 is FANS with the variables themselves beside their log ratios, the second
// of the paper's two proposals.
type FANS2 FANS

// NewFANS2 returns the settings of FANS.
func NewFANS2() *FANS2 { return (*FANS2)(NewFANS()) }

// Fit fits the densities and the regression of each split.
func (s *FANS2) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitFANS(ctx, FANS(*s), true, train, rng)
}

func fitFANS(ctx context.Context, s FANS, original bool, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	scaled := columns.NewScaled(train, true)
	if !original {
		scaled = nil
	}
	for c, count := range train.Counts() {
		if count < 4 {
			return nil, fmt.Errorf(
				"class %q has %d training rows: two for the densities and two for the folds of each half need four",
				train.Classes[c],
				count,
			)
		}
	}
	var splits fansSplits
	for range s.Splits {
		split, err := s.split(ctx, scaled, train, rng)
		if err != nil {
			return nil, err
		}
		splits = append(splits, *split)
	}
	same := func(shares *mat.Dense) *mat.Dense { return shares }
	rule := &method.Rule{Scores: splits.probabilities, Warnings: splits.warnings()}
	return rule.WithProbabilities(same), nil
}

// split fits steps 2 to 4 of the paper's algorithm to one random split, with the
// scaled variables beside the ratios unless they are nil.
func (s *FANS) split(
	ctx context.Context,
	scaled *columns.Scaled,
	train *dataset.Set,
	rng *rand.Rand,
) (*fansSplit, error) {
	fold, _, err := modelsel.Deal(train.Y, 2, 2, false, rng)
	if err != nil {
		return nil, err
	}
	first, second := dataset.SplitFold(fold, 1)
	densities, err := logdensity.Fit(
		ctx,
		train.Subset(first),
		kde.Rule(s.Bandwidth),
		logdensity.Floor{Density: s.Floor},
		logdensity.Univariate(2, train.D()),
	)
	if err != nil {
		return nil, err
	}
	split := &fansSplit{densities: densities.WithoutSample(), warnings: densities.Warnings(), scaled: scaled}
	half := train.Subset(second)
	z, err := split.columns(ctx, half.X)
	if err != nil {
		return nil, err
	}
	logistic := classics.NewLogistic()
	logistic.Choose, logistic.Folds = s.Choose, s.Folds
	split.model, err = logistic.FitColumns(ctx, z, half, rng)
	return split, err
}

// A fansSplit is what one split has learnt.
type fansSplit struct {
	densities *logdensity.Map // of class 0, then of class 1
	warnings  []string        // of the densities
	scaled    *columns.Scaled // the variables, which follow the ratios; nil: they do not
	model     *elasticnet.Model
}

// columns returns the log ratios of the rows of x and, if asked for, the variables.
func (s *fansSplit) columns(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	t, err := s.densities.Features(ctx, x)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	z := mat.NewDense(n, d, nil)
	for i := range n {
		row, logs := z.RawRowView(i), t.RawRowView(i)
		for j := range d {
			row[j] = logs[d+j] - logs[j]
		}
	}
	if s.scaled == nil {
		return z, nil
	}
	var both mat.Dense
	both.Augment(z, s.scaled.Apply(x))
	return &both, nil
}

type fansSplits []fansSplit

// warnings returns the different warnings of the splits' densities.
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

// probabilities are the means of the splits' regressions.
func (s fansSplits) probabilities(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	sum := mat.NewDense(n, 2, nil)
	for i := range s {
		z, err := s[i].columns(context.Background(), x)
		if err != nil {
			panic(err) // the background context is never done
		}
		sum.Add(sum, method.Posteriors(s[i].model.Link(z)))
	}
	sum.Scale(1/float64(len(s)), sum)
	return sum
}
