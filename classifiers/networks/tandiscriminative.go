package networks

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// TANDiscriminative is a boosting method for two classes and discrete variables. Each round fits a
// pair of trees: the discriminative trees of Tan, Sanghavi, Fisher and Willsky (IEEE Trans. Signal
// Process. 58:5481, 2010).
//
// Let p be the relative frequencies of the rows x in class 1, and q in class 0. The distribution p^
// approximates p by a tree: on each edge of the tree, it has the same frequencies as p. In the same
// way, q^ approximates q by its own tree. The two trees maximise
//
//	sum_x (p(x) - q(x)) log( p^(x) / q^(x) ).
//
// This is an approximation of the J-divergence. The trees of p^ and q^ are maximum spanning trees.
// For p^, let p_i be the frequencies of variable i, and p_ij of the pair ij. E_p and E_q are the
// means under p and q. The weight of edge ij is
//
//	E_p[l_ij] - E_q[l_ij],  l_ij = log( p_ij(x_i,x_j) / (p_i(x_i) p_j(x_j)) ).
//
// For q^, p and q change places in this formula.
//
// Each row has a weight. Let P and Q be the total weights of the rows of class 1 and class 0.
// Confidence-rated boosting (Schapire and Singer, Machine Learning 37:297, 1999) is applied to
//
//	h(x) = log( P p^(x) / (Q q^(x)) ).
//
// Each round t fits new trees, which give a function h_t. It then multiplies the weight of row i by
// exp(-a_t y_i h_t(x_i)), where y_i is 1 for class 1 and -1 for class 0. The number a_t, called the
// confidence, minimises the sum of the new weights. It is at most 8. If h_t makes no error,
// boosting ends with a_t = 1.
//
// The score of class 1 is the sum of a_t h_t(x) over all rounds, divided by 2. The score of class 0
// is its negative.
//
// Stratified cross-validation chooses the number of rounds with the fewest errors. If several
// numbers tie, the smallest wins.
//
// The paper leaves three points open. In this implementation:
//
//   - Numeric variables are discretised as in chow-liu, before the cross-validation.
//   - All rows begin with the same weight. In the first round, the class proportions of the
//     training rows are therefore the priors.
//   - The parameter pseudo_rows adds pseudo-rows to each class. They are part of all frequencies
//     from which the trees are computed, in every round. In every round, the mean weight of the
//     training rows is 1. So a pseudo-row counts as much as an average training row.
//
// With n rows, d variables and L levels of each variable, a round takes O(d^2 (n + L^2))
// operations.
type TANDiscriminative struct {
	// number of quantile bins for each numeric attribute
	Bins int `param:"bins" range:"[2,inf)"`
	// largest number of boosting rounds; 1 means a single pair of discriminative trees without
	// boosting
	Rounds int `param:"rounds" range:"[1,inf)"`
	// number of folds for choosing the number of rounds by cross-validation; leave-one-out if there
	// are fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
	// leave out edges whose weight is not positive; a tree can then become a forest
	Forest bool `param:"forest"`
	// number of pseudo-rows to add to each class. Each table of frequencies spreads them evenly
	// over its cells. A table has one cell for each level of a variable, or for each pair of levels
	// of two variables
	PseudoRows float64 `param:"pseudo_rows" range:"[0,inf)"`
	// lower bound on each frequency before its logarithm is taken
	Floor float64 `param:"floor" range:"(0,inf)"`
}

// NewTANDiscriminative returns a TANDiscriminative with up to ten rounds. Bins and PseudoRows have
// the same values as in NewChowLiu.
func NewTANDiscriminative() *TANDiscriminative {
	return &TANDiscriminative{Bins: 5, Rounds: 10, Folds: 5, PseudoRows: 1, Floor: 1e-10}
}

// Fit implements method.Classifier. It uses rng to draw the folds.
func (s *TANDiscriminative) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	features := columns.NewDiscrete(train, s.Bins)
	codes := features.Codes(train.X)
	rounds, err := s.chooseRounds(ctx, train, features.Levels, codes, rng)
	if err != nil {
		return nil, err
	}
	sample := newWeightedSample(codes, train.Y, features.Levels, s.PseudoRows, s.Floor)
	contrasts, err := s.boost(ctx, sample, rounds)
	if err != nil {
		return nil, err
	}
	return contrastRule(train.D(), features, contrasts), nil
}

// chooseRounds returns the number of boosting rounds with the fewest cross-validation errors. If
// several tie, it returns the smallest. Variable j has levels[j] levels, and codes[i][j] is its
// level in row i.
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
	if err := crossval.CheckTwoRows(train); err != nil {
		return 0, fmt.Errorf("choosing the rounds: %w", err)
	}
	count := func(trainRows, testRows []int) ([]int, error) { // element k: errors after k+1 rounds
		trainCodes, trainY := dataset.At(codes, trainRows), dataset.At(train.Y, trainRows)
		sample := newWeightedSample(trainCodes, trainY, levels, s.PseudoRows, s.Floor)
		contrasts, err := s.boost(ctx, sample, s.Rounds)
		if err != nil {
			return nil, err
		}
		return errorsByRound(contrasts, dataset.At(codes, testRows), dataset.At(train.Y, testRows), s.Rounds), nil
	}
	best, err := crossval.Choose(ctx, train, s.Folds, crossval.ClassesByFirstRow, rng, count)
	return 1 + best, err
}

// errorsByRound returns the number of misclassified rows after each round of boosting, which may
// have ended early.
func errorsByRound(contrasts []treeContrast, codes [][]int, labels []int, rounds int) []int {
	wrong := make([]int, rounds)
	for r, row := range codes {
		sum := 0.0
		for round := range wrong {
			if round < len(contrasts) {
				sum += contrasts[round].value(row)
			}
			if (sum > 0) != (labels[r] == 1) {
				wrong[round]++
			}
		}
	}
	return wrong
}

// boost returns one contrast per round of boosting, multiplied by its confidence.
//
// Boosting ends early if no further round can follow (see reweigh). Contrasts of confidence 0 are
// left out, except in the first round.
func (s *TANDiscriminative) boost(ctx context.Context, sample *weightedSample, rounds int) ([]treeContrast, error) {
	var contrasts []treeContrast
	for len(contrasts) < rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		contrast := sample.contrast(s.Forest)
		confidence, more := sample.reweigh(contrast)
		isFirst := len(contrasts) == 0
		if confidence > 0 {
			contrast.scale(confidence)
		}
		if confidence > 0 || isFirst {
			contrasts = append(contrasts, contrast)
		}
		if !more {
			break
		}
	}
	return contrasts, nil
}

// contrastRule returns a rule for rows of d attributes. The score of class 1 is half the sum of the
// contrasts, and the score of class 0 is its negative.
func contrastRule(d int, features *columns.Discrete, contrasts []treeContrast) *method.Rule {
	return &method.Rule{Scores: func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, columns.NoMissing)
		n, _ := x.Dims()
		scores := mat.NewDense(n, 2, nil)
		for i, row := range features.Codes(x) {
			sum := 0.0
			for k := range contrasts {
				sum += contrasts[k].value(row)
			}
			scores.SetRow(i, []float64{-sum / 2, sum / 2})
		}
		return scores
	}}
}
