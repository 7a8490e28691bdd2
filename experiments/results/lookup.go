package results

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

func (f *Folder) Len() int { return f.store.n }

// Rows returns an iterator over all stored results, sorted by cell, replicate, classifier and recipe.
func (f *Folder) Rows() iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		for _, key := range f.store.keys() {
			for _, r := range f.store.sorted(key) {
				if !yield(f.store.record(key, &r)) {
					return
				}
			}
		}
	}
}

// Row returns the stored result of a fit, or false. spec is the recipe of the classifier.
func (f *Folder) Row(cell string, replicate int, id, spec string) (records.Record, bool) {
	key, stored := f.store.find(cell, replicate, id, spec)
	if stored == nil {
		return records.Record{}, false
	}
	return f.store.record(key, stored), true
}

// A State is the state of a result in a folder.
type State int

const (
	Missing State = iota // no result is stored
	Done
	Failed
	LacksMetric      // the result was computed before a metric was requested
	LacksPredictions // required predictions are missing; only after a call of FindPredictions
)

// State returns the state of the result of a classifier in one replicate of a cell.
func (f *Folder) State(cell string, replicate int, e *study.Entry) State {
	key, stored := f.store.find(cell, replicate, e.ID, e.Spec)
	switch {
	case stored == nil:
		return Missing
	case stored.failed:
		return Failed
	case f.store.lacks(stored, f.Study.Metrics):
		return LacksMetric
	case f.unpredicted[storedFit{key, stored.recipe}]:
		return LacksPredictions
	}
	return Done
}

// lacks reports whether a successful result lacks a metric that its study did not request.
func (s *store) lacks(r *storedResult, metrics []string) bool {
	if r.failed {
		return false
	}
	return slices.ContainsFunc(metrics, func(name string) bool {
		return !slices.Contains(s.nameSets[r.requested], name) && !slices.Contains(s.nameSets[r.schema], name)
	})
}

// Trials returns all stored results as trials, sorted by cell and replicate.
func (f *Folder) Trials() (list []*trial.Trial) {
	for _, key := range f.store.keys() {
		list = append(list, f.store.trialOf(key, func(origin) bool { return true }))
	}
	return list
}

// Cells returns the ids, levels and data of all cells with stored results. Data is "" if the
// manifest does not describe the cell.
func (f *Folder) Cells() (list []ManifestCell) {
	for _, c := range f.store.cells {
		recorded, _ := f.Manifest.Cell(c.id)
		list = append(list, ManifestCell{ID: c.id, Levels: c.levels, Data: recorded.Data})
	}
	return list
}

// replicates returns the replicates of a cell that have results, in ascending order.
func (c *storedCell) replicates() []int32 { return slices.Sorted(maps.Keys(c.trials)) }

// results returns the results of one trial in the order in which they were read.
func (s *store) results(key trialKey) []storedResult {
	return s.cells[key.cell].trials[key.replicate]
}

// find returns the stored result of a fit, or nil if there is none.
func (s *store) find(cell string, replicate int, id, spec string) (trialKey, *storedResult) {
	c, isStored := s.cellAt[cell]
	recipe, hasRun := s.recipes.at[storedRecipe{id, spec}]
	if !isStored || !hasRun {
		return trialKey{}, nil
	}
	key := trialKey{c, int32(replicate)}
	list := s.results(key)
	for i := range list {
		if list[i].recipe == recipe {
			return key, &list[i]
		}
	}
	return key, nil
}

// matches reports whether the result in r is stored. A record without a recipe matches any recipe
// of its classifier. A record of a failure matches any result of the same fit.
func (s *store) matches(r *records.Record) bool {
	c, known := s.cellAt[r.Cell]
	if !known {
		return false
	}
	key := trialKey{c, int32(r.Replicate)}
	return slices.ContainsFunc(s.results(key), func(stored storedResult) bool {
		recipe := s.recipes.values[stored.recipe]
		if recipe.id != r.Classifier || r.Spec != "" && recipe.spec != r.Spec {
			return false // the result of another fit
		}
		old := s.record(key, &stored)
		return r.Status == records.Failed || old.Status == records.OK && agrees(r, &old)
	})
}

// trialOf returns a stored trial with the results whose origin satisfies wanted.
func (s *store) trialOf(key trialKey, wanted func(origin) bool) *trial.Trial {
	t := &trial.Trial{Cell: s.cells[key.cell].id, Levels: s.cells[key.cell].levels, Replicate: int(key.replicate)}
	for _, r := range s.sorted(key) {
		if line := &s.lines[r.line]; wanted(line.origin) {
			t.Data, t.NTest = line.data, line.nTest
			t.Results = append(t.Results, s.record(key, &r))
		}
	}
	return t
}

// byID returns the indices of all cells, sorted by id.
func (s *store) byID() (cells []int32) {
	for _, id := range slices.Sorted(maps.Keys(s.cellAt)) {
		cells = append(cells, s.cellAt[id])
	}
	return cells
}

// keys returns the keys of all trials, sorted by cell and replicate.
func (s *store) keys() (keys []trialKey) {
	for _, c := range s.byID() {
		for _, replicate := range s.cells[c].replicates() {
			keys = append(keys, trialKey{c, replicate})
		}
	}
	return keys
}

// sorted returns the results of one trial, sorted by classifier and recipe.
func (s *store) sorted(key trialKey) []storedResult {
	order := func(a, b storedResult) int {
		p, q := s.recipes.values[a.recipe], s.recipes.values[b.recipe]
		return cmp.Or(strings.Compare(p.id, q.id), strings.Compare(p.spec, q.spec))
	}
	list := s.results(key)
	if !slices.IsSortedFunc(list, order) {
		list = slices.Clone(list)
		slices.SortFunc(list, order)
	}
	return list
}
