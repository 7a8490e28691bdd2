// Package modelsel chooses between candidates by cross-validation.
package modelsel

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// Deal assigns every row to one of the folds 0..dealt-1, which hold the classes in proportion
// (dataset.StratifiedFolds): the given number of folds, or one row each where there are fewer
// rows. It takes the classes in ClassOrder.
func Deal(y []int, classes, folds int, byCode bool, rng *rand.Rand) (fold []int, dealt int, err error) {
	dealt = min(folds, len(y))
	fold, err = dataset.StratifiedFolds(Strata(y, byCode), classes, dealt, rng)
	return fold, dealt, err
}

// CrossValidate adds up, over the folds 0..folds-1 that the rows were dealt to,
// what count returns: for each candidate, fitted to the rows train, the number
// of misclassified rows among test.
func CrossValidate(ctx context.Context, fold []int, folds int,
	count func(train, test []int) ([]int, error)) ([]int, error) {
	var errors []int
	for f := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		wrong, err := count(dataset.SplitFold(fold, f))
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		if errors == nil {
			errors = make([]int, len(wrong))
		}
		for k, w := range wrong {
			errors[k] += w
		}
	}
	return errors, nil
}

// Best returns the candidate with the fewest errors, the first of equals.
func Best(errors []int) int {
	best := 0
	for k, e := range errors {
		if e < errors[best] {
			best = k
		}
	}
	return best
}

// ClassOrder returns the classes in the order in which a method draws random numbers for them.
// It is the order of their first rows, so that the names of classes do not matter. With byCode
// it is the order of their codes, as in older versions of some methods.
func ClassOrder(y []int, classes int, byCode bool) []int {
	order := make([]int, classes)
	for i, place := range Strata(y, byCode) {
		order[place] = y[i]
	}
	return order
}

// Strata numbers the class of each row by its place in ClassOrder.
func Strata(y []int, byCode bool) []int {
	if byCode {
		return y
	}
	return dataset.ByFirstRow(y)
}

// CheckTwoRows returns an error for a class with a single row, which no fold could both
// train on and hold out.
func CheckTwoRows(train *dataset.Set) error {
	for c, count := range train.Counts() {
		if count < 2 {
			return fmt.Errorf("class %q has one training row: cross-validation needs two", train.Classes[c])
		}
	}
	return nil
}
