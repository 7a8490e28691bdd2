package results

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// A History summarises the results of one recipe in one cell.
type History struct {
	Cell, ID, Spec       string
	Succeeded, OutOfTime int   // numbers of results; all others failed for other reasons
	Microseconds         int64 // total time of the successful fits with their predictions
}

// Ran returns a History for each cell and recipe with results, sorted by cell, id and recipe.
func (f *Folder) Ran() (list []History) {
	s := f.store
	for _, c := range s.cells {
		histories := map[int32]*History{} // by index in store.recipes
		for _, results := range c.trials {
			for _, r := range results {
				if histories[r.recipe] == nil {
					recipe := s.recipes.values[r.recipe]
					histories[r.recipe] = &History{Cell: c.id, ID: recipe.id, Spec: recipe.spec}
				}
				histories[r.recipe].add(&r)
			}
		}
		for _, h := range histories {
			list = append(list, *h)
		}
	}
	slices.SortFunc(list, func(a, b History) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.ID, b.ID), strings.Compare(a.Spec, b.Spec))
	})
	return list
}

// mostSeconds limits the time that one fit adds to a sum, so that the sum cannot overflow.
const mostSeconds = 1e6

// add counts a result. The total time is an integer, so that the order of the results does not
// affect it.
func (h *History) add(r *storedResult) {
	switch {
	case !r.failed:
		h.Succeeded++
		h.Microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
	case causes[r.cause] == records.OutOfTime:
		h.OutOfTime++
	}
}
