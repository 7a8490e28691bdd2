// Package method states what a classifier is: a Classifier fits a Rule. It holds what the
// methods in the folders beside it share: Bayes' rule, votes of pairs of classes, and
// attributes as numeric columns.
package method

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Classifier is a recipe: its exported fields are hyper-parameters, tagged as
// generators.Generator describes. Its method Fit is what an author writes; callers use
// classifiers.Fit, which checks the training set first.
//
// Fit changes neither its receiver nor the training set, uses no random source but rng,
// and returns ctx's error soon after ctx is done. An error states why this training set
// cannot be fitted; a panic is the caller's bug. Fit never returns NaN or a silent
// fallback label. What it derives from the set may stay with the set for other fits
// (logdensity.Derived), which makes these faster and changes nothing else.
type Classifier interface {
	Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error)
}

// A Load is the size of a fit and of the prediction after it: rows of both sets, columns
// and classes. A classifier with a method Numbers(Load) float64 returns the float64s that
// it holds at its peak beyond copies of the data; classifiers.Memory counts them.
type Load struct{ Train, Test, D, Classes int }
