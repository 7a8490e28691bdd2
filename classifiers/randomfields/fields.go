// Package randomfields implements the kernel-based random fields of Freno et al. (2010), and the
// Gaussian and nonparanormal fields with which the paper compares them.
package randomfields

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/parallel"
)

// Scalings of the features, which define the units of bandwidths and penalties. Section 6.2 of Freno
// et al. (2010) maps each feature to [0, 1].
const (
	scaleMinMax = "minmax"
	scaleNone   = "none"
)

// newScaling returns the min-max scaling of the columns of train:
//
//	x_j -> (x_j - min_j) / (max_j - min_j),
//
// or 0 for a constant column. If scale is scaleNone, the scaling leaves columns unchanged. All classes
// use the same scaling, so Bayes' rule does not change. newScaling returns an error if the range of
// a column overflows.
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
		if s.Factor[j] == 0 { // high - low is infinite
			return s, fmt.Errorf("the range of column %q exceeds the largest float64; divide the column by 10",
				train.Attributes[j].Name)
		}
	}
	return s, nil
}

// A logDensity computes the log density, or log pseudo-likelihood, of a class at a scaled row.
type logDensity interface{ LogDensity(row []float64) float64 }

// A fieldFit fits the density of a class. columns has the scaled columns of the rows of the class.
// fitFields calls a fieldFit for several classes at the same time.
type fieldFit func(ctx context.Context, columns [][]float64) (logDensity, error)

// fitFields fits a density p*(x|w) to each class w and returns Bayes' rule (Eq. 18): P(w|x) is
// proportional to p*(x|w) P(w).
func fitFields(ctx context.Context, train *dataset.Set, scale, priors string, fit fieldFit) (*method.Rule, error) {
	s, err := newScaling(train, scale)
	if err != nil {
		return nil, err
	}
	densities := make(classFields, train.C())
	errs := make([]error, train.C()) // error of each class
	parallel.For(ctx, len(densities), func() func(int) {
		return func(c int) { densities[c], errs[c] = fitField(ctx, train, c, s, fit) }
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return method.Bayes(method.LogPriors(train, priors), func(x *mat.Dense) *mat.Dense {
		columns.Check(x, train.D(), false)
		return densities.logDensities(x, s)
	}), nil
}

// classFields has the density of each class.
type classFields []logDensity

// logDensities scales the n rows of x and returns the n x C matrix of their log densities.
func (f classFields) logDensities(x *mat.Dense, s columns.Scaling) *mat.Dense {
	n, d := x.Dims()
	row, logs := make([]float64, d), mat.NewDense(n, len(f), nil)
	for i := range n {
		for j := range row {
			row[j] = (x.At(i, j) - s.Centre[j]) * s.Factor[j]
		}
		for c, density := range f {
			logs.Set(i, c, density.LogDensity(row))
		}
	}
	return logs
}

// fitField fits the density of class c to its rows, scaled by s.
func fitField(
	ctx context.Context, train *dataset.Set, c int, s columns.Scaling, fit fieldFit,
) (logDensity, error) {
	sample := train.Columns(train.ClassRows(c))
	if len(sample[0]) < 2 {
		return nil, fmt.Errorf("class %q has one row but needs two; drop the class or draw more rows", train.Classes[c])
	}
	for j, column := range sample {
		for i, v := range column {
			column[i] = (v - s.Centre[j]) * s.Factor[j]
		}
	}
	density, err := fit(ctx, sample)
	if err != nil {
		return nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
	}
	return density, nil
}

// withoutProbabilities returns rule without probabilities, or err if err is not nil. It is used for
// pseudo-likelihoods p*: they are not densities and have different integrals in different classes,
// so posterior probabilities would be wrong.
func withoutProbabilities(rule *method.Rule, err error) (*method.Rule, error) {
	if err != nil {
		return nil, err
	}
	rule.Probabilities = nil
	return rule, nil
}
