package classifiers

import (
	"context"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// FitPresent fits a recipe to train. If this fails, it tries again without the classes that have no
// training row, and then without the classes that have fewer than two training rows. At least two
// classes must remain. The rule never predicts a dropped class; a warning lists the dropped
// classes. If all attempts fail, FitPresent returns the error of the last attempt. rng returns a
// random source for each attempt; all sources must be in the same state.
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
			continue // no class is rare, or too few classes would remain
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

// fitWithout fits a recipe to the rows of all classes except the dropped ones. Labels and columns of
// the rule refer to all classes of train.
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

// rareClasses returns the codes and names of the classes with fewer training rows than rows.
func rareClasses(train *dataset.Set, rows int) (classes []int, names []string) {
	for c, count := range train.Counts() {
		if count < rows {
			classes = append(classes, c)
			names = append(names, train.Classes[c])
		}
	}
	return classes, names
}
