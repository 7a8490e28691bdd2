// Package modelsel chooses between candidates by cross-validation.
package modelsel

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// Deal assigns every row to one of the folds 0..dealt-1, which hold the classes in
// proportion (dataset.StratifiedFolds): as many as are asked for, or one row each where
// there are fewer rows.
func Deal(y []int, classes, folds int, rng *rand.Rand) (fold []int, dealt int, err error) {
	dealt = min(folds, len(y))
	fold, err = dataset.StratifiedFolds(y, classes, dealt, rng)
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

// ByAppearance numbers the classes in the order of their first rows, so that
// random folds do not depend on the classes' codes.
func ByAppearance(y []int, classes int) []int {
	number := make([]int, classes) // 0: not seen, else 1 + number
	seen, out := 0, make([]int, len(y))
	for i, c := range y {
		if number[c] == 0 {
			seen++
			number[c] = seen
		}
		out[i] = number[c] - 1
	}
	return out
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
