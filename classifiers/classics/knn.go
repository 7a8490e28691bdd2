package classics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/nearest"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KNN classifies a row by the majority class of its k nearest training rows in Euclidean distance,
// as R's FNN::knn does. Training rows at equal distance count in their order. Of classes with
// equally many neighbours, the class of the nearest neighbour wins. A discrete attribute enters
// as one indicator per level, or as a single indicator where it has two levels.
//
// The score of a class is its number of neighbours plus 1/(r+1), where r is the rank of its
// nearest neighbour among the k, counted from 1; a class without neighbours scores 0. For two
// classes AUC therefore ranks rows by votes first and by the nearest neighbours second. The
// probability of a class is its share of the votes.
type KNN struct {
	K           int  `param:"k" doc:"number of neighbours" range:"[1,inf)"`
	Standardise bool `param:"standardise" doc:"scale each column to mean 0 and standard deviation 1 (divisor n-1) in the training rows"`
}

// NewKNN returns five neighbours among standardised columns.
func NewKNN() *KNN { return &KNN{K: 5, Standardise: true} }

// FiveNN is the classifier knn under its name in the papers' tables. Version 1 takes the columns
// as they are, as the papers do.
type FiveNN struct {
	method.Revision
	KNN
}

// NewFiveNN returns the defaults of KNN.
func NewFiveNN() *FiveNN { return &FiveNN{KNN: *NewKNN()} }

// Pin sets the defaults of an older version.
func (s *FiveNN) Pin(version int) {
	s.Revision.Pin(version)
	s.Standardise = false
}

// Fit keeps the training rows.
func (s *KNN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.K > train.N() {
		return nil, fmt.Errorf("%d neighbours asked for, the training set has %d rows", s.K, train.N())
	}
	vote := &neighbourVote{k: s.K, classes: train.C(), labels: slices.Clone(train.Y), unit: distanceUnit(p.X)}
	vote.index = nearest.New(vote.inUnit(p.X))
	return p.Rule(vote.scores).WithProbabilities(method.VoteShares), nil
}

// neighbourVote is a fitted rule.
type neighbourVote struct {
	k, classes int
	labels     []int   // of the training rows
	unit       float64 // factor of all columns, see distanceUnit
	index      *nearest.Index
}

// maxExponent is the binary exponent up to which sums of squares are finite.
const maxExponent = 400

// distanceUnit returns the power of two by which all columns are multiplied, so that squared
// distances neither overflow nor vanish. It is 1 except for extreme values.
func distanceUnit(x *mat.Dense) float64 {
	_, exponent := math.Frexp(mat.Norm(x, math.Inf(1)))
	if -maxExponent <= exponent && exponent <= maxExponent {
		return 1
	}
	return math.Ldexp(1, -exponent)
}

// inUnit returns x times the unit, with absolute values of at most 2^maxExponent.
func (r *neighbourVote) inUnit(x *mat.Dense) *mat.Dense {
	bound := math.Ldexp(1, maxExponent)
	if r.unit == 1 && mat.Max(x) <= bound && mat.Min(x) >= -bound {
		return x
	}
	var z mat.Dense
	z.Apply(func(_, _ int, v float64) float64 { return max(-bound, min(v*r.unit, bound)) }, x)
	return &z
}

// scores returns, for each row of x and each class, the number of neighbours in the class plus
// 1/(r+1), where r is the rank of the nearest of them, counted from 1; 0 if there are none.
func (r *neighbourVote) scores(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	scores := mat.NewDense(n, r.classes, nil)
	r.index.Nearest(r.k, r.inUnit(x), func(i int, neighbours []nearest.Neighbour) {
		row := scores.RawRowView(i)
		for place, neighbour := range neighbours { // the rank is place + 1
			class := r.labels[neighbour.Row]
			if row[class] == 0 { // the nearest of its class
				row[class] = 1 / float64(place+2)
			}
			row[class]++
		}
	})
	return scores
}
