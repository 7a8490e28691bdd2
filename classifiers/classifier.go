// Package classifiers holds every classifier that copse compares, one file
// each, written beside its paper's pseudo-code.
package classifiers

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// A Classifier is a recipe: its exported fields are hyper-parameters, tagged as
// generators.Generator describes. Fit changes neither its receiver nor the
// training set, uses no random source but rng, and returns ctx's error soon
// after ctx is done.
//
// What a fit derives from the set may stay with it for others (derived.go); it
// makes them faster and changes nothing else.
//
// An error says why this training set cannot be fitted; a panic is the
// caller's bug. Fit never answers with NaN or a silent fallback label.
type Classifier interface {
	Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error)
}

// A Rule is a fitted, immutable decision rule, safe for concurrent use.
type Rule interface {
	// Predict returns the class code of each row of x (n x d). It panics when x
	// has another number of columns than the training set, an infinite value, or
	// a missing one that the classifier does not take.
	Predict(x *mat.Dense) []int
}

// A Scorer is a Rule that shows what it compares: Scores returns an n x C
// matrix whose largest entry in a row is the predicted class.
type Scorer interface {
	Rule
	Scores(x *mat.Dense) *mat.Dense
}

// A Prober is a Scorer with class probabilities: Probabilities returns an n x C
// matrix whose rows sum to 1 and are largest, if not alone, at the predicted
// class. They are posterior probabilities under the classifier's model, or shares
// of votes. Margins of machines and normalised pseudo-likelihoods are neither.
type Prober interface {
	Scorer
	Probabilities(x *mat.Dense) *mat.Dense
}

// A Warner is a Rule that was fitted, but with a caveat. Its warnings travel in
// the record and end as footnotes of the report.
type Warner interface {
	Rule
	Warnings() []string
}

// A Spec is one entry of the registry.
type Spec struct {
	Name          string            // as study files write it
	Label         string            // as tables print it
	Summary       string            // one line
	Source        string            // paper, section, algorithm or equations
	Version       int               // raised when the same data and stream give another rule
	MaxClasses    int               // 0: any number
	Discrete      bool              // takes discrete attributes
	Missing       bool              // takes missing values
	Probabilities bool              // its rules are Probers
	New           func() Classifier // a pointer to a struct that holds the defaults
}

// checkTraining returns an error that names the first thing in train that no
// recipe of this spec can be fitted to: no rows or columns, a class without
// rows, too many classes, a value that is not finite, an attribute of the
// wrong kind, a discrete value that is no code of its attribute.
func checkTraining(name string, train *dataset.Set) error {
	spec, ok := Lookup(name)
	if !ok {
		panic("classifiers: unregistered " + name)
	}
	if train.N() == 0 || train.D() == 0 {
		return fmt.Errorf("%s: the training set is empty (%d rows, %d columns)", name, train.N(), train.D())
	}
	if train.C() < 2 {
		return fmt.Errorf("%s: needs at least two classes, the training set has %d", name, train.C())
	}
	if spec.MaxClasses > 0 && train.C() > spec.MaxClasses {
		return fmt.Errorf("%s: takes at most %d classes, the training set has %d", name, spec.MaxClasses, train.C())
	}
	for c, count := range train.Counts() {
		if count == 0 {
			return fmt.Errorf("%s: class %q has no training rows", name, train.Classes[c])
		}
	}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Discrete && !spec.Discrete {
			return fmt.Errorf("%s: takes numeric attributes only, %q is discrete", name, a.Name)
		}
	}
	if err := checkValues(train, spec.Missing); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// CheckTest returns an error that names the first value of a test set that rules
// of the named classifier cannot be asked about, for which Predict panics: one
// that is infinite, missing where none may be, or no code of its attribute. What
// is not in the registry takes anything, what fills in missing values takes these.
func CheckTest(name string, p Preparation, test *dataset.Set) error {
	spec, ok := Lookup(name)
	if !ok {
		return nil
	}
	if err := checkValues(test, spec.Missing || p.Impute != ""); err != nil {
		return fmt.Errorf("%s: test set: %w", name, err)
	}
	return nil
}

// checkValues names the first value that is infinite, missing unless that is
// allowed, or no code.
func checkValues(s *dataset.Set, missing bool) error {
	for j, a := range s.Attributes {
		for i := range s.N() {
			v := s.X.At(i, j)
			switch {
			case math.IsInf(v, 0):
				return fmt.Errorf("row %d, column %q: infinite value", i+1, a.Name)
			case math.IsNaN(v) && !missing:
				return fmt.Errorf("row %d, column %q: missing value (NaN): it takes none, so fill it in or leave the row or the column out", i+1, a.Name)
			case a.Kind == dataset.Discrete && !columns.IsCode(v, len(a.Levels)):
				return fmt.Errorf("row %d, column %q: %v is not one of the codes 0..%d", i+1, a.Name, v, len(a.Levels)-1)
			}
		}
	}
	return nil
}

// argmaxRows returns the column of the largest entry of each row, the first
// one on ties.
func argmaxRows(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	labels := make([]int, n)
	for i := range labels {
		row := scores.RawRowView(i)
		for c, v := range row {
			if v > row[labels[i]] {
				labels[i] = c
			}
		}
	}
	return labels
}
