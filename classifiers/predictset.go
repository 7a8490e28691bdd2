package classifiers

import (
	"copse/stats/dataset"
)

// PredictSet returns rule.Predict(test.X). Rules that were fitted to one training
// set and have densities in common evaluate each of them once for the set.
func PredictSet(rule Rule, test *dataset.Set) []int {
	if r, ok := rule.(interface{ predictSet(*dataset.Set) []int }); ok {
		return r.predictSet(test)
	}
	return rule.Predict(test.X)
}
