package results

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// A History sums up the results of one recipe in one cell.
type History struct {
	Cell, ID, Spec       string
	Succeeded, OutOfTime int     // numbers of results; others failed for another reason
	Seconds              float64 // sum over the fits and predictions that succeeded
}

// Ran lists the recipes that have results, by cell, id and recipe.
func (f *Folder) Ran() (list []History) {
	s := f.store
	for c := range s.cells {
		for _, v := range s.sums(int32(c)) {
			made := s.recipes[v.recipe]
			list = append(
				list,
				History{s.cells[c].id, made.id, made.spec, v.succeeded, v.outOfTime, float64(v.microseconds) / 1e6},
			)
		}
	}
	slices.SortFunc(list, func(a, b History) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.ID, b.ID), strings.Compare(a.Spec, b.Spec))
	})
	return list
}

// A recipeSum is a History in whole numbers, whose sums do not depend on their order.
type recipeSum struct {
	recipe               int32
	results              int
	succeeded, outOfTime int
	microseconds         int64 // of the results that succeeded
}

// mostSeconds is the longest time of a fit that a sum counts, so that no sum overflows.
const mostSeconds = 1e6

// sums adds up the results of a cell, by recipe in the order of the replicates.
func (s *store) sums(cell int32) (list []recipeSum) {
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

// add counts a result.
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
