package classifiers

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/nearest"
	"copse/stats/dataset"
)

// KNN gives each row the class that most of its K nearest training rows have, in
// Euclidean distance, as FNN::knn. Training rows at equal distances count in
// their order; of classes with equally many neighbours the one with the nearest
// neighbour wins. Discrete attributes enter as indicators.
type KNN struct {
	K           int  `param:"k" doc:"number of neighbours" range:"[1,inf)"`
	Standardise bool `param:"standardise" doc:"bring each column to mean 0 and standard deviation 1 (divisor n-1) by the training rows"`
}

// NewKNN returns five neighbours among the columns as they are.
func NewKNN() *KNN { return &KNN{K: 5} }

// Fit keeps the training rows.
func (s *KNN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	p, err := prepare("5nn", train, s.Standardise)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.K > train.N() {
		return nil, fmt.Errorf("5nn: %d neighbours asked for, the training set has %d rows", s.K, train.N())
	}
	vote := &neighbourVote{k: s.K, classes: train.C(), labels: slices.Clone(train.Y), index: nearest.New(p.x)}
	return voteRule{p.rule(vote.scores)}, nil
}

type neighbourVote struct {
	k, classes int
	labels     []int
	index      *nearest.Index
}

// scores returns the number of neighbours of each class, plus less than one for
// the class with the nearest one among those with equally many.
func (r *neighbourVote) scores(z *mat.Dense) *mat.Dense {
	n, _ := z.Dims()
	scores := mat.NewDense(n, r.classes, nil)
	search := r.index.Search(r.k)
	for i := range n {
		row := scores.RawRowView(i)
		for rank, neighbour := range search.Nearest(z.RawRowView(i)) {
			class := r.labels[neighbour.Row]
			if row[class] == 0 { // the class's nearest
				row[class] = 1 / float64(rank+2)
			}
			row[class]++
		}
	}
	return scores
}
