package networks

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// TANDiscriminative are the boosted discriminative trees of Tan, Sanghavi, Fisher
// and Willsky (IEEE Trans. Signal Process. 58:5481, 2010), for two classes of
// discrete variables. Of the tree distributions p^ and q^ that have the edges'
// marginals of the classes' frequencies p and q, the pair with the greatest
//
//	sum_x (p(x) - q(x)) log (p^(x) / q^(x)),
//
// the J-divergence with the logarithm's ratio approximated by trees. It falls into
// two maximum spanning trees: that of p^ has the weights
//
//	E_p[l_ij] - E_q[l_ij],  l_ij = log p_ij(x_i,x_j) / (p_i(x_i) p_j(x_j)),
//
// that of q^ the same with p and q exchanged. The log ratio with the classes'
// weights, h(x) = log P p^(x) / (Q q^(x)), is boosted with confidences (Schapire
// and Singer, Machine Learning 37:297, 1999): row i's weight is multiplied by
// exp(-a y_i h(x_i)), a minimising the new weights' sum, and the rule is the sign of
// sum_t a_t h_t(x): class 1 scores half of it, class 0 minus that. a is 8 at most; an
// h that errs on no row is the last, with a = 1. The number of rounds is the least
// with the fewest errors in cross-validation, whose folds hold the classes in
// proportion.
//
// These formulas leave open how variables are cut into levels, here as by ChowLiu,
// once for all folds; what empty cells count, here pseudo-rows in the tables and in
// the trees' weights, beside rows whose weights have the mean 1 in every round; and
// how many rounds are tried. All rows begin with the same weight, which gives the
// first round the training proportions as priors. A round takes
// O(d^2 (n + cells of a pair)).
type TANDiscriminative struct {
	Bins       int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	Rounds     int     `param:"rounds" doc:"most rounds of boosting; 1 is the discriminative trees alone" range:"[1,inf)"`
	Folds      int     `param:"folds" doc:"folds of the cross-validation that chooses their number, one row each where there are fewer rows" range:"[2,inf)"`
	Forest     bool    `param:"forest" doc:"leave out edges whose weight is not positive, so that a tree may be a forest"`
	PseudoRows float64 `param:"pseudo_rows" doc:"rows added to each class, spread evenly over the levels of a variable and the pairs of levels of two" range:"[0,inf)"`
	Floor      float64 `param:"floor" doc:"least frequency before the logarithm" range:"(0,inf)"`
}

// NewTANDiscriminative returns the bins and pseudo-rows of ChowLiu.
func NewTANDiscriminative() *TANDiscriminative {
	return &TANDiscriminative{Bins: 5, Rounds: 10, Folds: 5, PseudoRows: 1, Floor: 1e-10}
}

// Fit chooses the number of rounds, then boosts on all rows.
func (s *TANDiscriminative) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features := columns.NewDiscrete(train, s.Bins)
	codes := features.Codes(train.X)
	rounds, err := s.chooseRounds(ctx, train, features.Levels, codes, rng)
	if err != nil {
		return nil, err
	}
	trees, err := s.boost(ctx, newContrast(codes, train.Y, features.Levels, s.PseudoRows, s.Floor), rounds)
	if err != nil {
		return nil, err
	}
	return contrasts(train.D(), features, trees), nil
}

// chooseRounds returns the number of rounds with the fewest errors in held-out
// rows, of equals the least.
func (s *TANDiscriminative) chooseRounds(
	ctx context.Context,
	train *dataset.Set,
	levels []int,
	codes [][]int,
	rng *rand.Rand,
) (int, error) {
	if s.Rounds == 1 {
		return 1, nil
	}
	if err := modelsel.CheckTwoRows(train); err != nil {
		return 0, fmt.Errorf("choosing the rounds: %w", err)
	}
	fold, folds, err := modelsel.Deal(train.Y, 2, s.Folds, false, rng)
	if err != nil {
		return 0, err
	}
	wrong, err := modelsel.CrossValidate(ctx, fold, folds, func(in, out []int) ([]int, error) {
		part, labels := dataset.At(codes, in), dataset.At(train.Y, in)
		trees, err := s.boost(ctx, newContrast(part, labels, levels, s.PseudoRows, s.Floor), s.Rounds)
		if err != nil {
			return nil, err
		}
		wrong := make([]int, s.Rounds)
		for _, r := range out {
			value := 0.0
			for t := range wrong {
				if t < len(trees) {
					value += trees[t].value(codes[r])
				}
				if (value > 0) != (train.Y[r] == 1) {
					wrong[t]++
				}
			}
		}
		return wrong, nil
	})
	if err != nil {
		return 0, err
	}
	return 1 + modelsel.Best(wrong), nil
}

// boost returns the trees of at most so many rounds; fewer where no weight is left
// on the wrong side, or where trees no longer lower it.
func (s *TANDiscriminative) boost(ctx context.Context, c *contrast, rounds int) ([]treeContrast, error) {
	var trees []treeContrast
	for len(trees) < rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tree := c.trees(s.Forest)
		confidence, more := c.reweigh(tree)
		if confidence == 0 && len(trees) > 0 {
			break
		}
		if confidence > 0 {
			tree.scale(confidence)
		}
		trees = append(trees, tree)
		if !more {
			break
		}
	}
	return trees, nil
}

// contrasts returns the rule that scores class 1 by half the sum of the trees'
// contrasts, class 0 by minus that.
func contrasts(d int, features *columns.Discrete, trees []treeContrast) *method.Rule {
	return &method.Rule{Scores: func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, false)
		n, _ := x.Dims()
		scores := mat.NewDense(n, 2, nil)
		for i, row := range features.Codes(x) {
			value := 0.0
			for t := range trees {
				value += trees[t].value(row)
			}
			scores.SetRow(i, []float64{-value / 2, value / 2})
		}
		return scores
	}}
}
