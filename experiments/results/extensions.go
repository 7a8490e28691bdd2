package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Extension describes a session that added replicates to a cell, because the number of
// replicates in the study had been increased.
type Extension struct {
	Day  string `json:"day"`
	From int    `json:"from"`           // replicates in the study of the earlier session
	To   int    `json:"to"`             // replicates in the study of the session
	Cell string `json:"cell,omitempty"` // id; "" if unknown
}

// extensions returns the value of Manifest.Extended: the increases of the number of replicates. It
// is nil if they are unknown.
func (f *Folder) extensions(s *Selection) []Extension {
	var former []Extension // in the stored manifest; nil if unknown
	if f.Manifest != nil {
		former = f.Manifest.Extended
	}
	isComputed := func(line storedLine) bool { // rather than imported from records.csv
		return line.file != fromRecords && !f.journals[line.file].isImported()
	}
	allImported := f.Len() > 0 && !slices.ContainsFunc(f.store.lines, isComputed)
	if allImported {
		return former // no session extended the study in this folder
	}
	list := append([]Extension{}, f.importedExtensions(former)...) // not nil, because the extensions are known
	for i := range f.store.cells {
		cell := &f.store.cells[i]
		for _, largest := range f.largestReplicates(cell, s.wanted[cell.id]) {
			list = append(list, f.extensionsOf(cell.id, largest)...)
		}
	}
	slices.SortFunc(list, func(a, b Extension) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
			strings.Compare(a.Cell, b.Cell))
	})
	return slices.Compact(list)
}

// importedExtensions returns the extensions to which imported results may belong. Imported results
// come from records.csv, which does not name their sessions.
//
// The argument former contains the extensions in the manifest. If former is nil, importedExtensions
// compares the studies of the sessions.
func (f *Folder) importedExtensions(former []Extension) []Extension {
	sessions := f.importedSessions()
	switch {
	case sessions == nil:
		return nil // the session of each imported result is known
	case former == nil:
		return plannedExtensions(sessions)
	}
	return former
}

// importedSessions returns the sessions that may have computed the imported results whose session is
// unknown. If there are none, it returns nil.
//
// If a file has only one session, this session computed all its results and is known.
func (f *Folder) importedSessions() (list []Session) {
	if f.HasImports && len(f.recorded) > 1 {
		list = slices.Clone(f.recorded)
	}
	for _, j := range f.journals {
		if j.isImported() && len(j.sessions) > 1 {
			list = append(list, j.sessions...)
		}
	}
	return list
}

// sessionReplicates maps each session to the largest replicate that it computed. The fields file and
// session of a key identify the session, and its field line is 0.
type sessionReplicates map[origin]int

// largestReplicates returns the largest replicate of each session in a cell, by classifier id.
//
// The argument wanted contains the study's recipes by classifier id. Results of other versions of a
// recipe count, too.
func (f *Folder) largestReplicates(cell *storedCell, wanted map[string]string) map[string]sessionReplicates {
	largest := map[string]sessionReplicates{}
	for replicate, results := range cell.trials {
		for _, r := range results {
			recipe := f.store.recipes.values[r.recipe]
			spec, runs := wanted[recipe.id]
			if !runs || !sameButVersion(spec, recipe.spec) {
				continue
			}
			if largest[recipe.id] == nil {
				largest[recipe.id] = sessionReplicates{}
			}
			session := f.store.lines[r.line].origin
			session.line = 0 // use the same key for all lines of the session
			largest[recipe.id][session] = max(largest[recipe.id][session], int(replicate))
		}
	}
	return largest
}

// extensionsOf returns the extensions of a classifier's results in a cell.
//
// A session extends the results if it computes new replicates, and its study has more replicates
// than the earlier results and the study before. A session that only computes missing
// replicates of an earlier study is no extension.
func (f *Folder) extensionsOf(cell string, largest sessionReplicates) (list []Extension) {
	computed := 0 // the largest replicate that the earlier sessions have computed
	planned := 0  // the number of replicates in the study of the previous session, or computed if this is larger
	for _, at := range slices.SortedFunc(maps.Keys(largest), f.compareTimes) {
		addsReplicates := computed > 0 && largest[at] > computed // the first session begins the study
		computed = max(computed, largest[at])
		session := f.sessionAt(at)
		if session == nil { // the session of imported results is unknown, and so is its study
			planned = f.importedPlan(computed)
			continue
		}
		if addsReplicates && session.Replicates > planned {
			list = append(list, Extension{Day: session.Day(), From: planned, To: session.Replicates, Cell: cell})
		}
		planned = max(computed, session.Replicates) // a later study may have fewer replicates than are stored
	}
	return list
}

// importedPlan estimates the number of replicates in the study that computed imported results. The
// argument n is the largest replicate so far.
//
// The candidates are the numbers of replicates in the studies of importedSessions. importedPlan
// returns the smallest candidate that is at least n. If all candidates are smaller, it returns n.
func (f *Folder) importedPlan(n int) int {
	planned := 0
	for _, s := range f.importedSessions() {
		if s.Replicates >= n && (planned == 0 || s.Replicates < planned) {
			planned = s.Replicates
		}
	}
	return cmp.Or(planned, n)
}

// plannedExtensions returns an extension for each session whose study has more replicates than all
// earlier studies. Use it if the sessions of the results are unknown. The cells of these extensions
// are then unknown, too.
func plannedExtensions(sessions []Session) (list []Extension) {
	planned := 0
	for _, s := range sortedByStart(sessions) {
		if planned > 0 && s.Replicates > planned {
			list = append(list, Extension{Day: s.Day(), From: planned, To: s.Replicates})
		}
		planned = max(planned, s.Replicates)
	}
	return list
}

// Extensions describes the extensions of the study, such as "from 20 to 50 replicates on
// 2026-11-24". It ignores replicates above the study's number. For equal extensions, it gives the
// earliest day.
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
		step := fmt.Sprintf("from %d to %d replicates", e.From, to)
		if isOfOtherCell || e.From >= to || seen[step] {
			continue
		}
		seen[step] = true
		list = append(list, step+" on "+e.Day)
	}
	return list
}
