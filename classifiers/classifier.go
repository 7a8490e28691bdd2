// Package classifiers lists every classifier that copse compares, fits them, and prepares
// data and calibrates scores around them. The methods lie in folders by family: densities,
// networks, randomfields, chebyshev, machines, classics. Package method is their contract.
package classifiers

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// The contract of a classifier; package method states it.
type (
	Classifier = method.Classifier
	Rule       = method.Rule
	Load       = method.Load
)

// Fit checks the training set and fits a recipe to it. Of a recipe whose type is in the
// registry every error begins with the name of its entry. The check fails at the first
// of these: no rows or columns, a class without rows, too many classes, a value that is
// not finite, an attribute of the wrong kind, a discrete value that is no code of its
// attribute. A recipe of another type checks the training set itself.
func Fit(ctx context.Context, recipe Classifier, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	spec, ok := Registry.EntryOf(recipe)
	if !ok {
		return recipe.Fit(ctx, train, rng)
	}
	if err := spec.check(train); err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	rule, err := recipe.Fit(ctx, train, rng)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return rule, nil
}

// check returns an error for the first property of train that no recipe of this entry
// can be fitted to.
func (s Spec) check(train *dataset.Set) error {
	if train.N() == 0 || train.D() == 0 {
		return fmt.Errorf("the training set is empty (%d rows, %d columns)", train.N(), train.D())
	}
	if train.C() < 2 {
		return fmt.Errorf("needs at least two classes, the training set has %d", train.C())
	}
	if s.MaxClasses > 0 && train.C() > s.MaxClasses {
		return fmt.Errorf("takes at most %d classes, the training set has %d; "+
			"give it multiclass: ovo or ovr", s.MaxClasses, train.C())
	}
	for c, count := range train.Counts() {
		if count == 0 {
			return fmt.Errorf("class %q has no training rows", train.Classes[c])
		}
	}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Discrete && !s.Discrete {
			return fmt.Errorf("takes numeric attributes only, %q is discrete", a.Name)
		}
	}
	return checkValues(train, s.Missing)
}

// CheckTest returns an error for the first value of a test set at which Predict of a
// rule of the named classifier would panic: an infinite value, a missing one that
// neither the classifier nor the preparation takes, or no code of its attribute. It
// returns nil for a name that is not in the registry.
func CheckTest(name string, p Preparation, test *dataset.Set) error {
	spec, ok := Registry.Lookup(name)
	if !ok {
		return nil
	}
	if err := checkValues(test, spec.Missing || p.FillsMissing()); err != nil {
		return fmt.Errorf("%s: test set: %w", name, err)
	}
	return nil
}

// checkValues returns an error for the first value that is infinite, missing unless
// that is allowed, or no code of its attribute.
func checkValues(s *dataset.Set, missing bool) error {
	for j, a := range s.Attributes {
		for i := range s.N() {
			v := s.X.At(i, j)
			switch {
			case math.IsInf(v, 0):
				return fmt.Errorf("row %d, column %q: infinite value", i+1, a.Name)
			case math.IsNaN(v) && !missing:
				return fmt.Errorf("row %d, column %q: missing value (NaN): it takes none, "+
					"so fill it in or leave the row or the column out", i+1, a.Name)
			case a.Kind == dataset.Discrete && !columns.IsCode(v, len(a.Levels)):
				return fmt.Errorf(
					"row %d, column %q: %v is not one of the codes 0..%d",
					i+1,
					a.Name,
					v,
					len(a.Levels)-1,
				)
			}
		}
	}
	return nil
}
