package datasettest

import (
	"testing"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// Folds calls dataset.StratifiedFolds and ends the test if it fails.
func Folds(t testing.TB, y []int, k int, rng *rand.Rand) []int {
	t.Helper()
	fold, err := dataset.StratifiedFolds(y, k, rng)
	if err != nil {
		t.Fatal(err)
	}
	return fold
}
