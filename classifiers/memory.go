package classifiers

// Memory estimates the peak number of bytes that a fit and its prediction hold, without
// garbage. It counts copies of the data, and the log densities or kernel values of recipes
// with a method Numbers. If their number depends on the data, the estimate is an upper bound.
func Memory(recipe Classifier, l Load) int64 {
	numbers := dataCopies * float64(l.Train+l.Test) * float64(l.D)
	switch recipe := recipe.(type) {
	case preparedRecipe:
		return Memory(recipe.recipe, l)
	case costRecipe:
		return Memory(recipe.recipe, l)
	case thresholdRecipe: // the rule of all rows stays in memory while the folds are fitted
		return 2 * Memory(recipe.recipe, l)
	case calibratedRecipe: // as with a threshold
		return 2 * Memory(recipe.recipe, l)
	case multiclassRecipe:
		return recipe.memory(l)
	case interface{ Numbers(Load) float64 }:
		numbers += recipe.Numbers(l)
	}
	return leastMemory + int64(8*numbers)
}

const (
	leastMemory = 8 << 20 // bytes of any fit
	dataCopies  = 6       // rows, columns, scaled columns, and derived data that a set caches
)
