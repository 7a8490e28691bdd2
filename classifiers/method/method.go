// Package method defines the contract of classifiers: a Classifier fits a Rule to a training set.
// It also contains code that several classifiers share, such as Bayes' rule.
package method

import (
	"context"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Classifier is a classification method. Its exported fields are its hyperparameters. The comment
// on generators.Generator describes the tags of these fields. Callers use classifiers.Fit, which
// checks the training set before it calls the Fit method.
//
// Fit changes neither its receiver nor the training set. It may store derived data with the
// training set (logdensity.Derived), which affects only speed. It draws random numbers only from
// rng. It returns the context's error soon after ctx is done. Other errors state why Fit cannot use
// this training set. A panic means that the caller has a bug. Predictions are never NaN, and Fit
// never replaces an error with a default label.
type Classifier interface {
	Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error)
}

// A PriorWeighted is a classifier whose scores are log priors plus log densities. Class weights
// multiply its priors.
type PriorWeighted interface{ WeightsPriors() }

// A Weighted is a classifier that uses class weights in its fit.
type Weighted interface {
	Classifier
	// FitWeighted is like Fit, but each row of class c counts weights[c] times.
	FitWeighted(ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand) (*Rule, error)
}

// EqualWeights returns the weight 1 for each class. With these weights, FitWeighted equals Fit.
func EqualWeights(train *dataset.Set) []float64 { return slices.Repeat([]float64{1}, train.C()) }

// A Load describes the size of a fit and prediction. A classifier that needs memory beyond its copies
// of the data has a method Numbers(Load) float64. It returns an upper bound on the number of
// additional float64 values.
type Load struct {
	Train, Test int // numbers of training and test rows
	D           int // number of columns, including indicators of discrete attributes that the fit makes
	Classes     int // number of classes
}
