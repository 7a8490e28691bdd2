// Package crossval chooses between candidate models by cross-validation.
package crossval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// An Order specifies the order in which a method draws random numbers for the classes.
type Order bool

const (
	ClassesByFirstRow Order = false // in the order of their first rows: the names of classes do not matter
	ClassesByCode     Order = true  // in the order of their codes; only older versions of classifiers use it
)

// ClassesByCodeIf returns ClassesByCode if the condition is true, else ClassesByFirstRow.
func ClassesByCodeIf(condition bool) Order { return Order(condition) }

// Folds randomly assigns row i of train to fold[i] and spreads each class evenly over the folds.
// The result used is the number of folds: the argument folds, but at most the number of rows.
//
// If the rows have groups, all rows of a group are in the same fold, and there are at most as many
// folds as groups. Folds then returns an error if a fold would contain all rows of a class.
func Folds(train *dataset.Set, folds int, o Order, rng *rand.Rand) (fold []int, used int, err error) {
	if train.Groups != nil {
		return groupFolds(train, folds, rng)
	}
	used = min(folds, train.N())
	fold, err = dataset.StratifiedFolds(Strata(train.Y, o), used, rng)
	return fold, used, err
}

// groupFolds implements Folds for rows with groups. fold[i] is the fold of row i, from 0 to used-1. No
// group is divided between folds. The number of folds cannot exceed the number of groups.
func groupFolds(train *dataset.Set, folds int, rng *rand.Rand) (fold []int, used int, err error) {
	used = min(folds, len(dataset.GroupSizes(train.Groups)))
	if used < 2 {
		return nil, 0, errors.New("all training rows are in the same group: cross-validation needs two groups")
	}
	if fold, err = dataset.StratifiedGroupFolds(train.Y, train.Groups, used, rng); err != nil {
		return nil, 0, err
	}
	for c, name := range train.Classes {
		foldsOfClass := dataset.At(fold, train.ClassRows(c))
		if len(foldsOfClass) > 0 && slices.Min(foldsOfClass) == slices.Max(foldsOfClass) {
			return nil, 0, fmt.Errorf("too few groups contain class %q: cross-validation cannot keep the groups "+
				"together and also train on this class in each fold", name)
		}
	}
	return fold, used, nil
}

// CountErrors returns the number of errors of each candidate model, summed over all folds. fold[i]
// is the fold of row i. The function countFold fits all models to the rows in train. It returns how
// many rows in test each model misclassifies.
func CountErrors(ctx context.Context, fold []int, folds int,
	countFold func(train, test []int) ([]int, error)) ([]int, error) {
	var sums []int
	for f := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		wrong, err := countFold(dataset.SplitFold(fold, f))
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		if sums == nil {
			sums = make([]int, len(wrong))
		}
		for k, w := range wrong {
			sums[k] += w
		}
	}
	return sums, nil
}

// Choose draws folds of the training rows (see Folds). It returns the first candidate model with the
// fewest errors over all folds (see CountErrors).
func Choose(ctx context.Context, train *dataset.Set, folds int, o Order, rng *rand.Rand,
	count func(train, test []int) ([]int, error)) (candidate int, err error) {
	fold, folds, err := Folds(train, folds, o, rng)
	if err != nil {
		return 0, err
	}
	wrong, err := CountErrors(ctx, fold, folds, count)
	if err != nil {
		return 0, err
	}
	return Best(wrong), nil
}

// Best returns the first candidate with the fewest errors.
func Best(errors []int) int { return slices.Index(errors, slices.Min(errors)) }

// ClassOrder returns the class codes 0..classes-1, sorted by code or by the first row of each class
// in y.
func ClassOrder(y []int, classes int, o Order) []int {
	order := make([]int, classes)
	for i, index := range Strata(y, o) {
		order[index] = y[i]
	}
	return order
}

// Strata returns, for each row, the index of its class in ClassOrder.
func Strata(y []int, o Order) []int {
	if o == ClassesByCode {
		return y
	}
	return dataset.NumberDistinct(y)
}

// CheckTwoRows returns an error if a class has only one row. Such a row cannot be in a fold and
// also remain available for training.
func CheckTwoRows(train *dataset.Set) error {
	for c, count := range train.Counts() {
		if count < 2 {
			return fmt.Errorf("class %q has one training row: cross-validation needs two", train.Classes[c])
		}
	}
	return nil
}
