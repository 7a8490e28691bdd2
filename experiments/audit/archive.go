// Package audit checks results folders and recomputes stored trials.
package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// An Archive is an open results folder with the configurations of its current study and of earlier
// sessions.
type Archive struct {
	*results.Folder
	earlier    []*study.Study // configurations of earlier sessions that differ from the current study
	unreadable []string       // errors of earlier configurations that this version of copse cannot read
	trials     []*trial.Trial // all stored trials, sorted by cell and replicate

	dataChanges []string // sentences on data files that have changed since the study ran
}

// NewArchive returns an archive of an open results folder.
func NewArchive(f *results.Folder) *Archive {
	a := &Archive{Folder: f, trials: f.Trials(), dataChanges: f.DataChanges()}
	a.earlier, a.unreadable = f.Earlier()
	return a
}

// studies returns all configurations, starting with the current study.
func (a *Archive) studies() []*study.Study { return append([]*study.Study{a.Study}, a.earlier...) }

// Programs returns the external programs of all configurations.
func (a *Archive) Programs() (list []*external.Program) {
	for _, s := range a.studies() {
		list = append(list, s.Programs()...)
	}
	return list
}

// find returns the stored trial that a key selects, with one result per classifier (see
// currentResults).
func (a *Archive) find(key Key) (*trial.Trial, error) {
	found, err := a.findTrial(key)
	if err != nil {
		return nil, err
	}
	selected := *found
	selected.Results = a.currentResults(found, key.Classifier)
	if len(selected.Results) == 0 {
		var ids []string
		for _, r := range found.Results {
			ids = append(ids, r.Classifier) // repeated if the classifier has results of several recipes
		}
		return nil, fmt.Errorf("%s has no result for %s in cell %s, replicate %d; it has results for %s", a.Dir,
			key.Classifier, found.Cell, key.Replicate, strings.Join(slices.Compact(ids), ", "))
	}
	return &selected, nil
}

// findTrial returns the stored trial that a key selects. The key may have only the first digits of
// the cell ID if they are unique.
func (a *Archive) findTrial(key Key) (found *trial.Trial, err error) {
	for _, t := range a.trials {
		if t.Replicate != key.Replicate || !strings.HasPrefix(t.Cell, key.Cell) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("cell %q is ambiguous: %s and %s start with it", key.Cell, found.Cell, t.Cell)
		}
		found = t
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no results for cell %s, replicate %d; `copse status %[1]s --details` "+
			"lists the cells", a.Dir, key.Cell, key.Replicate)
	}
	return found, nil
}

// currentResults returns one result for each classifier of a trial or, if id is not "", only for
// classifier id. Of several recipes of a classifier, it prefers the recipe of the current study, and
// otherwise returns the last result.
func (a *Archive) currentResults(t *trial.Trial, id string) []records.Record {
	current := a.recipes(t.Cell) // from each classifier to its recipe in the current study
	var list []records.Record
	for _, r := range t.Results { // results of one classifier are consecutive
		if id != "" && r.Classifier != id {
			continue
		}
		last := len(list) - 1
		isFirst := last < 0 || list[last].Classifier != r.Classifier
		if isFirst {
			list = append(list, r)
		} else if list[last].Spec != current[r.Classifier] {
			list[last] = r // replaces a result of another recipe
		}
	}
	return list
}

// recipes returns the recipes (classifiers with their settings) of a cell in the current study, by
// classifier id, or nil if the study does not have the cell.
func (a *Archive) recipes(cell string) map[string]string {
	if c := a.Study.Cell(cell); c != nil {
		return results.WantedRecipes(c)
	}
	return nil
}

// An origin is the part of the study files that describes a stored trial.
type origin struct {
	cell        *study.Cell           // nil if the cell is not in any configuration
	classifiers map[string]configured // by ID
}

// A configured is a classifier together with the study that configures it.
type configured struct {
	study *study.Study
	entry study.Entry
}

// originOf looks up the configuration of a stored trial. The current study file takes precedence over
// the study files of earlier sessions.
func (a *Archive) originOf(t *trial.Trial) origin {
	found := origin{classifiers: map[string]configured{}}
	for _, s := range a.studies() { // the current study first
		cell := s.Cell(t.Cell)
		if cell == nil {
			continue
		}
		found.cell = cmp.Or(found.cell, cell)
		for _, e := range cell.Classifiers {
			isResultOf := func(r records.Record) bool { return r.Classifier == e.ID && r.Spec == e.Spec }
			_, isFound := found.classifiers[e.ID]
			if !isFound && slices.ContainsFunc(t.Results, isResultOf) {
				found.classifiers[e.ID] = configured{s, e}
			}
		}
	}
	return found
}

// whyNoCell returns the reason why no configuration contains the cell of a stored trial.
func (a *Archive) whyNoCell(t *trial.Trial) string {
	if len(a.dataChanges) > 0 {
		return strings.Join(a.dataChanges, "; ")
	}
	for _, c := range a.Study.Cells {
		if c.Levels == t.Levels { // the same levels now have other data
			recorded, _ := a.Manifest.Cell(t.Cell)
			return fmt.Sprintf("the stored results belong to the recipe %s, but this version of copse computes %s",
				cmp.Or(recorded.Data, "unknown"), c.Key)
		}
	}
	reasons := append([]string{"no study in this folder contains the cell"}, a.unreadable...)
	return strings.Join(reasons, "; ")
}

// whyNoClassifier returns the reason why no configuration contains the classifier of a stored result.
func whyNoClassifier(c *study.Cell, r records.Record) string {
	for _, e := range c.Classifiers {
		if e.ID == r.Classifier {
			return fmt.Sprintf("the stored results belong to the recipe %s, but this version of copse computes %s",
				r.Spec, e.Spec)
		}
	}
	return fmt.Sprintf("no study in this folder contains the recipe %s", r.Spec)
}

// sessionsOf returns the sessions that computed the results of a trial or, if one of them is
// unknown, all sessions of the folder.
func (a *Archive) sessionsOf(t *trial.Trial) []results.Session {
	var list []results.Session
	seen := map[*results.Session]bool{}
	for _, r := range t.Results {
		s := a.SessionOf(&r)
		if s == nil {
			return a.Sessions()
		}
		if !seen[s] {
			seen[s] = true
			list = append(list, *s)
		}
	}
	return list
}
