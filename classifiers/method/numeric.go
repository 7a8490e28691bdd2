package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Prepared is a training set as numeric columns: discrete attributes as indicators, all
// standardised on request. It is the shortest way to a new classifier: Fit starts with
// Prepare and ends with the method Rule.
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

// Prepare returns the training set as numeric columns.
func Prepare(train *dataset.Set, standardise bool) *Prepared {
	scaled := columns.NewScaled(train, standardise)
	return &Prepared{scaled, scaled.Apply(train.X)}
}

// Rule returns a rule for rows of the training set's attributes, given its scores for rows in
// numeric columns: scores takes n x D() and returns n x C. The rule checks its rows. It warns of
// columns that play no part, then with the given warnings.
func (p *Prepared) Rule(scores func(z *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	return &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return scores(p.Apply(x)) },
		Warnings: append(p.Unused(), warnings...),
	}
}

// ZerosForMissing returns a copy of x with zeros in place of missing values; x itself if it has
// none.
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
