package classifiers

import (
	"context"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// FitPresent fits a recipe and drops rare classes if that fails: first the classes without
// training rows, then also the classes with a single one. At least two classes must remain.
// The rule never predicts a dropped class, and a warning names it. rng returns the random
// source of an attempt; each call must return the same state. FitPresent returns the error of the
// last attempt.
func FitPresent(
	ctx context.Context, recipe Classifier, train *dataset.Set, rng func() *rand.Rand,
) (*Rule, error) {
	rule, err := Fit(ctx, recipe, train, rng())
	if err == nil || ctx.Err() != nil {
		return rule, err
	}
	for at, few := range []string{"no training row", "fewer than two training rows"} {
		drop, names := rareClasses(train, at+1)
		if len(drop) == 0 || train.C()-len(drop) < 2 {
			continue // another fit would not differ, or has too few classes
		}
		rule, err = fitWithout(ctx, recipe, train, drop, rng())
		if err == nil {
			warning := "left out, with " + few + ": class " + strings.Join(names, ", ")
			rule.Warnings = append([]string{warning}, rule.Warnings...)
			return rule, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, err
}

// fitWithout fits a recipe to the rows of all but the dropped classes. The rule returns codes
// and columns of all classes.
func fitWithout(
	ctx context.Context, recipe Classifier, train *dataset.Set, drop []int, rng *rand.Rand,
) (*Rule, error) {
	rest, kept := train.WithoutClasses(drop)
	rule, err := Fit(ctx, recipe, rest, rng)
	if err != nil {
		return nil, err
	}
	return rule.AmongClasses(kept, train.C()), nil
}

// rareClasses returns the codes and names of the classes with fewer than rows training rows.
func rareClasses(train *dataset.Set, rows int) (classes []int, names []string) {
	for c, count := range train.Counts() {
		if count < rows {
			classes = append(classes, c)
			names = append(names, train.Classes[c])
		}
	}
	return classes, names
}
