package classifiers

// A memoryCounter is a recipe that keeps more in memory than copies of the data: log densities or
// kernel values. Numbers returns how many float64s at the peak of a fit or its prediction, or an
// upper bound if that depends on the data.
type memoryCounter interface{ Numbers(l Load) float64 }

const (
	leastMemory = 8 << 20 // bytes of any fit
	dataCopies  = 6       // of the rows: in columns, scaled, and derived data that a set caches
)

// Memory estimates the peak number of bytes of a fit and its prediction, without garbage.
func Memory(recipe Classifier, l Load) int64 {
	switch wrapper := recipe.(type) {
	case preparedRecipe:
		return Memory(wrapper.recipe, l)
	case weightedRecipe:
		return Memory(wrapper.recipe, l)
	case costRecipe:
		return Memory(wrapper.recipe, l)
	case thresholdRecipe: // the rule of all rows stays in memory during the fits of the folds
		return 2 * Memory(wrapper.recipe, l)
	case calibratedRecipe: // as with a threshold
		return 2 * Memory(wrapper.recipe, l)
	case multiclassRecipe:
		return wrapper.memory(l)
	}
	numbers := dataCopies * float64(l.Train+l.Test) * float64(l.D)
	if counter, ok := recipe.(memoryCounter); ok {
		numbers += counter.Numbers(l)
	}
	const bytesPerNumber = 8
	return leastMemory + int64(bytesPerNumber*numbers)
}
