package results

import (
	"iter"
	"maps"
	"slices"
)

// replicates are the results of a cell by replicate: of the low ones, which mostly
// are all, side by side, and of others, far from these, in a map.
type replicates struct {
	low  [][]storedResult // of replicate i+1; nil: none
	high map[int32][]storedResult
}

// reach is how far behind the low replicates another is one of them.
func (t *replicates) reach() int { return 2*len(t.low) + 64 }

func (t *replicates) at(replicate int32) []storedResult {
	if i := int(replicate) - 1; i < len(t.low) {
		if i < 0 {
			return nil
		}
		return t.low[i]
	}
	return t.high[replicate]
}

// set enters the results of a replicate, which is positive.
func (t *replicates) set(replicate int32, list []storedResult) {
	i := int(replicate) - 1
	if i >= t.reach() {
		if t.high == nil {
			t.high = map[int32][]storedResult{}
		}
		t.high[replicate] = list
		return
	}
	for len(t.low) <= i {
		next := int32(len(t.low) + 1)
		t.low = append(t.low, t.high[next])
		delete(t.high, next)
	}
	t.low[i] = list
}

// all yields the replicates that have results, in ascending order.
func (t *replicates) all() iter.Seq2[int32, []storedResult] {
	return func(yield func(int32, []storedResult) bool) {
		for i, list := range t.low {
			if list != nil && !yield(int32(i+1), list) {
				return
			}
		}
		for _, replicate := range slices.Sorted(maps.Keys(t.high)) {
			if !yield(replicate, t.high[replicate]) {
				return
			}
		}
	}
}
