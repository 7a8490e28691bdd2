package classifiers

// A memoryCounter is a recipe that needs memory beyond copies of the data: at most Numbers
// float64s.
type memoryCounter interface{ Numbers(l Load) float64 }

const (
	leastMemory = 8 << 20 // bytes that each fit needs
	dataCopies  = 6       // copies of the data: by columns, scaled, and derived data in caches
)

// Memory estimates the peak memory in bytes for fitting a classifier and predicting, not counting
// garbage. l contains the numbers of training rows, test rows and columns.
func Memory(recipe Classifier, l Load) int64 {
	switch wrapper := recipe.(type) {
	case preparedRecipe:
		return Memory(wrapper.recipe, l)
	case weightedRecipe:
		return Memory(wrapper.recipe, l)
	case costRecipe:
		return Memory(wrapper.recipe, l)
	case thresholdRecipe: // twice: the rule fitted to all rows stays in memory while a fold is fitted
		return 2 * Memory(wrapper.recipe, l)
	case calibratedRecipe: // twice: see thresholdRecipe
		return 2 * Memory(wrapper.recipe, l)
	case multiclassRecipe:
		return wrapper.memory(l)
	}
	numbers := dataCopies * float64(l.Train+l.Test) * float64(l.D)
	if counter, ok := recipe.(memoryCounter); ok {
		numbers += counter.Numbers(l)
	}
	// The limit exceeds the memory of any machine, and keeps the conversion to int64 from overflowing.
	const bytesPerNumber, limit = 8, 1 << 42
	return leastMemory + int64(min(bytesPerNumber*numbers, limit))
}
