// Package randomfields implements the random fields of Freno et al. (2010): kernel-based fields,
// and the Gaussian and nonparanormal fields with which the paper compares them.
package randomfields

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/parallel"
)

// Scalings of the features. Section 6.2 of Freno et al. (2010) maps each feature to [0, 1].
const (
	scaleMinMax = "minmax"
	scaleNone   = "none"
)

// newScaling returns the scaling of the columns of train to [0, 1], or no scaling for scaleNone.
// The range of a column and its inverse must not overflow.
//
// Constant columns become 0. All classes use the same scaling, so it does not affect Bayes' rule.
func newScaling(train *dataset.Set, scale string) (columns.Scaling, error) {
	s := columns.Unscaled(train.D())
	if scale == scaleNone {
		return s, nil
	}
	for j := range train.D() {
		column := mat.Col(nil, j, train.X)
		low, high := slices.Min(column), slices.Max(column)
		s.Centre[j] = low
		if high > low { // otherwise Factor is 1 and the constant column becomes 0
			s.Factor[j] = 1 / (high - low)
		}
		name := train.Attributes[j].Name
		if s.Factor[j] == 0 { // high - low is infinite
			return s, fmt.Errorf("the range of column %q exceeds the largest float64: divide the column by 10", name)
		}
		if math.IsInf(s.Factor[j], 0) { // high - low is subnormal
			return s, fmt.Errorf("the range of column %q is only %.2g, which is too small for float64: "+
				"multiply the column by 1e100", name, high-low)
		}
	}
	return s, nil
}

// A logDensity returns the log density, or log pseudo-likelihood, of a class at a scaled row.
type logDensity func(row []float64) float64

// A fieldFit fits the density of one class. columns contains the scaled training rows of the class,
// by column. The returned log density expects scaled rows. Calls for different classes run
// concurrently.
type fieldFit func(ctx context.Context, columns [][]float64) (logDensity, error)

// fitFields fits a density or pseudo-likelihood to the scaled columns of each class. It returns
// Bayes' rule (Freno et al. 2010, Eq. 18) for unscaled rows.
func fitFields(ctx context.Context, train *dataset.Set, scale, priors string, fit fieldFit) (*method.Rule, error) {
	scaling, err := newScaling(train, scale)
	if err != nil {
		return nil, err
	}
	d, densities := train.D(), make([]logDensity, train.C())
	errs := make([]error, train.C()) // error of each class
	// Each goroutine calls the outer function once, and the inner function for its classes.
	parallel.For(ctx, len(densities), func() func(int) {
		return func(c int) { densities[c], errs[c] = fitClass(ctx, train, c, scaling, fit) }
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	logDensityIn := func(class int, row []float64) float64 { return densities[class](row) }
	rule := method.NewBayes(method.LogPriors(train, priors), logDensityIn)
	return rule.After(func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, columns.NoMissing)
		return scaling.Apply(x)
	}), nil
}

// fitClass scales the training rows of class c and passes them to fit, which returns the log density of
// the class at scaled rows.
func fitClass(
	ctx context.Context, train *dataset.Set, c int, scaling columns.Scaling, fit fieldFit,
) (logDensity, error) {
	sample := train.Columns(train.ClassRows(c)) // one slice for each column
	if len(sample[0]) < 2 {
		return nil, fmt.Errorf("class %q has one row but needs two: drop the class or draw more rows", train.Classes[c])
	}
	for j, column := range sample {
		for i, v := range column {
			column[i] = (v - scaling.Centre[j]) * scaling.Factor[j]
		}
	}
	density, err := fit(ctx, sample)
	if err != nil {
		return nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
	}
	return density, nil
}

// withoutProbabilities removes the probabilities from a rule based on pseudo-likelihoods p*. They
// would be wrong, because the integral of p* differs between classes.
func withoutProbabilities(rule *method.Rule, err error) (*method.Rule, error) {
	if err != nil {
		return nil, err
	}
	rule.Probabilities = nil
	return rule, nil
}
