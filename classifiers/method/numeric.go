package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Prepared is a training set as numeric columns. Discrete attributes become indicators, and columns
// can be standardised. A new classifier is short with Prepared: Fit starts with Prepare and ends
// with the method Rule, as in this example.
//
//	func (s *Centroid) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
//		p := method.Prepare(train, true)
//		means := classMeans(p.X, train)
//		return p.Rule(func(z *mat.Dense) *mat.Dense { return minusDistances(z, means) }), nil
//	}
type Prepared struct {
	*columns.Scaled
	X *mat.Dense // the training rows, n x D()
}

// Prepare converts the training set to numeric columns, which it standardises if requested.
func Prepare(train *dataset.Set, standardise bool) *Prepared {
	scaled := columns.NewScaled(train, standardise)
	return &Prepared{scaled, scaled.Apply(train.X)}
}

// Rule returns a rule that converts rows to numeric columns and then calls scores. scores gets an
// n x D() matrix and returns an n x C matrix. The rule checks its rows. Its warnings name the columns
// that the fit did not use; the given warnings follow.
func (p *Prepared) Rule(scores func(z *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	return &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return scores(p.Apply(x)) },
		Warnings: append(p.Unused(), warnings...),
	}
}

// ZerosForMissing returns a copy of x with zeros in place of missing values (NaN). If x has no
// missing values, it returns x itself.
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
