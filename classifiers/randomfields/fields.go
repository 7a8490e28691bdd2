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

// How the random fields of Freno et al. (2010) scale the features. Bandwidths
// and penalties are in these units. Their section 6.2 maps each feature to [0, 1].
const (
	scaleMinMax = "minmax"
	scaleNone   = "none"
)

// rangeScaling maps each column of x to [0, 1], a constant one to 0. All classes
// share it, so that it cancels from Bayes' rule.
func rangeScaling(x *mat.Dense) columns.Scaling {
	_, d := x.Dims()
	s := columns.Unscaled(d)
	for j := range d {
		column := mat.Col(nil, j, x)
		low, high := slices.Min(column), slices.Max(column)
		s.Centre[j] = low
		if high > low {
			s.Factor[j] = 1 / (high - low)
		}
	}
	return s
}

// logDensity is a class's log density or pseudo-likelihood at a scaled row.
type logDensity interface{ LogDensity(row []float64) float64 }

// fitFields fits a density to the scaled columns of each class and joins them
// by Bayes' rule, P(w|x) ~ p*(x|w) P(w) (Eq. 18). Classes may be fitted at the same
// time: fit shares nothing.
func fitFields(ctx context.Context, train *dataset.Set, scale, priors string,
	fit func(ctx context.Context, columns [][]float64) (logDensity, error)) (*method.Rule, error) {
	s := columns.Unscaled(train.D())
	if scale == scaleMinMax {
		s = rangeScaling(train.X)
		if j := slices.Index(s.Factor, 0); j >= 0 {
			return nil, fmt.Errorf(
				"the range of column %q is beyond the largest number; divide the column by 10",
				train.Attributes[j].Name,
			)
		}
	}
	densities, errs := make([]logDensity, train.C()), make([]error, train.C())
	parallel.For(ctx, len(densities), func() func(int) {
		return func(c int) { densities[c], errs[c] = fitField(ctx, train, c, s, fit) }
	})
	for _, err := range errs { // that of the first class that has one
		if err != nil {
			return nil, err
		}
	}
	return method.Bayes(method.LogPriors(train, priors), func(x *mat.Dense) *mat.Dense {
		columns.Check(x, train.D(), false)
		n, d := x.Dims()
		row, out := make([]float64, d), mat.NewDense(n, len(densities), nil)
		for i := range n {
			for j := range row {
				row[j] = (x.At(i, j) - s.Centre[j]) * s.Factor[j]
			}
			for c, density := range densities {
				out.Set(i, c, density.LogDensity(row))
			}
		}
		return out
	}), nil
}

// fitField fits the density of one class.
func fitField(ctx context.Context, train *dataset.Set, c int, s columns.Scaling,
	fit func(ctx context.Context, columns [][]float64) (logDensity, error)) (logDensity, error) {
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

// pseudo hides the probabilities of Bayes' rule for pseudo-likelihoods: p* is no
// density, and what would norm it differs from class to class.
func pseudo(rule *method.Rule, err error) (*method.Rule, error) {
	if err == nil {
		rule.Probabilities = nil
	}
	return rule, err
}
