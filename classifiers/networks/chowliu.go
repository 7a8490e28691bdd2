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
// variables. It models each class by the tree distribution with the largest likelihood. This tree
// is the maximum spanning tree for the mutual information, computed from relative frequencies. The
// score of a class is its log prior plus the log probability of the row. On discrete variables,
// ChowLiu is the same classifier as tan with one tree per class.
//
// The article does not discuss combinations of levels that do not occur in the training rows. Here
// pseudo-rows give these combinations a positive frequency. Pseudo-rows do not affect the trees.
//
// Edges with equal or zero mutual information are handled as in tan. If two numeric columns have the same bins in
// all training rows, their order decides which of them is the neighbour of other variables.
//
// Numeric attributes are first divided into B bins. Let x_(1) <= ... <= x_(n) be the sorted
// training values. Bin k ends half-way between x_(ceil(nk/B)) and the next larger value. Equal
// values are therefore in the same bin. Two bins with the same end become one bin, so no bin is
// empty.
//
// With n rows, d variables, C classes and L levels of each variable, a fit takes O(d^2 (n + C L^2))
// operations.
type ChowLiu struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// number of pseudo-rows to add to each class. Each table of frequencies spreads them evenly
	// over its cells. A table has one cell for each level of a variable, or for each pair of levels
	// of two variables
	PseudoRows float64 `param:"pseudo_rows" range:"[0,inf)"`
	// lower bound on each frequency before its logarithm is taken
	Floor float64 `param:"floor" range:"(0,inf)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewChowLiu returns a ChowLiu with five bins and one pseudo-row for each class.
func NewChowLiu() *ChowLiu {
	return &ChowLiu{Bins: 5, PseudoRows: 1, Floor: 1e-10, Priors: method.TrainingPriors}
}

// Fit implements method.Classifier.
func (s *ChowLiu) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	bins := dataset.FitDiscretiser(train, s.Bins)
	trees := &TAN{Tree: treePerClass, PseudoRows: s.PseudoRows, Floor: s.Floor, FloorOf: floorOfClass, Priors: s.Priors}
	rule, err := trees.Fit(ctx, dataset.Transformed(train, bins), rng)
	if err != nil {
		return nil, err
	}
	return rule.After(func(x *mat.Dense) *mat.Dense {
		columns.Check(x, train.D(), columns.NoMissing)
		return bins.Apply(x)
	}), nil
}
