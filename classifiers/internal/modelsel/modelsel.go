// Package modelsel chooses between candidate models by cross-validation.
package modelsel

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// Deal assigns every row to a fold in 0..dealt-1. The folds are stratified by class
// (dataset.StratifiedFolds), with the classes in ClassOrder. dealt is the given number of folds. If
// there are fewer rows, dealt is the number of rows, and each row is a fold.
func Deal(y []int, classes, folds int, byCode bool, rng *rand.Rand) (fold []int, dealt int, err error) {
	dealt = min(folds, len(y))
	fold, err = dataset.StratifiedFolds(Strata(y, byCode), classes, dealt, rng)
	return fold, dealt, err
}

// CrossValidate returns the total number of errors of each candidate over the folds 0..folds-1.
// fold[i] is the fold of row i. count must fit each candidate to the rows train and return the
// number of rows in test that it misclassifies.
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

// Best returns the candidate with the fewest errors, or the first one if several are equal.
func Best(errors []int) int {
	best := 0
	for k, e := range errors {
		if e < errors[best] {
			best = k
		}
	}
	return best
}

// ClassOrder returns the classes in the order in which a method draws random numbers for them. This
// is the order of their first rows, so that the names of classes do not matter. If byCode is true,
// it is the order of their codes, as in older versions of some methods.
func ClassOrder(y []int, classes int, byCode bool) []int {
	order := make([]int, classes)
	for i, place := range Strata(y, byCode) {
		order[place] = y[i]
	}
	return order
}

// Strata returns, for each row, the index of its class in ClassOrder.
func Strata(y []int, byCode bool) []int {
	if byCode {
		return y
	}
	return dataset.ByFirstRow(y)
}

// CheckTwoRows returns an error if a class has only one row, because no fold could contain the row
// and leave it for training.
func CheckTwoRows(train *dataset.Set) error {
	for c, count := range train.Counts() {
		if count < 2 {
			return fmt.Errorf("class %q has one training row: cross-validation needs two", train.Classes[c])
		}
	}
	return nil
}
