package results

import (
	"strconv"
	"strings"
	"sync"

	"copse/experiments/study"
	"copse/stats/records"
)

// rules tell which results of a cell a study wants.
type rules struct {
	study   *study.Study
	cells   map[string]*study.Cell
	levels  map[records.Levels]bool // of the study's cells
	earlier func() []*study.Study
}

func (l *Ledger) newRules(s *study.Study) rules {
	r := rules{s, map[string]*study.Cell{}, map[records.Levels]bool{}, sync.OnceValue(func() []*study.Study { list, _ := l.Earlier(s); return list })}
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
