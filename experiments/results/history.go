package results

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// A History summarises the results of one recipe in one cell. A recipe is a classifier with its settings.
type History struct {
	Cell, ID, Spec       string
	Succeeded, OutOfTime int     // numbers of results; all others failed for other reasons
	Seconds              float64 // total time of the successful fits with their predictions
}

// Ran returns a History for each cell and recipe with results, sorted by cell, id and recipe.
func (f *Folder) Ran() (list []History) {
	s := f.store
	for _, c := range s.cells {
		sums := map[int32]*recipeSum{} // by index in store.recipes
		for _, results := range c.trials {
			for _, r := range results {
				if sums[r.recipe] == nil {
					sums[r.recipe] = &recipeSum{}
				}
				sums[r.recipe].add(&r)
			}
		}
		for recipe, sum := range sums {
			made := s.recipes.values[recipe]
			list = append(list, History{
				Cell:      c.id,
				ID:        made.id,
				Spec:      made.spec,
				Succeeded: sum.succeeded,
				OutOfTime: sum.outOfTime,
				Seconds:   float64(sum.microseconds) / 1e6,
			})
		}
	}
	slices.SortFunc(list, func(a, b History) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.ID, b.ID), strings.Compare(a.Spec, b.Spec))
	})
	return list
}

// A recipeSum contains the counts of a History and its total time in whole microseconds. Sums of integers do
// not depend on the order of the results.
type recipeSum struct {
	succeeded, outOfTime int
	microseconds         int64 // total time of the successful results
}

// mostSeconds limits the time that one fit adds to a sum, so that the sum cannot overflow.
const mostSeconds = 1e6

func (sum *recipeSum) add(r *storedResult) {
	switch {
	case !r.failed:
		sum.succeeded++
		sum.microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
	case causes[r.cause] == records.OutOfTime:
		sum.outOfTime++
	}
}
