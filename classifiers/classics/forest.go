package classics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/cart"
	"copse/classifiers/internal/decisiontree"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Forest is a random forest (Breiman, Machine Learning 45:5, 2001) as in R's randomForest. Each
// tree is grown on a bootstrap sample until its leaves are pure. The split of each node is chosen
// among mtry random columns.
//
// The trees vote, and the score of a class is its number of votes. If several classes have the most
// votes, the first tree that votes for one of them decides. Its class gets half a vote more. This
// is fair because the order of the trees is random.
//
// A discrete attribute becomes one indicator column per level, or a single indicator if it has two
// levels.
//
// If values of a column are missing in the training set, the trees use two copies of the column. In
// the first copy, missing values are smaller than all other values. In the second, they are larger.
// A split can therefore send missing values to either side, or separate them from all others. This
// method is called "missingness incorporated in attributes" (Twala, Jones and Hand, Pattern Recogn.
// Lett. 29:950, 2008; Josse et al., Stat. Pap. 65:5447, 2024).
//
// If a column has no missing values in the training set, its median replaces missing values in test
// rows.
//
// The default number of trees is 500. In version 1, it was 50, as in Tenzer et al. (2020), section
// 5. With n rows, a fit typically takes O(trees mtry n log n) operations.
type Forest struct {
	method.Revision
	// number of trees
	Trees int `param:"trees" range:"[1,inf)"`
	// number of columns to try at each split; 0 means the square root of the number of columns,
	// rounded down
	Mtry int `param:"mtry" range:"[0,inf)"`
}

// NewForest returns a Forest with the defaults of R's randomForest: 500 trees.
func NewForest() *Forest { return &Forest{Trees: 500} }

// Pin selects an older version, which has 50 trees by default.
func (s *Forest) Pin(version int) {
	s.Revision.Pin(version)
	s.Trees = 50
}

// Fit grows the trees on train. It uses rng to draw the bootstrap samples and the columns tried at
// each node.
func (s *Forest) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, method.EqualWeights(train), rng)
}

// FitWeighted grows a weighted random forest (Chen, Liaw and Breiman, 2004). Each row of class c
// has the weight weights[c] in node impurities and in the votes of leaves.
func (s *Forest) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	table, x := newTreeTable(train) // x: the training rows as complete numeric columns
	_, d := x.Dims()
	mtry := s.Mtry
	if mtry == 0 {
		mtry = int(math.Sqrt(float64(d)))
	}
	if mtry > d {
		return nil, fmt.Errorf("mtry is %d, but the training set has %d columns", mtry, d)
	}
	grower := cart.NewGrower(cart.NewColumns(x), train.Y, weights, mtry)
	votes := &treeVote{classes: train.C()}
	for range s.Trees {
		tree, err := grower.Bootstrap(ctx, rng) // grows a tree on a bootstrap sample of the rows
		if err != nil {
			return nil, err
		}
		votes.trees = append(votes.trees, tree)
	}
	scores := func(x *mat.Dense) *mat.Dense { return votes.scores(table.apply(x)) }
	return (&method.Rule{Scores: scores}).WithProbabilities(method.VoteShares), nil
}

// Numbers returns an upper bound on the number of float64s in the trees. A bootstrap sample of n
// rows has about 0.63 n distinct rows, so a tree has at most 1.27 n nodes, each with two numbers.
func (s *Forest) Numbers(l method.Load) float64 {
	const numbersPerRow = 2 * 1.27
	return numbersPerRow * float64(s.Trees) * float64(l.Train)
}

// treeVote is a fitted forest, whose trees return the code of a class.
type treeVote struct {
	classes int
	trees   []decisiontree.Tree
}

// scores returns the n x C matrix of votes for each class at each row of x.
func (r *treeVote) scores(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	scores := mat.NewDense(n, r.classes, nil)
	for _, tree := range r.trees {
		for i := range n {
			scores.RawRowView(i)[int(tree.Value(x.RawRowView(i)))]++
		}
	}
	for i := range n {
		r.breakTie(scores.RawRowView(i), x.RawRowView(i))
	}
	return scores
}

// breakTie adds 1/2 to the votes of one class if several classes tie for the most votes. The first
// tree that votes for a tied class decides. votes[c] is the number of votes for class c at row x.
func (r *treeVote) breakTie(votes, x []float64) {
	most, tied := slices.Max(votes), 0
	for _, v := range votes {
		if v == most {
			tied++
		}
	}
	if tied == 1 {
		return
	}
	for _, tree := range r.trees {
		if c := int(tree.Value(x)); votes[c] == most {
			votes[c] += 0.5
			return
		}
	}
}
