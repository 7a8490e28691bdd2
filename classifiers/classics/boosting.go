package classics

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/boosting"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Boosting is gradient boosting of trees on binned columns, as in scikit-learn's
// HistGradientBoostingClassifier and LightGBM (Ke et al., NIPS 2017): the logistic loss to second
// order, regularised leaves, trees that grow leaf by leaf. With p_i the current probability of
// class 1, which starts at its training proportion, a round computes
//
//	g_i = p_i - [y_i = 1],  h_i = p_i (1 - p_i)
//
// and splits the leaf and cut with the greatest gain
//
//	G_l^2/(H_l + l2) + G_r^2/(H_r + l2) - G^2/(H + l2),
//
// where G and H are the sums over the leaf and its parts, and H_l and H_r are at least 0.001. Of
// equal gains the first column and the lowest cut win. A leaf adds -rate G/(H + l2) to the log
// odds; class 1 scores half of the log odds and class 0 the negative half. For more than two
// classes each round grows one tree per class, which adds to that class's score. Scores start at
// the log training proportions less their mean, and probabilities are proportional to their
// exponentials.
//
// A column with at most bins distinct values is cut half-way between them. Another column is cut
// at the quantiles k/bins: the sorted value at place (n-1) k/bins, counted from 0, or half-way
// between two values if that is not a whole number. Nothing is random: all rows and columns enter
// every tree, and all rounds run.
//
// A discrete attribute enters as one indicator per level, or as a single indicator where it has
// two levels. Missing values are treated as in rf: missing incorporated in attributes (Twala,
// Jones and Hand, Pattern Recogn. Lett. 29:950, 2008).
//
// A fit takes about O(rounds n d log leaves) and O(rounds leaves bins d), times the number of
// classes if there are more than two.
type Boosting struct {
	Rounds  int     `param:"rounds" doc:"number of rounds" range:"[1,inf)"`
	Rate    float64 `param:"rate" doc:"learning rate: the factor of the values of each tree" range:"(0,1]"`
	Leaves  int     `param:"leaves" doc:"largest number of leaves of a tree" range:"[2,inf)"`
	Depth   int     `param:"depth" doc:"largest number of splits from the root to a leaf; 0: no limit" range:"[0,inf)"`
	MinRows int     `param:"min_rows" doc:"smallest number of training rows in a leaf" range:"[1,inf)"`
	L2      float64 `param:"l2" doc:"penalty of the squared values of the leaves" range:"[0,inf)"`
	Bins    int     `param:"bins" doc:"largest number of bins of a column" range:"[2,255]"`
}

// NewBoosting returns scikit-learn's defaults with the unit penalty of XGBoost
// (Chen and Guestrin, KDD 2016).
func NewBoosting() *Boosting {
	return &Boosting{Rounds: 100, Rate: 0.1, Leaves: 31, Depth: 0, MinRows: 20, L2: 1, Bins: 255}
}

// Fit cuts the columns into bins and grows the trees.
func (s *Boosting) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, nil, rng)
}

// FitWeighted is Fit with a weight for each class, a factor of the loss of its rows; nil: 1.
func (s *Boosting) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	table := newTreeTable(train)
	bins := boosting.NewBins(table.apply(train.X), s.Bins)
	model, err := boosting.Fit(ctx, bins, train.Y, train.C(), boosting.Options{
		Rounds:  s.Rounds,
		Rate:    s.Rate,
		Leaves:  s.Leaves,
		Depth:   s.Depth,
		MinRows: s.MinRows,
		L2:      s.L2,
		Weights: weights,
	})
	if err != nil {
		return nil, err
	}
	rule := &method.Rule{Scores: func(x *mat.Dense) *mat.Dense { return model.Scores(table.apply(x)) }}
	if model.Splits() == 0 {
		rule.Warnings = []string{fmt.Sprintf("no split leaves %d rows on both sides and improves the fit: "+
			"all rows get the most frequent class", s.MinRows)}
	}
	return rule.WithProbabilities(method.Posteriors), nil
}
