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
// tree is grown on a bootstrap sample until its leaves are pure. It chooses among mtry random
// columns at each node; the trees vote. The score of a class is its number of votes. Of classes
// with equally many votes, the first tree that votes for one of them decides: its class gets 1/2
// more. This is a fair draw, since trees are exchangeable. A discrete attribute enters as one
// indicator per level, or as a single indicator if it has two levels.
//
// A column that lacks training values enters twice, once with its missing values below all others
// and once above. Splits can so send missing values to either side or separate them: missing
// incorporated in attributes (Twala, Jones and Hand, Pattern Recogn. Lett. 29:950, 2008; Josse et
// al., Stat. Pap. 65:5447, 2024). If the training column is complete, its median replaces the
// missing values of other rows.
//
// Version 1 has 50 trees by default, as Tenzer et al. (2020), section 5. A fit takes about O(trees
// mtry n log n).
type Forest struct {
	method.Revision
	Trees int `param:"trees" doc:"number of trees" range:"[1,inf)"`
	Mtry  int `param:"mtry" doc:"number of columns to try at each split; 0: the square root of the number of columns, rounded down" range:"[0,inf)"`
}

// NewForest returns randomForest's 500 trees.
func NewForest() *Forest { return &Forest{Trees: 500} }

// Pin sets the defaults of an older version.
func (s *Forest) Pin(version int) {
	s.Revision.Pin(version)
	s.Trees = 50
}

// Fit grows the trees.
func (s *Forest) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, nil, rng)
}

// FitWeighted is Fit with a weight for each class; nil: 1. Weights enter the impurity of the nodes
// and the votes of the leaves (Chen, Liaw and Breiman, Using random forest to learn imbalanced data, 2004).
func (s *Forest) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	table := newTreeTable(train)
	x := table.apply(train.X)
	_, d := x.Dims()
	mtry := s.Mtry
	if mtry == 0 {
		mtry = int(math.Sqrt(float64(d)))
	}
	if mtry > d {
		return nil, fmt.Errorf("mtry is %d, but the training set has %d columns", mtry, d)
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, train.C())
	}
	grower := cart.NewGrower(cart.NewColumns(x), train.Y, weights, mtry)
	votes := &treeVote{classes: train.C()}
	for range s.Trees {
		tree, err := grower.Bootstrap(ctx, rng)
		if err != nil {
			return nil, err
		}
		votes.trees = append(votes.trees, tree)
	}
	scores := func(x *mat.Dense) *mat.Dense { return votes.scores(table.apply(x)) }
	return (&method.Rule{Scores: scores}).WithProbabilities(method.VoteShares), nil
}

// Numbers returns an upper bound of the numbers in the trees. A bootstrap sample of n rows has about
// 0.63 n distinct rows, so a tree has at most 1.27 n nodes, of two numbers each.
func (s *Forest) Numbers(l method.Load) float64 {
	const numbersPerRow = 2 * 1.27
	return numbersPerRow * float64(s.Trees) * float64(l.Train)
}

// treeVote is a fitted forest; the leaves of its trees hold class codes.
type treeVote struct {
	classes int
	trees   []decisiontree.Tree
}

// scores returns the number of trees that vote for each class, n x C, plus 1/2 for the class that
// wins a tie.
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

// breakTie adds 1/2 to one of the classes of a row x with the most votes: the one that comes first
// among the votes of the trees. It changes nothing if a single class has the most votes.
func (r *treeVote) breakTie(votes, x []float64) {
	most, winners := slices.Max(votes), 0
	for _, v := range votes {
		if v == most {
			winners++
		}
	}
	if winners == 1 {
		return
	}
	for _, tree := range r.trees {
		if c := int(tree.Value(x)); votes[c] == most {
			votes[c] += 0.5
			return
		}
	}
}
