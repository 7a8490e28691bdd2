package classifiers

import (
	"context"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// fewRows[k] describes classes with at most k rows. No classifier needs more than four rows of a
// class.
var fewRows = []string{
	"no training row",
	"fewer than two training rows",
	"fewer than three training rows",
	"fewer than four training rows",
}

// FitDroppingRare fits a recipe to the training set. If this fails, further attempts leave out rare
// classes, which the rule never predicts. A warning lists them.
//
// The second attempt leaves out the classes that have no training rows. The next three leave out
// classes with fewer than two, three and four rows. FitDroppingRare skips an attempt that drops no
// further class or leaves fewer than two classes. If all attempts fail, it returns the last error.
//
// Each attempt calls rng, which must always return a source in the same state. All attempts then
// use the same random numbers.
func FitDroppingRare(
	ctx context.Context, recipe Classifier, train *dataset.Set, rng func() *rand.Rand,
) (*Rule, error) {
	rule, err := Fit(ctx, recipe, train, rng())
	if err == nil || ctx.Err() != nil {
		return rule, err
	}
	dropped := 0
	for k, few := range fewRows {
		drop := rareClasses(train, k+1) // the classes with fewer than k+1 rows
		if len(drop) == dropped || train.C()-len(drop) < 2 {
			continue
		}
		dropped = len(drop)
		rule, err = fitWithout(ctx, recipe, train, drop, rng())
		if err == nil {
			names := strings.Join(dataset.At(train.Classes, drop), ", ")
			warning := "left out, with " + few + ": class " + names
			rule.Warnings = append([]string{warning}, rule.Warnings...)
			return rule, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, err
}

// fitWithout fits a recipe without the dropped classes, which the rule scores but never predicts.
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

func rareClasses(train *dataset.Set, rows int) (classes []int) {
	for c, count := range train.Counts() {
		if count < rows {
			classes = append(classes, c)
		}
	}
	return classes
}
