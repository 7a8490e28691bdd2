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

// Records returns the results that belong to the study as it is now: those of
// its cells and recipes, with all replicates that there are, and those of cells
// with other levels of the same factors, left from sweeps. They are sorted by
// levels, replicate and classifier.
func (l *Ledger) Records(s *study.Study) *Selection {
	c := l.Select(s)
	for r := range c.all() {
		c.Rows = append(c.Rows, r)
	}
	return c
}

// A chosen says which stored results are a study's records, in their order.
type chosen struct {
	store   *store
	cells   []selectedCell // in the order of their levels
	classes map[string]int // classifier ids with their places
	metrics []string       // that the study asks for
}

// A selectedCell is a cell of the ledger that has records.
type selectedCell struct {
	index   int32 // in the store
	id      string
	levels  records.Levels
	data    string            // canonical content
	cell    *study.Cell       // as the study has it, or would have it at the levels of an earlier sweep
	specs   map[string]string // the recipe of each id
	recipes []int32           // likewise, in the store
	trials  []trialKey        // by replicate
}

// has tells whether the records have results of a stored recipe.
func (c *selectedCell) has(recipe int32) bool { return slices.Contains(c.recipes, recipe) }

func (s *chosen) cellNamed(id string) *selectedCell {
	for i := range s.cells {
		if s.cells[i].id == id {
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

// StudyCells lists the cells of the records: those of the study, and of earlier sweeps.
func (s *chosen) StudyCells() []*study.Cell {
	var list []*study.Cell
	for i := range s.cells {
		list = append(list, s.cells[i].cell)
	}
	return list
}

// Select chooses a study's records without spelling them out.
func (l *Ledger) Select(s *study.Study) *Selection {
	c := &Selection{Records: &records.Records{Study: s.Name, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}}
	for _, f := range s.Factors {
		c.Factors = append(c.Factors, records.Factor{Name: f.Name, Levels: slices.Clone(f.Levels)})
	}
	c.store, c.classes, c.metrics = &l.store, map[string]int{}, s.Metrics
	for i, id := range c.Classifiers {
		c.classes[id] = i
	}
	rules := l.newRules(s)
	var foreign, replaced, mixed int
	older := map[string]bool{}
	for _, first := range l.store.byID() {
		stored := &l.store.cells[first]
		cell := selectedCell{index: first, id: stored.id, specs: map[string]string{}}
		wanted, is := rules.of(stored, &cell)
		there := l.store.sums(first)
		for id, recorded := range l.recordedVersions(wanted, there) {
			older[fmt.Sprintf("%s (this binary has %s)", recorded, wanted[id])] = true
			wanted[id] = recorded
		}
		for _, v := range there {
			recipe := l.store.recipes[v.recipe]
			spec, ok := wanted[recipe.id]
			switch {
			case is == foreignCell:
				foreign += v.results
			case is == mixedCell:
				mixed += v.results
			case !ok || spec != recipe.spec:
				replaced += v.results
			default:
				cell.specs[recipe.id] = recipe.spec
				cell.recipes = append(cell.recipes, v.recipe)
			}
		}
		for replicate, list := range stored.trials.all() {
			if slices.ContainsFunc(list, func(r storedResult) bool { return cell.has(r.recipe) }) {
				cell.trials = append(cell.trials, trialKey{first, replicate})
			}
		}
		if len(cell.trials) > 0 {
			c.cells = append(c.cells, cell)
		}
	}
	c.orderCells(s)
	if len(older) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("results of earlier versions, as they were recorded: %s; copse run computes them again", strings.Join(slices.Sorted(maps.Keys(older)), ", ")))
	}
	if replaced > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results of earlier recipes or settings stay in the journal and out of the records", replaced))
	}
	if foreign > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results with other factors stay in the journal and out of the records", foreign))
	}
	if mixed > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results at other levels stay in the journal and out of the records: the study as it is now would draw other data there (use another --out for another study)", mixed))
	}
	return c
}

// orderCells adds levels of earlier sweeps to the factors and sorts the cells
// as records.Sort does.
func (c *Selection) orderCells(s *study.Study) {
	meet := records.Meet(c.Factors)
	for _, cell := range c.cells {
		meet(cell.levels)
	}
	for i := range c.Factors {
		orderLevels(&c.Factors[i], len(s.Factors[i].Levels))
	}
	order := records.Order(c.Factors)
	slices.SortFunc(c.cells, func(a, b selectedCell) int {
		return cmp.Or(order(a.levels, b.levels), strings.Compare(a.id, b.id))
	})
}

// orderLevels sorts numeric levels by value; otherwise levels that the study
// does not list follow its own, by name.
func orderLevels(f *records.Factor, own int) {
	numbers := map[string]float64{}
	for _, l := range f.Levels {
		if v, err := strconv.ParseFloat(l, 64); err == nil {
			numbers[l] = v
		}
	}
	if len(numbers) < len(f.Levels) {
		slices.Sort(f.Levels[own:])
	} else if own < len(f.Levels) {
		slices.SortStableFunc(f.Levels, func(a, b string) int {
			return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b))
		})
	}
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
					r.Levels = cell.levels
					maps.DeleteFunc(r.Metrics, func(name string, _ float64) bool { return !slices.Contains(s.metrics, name) })
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}
