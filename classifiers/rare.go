package classifiers

import (
	"context"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// FitPresent fits a recipe, without the classes that have no training row. When
// the recipe cannot be fitted because of classes with a single row, these are left
// out, too, and the recipe is fitted to the others, if two are left. Rows of such
// a class are then never predicted right; a warning says so. rng makes the random
// source of each attempt, always the same.
func FitPresent(ctx context.Context, recipe Classifier, train *dataset.Set, rng func() *rand.Rand) (*Rule, error) {
	rule, err := Fit(ctx, recipe, train, rng())
	if err == nil || ctx.Err() != nil {
		return rule, err
	}
	for at, few := range []string{"no training row", "fewer than two training rows"} {
		drop, names := rareClasses(train, at+1)
		if len(drop) == 0 || train.C()-len(drop) < 2 {
			continue
		}
		rest, kept := train.WithoutClasses(drop)
		if rule, err = Fit(ctx, recipe, rest, rng()); ctx.Err() != nil {
			return nil, err
		}
		if err == nil {
			rule = rule.AmongClasses(kept, train.C())
			rule.Warnings = append(
				[]string{"left out, with " + few + ": class " + strings.Join(names, ", ")},
				rule.Warnings...)
			return rule, nil
		}
	}
	return nil, err
}

// rareClasses returns the classes with fewer than the given number of rows.
func rareClasses(train *dataset.Set, rows int) (classes []int, names []string) {
	for c, count := range train.Counts() {
		if count < rows {
			classes, names = append(classes, c), append(names, train.Classes[c])
		}
	}
	return classes, names
}
