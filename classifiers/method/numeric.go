package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Prepared is a training set converted to numeric columns. Discrete attributes become indicators,
// and columns can be standardised. The file classifiers/centroid_test.go has an example.
type Prepared struct {
	*columns.Scaled
	X *mat.Dense // the training rows, n x D()
}

func Prepare(train *dataset.Set, standardise bool) *Prepared {
	scaled := columns.NewScaled(train, standardise)
	return &Prepared{scaled, scaled.Apply(train.X)}
}

// Rule returns a rule that converts rows to an n x D() matrix z of numeric columns. The rule panics
// on invalid rows and warns of unused columns.
//
// The function scores computes the n x classes matrix of scores from z.
func (p *Prepared) Rule(scores func(z *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	return &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return scores(p.Apply(x)) },
		Warnings: append(p.Unused(), warnings...),
	}
}

// ZerosForMissing returns a copy of x with NaN replaced by 0, or x itself if it contains no NaN.
func ZerosForMissing(x *mat.Dense) *mat.Dense {
	if !math.IsNaN(floats.Sum(x.RawMatrix().Data)) {
		return x
	}
	var complete mat.Dense
	complete.Apply(func(_, _ int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}, x)
	return &complete
}
