package classifiers

import (
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// The door for a new classifier that sees attributes as numbers. Its Fit begins with
// prepare, which gives the training rows as numeric columns, and ends with rule, which
// checks rows to be predicted, brings them to the same columns, hands them to the scores
// and predicts the class with the largest one:
//
//	func (s *Centroid) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
//		p := prepare(train, true)
//		means := classMeans(p.x, train)
//		return p.rule(func(z *mat.Dense) *mat.Dense { return minusDistances(z, means) }), nil
//	}

// prepared is a checked training set as numeric columns: discrete attributes as
// indicators, all standardised on request.
type prepared struct {
	*columns.Scaled
	x *mat.Dense // the training rows, n x D()
}

// prepare returns a checked training set as numeric columns.
func prepare(train *dataset.Set, standardise bool) *prepared {
	scaled := columns.NewScaled(train, standardise)
	return &prepared{scaled, scaled.Apply(train.X)}
}

// rule returns the rule with the given scores, n x C, of rows of the columns, n x
// D(). It warns of columns that play no part, then of what is given.
func (p *prepared) rule(scores func(z *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	return &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return scores(p.Apply(x)) },
		Warnings: append(p.Unused(), warnings...),
	}
}
