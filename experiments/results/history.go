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
	for c := range s.cells {
		for _, v := range s.sumsByRecipe(int32(c)) {
			made := s.recipes[v.recipe]
			list = append(
				list,
				History{
					Cell:      s.cells[c].id,
					ID:        made.id,
					Spec:      made.spec,
					Succeeded: v.succeeded,
					OutOfTime: v.outOfTime,
					Seconds:   float64(v.microseconds) / 1e6,
				},
			)
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
	recipe               int32 // index in store.recipes
	results              int
	succeeded, outOfTime int
	microseconds         int64 // total time of the successful results
}

// mostSeconds limits the time that one fit adds to a sum, so that the sum cannot overflow.
const mostSeconds = 1e6

// sumsByRecipe returns the totals of each recipe in a cell, in the order in which the recipes first occur.
func (s *store) sumsByRecipe(cell int32) (list []recipeSum) {
	c := &s.cells[cell]
	for _, replicate := range c.replicates() {
		for _, r := range c.trials[replicate] {
			i := slices.IndexFunc(list, func(sum recipeSum) bool { return sum.recipe == r.recipe })
			if i < 0 {
				i = len(list)
				list = append(list, recipeSum{recipe: r.recipe})
			}
			list[i].add(&r)
		}
	}
	return list
}

func (sum *recipeSum) add(r *storedResult) {
	sum.results++
	switch {
	case !r.failed:
		sum.succeeded++
		sum.microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
	case causes[r.cause] == records.OutOfTime:
		sum.outOfTime++
	}
}
