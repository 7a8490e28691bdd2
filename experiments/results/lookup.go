package results

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// Len is the number of results.
func (l *Ledger) Len() int { return l.store.n }

// Rows yields the results by cell, replicate, id and recipe: sums must not depend on
// the order of a map.
func (l *Ledger) Rows() iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		for _, key := range l.store.keys() {
			for _, r := range l.store.sorted(key) {
				if !yield(l.store.record(key, &r)) {
					return
				}
			}
		}
	}
}

// Row finds one result.
func (l *Ledger) Row(cell string, replicate int, id, spec string) (records.Record, bool) {
	key, stored := l.store.at(cell, replicate, id, spec)
	if stored == nil {
		return records.Record{}, false
	}
	return l.store.record(key, stored), true
}

// SessionOf returns the session that stored a result, counted in Sessions; -1 where
// that is not known.
func (l *Ledger) SessionOf(r *records.Record) int {
	_, stored := l.store.at(r.Cell, r.Replicate, r.Classifier, r.Spec)
	if stored == nil {
		return -1
	}
	return l.store.lines[stored.line].session
}

// Has tells whether Row finds a result, and whether that failed.
func (l *Ledger) Has(cell string, replicate int, id, spec string) (done, failed bool) {
	_, r := l.store.at(cell, replicate, id, spec)
	return r != nil, r != nil && r.failed
}

// Finder is Has for some recipes of one cell, which it finds by their places in the
// list: fast for one replicate after the other.
func (l *Ledger) Finder(cell string, entries []study.Entry) func(replicate, place int) (done, failed bool) {
	c, known := l.store.cellAt[cell]
	if !known {
		return func(int, int) (done, failed bool) { return false, false }
	}
	recipes := make([]int32, len(entries))
	for k, e := range entries {
		i, ran := l.store.recipeAt[storedRecipe{e.ID, e.Spec}]
		if recipes[k] = i; !ran {
			recipes[k] = -1
		}
	}
	last, list := -1, []storedResult(nil)
	return func(replicate, place int) (done, failed bool) {
		if replicate != last {
			last, list = replicate, l.store.results(trialKey{c, int32(replicate)})
		}
		if place < len(list) && list[place].recipe == recipes[place] { // mostly trials have the study's order
			return true, list[place].failed
		}
		for i := range list {
			if list[i].recipe == recipes[place] {
				return true, list[i].failed
			}
		}
		return false, false
	}
}

// Trials gathers the results into trials, by cell and replicate.
func (l *Ledger) Trials() (list []*trial.Trial) {
	for _, key := range l.store.keys() {
		list = append(list, l.store.trialOf(key, func(origin) bool { return true }))
	}
	return list
}

// A KnownCell is a cell that has results.
type KnownCell struct {
	ID      string
	Levels  records.Levels
	Content string // canonical content of its data; "" where the manifest does not tell
}

// Cells lists the cells that have results.
func (l *Ledger) Cells() []KnownCell {
	var list []KnownCell
	for _, c := range l.store.cells {
		list = append(list, KnownCell{c.id, c.levels, l.cells[c.id].Data})
	}
	return list
}

// results are those of one trial, in the order in which they were read.
func (s *store) results(key trialKey) []storedResult {
	return s.cells[key.cell].trials.at(key.replicate)
}

// at returns the stored result of a key; nil: there is none.
func (s *store) at(cell string, replicate int, id, spec string) (trialKey, *storedResult) {
	c, known := s.cellAt[cell]
	recipe, ran := s.recipeAt[storedRecipe{id, spec}]
	if known && ran {
		key := trialKey{c, int32(replicate)}
		list := s.results(key)
		for i := range list {
			if list[i].recipe == recipe {
				return key, &list[i]
			}
		}
	}
	return trialKey{}, nil
}

// says tells whether a stored result says what a record says, under any recipe
// where none is given. One that succeeded stands for a failure.
func (s *store) says(r *records.Record, spec string) bool {
	c, known := s.cellAt[r.Cell]
	if !known {
		return false
	}
	for _, o := range s.results(trialKey{c, int32(r.Replicate)}) {
		made, line := s.recipes[o.recipe], s.lines[o.line]
		if made.id != r.Classifier || spec != "" && made.spec != spec {
			continue
		}
		if r.Status == records.Failed || !o.failed && int(o.errors) == r.Errors && o.ber == r.BER && line.data == r.Data && line.nTest == r.NTest {
			return true
		}
	}
	return false
}

// trialOf gathers those results of a trial that were read where it is wanted.
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

// byID lists the cells by their ids.
func (s *store) byID() []int32 {
	cells := make([]int32, len(s.cells))
	for i := range cells {
		cells[i] = int32(i)
	}
	slices.SortFunc(cells, func(a, b int32) int { return strings.Compare(s.cells[a].id, s.cells[b].id) })
	return cells
}

// keys lists the trials by cell and replicate.
func (s *store) keys() (keys []trialKey) {
	for _, c := range s.byID() {
		for replicate := range s.cells[c].trials.all() {
			keys = append(keys, trialKey{c, replicate})
		}
	}
	return keys
}

// sorted are the results of one trial by id and recipe.
func (s *store) sorted(key trialKey) []storedResult {
	order := func(a, b storedResult) int {
		p, q := s.recipes[a.recipe], s.recipes[b.recipe]
		return cmp.Or(strings.Compare(p.id, q.id), strings.Compare(p.spec, q.spec))
	}
	list := s.results(key)
	if !slices.IsSortedFunc(list, order) {
		list = slices.Clone(list)
		slices.SortFunc(list, order)
	}
	return list
}
