package columns

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Units contains a factor for each column of a set, or is nil if no column needs one. The factors
// change extremely large and small spreads to spreads near 1. They are powers of two, so
// multiplication is exact.
type Units []float64

// A column needs no factor if the binary exponent of its spread is in -maxExponent..maxExponent.
const maxExponent = 20

// NewUnits returns the units for train, which must not have missing values. Only numeric attributes
// get a factor other than 1.
func NewUnits(train *dataset.Set) Units {
	var units Units
	for j, a := range train.Attributes {
		exponent := spreadExponent(train.X, j)
		if a.Kind == dataset.Discrete || -maxExponent <= exponent && exponent <= maxExponent {
			continue
		}
		if units == nil {
			units = Unscaled(train.D()).Factor
		}
		units[j] = math.Ldexp(1, -max(-1000, min(exponent, 1000)))
	}
	return units
}

// spreadExponent returns the binary exponent of the spread of column j. The spread is half the
// range, or the value of a constant column.
func spreadExponent(x *mat.Dense, j int) int {
	low, high := mat.Min(x.ColView(j)), mat.Max(x.ColView(j))
	spread := high/2 - low/2
	if spread == 0 {
		spread = high
	}
	_, exponent := math.Frexp(spread)
	return exponent
}

// Apply returns x with each column multiplied by its factor. Values that overflow become the
// largest finite number.
func (u Units) Apply(x *mat.Dense) *mat.Dense {
	if u == nil {
		return x
	}
	var z mat.Dense
	z.Apply(func(_, j int, v float64) float64 { return u.At(v, j) }, x)
	return &z
}

// At returns v multiplied by the factor of column j. Values that overflow become the largest finite
// number.
func (u Units) At(v float64, j int) float64 {
	if u == nil {
		return v
	}
	return max(-math.MaxFloat64, min(v*u[j], math.MaxFloat64))
}

// setKey is the key of the result of Units.Set in the cache of the training set.
type setKey struct{}

// Set returns s with its columns multiplied by their factors, or s itself if u is nil. It caches
// the result with s. u must be the result of NewUnits for s.
func (u Units) Set(s *dataset.Set) *dataset.Set {
	if u == nil {
		return s
	}
	z, _ := dataset.Derived(context.Background(), s, setKey{}, func() (*dataset.Set, error) {
		return s.WithValues(u.Apply(s.X)), nil
	})
	return z
}

// InModerateUnits converts the training set to the units that NewUnits computes for it.
func InModerateUnits(train *dataset.Set) *dataset.Set { return NewUnits(train).Set(train) }

// Log returns the logarithm of the factor of column j. Add it to a log density of the converted
// column to get the log density of the original column.
func (u Units) Log(j int) float64 {
	if u == nil {
		return 0
	}
	return math.Log(u[j])
}
