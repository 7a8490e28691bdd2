package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Extension states that a session added replicates to results of a cell. An earlier session had computed these
// results with fewer planned replicates.
type Extension struct {
	Day  string `json:"day"`
	From int    `json:"from"`           // replicates of the earlier session
	To   int    `json:"to"`             // replicates of the session
	Cell string `json:"cell,omitempty"` // id; "" if unknown
}

// extensions returns the value of Manifest.Extended. It ignores sessions that computed no results of the study. If
// results come from records.csv, it adds the extensions in the folder's manifest. If all results come from there, it
// returns only these.
func (f *Folder) extensions(s *Selection) []Extension {
	var stated []Extension // nil: unknown
	if f.Manifest != nil {
		stated = f.Manifest.Extended
	}
	isComputed := func(line storedLine) bool {
		return line.file != fromRecords && !f.journals[line.file].isImported()
	}
	if f.Len() > 0 && !slices.ContainsFunc(f.store.lines, isComputed) {
		return stated
	}
	list := []Extension{}
	if imported := f.importedSessions(); imported != nil {
		if stated == nil {
			stated = plannedExtensions(imported)
		}
		list = append(list, stated...)
	}
	for i := range f.store.cells {
		cell := &f.store.cells[i]
		for _, reached := range f.reached(cell, s.wanted[cell.id]) {
			list = append(list, f.extensionsOf(cell.id, reached)...)
		}
	}
	slices.SortFunc(list, func(a, b Extension) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
			strings.Compare(a.Cell, b.Cell))
	})
	return slices.Compact(list)
}

// importedSessions returns the sessions that may have computed the results whose sessions are unknown. It returns
// nil if there are no such results.
func (f *Folder) importedSessions() (list []Session) {
	if f.hasImports && len(f.recorded) > 1 {
		list = slices.Clone(f.recorded)
	}
	for _, j := range f.journals {
		if j.isImported() && len(j.sessions) > 1 {
			list = append(list, j.sessions...)
		}
	}
	return list
}

// reached returns the largest replicate that each session computed of each classifier in a cell. The keys are the
// classifier's id and the origin of the session's results, without their lines. wanted contains the recipes of the
// study by classifier id. The results of other versions of these recipes count, too.
func (f *Folder) reached(cell *storedCell, wanted map[string]string) map[string]map[origin]int {
	reached := map[string]map[origin]int{}
	for replicate, results := range cell.trials {
		for _, r := range results {
			recipe := f.store.recipes.values[r.recipe]
			spec, runs := wanted[recipe.id]
			if !runs || !sameButVersion(spec, recipe.spec) {
				continue
			}
			if reached[recipe.id] == nil {
				reached[recipe.id] = map[origin]int{}
			}
			at := f.store.lines[r.line].origin
			at.line = 0
			reached[recipe.id][at] = max(reached[recipe.id][at], int(replicate))
		}
	}
	return reached
}

// extensionsOf returns the extensions of a classifier's results in a cell. reached contains the largest replicate of
// each session, as in Folder.reached. A session that continues an interrupted one is no extension.
func (f *Folder) extensionsOf(cell string, reached map[origin]int) (list []Extension) {
	computed, planned := 0, 0 // numbers of replicates so far
	for _, at := range slices.SortedFunc(maps.Keys(reached), f.compareTimes) {
		session, before := f.sessionAt(at), computed
		computed = max(computed, reached[at])
		if session == nil {
			planned = f.importedPlan(computed)
			continue
		}
		if before > 0 && computed > before && session.Replicates > planned {
			list = append(list, Extension{Day: session.day(), From: planned, To: session.Replicates, Cell: cell})
		}
		planned = max(computed, session.Replicates)
	}
	return list
}

// importedPlan returns the smallest number of replicates of a session that may have computed n imported replicates.
func (f *Folder) importedPlan(n int) int {
	planned := 0
	for _, s := range f.importedSessions() {
		if s.Replicates >= n && (planned == 0 || s.Replicates < planned) {
			planned = s.Replicates
		}
	}
	return cmp.Or(planned, n)
}

// plannedExtensions returns the extensions that follow from the planned replicates of sessions, if it is unknown
// which results they computed.
func plannedExtensions(sessions []Session) (list []Extension) {
	planned := 0
	for _, s := range sortedByStart(sessions) {
		if planned > 0 && s.Replicates > planned {
			list = append(list, Extension{Day: s.day(), From: planned, To: s.Replicates})
		}
		planned = max(planned, s.Replicates)
	}
	return list
}

// Extensions describes the extensions of the study, such as "20 to 50 replicates on 2026-11-24". It ignores
// replicates above the study's number, because the records omit them. If an extension took several sessions, it
// states the first day.
func (m *Manifest) Extensions() (list []string) {
	extended := m.Extended
	if extended == nil {
		extended = plannedExtensions(m.Sessions)
	}
	seen := map[string]bool{}
	for _, e := range extended {
		_, isInStudy := m.Cell(e.Cell)
		to := min(e.To, m.Replicates)
		step := fmt.Sprintf("%d to %d replicates", e.From, to)
		if e.Cell != "" && !isInStudy || e.From >= to || seen[step] {
			continue
		}
		seen[step] = true
		list = append(list, step+" on "+e.Day)
	}
	return list
}
