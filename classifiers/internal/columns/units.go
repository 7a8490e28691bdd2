package columns

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Units contains a factor for each column of a set, or is nil if no column needs one. The factors bring extreme
// spreads close to 1, so that squares and densities neither overflow nor underflow. They are powers of two, so
// multiplication is exact.
type Units []float64

// maxExponent limits the spreads that need no conversion: a spread is converted if it is at least 2^20 or
// less than 2^-21.
const maxExponent = 20

// NewUnits returns the units of the numeric attributes of train, which must not have missing values.
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

// spreadExponent returns the binary exponent of the spread of column j. The spread is half the range of the
// column. If all values are equal, it is their common value instead.
func spreadExponent(x *mat.Dense, j int) int {
	low, high, n := math.Inf(1), math.Inf(-1), x.RawMatrix().Rows
	for i := range n {
		low, high = min(low, x.At(i, j)), max(high, x.At(i, j))
	}
	spread := high/2 - low/2
	if spread == 0 {
		spread = high
	}
	_, exponent := math.Frexp(spread)
	return exponent
}

// Apply returns x with each column multiplied by its factor. Values that overflow become the largest finite
// number.
func (u Units) Apply(x *mat.Dense) *mat.Dense {
	if u == nil {
		return x
	}
	var z mat.Dense
	z.Apply(func(_, j int, v float64) float64 { return u.At(v, j) }, x)
	return &z
}

// At returns the value v of column j multiplied by the factor of the column. Values that overflow become the
// largest finite number.
func (u Units) At(v float64, j int) float64 {
	if u == nil {
		return v
	}
	return max(-math.MaxFloat64, min(v*u[j], math.MaxFloat64))
}

// setKey is the cache key of the result of Units.Set, stored in the original training set.
type setKey struct{}

// Set converts the training set s to the units u, which NewUnits must have computed for s. If u is nil, Set
// returns s itself. The set s caches the result.
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

// Log returns the logarithm of the factor for column j. Adding it to a log density of the converted column
// gives the log density of the original column.
func (u Units) Log(j int) float64 {
	if u == nil {
		return 0
	}
	return math.Log(u[j])
}
