// Package randomfields classifies by the kernel-based random fields of Freno et al. (2010) and the
// Gaussian and nonparanormal fields that they are compared with.
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

// Scalings of the features. Bandwidths and penalties are in these units. Section 6.2 of Freno et al.
// (2010) maps each feature to [0, 1].
const (
	scaleMinMax = "minmax"
	scaleNone   = "none"
)

// newScaling returns the map of each column of train from its range to [0, 1], a constant column to
// 0; with scaleNone, columns stay as they are. All classes share it, so it does not change Bayes'
// rule.
func newScaling(train *dataset.Set, scale string) (columns.Scaling, error) {
	s := columns.Unscaled(train.D())
	if scale == scaleNone {
		return s, nil
	}
	for j := range train.D() {
		column := mat.Col(nil, j, train.X)
		low, high := slices.Min(column), slices.Max(column)
		s.Centre[j] = low
		if high > low { // a constant column becomes 0
			s.Factor[j] = 1 / (high - low)
		}
		if s.Factor[j] == 0 { // high - low overflows
			return s, fmt.Errorf("the range of column %q is beyond the largest number; divide the column by 10",
				train.Attributes[j].Name)
		}
	}
	return s, nil
}

// logDensity is a class's log density or pseudo-likelihood at a scaled row.
type logDensity interface{ LogDensity(row []float64) float64 }

// A fieldFit fits the density of a class to its rows, given as scaled columns. Several fits may
// run at the same time.
type fieldFit func(ctx context.Context, columns [][]float64) (logDensity, error)

// fitFields fits a density to each class and returns Bayes' rule, P(w|x) ~ p*(x|w) P(w) (Eq. 18).
func fitFields(ctx context.Context, train *dataset.Set, scale, priors string, fit fieldFit) (*method.Rule, error) {
	s, err := newScaling(train, scale)
	if err != nil {
		return nil, err
	}
	densities, errs := make(classFields, train.C()), make([]error, train.C())
	parallel.For(ctx, len(densities), func() func(int) {
		return func(c int) { densities[c], errs[c] = fitField(ctx, train, c, s, fit) }
	})
	for _, err := range errs {
		if err != nil {
			return nil, err // of the first class with an error
		}
	}
	return method.Bayes(method.LogPriors(train, priors), func(x *mat.Dense) *mat.Dense {
		columns.Check(x, train.D(), false)
		return densities.logDensities(x, s)
	}), nil
}

// classFields has the density of each class.
type classFields []logDensity

// logDensities returns the log densities at the rows of x after their scaling, n x C.
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

// fitField fits the density of class c.
func fitField(
	ctx context.Context, train *dataset.Set, c int, s columns.Scaling, fit fieldFit,
) (logDensity, error) {
	sample := train.Columns(train.ClassRows(c))
	if len(sample[0]) < 2 {
		return nil, fmt.Errorf("class %q has one row, needs two; drop the class or draw more rows", train.Classes[c])
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

// withoutProbabilities removes the probabilities from a rule of pseudo-likelihoods, unless there is
// an error: p* is not a density, and its integral differs between classes.
func withoutProbabilities(rule *method.Rule, err error) (*method.Rule, error) {
	if err != nil {
		return nil, err
	}
	rule.Probabilities = nil
	return rule, nil
}
