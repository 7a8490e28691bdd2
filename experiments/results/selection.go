package results

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/study"
	"copse/stats/records"
)

// A Selection is a study's records with their times, and notes on results that
// were left out.
type Selection struct {
	*records.Records
	Notes []string
	chosen
}

// Records returns the results that belong to the study as it is now: those of its cells
// and recipes, with all replicates that are stored. They are sorted by levels, replicate
// and classifier.
func (f *Folder) Records() *Selection {
	c := f.Select()
	most := 0
	for i := range c.cells {
		most += len(c.cells[i].trials) * len(c.cells[i].recipes)
	}
	c.Rows = make([]records.Record, 0, most)
	for r := range c.all() {
		c.Rows = append(c.Rows, r)
	}
	return c
}

// A chosen states which stored results are a study's records, in their order.
type chosen struct {
	store   *store
	cells   []selectedCell // in the order of their levels
	classes map[string]int // classifier ids with their places
	metrics []string       // that the study asks for
	hidden  []string       // of these, those that some results lack
}

// A selectedCell is a stored cell of the study that has records.
type selectedCell struct {
	cell    *study.Cell
	specs   map[string]string // the recipe of each id
	recipes []int32           // likewise, in the store
	trials  []trialKey        // by replicate
}

// has tells whether the records have results of a stored recipe.
func (c *selectedCell) has(recipe int32) bool { return slices.Contains(c.recipes, recipe) }

func (s *chosen) cellNamed(id string) *selectedCell {
	for i := range s.cells {
		if s.cells[i].cell.ID == id {
			return &s.cells[i]
		}
	}
	return nil
}

// succeeded returns the record of a fit that succeeded; false if there is none.
func (s *chosen) succeeded(cell string, replicate int, id string) (records.Record, bool) {
	c := s.cellNamed(cell)
	if c == nil || c.specs[id] == "" {
		return records.Record{}, false
	}
	key, stored := s.store.at(cell, replicate, id, c.specs[id])
	if stored == nil || stored.failed {
		return records.Record{}, false
	}
	return s.store.record(key, stored), true
}

// Select chooses the records of the study without spelling them out. All other stored
// results stay in the journals; a note names them.
func (f *Folder) Select() *Selection {
	s := f.Study
	c := &Selection{Records: &records.Records{Study: s.Name, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}}
	for _, factor := range s.Factors {
		c.Factors = append(c.Factors, records.Factor{Name: factor.Name, Levels: slices.Clone(factor.Levels)})
	}
	c.store, c.classes, c.metrics = f.store, map[string]int{}, s.Metrics
	for i, id := range c.Classifiers {
		c.classes[id] = i
	}
	own := map[string]*study.Cell{}
	for _, cell := range s.Cells {
		own[cell.ID] = cell
	}
	left, older, extra := leftOut{}, map[string]bool{}, 0
	for _, index := range f.store.byID() {
		stored, sums := &f.store.cells[index], f.store.sums(index)
		cell := own[stored.id]
		if cell == nil {
			left.cell(s, stored.levels, sums)
			continue
		}
		wanted := wantedRecipes(cell)
		for id, recorded := range f.store.recordedVersions(wanted, sums) {
			older[fmt.Sprintf("%s (this binary has %s)", recorded, wanted[id])] = true
			wanted[id] = recorded
		}
		chosen := f.store.choose(cell, index, wanted)
		for _, v := range sums {
			if !chosen.has(v.recipe) {
				left["of "+f.store.recipes[v.recipe].id+" with other settings"] += v.results
			}
		}
		if len(chosen.trials) > 0 {
			c.cells = append(c.cells, chosen)
		}
		extra += f.store.resultsAbove(&chosen, s.Replicates)
	}
	c.Notes = append(f.ProgramChanges(), c.hidePartialMetrics()...)
	order := records.Order(c.Factors)
	slices.SortFunc(c.cells, func(a, b selectedCell) int {
		return cmp.Or(order(a.cell.Levels, b.cell.Levels), strings.Compare(a.cell.ID, b.cell.ID))
	})
	if len(older) > 0 {
		c.Notes = append(
			c.Notes,
			fmt.Sprintf("results of earlier versions, as they were recorded: %s; copse run computes them again",
				strings.Join(slices.Sorted(maps.Keys(older)), ", ")),
		)
	}
	if extra > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results of replicates above replicates: %d are in the records, too",
			extra, s.Replicates))
	}
	if len(left) > 0 {
		c.Notes = append(c.Notes, left.note())
	}
	return c
}

// hidePartialMetrics leaves the metrics out of the records that were not requested when
// some of the results were computed: no table compares results that have a metric with
// others that lack it. It returns a note for each.
func (s *chosen) hidePartialMetrics() (notes []string) {
	for _, name := range s.metrics {
		lacking := 0
		for r := range s.stored() {
			if s.store.lacks(r, []string{name}) {
				lacking++
			}
		}
		if lacking > 0 {
			s.hidden = append(s.hidden, name)
			notes = append(
				notes,
				fmt.Sprintf(
					"%s is left out of the records, since %d results lack it; copse run computes it",
					name,
					lacking,
				),
			)
		}
	}
	return notes
}

// stored yields the stored results that are records.
func (s *chosen) stored() iter.Seq[*storedResult] {
	return func(yield func(*storedResult) bool) {
		for i := range s.cells {
			for _, key := range s.cells[i].trials {
				results := s.store.results(key)
				for k := range results {
					if s.cells[i].has(results[k].recipe) && !yield(&results[k]) {
						return
					}
				}
			}
		}
	}
}

// wantedRecipes returns the recipe of each classifier of a cell, by id.
func wantedRecipes(cell *study.Cell) map[string]string {
	wanted := map[string]string{}
	for _, e := range cell.Classifiers {
		wanted[e.ID] = e.Spec
	}
	return wanted
}

// choose returns the trials of a stored cell that have results of the wanted recipes.
func (s *store) choose(cell *study.Cell, index int32, wanted map[string]string) selectedCell {
	chosen := selectedCell{cell: cell, specs: map[string]string{}}
	for _, v := range s.sums(index) {
		recipe := s.recipes[v.recipe]
		if wanted[recipe.id] == recipe.spec {
			chosen.specs[recipe.id] = recipe.spec
			chosen.recipes = append(chosen.recipes, v.recipe)
		}
	}
	for _, replicate := range s.cells[index].replicates() {
		key := trialKey{index, replicate}
		if slices.ContainsFunc(s.results(key), func(r storedResult) bool { return chosen.has(r.recipe) }) {
			chosen.trials = append(chosen.trials, key)
		}
	}
	return chosen
}

// resultsAbove returns the number of records of a cell whose replicate is above a number.
func (s *store) resultsAbove(cell *selectedCell, replicates int) int {
	n := 0
	for _, key := range cell.trials {
		if int(key.replicate) <= replicates {
			continue
		}
		for _, r := range s.results(key) {
			if cell.has(r.recipe) {
				n++
			}
		}
	}
	return n
}

// recordedVersions returns, for each id of which a cell has no result of the wanted
// recipe, the latest other version of the same recipe that it has results of. Results of
// an older binary are records until they are computed again.
func (s *store) recordedVersions(wanted map[string]string, there []recipeSum) map[string]string {
	versions := map[string]int{} // by id, of the recipes found
	current := map[string]bool{}
	found := map[string]string{}
	for _, v := range there {
		stored := s.recipes[v.recipe]
		spec, ok := wanted[stored.id]
		if !ok || current[stored.id] {
			continue
		}
		if stored.spec == spec {
			current[stored.id] = true
			delete(found, stored.id)
			continue
		}
		name, version, parameters := splitRecipe(stored.spec)
		wantedName, _, wantedParameters := splitRecipe(spec)
		if name == wantedName && parameters == wantedParameters && version > versions[stored.id] {
			versions[stored.id], found[stored.id] = version, stored.spec
		}
	}
	return found
}

// splitRecipe divides name/version{parameters}; the version is 0 where there is none.
func splitRecipe(spec string) (name string, version int, parameters string) {
	name, rest, _ := strings.Cut(spec, "/")
	number, parameters, _ := strings.Cut(rest, "{")
	version, _ = strconv.Atoi(number)
	return name, version, parameters
}

// A leftOut counts the stored results that are not records of the study, by what sets
// them apart from it.
type leftOut map[string]int

// cell counts the results of a cell that the study does not have.
func (n leftOut) cell(s *study.Study, levels records.Levels, sums []recipeSum) {
	reason := setApart(s, levels)
	for _, v := range sums {
		n[reason] += v.results
	}
}

// setApart describes a stored cell that a study does not have, such as "at n = 90".
func setApart(s *study.Study, levels records.Levels) string {
	var other []string
	for _, f := range s.Factors {
		if level := levels.Of(f.Name); level != "" && !slices.Contains(f.Levels, level) {
			other = append(other, f.Name+" = "+level)
		}
	}
	switch {
	case len(other) > 0:
		return "at " + strings.Join(other, ", ")
	case levels.On(records.FactorNames(s.Factors)) != levels:
		return "with other factors"
	}
	return "of other data"
}

// mostReasons is the number of reasons that a note lists.
const mostReasons = 6

// note returns a sentence such as "left out of the records: 8 results at n = 90, 4 results
// of 5nn with other settings; ...", the most frequent reason first.
func (n leftOut) note() string {
	reasons := slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(a, b))
	})
	var parts []string
	for i, reason := range reasons {
		if i == mostReasons {
			parts = append(parts, "and more")
			break
		}
		parts = append(parts, fmt.Sprintf("%d results %s", n[reason], reason))
	}
	return "left out of the records: " + strings.Join(parts, ", ") +
		"; they stay in the journals, and are records again of a study with these levels and settings"
}

// all yields the records in their order. Of their metrics they have those that the
// study asks for.
func (s *chosen) all() iter.Seq[records.Record] {
	return s.those(func(*storedResult) bool { return true })
}

// Failures are those of the records that are failures, in their order.
func (s *chosen) Failures() []records.Record {
	return slices.Collect(s.those(func(r *storedResult) bool { return r.failed }))
}

// those yields the records of some stored results.
func (s *chosen) those(want func(*storedResult) bool) iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		var list []storedResult
		for i := range s.cells {
			cell := &s.cells[i]
			for _, key := range cell.trials {
				list = list[:0]
				results := s.store.results(key)
				for k := range results {
					if r := &results[k]; want(r) && cell.has(r.recipe) {
						list = append(list, *r)
					}
				}
				slices.SortFunc(list, func(a, b storedResult) int {
					return cmp.Compare(s.classes[s.store.recipes[a.recipe].id], s.classes[s.store.recipes[b.recipe].id])
				})
				for j := range list {
					r := s.store.record(key, &list[j])
					r.Levels = cell.cell.Levels
					maps.DeleteFunc(r.Metrics, func(name string, _ float64) bool {
						return !slices.Contains(s.metrics, name) || slices.Contains(s.hidden, name)
					})
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}
