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

// KNN predicts the most frequent class among the k nearest training rows in Euclidean distance, as
// in R's FNN::knn. If several classes are the most frequent, the one with the nearest neighbour
// wins. A discrete attribute becomes one indicator column per level, or a single indicator if it
// has two levels.
//
// Training rows at the same distance are used in the order of the training set. Rounding errors can
// change this order. By default, columns are standardised. In data of whole numbers, for example,
// rounding can then make equal distances slightly different.
//
// The score of a class without neighbours is 0. For other classes, let r be the rank of the nearest
// neighbour of the class among all k neighbours. The nearest neighbour of all has rank 1. The score
// is the number of neighbours of the class plus 1/(r+1).
//
// The probability of a class is the fraction of neighbours that belong to it.
//
// With two classes, the AUC uses these scores. It orders rows first by the number of neighbours in
// the class, and then by r.
type KNN struct {
	// number of neighbours
	K int `param:"k" range:"[1,inf)"`
	// scale each column to mean 0 and standard deviation 1 (divisor n-1) on the training rows
	Standardise bool `param:"standardise"`
}

// NewKNN returns a KNN with five neighbours and standardised columns.
func NewKNN() *KNN { return &KNN{K: 5, Standardise: true} }

// FiveNN is knn with five neighbours, under the name used in the papers that copse reproduces. By
// default, columns are standardised. In version 1, as in the papers, they are not.
type FiveNN struct {
	method.Revision
	KNN
}

// NewFiveNN returns a FiveNN with the defaults of NewKNN.
func NewFiveNN() *FiveNN { return &FiveNN{KNN: *NewKNN()} }

// Pin selects an older version, which does not standardise the columns.
func (s *FiveNN) Pin(version int) {
	s.Revision.Pin(version)
	s.Standardise = false
}

// Fit implements method.Classifier. It does not use rng.
func (s *KNN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.K > train.N() {
		return nil, fmt.Errorf("k is %d, but the training set has only %d rows: choose a smaller k", s.K, train.N())
	}
	vote := &neighbourVote{k: s.K, classes: train.C(), labels: slices.Clone(train.Y), unit: distanceUnit(p.X)}
	vote.index = nearest.New(vote.inUnit(p.X))
	return p.Rule(vote.scores).WithProbabilities(method.VoteShares), nil
}

// neighbourVote is a fitted k-nearest-neighbour rule.
type neighbourVote struct {
	k, classes int
	labels     []int   // labels[i] is the class code of training row i
	unit       float64 // factor that multiplies all columns, see distanceUnit
	index      *nearest.Index
}

// Values are clipped to [-2^maxExponent, 2^maxExponent], so that squared distances do not overflow.
const maxExponent = 400

// distanceUnit returns a power of two. If all columns of x are multiplied by it, squared distances
// neither overflow nor underflow to 0. It is 1 unless x contains extreme values.
func distanceUnit(x *mat.Dense) float64 {
	_, exponent := math.Frexp(mat.Norm(x, math.Inf(1)))
	if -maxExponent <= exponent && exponent <= maxExponent {
		return 1
	}
	return math.Ldexp(1, -exponent)
}

// inUnit returns x times r.unit, with every value clipped to [-2^maxExponent, 2^maxExponent].
func (r *neighbourVote) inUnit(x *mat.Dense) *mat.Dense {
	bound := math.Ldexp(1, maxExponent)
	if r.unit == 1 && mat.Max(x) <= bound && mat.Min(x) >= -bound {
		return x
	}
	var z mat.Dense
	z.Apply(func(_, _ int, v float64) float64 { return max(-bound, min(v*r.unit, bound)) }, x)
	return &z
}

// scores returns the n x C matrix of class scores (see KNN).
func (r *neighbourVote) scores(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	scores := mat.NewDense(n, r.classes, nil)
	r.index.Nearest(r.k, r.inUnit(x), func(i int, neighbours []nearest.Neighbour) {
		row := scores.RawRowView(i)
		for place, neighbour := range neighbours { // the rank is place + 1
			class := r.labels[neighbour.Row]
			if row[class] == 0 { // the first and therefore nearest neighbour of this class
				row[class] = 1 / float64(place+2)
			}
			row[class]++
		}
	})
	return scores
}
