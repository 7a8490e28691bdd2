package ledger

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

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

// recordedVersions returns, for each id of which a cell has no result of the
// wanted recipe, the latest other version of the same recipe that it has results
// of: what was recorded by an older binary is shown until it is computed again.
func (l *Ledger) recordedVersions(wanted map[string]string, there []recipeSum) map[string]string {
	versions := map[string]int{} // by id, of the recipes found
	current := map[string]bool{}
	found := map[string]string{}
	for _, v := range there {
		stored := l.store.recipes[v.recipe]
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

// splitRecipe takes name/version{parameters} apart.
func splitRecipe(spec string) (name string, version int, parameters string) {
	name, rest, _ := strings.Cut(spec, "/")
	number, parameters, _ := strings.Cut(rest, "{")
	version, _ = strconv.Atoi(number) // 0 for what has no version
	return name, version, parameters
}

// rules tell which results of a cell a study wants.
type rules struct {
	study   *study.Study
	cells   map[string]*study.Cell
	levels  map[records.Levels]bool // of the study's cells
	earlier func() []*study.Study
}

func (l *Ledger) newRules(s *study.Study) rules {
	r := rules{s, map[string]*study.Cell{}, map[records.Levels]bool{}, sync.OnceValue(func() []*study.Study { return l.Earlier(s) })}
	for _, c := range s.Cells {
		r.cells[c.ID], r.levels[c.Levels] = c, true
	}
	return r
}

// standing says what a stored cell is to a study.
type standing int

const (
	ownCell     standing = iota // of the study, or of an earlier sweep over its factors
	mixedCell                   // at other levels, of data that the study would not draw there
	foreignCell                 // of other factors
)

// of returns the recipe of each id that a study wants of a stored cell, and
// names the cell's levels. A cell at the levels of one of the study's own, but of
// other content, is its own and not wanted: the recipe of its data has changed.
func (r *rules) of(stored *storedCell, cell *selectedCell) (wanted map[string]string, is standing) {
	own, ok := r.cells[stored.id]
	cell.levels = stored.levels
	switch {
	case ok:
		cell.levels = own.Levels // the study may have other names for them now
	case stored.levels.On(records.FactorNames(r.study.Factors)) != stored.levels:
		return nil, foreignCell
	case r.levels[cell.levels]:
		return nil, ownCell
	default:
		if own = r.study.At(stored.levels, r.earlier()); own == nil || own.ID != stored.id {
			return nil, mixedCell
		}
	}
	cell.data, cell.cell, wanted = own.Key, own, map[string]string{}
	for _, e := range own.Classifiers {
		wanted[e.ID] = e.Spec
	}
	return wanted, ownCell
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
