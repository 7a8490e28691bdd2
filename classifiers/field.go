package classifiers

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// How the random fields of Freno et al. (2010) scale the features. Bandwidths
// and penalties are in these units. Their section 6.2 maps each feature to [0, 1].
const (
	scaleMinMax = "minmax"
	scaleNone   = "none"
)

// A scaling maps column j to (x - from[j])/width[j]. All classes share it, so
// that it cancels from Bayes' rule.
type scaling struct{ from, width []float64 }

// newScaling returns the scaling of the training set; a constant column is
// mapped to 0.
func newScaling(train *dataset.Set, scale string) scaling {
	s := scaling{make([]float64, train.D()), make([]float64, train.D())}
	for j := range s.width {
		s.width[j] = 1
		if scale == scaleNone {
			continue
		}
		column := mat.Col(nil, j, train.X)
		low, high := column[0], column[0]
		for _, v := range column {
			low, high = min(low, v), max(high, v)
		}
		s.from[j] = low
		if high > low {
			s.width[j] = high - low
		}
	}
	return s
}

// apply returns the scaled value of column j.
func (s scaling) apply(j int, v float64) float64 { return (v - s.from[j]) / s.width[j] }

// logDensity is a class's log density or pseudo-likelihood at a scaled row.
type logDensity interface{ LogDensity(row []float64) float64 }

// fitFields fits a density to the scaled columns of each class and joins them
// by Bayes' rule, step by step as section 6.2 does: P(w|x) ~ p*(x|w) P(w), Eq. 18.
func fitFields(ctx context.Context, name string, train *dataset.Set, scale, priors string,
	fit func(ctx context.Context, columns [][]float64) (logDensity, error)) (Rule, error) {
	if err := checkTraining(name, train); err != nil {
		return nil, err
	}
	s := newScaling(train, scale)
	densities := make([]logDensity, train.C())
	for c := range densities {
		columns := train.Columns(train.ClassRows(c))
		if len(columns[0]) < 2 {
			return nil, fmt.Errorf("%s: class %q has one row, needs two; drop the class or draw more rows", name, train.Classes[c])
		}
		for j, column := range columns {
			for i, v := range column {
				column[i] = s.apply(j, v)
			}
		}
		var err error
		if densities[c], err = fit(ctx, columns); err != nil {
			return nil, fmt.Errorf("%s: class %q: %w", name, train.Classes[c], err)
		}
	}
	return NewBayes(logPriors(train, priors), func(class int, x []float64) float64 {
		row := make([]float64, len(x))
		for j, v := range x {
			row[j] = s.apply(j, v)
		}
		return densities[class].LogDensity(row)
	}), nil
}
