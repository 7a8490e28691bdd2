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

// A Selection contains the records of a study. A record is a stored result that belongs to the current
// version of the study. Records.Rows is empty unless the method Folder.Records filled it.
type Selection struct {
	*records.Records
	Notes []string // for the user, e.g. about stored results that are not records
	chosen
}

// Records returns the records of the study with all rows: the results of its cells and recipes, with
// all replicates that are stored. They are sorted by levels, replicate and classifier.
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

// chosen states which stored results are records of a study, and in which order.
type chosen struct {
	store   *store
	cells   []selectedCell // in the order of their levels
	classes map[string]int // places of classifiers in the study, by id
	metrics []string       // metrics that the study requests
	hidden  []string       // of these, metrics that some results lack
}

// A selectedCell is a stored cell of the study that has records.
type selectedCell struct {
	cell    *study.Cell
	specs   map[string]string // recipe of each classifier with records, by id
	recipes []int32           // the same recipes as places in the store
	trials  []trialKey        // trials with records, by replicate
}

// has reports whether results of a recipe, a place in the store, are records.
func (c *selectedCell) has(recipe int32) bool { return slices.Contains(c.recipes, recipe) }

// cellNamed returns the selected cell of an id; nil if it has no records.
func (s *chosen) cellNamed(id string) *selectedCell {
	for i := range s.cells {
		if s.cells[i].cell.ID == id {
			return &s.cells[i]
		}
	}
	return nil
}

// succeeded returns the record of a successful fit; false if there is none.
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

// Select chooses the records of the study without a list of their rows. Other stored results stay in
// the journals; notes count them.
func (f *Folder) Select() *Selection {
	s := f.Study
	c := &Selection{Records: &records.Records{Study: s.Name, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}}
	for _, factor := range s.Factors {
		c.Factors = append(c.Factors, records.Factor{Name: factor.Name, Levels: slices.Clone(factor.Levels)})
	}
	c.store, c.metrics = f.store, s.Metrics
	c.classes = map[string]int{}
	for i, id := range c.Classifiers {
		c.classes[id] = i
	}
	counts := c.chooseCells(s)
	order := records.Order(c.Factors)
	slices.SortFunc(c.cells, func(a, b selectedCell) int {
		return cmp.Or(order(a.cell.Levels, b.cell.Levels), strings.Compare(a.cell.ID, b.cell.ID))
	})
	c.Notes = slices.Concat(f.ProgramChanges(), c.hidePartialMetrics(), counts.notes(s))
	return c
}

// selectionCounts contains the numbers for the notes of a selection.
type selectionCounts struct {
	left  leftOut
	older map[string]bool // recipes of earlier versions among the records, with the present ones
	extra int             // records with replicates above the study's
}

// chooseCells sets the cells of a selection.
func (s *chosen) chooseCells(of *study.Study) selectionCounts {
	own := map[string]*study.Cell{}
	for _, cell := range of.Cells {
		own[cell.ID] = cell
	}
	counts := selectionCounts{leftOut{}, map[string]bool{}, 0}
	for _, index := range s.store.byID() {
		stored, sums := &s.store.cells[index], s.store.sums(index)
		cell := own[stored.id]
		if cell == nil {
			counts.left.cell(of, stored.levels, sums)
			continue
		}
		wanted := wantedRecipes(cell)
		for id, recorded := range s.store.recordedVersions(wanted, sums) {
			counts.older[fmt.Sprintf("%s (this binary has %s)", recorded, wanted[id])] = true
			wanted[id] = recorded
		}
		selected := s.store.choose(cell, index, wanted)
		for _, sum := range sums {
			if !selected.has(sum.recipe) {
				counts.left["of "+s.store.recipes[sum.recipe].id+" with other settings"] += sum.results
			}
		}
		counts.extra += s.store.resultsAbove(&selected, of.Replicates)
		if len(selected.trials) > 0 {
			s.cells = append(s.cells, selected)
		}
	}
	return counts
}

// notes returns a sentence for each number that is not zero.
func (c *selectionCounts) notes(s *study.Study) (notes []string) {
	if len(c.older) > 0 {
		notes = append(notes, fmt.Sprintf("results of earlier versions, as they were recorded: %s; copse run computes "+
			"them again", strings.Join(slices.Sorted(maps.Keys(c.older)), ", ")))
	}
	if c.extra > 0 {
		notes = append(notes, fmt.Sprintf("the study now has replicates: %d, but the records "+
			"also contain %d results of later replicates", s.Replicates, c.extra))
	}
	if len(c.left) > 0 {
		notes = append(notes, c.left.note())
	}
	return notes
}

// hidePartialMetrics hides each metric that some records lack because it was not requested when they were
// computed. Tables would otherwise compare records with and without the metric. It returns a note for each
// hidden metric.
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

// stored returns an iterator over the stored results that are records.
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

// resultsAbove returns the number of records of a cell whose replicate is larger than replicates.
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

// all returns an iterator over all records, in their order.
func (s *chosen) all() iter.Seq[records.Record] {
	return s.filtered(func(*storedResult) bool { return true })
}

// Failures returns the failed records in their order.
func (s *chosen) Failures() []records.Record {
	return slices.Collect(s.filtered(func(r *storedResult) bool { return r.failed }))
}

// filtered returns an iterator over the records whose stored results fulfil the condition want, in their
// order.
func (s *chosen) filtered(want func(*storedResult) bool) iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		var list []storedResult // of one trial; its memory is used again
		for i := range s.cells {
			cell := &s.cells[i]
			for _, key := range cell.trials {
				list = s.appendTrial(list[:0], cell, key, want)
				for k := range list {
					if !yield(s.record(cell, key, &list[k])) {
						return
					}
				}
			}
		}
	}
}

// appendTrial appends the results of a trial that are records and fulfil a condition, in the order of
// the study's classifiers.
func (s *chosen) appendTrial(
	list []storedResult, cell *selectedCell, key trialKey, want func(*storedResult) bool,
) []storedResult {
	for _, r := range s.store.results(key) {
		if cell.has(r.recipe) && want(&r) {
			list = append(list, r)
		}
	}
	place := func(r storedResult) int { return s.classes[s.store.recipes[r.recipe].id] }
	slices.SortFunc(list, func(a, b storedResult) int { return place(a) - place(b) })
	return list
}

// record returns a stored result as a record of the study, with the metrics that the study requests.
func (s *chosen) record(cell *selectedCell, key trialKey, stored *storedResult) records.Record {
	r := s.store.record(key, stored)
	r.Levels = cell.cell.Levels
	if k := cell.cell.Data.Folds; k > 0 {
		r.Repeat, r.Fold = records.FoldTask(r.Replicate, k), 1+(r.Replicate-1)%k
	}
	maps.DeleteFunc(r.Metrics, func(name string, _ float64) bool {
		return !slices.Contains(s.metrics, name) || slices.Contains(s.hidden, name)
	})
	return r
}
