// Package classifiers registers all classifiers and fits them by name, with data preparation,
// calibration and decision rules. The subpackages implement families of methods. Package method
// defines the interface of a classifier.
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

// With these aliases, callers need not import the package classifiers/method.
type (
	Classifier = method.Classifier
	Rule       = method.Rule
	Load       = method.Load
)

// Fit fits a recipe. If Registry contains the type of the recipe, Fit checks the training set
// first, and errors begin with the name of the classifier.
func Fit(
	ctx context.Context, recipe Classifier, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	return fitChecked(recipe, train, func() (*Rule, error) { return recipe.Fit(ctx, train, rng) })
}

func fitChecked(
	recipe Classifier, train *dataset.Set, fit func() (*Rule, error),
) (rule *Rule, err error) {
	spec, ok := Registry.EntryOf(recipe)
	if !ok {
		return fit()
	}
	err = spec.check(train)
	if err == nil {
		rule, err = fit()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return rule, nil
}

// toNumeric is advice for classifiers that need numeric attributes.
const toNumeric = "prepare: [{encode: dummy}] makes all attributes numeric"

// ToOneKind is advice for classifiers that need attributes of one kind.
const ToOneKind = toNumeric + ", prepare: [{discretise: 5}] makes all attributes discrete"

// check returns an error if the classifier described by s does not accept the training set.
func (s Spec) check(train *dataset.Set) error {
	if train.N() == 0 || train.D() == 0 {
		return fmt.Errorf("the training set is empty (%d rows, %d columns)", train.N(), train.D())
	}
	if train.C() < 2 {
		return fmt.Errorf("a classifier needs at least two classes, but the training set has %d", train.C())
	}
	if s.MaxClasses > 0 && train.C() > s.MaxClasses {
		return fmt.Errorf("the classifier accepts at most %d classes, but the training set has %d: "+
			"add multiclass: ovo or multiclass: ovr", s.MaxClasses, train.C())
	}
	for c, count := range train.Counts() {
		if count == 0 {
			return fmt.Errorf("class %q has no training rows", train.Classes[c])
		}
	}
	first := train.Attributes[0]
	for _, a := range train.Attributes {
		if a.Kind == dataset.Discrete && !s.Discrete {
			return fmt.Errorf("the classifier accepts only numeric attributes, but %q is discrete: %s",
				a.Name, toNumeric)
		}
		if a.Kind != first.Kind && s.OneKind {
			return fmt.Errorf("attributes must be all numeric or all discrete, but %q and %q differ: %s",
				first.Name, a.Name, ToOneKind)
		}
	}
	return checkValues(train, s.Missing)
}

// CheckTest returns an error for the first invalid value in a test set. For names outside Registry,
// it returns nil.
//
// Missing values are valid if the classifier accepts them or p imputes them.
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

// A ValueError reports a value of a data set that a classifier does not accept.
type ValueError struct {
	Row    int // counted from 0
	Column string
	Reason error
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("row %d, column %q: %v", e.Row+1, e.Column, e.Reason)
}

// checkValues checks the columns in order and returns a ValueError for the first invalid value.
func checkValues(s *dataset.Set, missing bool) error {
	for j := range s.Attributes {
		a := &s.Attributes[j]
		for i := range s.N() {
			if err := checkValue(s.X.At(i, j), a, missing); err != nil {
				return &ValueError{i, a.Name, err}
			}
		}
	}
	return nil
}

func checkValue(v float64, a *dataset.Attribute, missing bool) error {
	switch {
	case math.IsInf(v, 0):
		return errors.New("infinite value")
	case math.IsNaN(v) && !missing:
		return errors.New("the classifier does not accept missing values (NaN): " +
			"impute the value, or drop the row or the column")
	case a.Kind == dataset.Discrete && !columns.IsCode(v, len(a.Levels)):
		return fmt.Errorf("%v is not one of the level codes 0..%d", v, len(a.Levels)-1)
	}
	return nil
}
