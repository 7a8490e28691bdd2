// Package method defines the contract of classifiers: a Classifier fits a Rule. It also has the
// parts that several methods share: Bayes' rule, votes of pairs of classes, and attributes as
// numeric columns.
package method

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Classifier is a recipe: its exported fields are hyper-parameters, tagged as generators.Generator
// describes. Authors write the method Fit; callers use classifiers.Fit, which checks the training
// set first.
//
// Fit changes neither its receiver nor the training set, draws random numbers only from rng, and
// returns ctx's error soon after ctx is done. An error states why this training set cannot be
// fitted; a panic is a bug of the caller. Fit never returns NaN or a silent fallback label. It may
// store data derived from the set with the set (logdensity.Derived), which makes other fits faster
// and changes nothing else.
type Classifier interface {
	Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error)
}

// A Weighted is a classifier that accepts class weights.
type Weighted interface {
	Classifier
	// FitWeighted is Fit where a training row of class c counts weights[c] times; nil: once.
	FitWeighted(ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand) (*Rule, error)
}

// A Load is the size of a fit and of the prediction after it. A classifier that keeps more in memory
// than copies of the data has a method Numbers(Load) float64, which returns how many float64s that
// is at the peak; classifiers.Memory counts them.
type Load struct {
	Train, Test int // rows of both sets
	D           int // columns
	Classes     int
}
