package dataset

import (
	"fmt"

	"golang.org/x/exp/rand"
)

// StratifiedFolds assigns every row to one of k folds so that the folds' sizes
// differ by at most one and so do their shares of every class. The result is
// the fold number, 0..k-1, of each of the len(y) rows. A nil rng keeps the rows'
// order within a class.
func StratifiedFolds(y []int, classes, k int, rng *rand.Rand) ([]int, error) {
	if k < 2 || k > len(y) {
		return nil, fmt.Errorf("cannot split %d rows into %d folds", len(y), k)
	}
	fold := make([]int, len(y))
	next := 0 // dealing goes on where the last class stopped, which balances the sizes
	for c := range classes {
		var rows []int
		for i, label := range y {
			if label == c {
				rows = append(rows, i)
			}
		}
		if rng != nil {
			rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		}
		for _, r := range rows {
			fold[r] = next
			next = (next + 1) % k
		}
	}
	return fold, nil
}

// SplitFold returns the row numbers outside and inside fold f, both ascending.
func SplitFold(fold []int, f int) (train, test []int) {
	for i, g := range fold {
		if g == f {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}
