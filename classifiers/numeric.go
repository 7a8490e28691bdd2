package classifiers

import (
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// The door for a new classifier that sees attributes as numbers. Fit begins with
// prepare, which refuses what no recipe of the registry's entry can be fitted to
// and gives the training rows as numeric columns; it ends with rule, which checks
// rows to be predicted, brings them to the same columns, hands them to the scores
// and predicts the class with the largest one:
//
//	func (s *Centroid) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
//		p, err := prepare("centroid", train, true)
//		if err != nil {
//			return nil, err
//		}
//		means := classMeans(p.x, train)
//		return p.rule(func(z *mat.Dense) *mat.Dense { return minusDistances(z, means) }), nil
//	}
//
// What has scores of its own (densities, missing values) calls checkTraining and
// argmaxRows itself.

// prepared is a checked training set as numeric columns: discrete attributes as
// indicators, all standardised on request.
type prepared struct {
	*columns.Scaled
	x *mat.Dense // the training rows, n x D()
}

// prepare checks the training set for the registry's entry of the given name.
func prepare(name string, train *dataset.Set, standardise bool) (*prepared, error) {
	if err := checkTraining(name, train); err != nil {
		return nil, err
	}
	scaled := columns.NewScaled(train, standardise)
	return &prepared{scaled, scaled.Apply(train.X)}, nil
}

// rule returns the rule with the given scores, n x C, of rows of the columns, n x
// D(). It warns of columns that play no part, then of what is given.
func (p *prepared) rule(scores func(z *mat.Dense) *mat.Dense, warnings ...string) *scoreRule {
	return &scoreRule{p.Scaled, scores, append(p.Unused(), warnings...)}
}

// scoreRule predicts the class with the largest score, of equal ones the first.
type scoreRule struct {
	columns  *columns.Scaled
	scores   func(z *mat.Dense) *mat.Dense
	warnings []string
}

func (r *scoreRule) Scores(x *mat.Dense) *mat.Dense { return r.scores(r.columns.Apply(x)) }

func (r *scoreRule) Predict(x *mat.Dense) []int { return argmaxRows(r.Scores(x)) }

func (r *scoreRule) Warnings() []string { return r.warnings }
