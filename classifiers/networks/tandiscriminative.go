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

// TANDiscriminative boosts the discriminative trees of Tan, Sanghavi, Fisher and Willsky (IEEE
// Trans. Signal Process. 58:5481, 2010) for two classes of discrete variables. Let p and q be the
// classes' frequencies. Of all tree distributions p^ and q^ that agree with them on their edges,
// the pair with the greatest
//
//	sum_x (p(x) - q(x)) log (p^(x) / q^(x))
//
// is taken: the J-divergence with the log ratio approximated by trees. The problem splits into two
// maximum spanning trees. The tree of p^ has the weights
//
//	E_p[l_ij] - E_q[l_ij],  l_ij = log p_ij(x_i,x_j) / (p_i(x_i) p_j(x_j)),
//
// and the tree of q^ has the same weights with p and q exchanged.
//
// The log ratio with the weights of the classes, h(x) = log P p^(x) / (Q q^(x)), is boosted with
// confidences (Schapire and Singer, Machine Learning 37:297, 1999). Each round multiplies the
// weight of row i by exp(-a y_i h(x_i)), where a minimises the sum of the new weights. The rule is
// the sign of sum_t a_t h_t(x); class 1 scores half of this sum and class 0 minus that. a is at
// most 8; an h without errors is the last, with a = 1. Cross-validation, in folds stratified by
// class, chooses the smallest number of rounds with the fewest errors.
//
// The paper leaves three points open. Variables are cut into levels as in chow-liu, once for all
// folds. Pseudo-rows enter empty cells of the tables and the weights of the trees, beside rows
// whose weights have mean 1 in every round. All rows begin with the same weight, so that the
// priors of the first round are the training proportions. A round takes O(d^2 (n + cells of a
// pair)).
type TANDiscriminative struct {
	Bins       int     `param:"bins" doc:"quantile bins of a numeric attribute" range:"[2,inf)"`
	Rounds     int     `param:"rounds" doc:"largest number of rounds of boosting; 1: the discriminative trees alone" range:"[1,inf)"`
	Folds      int     `param:"folds" doc:"number of folds of the cross-validation that chooses the number of rounds; leave-one-out if there are fewer rows than folds" range:"[2,inf)"`
	Forest     bool    `param:"forest" doc:"leave out edges whose weight is not positive, so that a tree may be a forest"`
	PseudoRows float64 `param:"pseudo_rows" doc:"rows added to each class, spread evenly over the levels of a variable and the pairs of levels of two" range:"[0,inf)"`
	Floor      float64 `param:"floor" doc:"smallest frequency before the logarithm" range:"(0,inf)"`
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
	trees, err := s.boost(ctx, newWeightedSample(codes, train.Y, features.Levels, s.PseudoRows, s.Floor), rounds)
	if err != nil {
		return nil, err
	}
	return contrastRule(train.D(), features, trees), nil
}

// chooseRounds returns the number of rounds with the fewest errors in held-out rows, the least of
// equal ones. codes are the rows of train, levels the numbers of levels.
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
		trees, err := s.boost(ctx, newWeightedSample(part, labels, levels, s.PseudoRows, s.Floor), s.Rounds)
		if err != nil {
			return nil, err
		}
		wrong := make([]int, s.Rounds) // errors after 1, 2, ... rounds
		for _, r := range out {
			sum := 0.0
			for round := range wrong {
				if round < len(trees) { // boosting may have ended before
					sum += trees[round].value(codes[r])
				}
				if (sum > 0) != (train.Y[r] == 1) {
					wrong[round]++
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

// boost returns the pairs of trees of at most the given number of rounds, each times its
// confidence. It ends early when no row is on the wrong side, or when a pair of trees does not
// lower the sum of the weights; the first pair stays even then.
func (s *TANDiscriminative) boost(ctx context.Context, sample *weightedSample, rounds int) ([]treeContrast, error) {
	var trees []treeContrast
	for len(trees) < rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tree := sample.trees(s.Forest)
		confidence, more := sample.reweigh(tree)
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

// contrastRule returns the rule that scores class 1 by half the sum of the trees' contrasts, and
// class 0 by minus that. d is the number of attributes.
func contrastRule(d int, features *columns.Discrete, trees []treeContrast) *method.Rule {
	return &method.Rule{Scores: func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, false)
		n, _ := x.Dims()
		scores := mat.NewDense(n, 2, nil)
		for i, row := range features.Codes(x) {
			sum := 0.0
			for k := range trees {
				sum += trees[k].value(row)
			}
			scores.SetRow(i, []float64{-sum / 2, sum / 2})
		}
		return scores
	}}
}
