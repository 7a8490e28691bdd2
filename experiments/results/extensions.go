package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Extension states that a session added replicates to a cell, because its study had more replicates than the
// study of an earlier session.
type Extension struct {
	Day  string `json:"day"`
	From int    `json:"from"`           // replicates in the study of the earlier session
	To   int    `json:"to"`             // replicates in the study of the session
	Cell string `json:"cell,omitempty"` // id; "" if unknown
}

// extensions returns the value of Manifest.Extended, which lists increases of the number of replicates. It ignores
// sessions that computed no results of the study. The sessions of results from records.csv may be unknown. For such
// results, it adds the extensions that the folder's manifest lists.
//
// If all results come from records.csv, it returns only the list of the manifest. This list is nil if the
// extensions are unknown.
func (f *Folder) extensions(s *Selection) []Extension {
	var stated []Extension // the list of the manifest; nil if unknown
	if f.Manifest != nil {
		stated = f.Manifest.Extended
	}
	isComputed := func(line storedLine) bool { // rather than imported from records.csv
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

// importedSessions returns the sessions that may have computed imported results, which come from records.csv. If a
// file of imported results has a single session, this session computed all of them, and importedSessions leaves it
// out. It returns nil if no sessions remain.
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

// reached returns the largest replicate number of each classifier and session in the given cell. The outer key is the
// id of the classifier. The inner key contains the file and number of the session; its line number is 0. wanted
// contains the study's recipes by classifier id. The results of other versions of these recipes count, too.
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
			session := f.store.lines[r.line].origin
			session.line = 0 // the other fields, file and session, identify the session
			reached[recipe.id][session] = max(reached[recipe.id][session], int(replicate))
		}
	}
	return reached
}

// extensionsOf returns the extensions of a classifier's results in a cell. An extension is a session that computes
// more replicates than any earlier study had. A session that only computes missing replicates of an earlier study is
// not an extension. reached contains the largest replicate number of each session, as in Folder.reached.
func (f *Folder) extensionsOf(cell string, reached map[origin]int) (list []Extension) {
	computed, planned := 0, 0 // the largest replicate so far, and the replicates in the studies so far
	for _, at := range slices.SortedFunc(maps.Keys(reached), f.compareTimes) {
		session, before := f.sessionAt(at), computed
		computed = max(computed, reached[at])
		if session == nil {
			planned = f.importedPlan(computed) // the study of imported results is unknown
			continue
		}
		if before > 0 && computed > before && session.Replicates > planned {
			list = append(list, Extension{Day: session.day(), From: planned, To: session.Replicates, Cell: cell})
		}
		planned = max(computed, session.Replicates) // a later study may have fewer replicates than are stored
	}
	return list
}

// importedPlan estimates how many replicates the study had when a session computed n imported replicates. The
// candidates are the numbers of replicates in the studies of all sessions from importedSessions. importedPlan returns
// the smallest candidate that is at least n, or n if there is none.
func (f *Folder) importedPlan(n int) int {
	planned := 0
	for _, s := range f.importedSessions() {
		if s.Replicates >= n && (planned == 0 || s.Replicates < planned) {
			planned = s.Replicates
		}
	}
	return cmp.Or(planned, n)
}

// plannedExtensions returns an extension for each session whose study has more replicates than all earlier studies. It
// is used for sessions whose computed results are unknown. The field Cell is therefore "".
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
// replicates above the study's number, because the records omit them. If several sessions contributed to the same
// extension, Extensions gives the day of the first one.
func (m *Manifest) Extensions() (list []string) {
	extended := m.Extended
	if extended == nil { // the manifest does not list extensions
		extended = plannedExtensions(m.Sessions)
	}
	seen := map[string]bool{}
	for _, e := range extended {
		_, isInStudy := m.Cell(e.Cell)
		isOfOtherCell := e.Cell != "" && !isInStudy // the cell is "" if it is unknown
		to := min(e.To, m.Replicates)
		step := fmt.Sprintf("%d to %d replicates", e.From, to)
		if isOfOtherCell || e.From >= to || seen[step] {
			continue
		}
		seen[step] = true
		list = append(list, step+" on "+e.Day)
	}
	return list
}
