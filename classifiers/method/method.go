// Package method defines the contract of classifiers: a Classifier fits a Rule to a training set.
// It also implements what several methods share: Bayes' rule, votes between pairs of classes, and
// the conversion of attributes to numeric columns.
package method

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Classifier is a recipe: a method with values of its hyper-parameters. These are the exported
// fields, which have the tags that generators.Generator describes. Authors of a classifier write
// Fit; callers use classifiers.Fit, which checks the training set first.
//
// Fit changes neither its receiver nor the training set. It draws random numbers only from rng. It
// returns the error of ctx soon after ctx is done. Other errors state why Fit cannot use this
// training set; a panic means that the caller has a bug. Predictions are never NaN, nor a default
// label in place of an error. Fit may store derived data with the training set
// (logdensity.Derived), which makes other fits faster but has no other effect.
type Classifier interface {
	Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error)
}

// A Weighted is a classifier that accepts class weights.
type Weighted interface {
	Classifier
	// FitWeighted does the same as Fit, but each training row of class c counts weights[c] times.
	// If weights is nil, each row counts once.
	FitWeighted(ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand) (*Rule, error)
}

// A Load is the size of a fit and of the prediction after it; classifiers.Memory estimates the
// memory for a Load. If a classifier keeps more in memory than copies of the data, it has a method
// Numbers(Load) float64, which returns the largest number of additional float64s at any time.
type Load struct {
	Train, Test int // numbers of training and test rows
	D           int // number of columns
	Classes     int // number of classes
}
