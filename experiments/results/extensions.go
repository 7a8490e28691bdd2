package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Extension describes a session that added replicates to a cell after the study's number of
// replicates was increased.
type Extension struct {
	Day  string `json:"day"`
	From int    `json:"from"`           // replicates in the earlier study
	To   int    `json:"to"`             // replicates in the session's study
	Cell string `json:"cell,omitempty"` // id; "" if unknown
}

// extensions returns the value of Manifest.Extended: the sessions that extended the results to more
// replicates. It returns nil if they are unknown.
func (f *Folder) extensions(s *Selection) []Extension {
	var listed []Extension // in the earlier manifest; nil if unknown
	if f.Manifest != nil {
		listed = f.Manifest.Extended
	}
	isComputed := func(line storedLine) bool { // not imported from records.csv
		return line.file != fromRecords && !f.journals[line.file].isImported()
	}
	allImported := f.Len() > 0 && !slices.ContainsFunc(f.store.lines, isComputed)
	if allImported {
		return listed // the journals of the sessions are missing, so only the manifest can list extensions
	}
	list := []Extension{} // known from here on, so never nil
	list = append(list, f.importedExtensions(listed)...)
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

// importedExtensions returns all extensions to which imported results may belong. Which of them
// apply is unknown, because records.csv does not name the sessions of its results. listed contains
// the extensions in the manifest, or nil.
func (f *Folder) importedExtensions(listed []Extension) []Extension {
	sessions := f.importedSessions()
	switch {
	case sessions == nil:
		return nil // the session of each imported result is known
	case listed == nil:
		return plannedExtensions(sessions)
	}
	return listed
}

// importedSessions returns sessions that may have computed imported results. It omits files with a
// single session, because this session must have computed their results.
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

// sessionReplicates maps each session to the highest replicate number that it computed. The field
// line of the keys is 0.
type sessionReplicates map[origin]int

// largestReplicates returns the highest replicate number of each session in a cell, by classifier
// id. It includes results of other versions of the recipes in wanted.
func (f *Folder) largestReplicates(cell *storedCell, wanted map[string]string) map[string]sessionReplicates {
	largest := map[string]sessionReplicates{}
	for replicate, results := range cell.trials {
		for _, r := range results {
			recipe := f.store.recipes.values[r.recipe]
			spec, runs := wanted[recipe.id]
			if !runs || !sameButVersion(spec, recipe.spec) {
				continue // the study does not run the classifier with these settings
			}
			if largest[recipe.id] == nil {
				largest[recipe.id] = sessionReplicates{}
			}
			session := f.store.lines[r.line].origin // file, session and line
			session.line = 0                        // so that all lines of a session have the same key
			largest[recipe.id][session] = max(largest[recipe.id][session], int(replicate))
		}
	}
	return largest
}

// extensionsOf returns the extensions of a classifier's results in a cell. The map largest contains
// the highest replicate number of each session.
//
// A session extends the results if it computes new replicates for a study with more replicates than
// all earlier results and the previous study. The first session extends nothing.
func (f *Folder) extensionsOf(cell string, largest sessionReplicates) (list []Extension) {
	computed := 0 // the highest replicate number of the sessions so far
	planned := 0  // the number of replicates in the study of the last session, but at least computed
	byTime := slices.SortedFunc(maps.Keys(largest), f.compareTimes)
	for _, key := range byTime {
		isFirst := computed == 0
		addsReplicates := !isFirst && largest[key] > computed
		computed = max(computed, largest[key])
		session := f.sessionAt(key)
		if session == nil { // imported results do not name their session, so its study is unknown
			planned = f.estimatePlanned(computed)
			continue
		}
		if addsReplicates && session.Replicates > planned {
			list = append(list, Extension{Day: session.Day(), From: planned, To: session.Replicates, Cell: cell})
		}
		planned = max(computed, session.Replicates) // a later study may have fewer replicates than are stored
	}
	return list
}

// estimatePlanned estimates how many replicates the study of imported results had. n is the highest
// replicate number among these results. The estimate is the smallest number of replicates, at least
// n, of the studies of importedSessions or, without such a study, n.
func (f *Folder) estimatePlanned(n int) int {
	planned := 0
	for _, s := range f.importedSessions() {
		if s.Replicates >= n && (planned == 0 || s.Replicates < planned) {
			planned = s.Replicates
		}
	}
	return cmp.Or(planned, n)
}

// plannedExtensions returns an extension for each session whose study has more replicates than all
// earlier studies. These extensions name no cell.
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
// 2026-11-24". It ignores replicates above the study's number, and repeated extensions.
func (m *Manifest) Extensions() (list []string) {
	extended := m.Extended
	if extended == nil {
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
