package networks

import (
	"context"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// ChowLiu is the classifier of Chow and Liu (IEEE Trans. Inf. Theory 14:462, 1968) for discrete
// variables. Each class has the density of the tree with the greatest likelihood: the maximum
// spanning tree of the mutual information of relative frequencies. Bayes' rule decides, and a
// class scores its log prior plus log probability. ChowLiu is TAN on discrete variables with a
// tree per class. The article does not discuss cells without rows; here pseudo-rows enter the rule
// but not the trees. Ties and edges without information are treated as in TAN; in version 1, as in
// TAN's version 4.
//
// Numeric attributes are first cut into bins, by all training rows. With x_(1) <= ... <= x_(n),
// bin k of B ends half-way between x_(ceil(nk/B)) and the next larger value, so that equal values
// share a bin and no bin is empty.
//
// A fit takes O(d^2 (n + C cells of a pair)).
type ChowLiu struct {
	method.Revision
	Bins       int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	PseudoRows float64 `param:"pseudo_rows" doc:"rows added to each class, spread evenly over the levels of a variable and the pairs of levels of two" range:"[0,inf)"`
	Floor      float64 `param:"floor" doc:"smallest frequency before the logarithm" range:"(0,inf)"`
	Priors     string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewChowLiu returns five bins and one row spread over the cells.
func NewChowLiu() *ChowLiu {
	return &ChowLiu{Bins: 5, PseudoRows: 1, Floor: 1e-10, Priors: method.TrainingPriors}
}

// Fit cuts the attributes, then learns the trees and their tables.
func (s *ChowLiu) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	bins := dataset.FitDiscretiser(train, s.Bins)
	trees := &TAN{Tree: treePerClass, PseudoRows: s.PseudoRows, Floor: s.Floor, FloorOf: floorOfClass, Priors: s.Priors}
	if s.Before(2) {
		trees.Pin(4)
	}
	rule, err := trees.Fit(ctx, dataset.Transformed(train, bins), rng)
	if err != nil {
		return nil, err
	}
	return rule.After(func(x *mat.Dense) *mat.Dense {
		columns.Check(x, train.D(), false)
		return bins.Apply(x)
	}), nil
}
