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

// Boosting is gradient boosting of decision trees on binned columns. It follows scikit-learn's
// HistGradientBoostingClassifier and LightGBM (Ke et al., NIPS 2017). It uses the second-order
// expansion of the logistic loss, penalises large leaf values and grows trees leaf by leaf.
//
// Let y_i be the class of row i, 0 or 1. Let p_i be the current probability of class 1 for row i.
// It starts at the proportion of class 1 in the training set. Each round grows a tree from the
// first derivative g_i and the second derivative h_i of the loss:
//
//	g_i = p_i - [y_i = 1],  h_i = p_i (1 - p_i).
//
// A tree starts as a single leaf. Each split divides one leaf into a left part and a right part, at
// one cut of one column. Let G and H be the sums of g_i and h_i over the rows of the leaf. G_l,
// H_l, G_r and H_r are the sums over its left and right parts. l2 is a parameter. The tree makes
// the split with the largest gain
//
//	G_l^2/(H_l + l2) + G_r^2/(H_r + l2) - G^2/(H + l2).
//
// H_l and H_r must be at least 0.001. If several cuts have the same gain, the first column wins.
// Within a column, the lowest cut wins.
//
// Each leaf adds -rate G/(H + l2) to the log odds of its rows, where rate is a parameter. The score
// of class 1 is half of the log odds, and the score of class 0 is its negative.
//
// With more than two classes, each round grows one tree for each class. The tree adds to the score
// of its class. The first score is the logarithm of the proportion of the class, minus the mean of
// these logarithms. The probability of a class is proportional to the exponential of its score.
//
// The parameter bins is the largest number of bins of a column. There are two cases:
//
//   - A column with at most as many distinct values as bins has a cut half-way between any two
//     neighbouring values.
//   - Any other column has its cuts at the quantiles k/bins. With n sorted values, the quantile is
//     at position (n-1) k/bins, counted from 0. If this is not a whole number, the cut is half-way
//     between the two values next to it.
//
// Every tree uses all rows and columns, so fits use no random numbers. There is no early stopping.
//
// A discrete attribute becomes one indicator column per level, or a single indicator if it has two
// levels.
//
// Missing values are handled as in the classifier rf: the trees use two copies of the column, so a
// split can send missing values to either side. This method is called "missingness incorporated in
// attributes" (Twala, Jones and Hand, Pattern Recogn. Lett. 29:950, 2008).
//
// With n rows and d columns, a fit takes O(rounds * d * (n log(leaves) + leaves * bins))
// operations. With more than two classes, this is multiplied by the number of classes.
type Boosting struct {
	// number of rounds
	Rounds int `param:"rounds" range:"[1,inf)"`
	// learning rate, by which the values of each tree are multiplied
	Rate float64 `param:"rate" range:"(0,1]"`
	// largest number of leaves of a tree
	Leaves int `param:"leaves" range:"[2,inf)"`
	// largest number of splits from the root to a leaf; 0 means no limit
	Depth int `param:"depth" range:"[0,inf)"`
	// smallest number of training rows in a leaf
	MinRows int `param:"min_rows" range:"[1,inf)"`
	// penalty on the squared leaf values
	L2 float64 `param:"l2" range:"[0,inf)"`
	// largest number of bins per column
	Bins int `param:"bins" range:"[2,255]"`
}

// NewBoosting returns a Boosting with scikit-learn's defaults. Only L2 differs: it is 1, as in
// XGBoost (Chen and Guestrin, KDD 2016).
func NewBoosting() *Boosting {
	return &Boosting{Rounds: 100, Rate: 0.1, Leaves: 31, Depth: 0, MinRows: 20, L2: 1, Bins: 255}
}

// Fit implements method.Classifier. It does not use rng.
func (s *Boosting) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, method.EqualWeights(train), rng)
}

// FitWeighted is like Fit, but multiplies the loss of each row of class c by weights[c].
func (s *Boosting) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	table, x := newTreeTable(train) // x: the training rows as complete numeric columns
	bins := boosting.NewBins(x, s.Bins)
	model, err := boosting.Fit(ctx, bins, train.Y, boosting.Options{
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
	if model.Splits == 0 {
		rule.Warnings = []string{fmt.Sprintf("no split improves the fit and leaves at least %d rows on each side; "+
			"the fit predicts the most frequent class for all rows", s.MinRows)}
	}
	return rule.WithProbabilities(method.Posteriors), nil
}
