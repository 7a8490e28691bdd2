package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Weights defines the weights of the classes. The zero value means no weights.
type Weights struct {
	// Balanced gives the weight n / (C n_c) to a class with n_c of the n training rows, as in
	// scikit-learn. C is the number of classes.
	Balanced bool
	// ByClass contains positive weights by class name; the default is 1.
	ByClass map[string]float64
}

// String returns the text for w in the canonical text of a recipe, or "" if there are no weights.
func (w Weights) String() string {
	switch {
	case w.Balanced:
		return "balanced"
	case len(w.ByClass) > 0:
		return fmt.Sprint(w.ByClass) // fmt sorts maps
	}
	return ""
}

// ofClasses returns the weight of each class, in the order of train.Classes.
func (w Weights) ofClasses(train *dataset.Set) []float64 {
	weights := make([]float64, train.C())
	for c, count := range train.Counts() {
		weights[c] = 1
		if w.Balanced {
			weights[c] = float64(train.N()) / float64(train.C()*count)
		} else if given, ok := w.ByClass[train.Classes[c]]; ok {
			weights[c] = given
		}
	}
	return weights
}

// AcceptsWeights reports whether the recipe accepts class weights.
func AcceptsWeights(recipe Classifier) bool {
	switch recipe.(type) {
	case method.Weighted, method.PriorWeighted:
		return true
	}
	return false
}

// WeightedNames returns the names of all classifiers that accept class weights.
func WeightedNames() []string {
	var names []string
	for _, spec := range Registry {
		if AcceptsWeights(spec.New()) {
			names = append(names, spec.Name)
		}
	}
	return names
}

type weightedRecipe struct {
	recipe  Classifier // AcceptsWeights is true for it
	weights Weights
}

// Fit implements Classifier.
func (w weightedRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	return fitChecked(w.recipe, train, func() (*Rule, error) {
		weights := w.weights.ofClasses(train)
		if recipe, ok := w.recipe.(method.Weighted); ok {
			return recipe.FitWeighted(ctx, train, weights, rng)
		}
		rule, err := w.recipe.Fit(ctx, train, rng)
		if err != nil {
			return nil, err
		}
		return rule.WithPriorWeights(weights), nil
	})
}
