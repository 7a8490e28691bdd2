package results

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/study"
	"copse/stats/records"
)

// A Selection contains the records of a study: the stored results of its current version.
// Records.Rows is empty unless Folder.Records filled it.
type Selection struct {
	*records.Records
	Notes   []string  // for the user
	Omitted []Omitted // the value of Manifest.Omitted

	study  *study.Study
	store  *store
	cells  []selectedCell               // in the order of their levels
	order  map[string]int               // index of each classifier in the study, by id
	wanted map[string]map[string]string // recipes of the records by cell and classifier id
	levels map[records.Levels]bool      // levels of the cells of the study
	hidden []string                     // metrics that the records omit, because some results lack them
}

// Records returns the records of the study, including the rows. They are sorted by levels,
// replicate and classifier.
func (f *Folder) Records() *Selection {
	c := f.Select()
	maxRows := 0
	for _, cell := range c.cells {
		maxRows += len(cell.trials) * len(cell.recipes)
	}
	c.Rows = slices.AppendSeq(make([]records.Record, 0, maxRows), c.filtered(anyResult))
	return c
}

// Release frees the memory of all stored results except the rows of s, which can no longer be read.
func (f *Folder) Release(s *Selection) {
	f.store, s.store = nil, nil
	runtime.GC() // return the memory now, not at the next collection
}

// A selectedCell is a cell of the study that has records.
type selectedCell struct {
	cell    *study.Cell
	recipes []int32    // indices in store.recipes of the recipes with records
	trials  []trialKey // trials with records, sorted by replicate
}

// Select chooses the stored results that are records of the study. The field Notes explains omitted
// and unusual results to the user.
func (f *Folder) Select() *Selection {
	s := newSelection(f.Study, f.store)
	omitted, older := s.chooseCells() // older describes accepted recipes of earlier versions
	s.Omitted = s.addKnown(omitted, f.Manifest)
	faults, coincidences := s.RepeatedData()
	s.Notes = slices.Concat(f.DataChanges(), f.ProgramChanges(), s.hidePartialMetrics(), s.earlierLimits(),
		faults, coincidences)
	if len(older) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("the records contain results of earlier versions: %s; `copse run` "+
			"computes them again", strings.Join(older, ", ")))
	}
	if len(omitted) > 0 {
		s.Notes = append(s.Notes, "the records omit "+strings.Join(OmittedInWords(omitted), ", ")+"; these results "+
			"stay in the journals, and a study with the same levels, settings and replicates uses them again")
	}
	return s
}

func newSelection(s *study.Study, stored *store) *Selection {
	of := &records.Records{Study: s.Name, Factors: s.Factors, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}
	c := &Selection{Records: of, study: s, store: stored, order: map[string]int{},
		levels: map[records.Levels]bool{}, wanted: map[string]map[string]string{}}
	for i, id := range c.Classifiers {
		c.order[id] = i
	}
	for _, cell := range s.Cells {
		c.wanted[cell.ID] = WantedRecipes(cell)
		c.levels[cell.Levels] = true
	}
	return c
}

// manyRows is a size at which independent samples of discrete columns are almost never equal.
const manyRows = 100

// RepeatedData describes each cell in which the user's generator drew the same data in several
// replicates.
//
// The repeats are faults if all replicates have the same data, or if the data have at least
// manyRows rows. Other repeats may be coincidences.
//
// RepeatedData misses some repeats, because it compares the data after random splits and noise.
func (s *Selection) RepeatedData() (faults, coincidences []string) {
	for _, c := range s.cells {
		if c.cell.Data.Program == nil {
			continue // copse's own generators use their seeds
		}
		trainingRows, _ := c.cell.Data.Rows()
		drawn, rows := 0, 0           // number of replicates with data, and number of rows in each
		distinct := map[string]bool{} // fingerprints of data
		for _, key := range c.trials {
			if line := s.drawnLine(key); line != nil {
				drawn++
				rows = line.nTest + trainingRows
				distinct[line.data] = true
			}
		}
		repeated := drawn - len(distinct)
		note := fmt.Sprintf("cell %s: the data of %d of %d replicates repeat the data of another; if this is "+
			"unlikely by chance, the replicates are not independent, and the generator must use its seeds",
			c.cell.ID, repeated, drawn)
		switch {
		case repeated == 0:
		case len(distinct) == 1 || rows >= manyRows:
			faults = append(faults, note)
		default:
			coincidences = append(coincidences, note)
		}
	}
	return faults, coincidences
}

// drawnLine returns a stored line with the data of a trial, or nil if no data could be drawn.
func (s *Selection) drawnLine(key trialKey) *storedLine {
	for _, r := range s.store.results(key) {
		if line := &s.store.lines[r.line]; line.data != "" {
			return line
		}
	}
	return nil
}

// chooseCells sets s.cells to the cells with records, and returns the other stored results as
// omitted. older describes the accepted recipes of other versions (see acceptOlder), in
// alphabetical order.
func (s *Selection) chooseCells() (omitted []Omitted, older []string) {
	studyCells := map[string]*study.Cell{}
	for _, cell := range s.study.Cells {
		studyCells[cell.ID] = cell
	}
	for _, index := range s.store.byID() { // index in store.cells
		cell := studyCells[s.store.cells[index].id]
		if cell != nil {
			recipes := s.recipesIn(index)
			older = append(older, s.acceptOlder(cell.ID, recipes)...) // before chooseCell, because it changes s.wanted
			s.chooseCell(cell, index, recipes)
		}
		omitted = append(omitted, s.omittedIn(index)...) // all results, if the study lacks the cell
	}
	slices.Sort(older)
	older = slices.Compact(older)
	byLevels := records.Order(s.Factors)
	slices.SortFunc(s.cells, func(a, b selectedCell) int {
		return cmp.Or(byLevels(a.cell.Levels, b.cell.Levels), strings.Compare(a.cell.ID, b.cell.ID))
	})
	return omitted, older
}

// acceptOlder handles classifiers that have only results of other versions in a cell, usually older
// ones. It stores the latest of these recipes in s.wanted, and returns a description of each.
// recipes contains the recipes with results, as indices in store.recipes.
func (s *Selection) acceptOlder(cell string, recipes []int32) (older []string) {
	wanted := s.wanted[cell]          // recipes by classifier id
	versions := map[string][]string{} // recipes with results that equal the wanted one except for the version
	for _, index := range recipes {
		recipe := s.store.recipes.values[index]
		spec, isWanted := wanted[recipe.id]
		if isWanted && sameButVersion(recipe.spec, spec) {
			versions[recipe.id] = append(versions[recipe.id], recipe.spec)
		}
	}
	for id, specs := range versions {
		if slices.Contains(specs, wanted[id]) {
			continue // the wanted recipe has results
		}
		latest := slices.MaxFunc(specs, compareVersions)
		older = append(older, fmt.Sprintf("%s (this binary has %s)", latest, wanted[id]))
		wanted[id] = latest
	}
	return older
}

// chooseCell adds a cell to s.cells if it has records: results of the wanted recipes in the study's
// replicates. cellIndex is the index of the cell in store.cells. recipes contains the recipes with
// results, as indices in store.recipes; chooseCell changes this list.
func (s *Selection) chooseCell(cell *study.Cell, cellIndex int32, recipes []int32) {
	wanted := s.wanted[cell.ID] // by classifier id
	isUnwanted := func(index int32) bool {
		recipe := s.store.recipes.values[index]
		return recipe.spec != wanted[recipe.id]
	}
	recipes = slices.DeleteFunc(recipes, isUnwanted)
	isRecord := func(r storedResult) bool { return slices.Contains(recipes, r.recipe) }
	var trials []trialKey
	for _, replicate := range s.store.cells[cellIndex].replicates() {
		key := trialKey{cellIndex, replicate}
		if int(replicate) <= s.study.Replicates && slices.ContainsFunc(s.store.results(key), isRecord) {
			trials = append(trials, key)
		}
	}
	if len(trials) > 0 {
		s.cells = append(s.cells, selectedCell{cell, recipes, trials})
	}
}

// hidePartialMetrics hides each metric that some records lack, because tables would compare
// different sets of records. It returns a note for each.
func (s *Selection) hidePartialMetrics() (notes []string) {
	for _, name := range s.Metrics {
		lacking := 0 // number of records without the metric
		for range s.eachResult(func(r *storedResult) bool { return s.store.lacks(r, []string{name}) }) {
			lacking++
		}
		if lacking > 0 {
			s.hidden = append(s.hidden, name)
			notes = append(notes, fmt.Sprintf("the records omit %s because %d results lack it; `copse run` computes it",
				name, lacking))
		}
	}
	return notes
}

func WantedRecipes(cell *study.Cell) map[string]string {
	wanted := map[string]string{}
	for _, e := range cell.Classifiers {
		wanted[e.ID] = e.Spec
	}
	return wanted
}

// recipesIn returns the recipes with results in the study's replicates of the cell
// store.cells[index], as indices in store.recipes.
func (s *Selection) recipesIn(index int32) (present []int32) {
	for replicate, results := range s.store.cells[index].trials {
		for _, r := range results {
			if int(replicate) <= s.study.Replicates && !slices.Contains(present, r.recipe) {
				present = append(present, r.recipe)
			}
		}
	}
	return present
}

// sameButVersion reports whether two recipes have the same name and parameters.
func sameButVersion(a, b string) bool {
	nameA, _, parametersA := splitRecipe(a)
	nameB, _, parametersB := splitRecipe(b)
	return nameA == nameB && parametersA == parametersB
}

// compareVersions compares the versions of two recipes.
func compareVersions(a, b string) int {
	_, versionA, _ := splitRecipe(a)
	_, versionB, _ := splitRecipe(b)
	return cmp.Compare(versionA, versionB)
}

// splitRecipe splits a recipe of the form name/version{parameters}. version is 0 if the recipe has none.
func splitRecipe(spec string) (name string, version int, parameters string) {
	name, rest, _ := strings.Cut(spec, "/")
	number, parameters, _ := strings.Cut(rest, "{")
	version, _ = strconv.Atoi(number)
	return name, version, parameters
}

// anyResult returns true. Pass it to filtered or eachResult to get all records.
func anyResult(*storedResult) bool { return true }

// Failures returns the failed records in the order of filtered.
func (s *Selection) Failures() []records.Record {
	return slices.Collect(s.filtered(func(r *storedResult) bool { return r.failed }))
}

// filtered returns an iterator over the records whose stored results satisfy want, sorted by
// levels, replicate and classifier.
func (s *Selection) filtered(want func(*storedResult) bool) iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		for at, stored := range s.eachResult(want) {
			if !yield(s.record(at, stored)) {
				return
			}
		}
	}
}

// A cellTrial is a trial with its cell in the study.
type cellTrial struct {
	cell  *study.Cell
	trial trialKey
}

// eachResult returns an iterator over the stored results of records that satisfy want, sorted by
// levels, replicate and classifier. A result is valid only until the next trial.
func (s *Selection) eachResult(want func(*storedResult) bool) iter.Seq2[cellTrial, *storedResult] {
	return func(yield func(cellTrial, *storedResult) bool) {
		var list []storedResult // of one trial; the next trial uses the same memory
		for _, c := range s.cells {
			for _, key := range c.trials {
				list = s.appendTrial(list[:0], c.recipes, key, want)
				for k := range list {
					if !yield(cellTrial{c.cell, key}, &list[k]) {
						return
					}
				}
			}
		}
	}
}

// appendTrial returns the results of a trial with the given recipes that satisfy want, in the order
// of the study's classifiers. It uses the memory of list, which must be empty.
func (s *Selection) appendTrial(
	list []storedResult, recipes []int32, key trialKey, want func(*storedResult) bool,
) []storedResult {
	for _, r := range s.store.results(key) {
		if slices.Contains(recipes, r.recipe) && want(&r) {
			list = append(list, r)
		}
	}
	position := func(r storedResult) int { return s.order[s.store.recipes.values[r.recipe].id] }
	slices.SortFunc(list, func(a, b storedResult) int { return position(a) - position(b) })
	return list
}

// record converts a stored result to a record of the study. It omits hidden and unrequested
// metrics.
func (s *Selection) record(at cellTrial, stored *storedResult) records.Record {
	r := s.store.record(at.trial, stored)
	r.Levels = at.cell.Levels
	if k := at.cell.Data.Folds; k > 0 {
		r.Repeat, r.Fold = records.FoldTask(r.Replicate, k), 1+(r.Replicate-1)%k
	}
	maps.DeleteFunc(r.Metrics, func(name string, _ float64) bool {
		return !slices.Contains(s.Metrics, name) || slices.Contains(s.hidden, name)
	})
	return r
}
