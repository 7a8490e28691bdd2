package classifiers

// Memory returns about how many bytes a fit and its prediction hold at their peak,
// garbage left out: copies of the data and, for recipes whose log densities or kernel
// values take more than that, these. Where the data decide how many are kept, the
// estimate is an upper one.
func Memory(recipe Classifier, l Load) int64 {
	numbers := dataCopies * float64(l.Train+l.Test) * float64(l.D)
	switch recipe := recipe.(type) {
	case preparedRecipe:
		return Memory(recipe.recipe, l)
	case costRecipe:
		return Memory(recipe.recipe, l)
	case thresholdRecipe:
		return 2 * Memory(recipe.recipe, l)
	case calibratedRecipe: // it keeps the rule of all rows while it fits those of the folds
		return 2 * Memory(recipe.recipe, l)
	case multiclassRecipe:
		return recipe.memory(l)
	case interface{ Numbers(Load) float64 }:
		numbers += recipe.Numbers(l)
	}
	return leastMemory + int64(8*numbers)
}

const (
	leastMemory = 8 << 20 // of any fit
	dataCopies  = 6       // rows, columns, scaled columns, what a set keeps of them
)
