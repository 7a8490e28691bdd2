package results

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// A History is what the results of one recipe in one cell tell of how it ran.
type History struct {
	Cell, ID, Spec       string
	Succeeded, OutOfTime int     // results; others failed otherwise
	Seconds              float64 // of the fits and predictions that succeeded, in all
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

// A recipeSum is what the results of one recipe in one cell add up to.
type recipeSum struct {
	recipe               int32
	results              int
	succeeded, outOfTime int
	microseconds         int64 // of those that succeeded
}

// mostSeconds of a fit are counted, so that sums of any file's stay whole numbers.
const mostSeconds = 1e6

// sums adds up what a cell has, by recipe in the order in which they were met.
func (s *store) sums(cell int32) (list []recipeSum) {
	for _, results := range s.cells[cell].trials.all() {
		for i := range results {
			r, k := &results[i], i // mostly all trials of a cell ran the same recipes
			if k >= len(list) || list[k].recipe != r.recipe {
				if k = slices.IndexFunc(list, func(v recipeSum) bool { return v.recipe == r.recipe }); k < 0 {
					k = len(list)
					list = append(list, recipeSum{recipe: r.recipe})
				}
			}
			to := &list[k]
			to.results++
			switch {
			case !r.failed:
				to.succeeded++
				to.microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
			case causes[r.cause] == records.OutOfTime:
				to.outOfTime++
			}
		}
	}
	return list
}
