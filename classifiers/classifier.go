// Package classifiers registers and fits all classifiers. It wraps them in data preparation,
// calibration and decision rules. The methods are in subpackages by family: densities,
// networks, randomfields, chebyshev, machines, classics. Package method defines their contract.
package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Types of the contract between copse and a classifier, see package method.
type (
	Classifier = method.Classifier
	Rule       = method.Rule
	Load       = method.Load
)

// Fit checks the training set and fits a recipe to it. If the recipe's type is in the registry,
// every error starts with the name of its entry. Recipes of other types, such as wrappers,
// check the training set themselves.
func Fit(
	ctx context.Context, recipe Classifier, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	return fitChecked(recipe, train, func() (*Rule, error) { return recipe.Fit(ctx, train, rng) })
}

// fitChecked checks the training set, calls fit and puts the recipe's name before errors, like Fit.
func fitChecked(recipe Classifier, train *dataset.Set, fit func() (*Rule, error)) (*Rule, error) {
	spec, ok := Registry.EntryOf(recipe)
	if !ok {
		return fit()
	}
	if err := spec.check(train); err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	rule, err := fit()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return rule, nil
}

// check returns an error if no recipe of this entry can be fitted to train. It checks, in this
// order, rows and columns, the number of classes, classes without rows, discrete attributes,
// and values.
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

// CheckTest returns an error for the first value of a test set that the named classifier cannot
// predict from; Predict would panic there. Missing values are valid if the classifier accepts
// them or p imputes them. CheckTest returns nil for a name that is not in the registry.
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

// checkValues returns an error for the first invalid value, column by column. missing states
// whether NaN is valid.
func checkValues(s *dataset.Set, missing bool) error {
	for j := range s.Attributes {
		a := &s.Attributes[j]
		for i := range s.N() {
			if err := checkValue(s.X.At(i, j), a, missing); err != nil {
				return fmt.Errorf("row %d, column %q: %w", i+1, a.Name, err)
			}
		}
	}
	return nil
}

// checkValue returns an error for a value that is infinite, NaN unless missing is true, or not
// a code of a discrete attribute.
func checkValue(v float64, a *dataset.Attribute, missing bool) error {
	switch {
	case math.IsInf(v, 0):
		return errors.New("infinite value")
	case math.IsNaN(v) && !missing:
		return errors.New("missing value (NaN), which the classifier does not accept: " +
			"impute it, or drop the row or the column")
	case a.Kind == dataset.Discrete && !columns.IsCode(v, len(a.Levels)):
		return fmt.Errorf("%v is not one of the codes 0..%d", v, len(a.Levels)-1)
	}
	return nil
}
