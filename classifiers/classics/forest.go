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

// Forest is a random forest (Breiman, Machine Learning 45:5, 2001) as R's randomForest grows it. Each
// tree is grown to purity on a bootstrap sample and chooses among mtry random columns at each
// node; the trees vote. The score of a class is its number of votes. Of classes with equally many
// votes, the one that the first tree among their voters chose gets 1/2 more and wins: trees are
// exchangeable, so this is a fair draw. A discrete attribute enters as one indicator per level, or
// as a single indicator where it has two levels.
//
// A fit takes about O(trees mtry n log n).
type Forest struct {
	Trees int `param:"trees" doc:"number of trees" range:"[1,inf)"`
	Mtry  int `param:"mtry" doc:"columns tried at each split; 0 is the floor of the square root of their number" range:"[0,inf)"`
}

// NewForest returns the 50 trees of Tenzer et al. (2020), section 5.
func NewForest() *Forest { return &Forest{Trees: 50} }

// Fit grows the trees.
func (s *Forest) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, false)
	d := p.D()
	mtry := s.Mtry
	if mtry == 0 {
		mtry = int(math.Sqrt(float64(d)))
	}
	if mtry > d {
		return nil, fmt.Errorf("%d columns to try at each split, the training set has %d", mtry, d)
	}
	grower := cart.NewGrower(cart.NewColumns(p.X), train.Y, train.C(), mtry)
	votes := &treeVote{classes: train.C()}
	for range s.Trees {
		tree, err := grower.Bootstrap(ctx, rng)
		if err != nil {
			return nil, err
		}
		votes.trees = append(votes.trees, tree)
	}
	return p.Rule(votes.scores).WithProbabilities(method.VoteShares), nil
}

type treeVote struct {
	classes int
	trees   []decisiontree.Tree
}

// scores returns the number of trees that vote for each class, plus 1/2 where
// that breaks a tie.
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

// breakTie adds 1/2 to the class, among those with the most votes, that the
// first tree to vote for one of them votes for.
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
