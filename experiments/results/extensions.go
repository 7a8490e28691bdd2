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

// extensions returns the value of Manifest.Extended, which lists increases of the number of replicates. It finds the
// sessions that added replicates of the study to a cell. Imported results come from records.csv, which does not name
// the session of a result. If several sessions may have computed imported results, extensions includes the list of
// the manifest in the folder. If this list is unknown, it compares the studies of these sessions instead.
//
// If all results are imported, extensions returns only the list of the manifest, or nil if it is unknown.
func (f *Folder) extensions(s *Selection) []Extension {
	var listed []Extension // in the manifest; nil if unknown
	if f.Manifest != nil {
		listed = f.Manifest.Extended
	}
	isComputed := func(line storedLine) bool { // rather than imported from records.csv
		return line.file != fromRecords && !f.journals[line.file].isImported()
	}
	if f.Len() > 0 && !slices.ContainsFunc(f.store.lines, isComputed) {
		return listed
	}
	list := []Extension{} // not nil, because the extensions are known
	if imported := f.importedSessions(); imported != nil {
		if listed == nil {
			listed = plannedExtensions(imported)
		}
		list = append(list, listed...)
	}
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

// importedSessions returns the sessions that may have computed imported results. Imported results come from
// records.csv, which does not state the session of each result. If a file of imported results lists only one session,
// this session computed all of them, so importedSessions omits it. The list is nil if no sessions remain.
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

// largestReplicates returns the largest replicate that each session computed with each classifier in the given cell.
// extensionsOf finds the sessions that added replicates from these numbers. The outer key is the id of the classifier.
// The inner key identifies the session. It is an origin with the line number 0, because the results of a session are on
// many lines. wanted contains the study's recipes by classifier id. Results of other versions of these recipes count,
// too.
func (f *Folder) largestReplicates(cell *storedCell, wanted map[string]string) map[string]map[origin]int {
	largest := map[string]map[origin]int{}
	for replicate, results := range cell.trials {
		for _, r := range results {
			recipe := f.store.recipes.values[r.recipe]
			spec, runs := wanted[recipe.id]
			if !runs || !sameButVersion(spec, recipe.spec) {
				continue
			}
			if largest[recipe.id] == nil {
				largest[recipe.id] = map[origin]int{}
			}
			session := f.store.lines[r.line].origin
			session.line = 0 // the other fields, file and session, identify the session
			largest[recipe.id][session] = max(largest[recipe.id][session], int(replicate))
		}
	}
	return largest
}

// extensionsOf returns the extensions of a classifier's results in a cell. An extension is a session that computes
// more replicates than any earlier study had. A session that only computes missing replicates of an earlier study is
// not an extension. largest contains the largest replicate of each session; see largestReplicates.
func (f *Folder) extensionsOf(cell string, largest map[origin]int) (list []Extension) {
	computed := 0 // the largest replicate that the sessions so far have computed
	planned := 0  // the number of replicates in the study of the previous session, or computed if this is larger
	for _, at := range slices.SortedFunc(maps.Keys(largest), f.compareTimes) {
		before := computed
		computed = max(computed, largest[at])
		session := f.sessionAt(at)
		if session == nil { // the session of imported results is unknown, and so is its study
			planned = f.importedPlan(computed)
			continue
		}
		addsReplicates := before > 0 && computed > before // the first session begins the study
		if addsReplicates && session.Replicates > planned {
			list = append(list, Extension{Day: session.Day(), From: planned, To: session.Replicates, Cell: cell})
		}
		planned = max(computed, session.Replicates) // a later study may have fewer replicates than are stored
	}
	return list
}

// importedPlan estimates the number of replicates in the study that computed imported results. n is the largest
// replicate among these results and earlier ones. Imported results come from records.csv, which does not name the
// session of a result. importedPlan therefore compares the studies of all sessions from importedSessions. It returns
// the smallest of their numbers of replicates that is at least n, or n if there is none.
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
// is used if the results that each session computed are unknown. The cells of the extensions are then also unknown, so
// the field Cell is "".
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

// Extensions describes the extensions of the study, such as "from 20 to 50 replicates on 2026-11-24". It ignores
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
		step := fmt.Sprintf("from %d to %d replicates", e.From, to)
		if isOfOtherCell || e.From >= to || seen[step] {
			continue
		}
		seen[step] = true
		list = append(list, step+" on "+e.Day)
	}
	return list
}
