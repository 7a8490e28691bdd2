// Package audit computes stored trials again and checks results folders.
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

// An Archive is an open results folder, to be checked against this binary.
type Archive struct {
	*results.Folder
	earlier []*study.Study // other configurations of sessions in the folder
	broken  []string       // errors of earlier configurations that this binary cannot read
	trials  []*trial.Trial // all stored results, by cell and replicate
}

// Open reads a results folder, which has journals or only records.csv and manifest.json.
func Open(dir string) (*Archive, error) {
	f, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	return newArchive(f), nil
}

// newArchive returns the archive of an open folder.
func newArchive(f *results.Folder) *Archive {
	a := &Archive{Folder: f, trials: f.Trials()}
	a.earlier, a.broken = f.Earlier()
	return a
}

// studies returns the current study and all earlier configurations.
func (a *Archive) studies() []*study.Study { return append([]*study.Study{a.Study}, a.earlier...) }

// Programs returns the programs of all configurations.
func (a *Archive) Programs() (list []*external.Program) {
	for _, s := range a.studies() {
		list = append(list, s.Programs()...)
	}
	return list
}

// find returns the stored trial of a key, with the results that the key names.
func (a *Archive) find(key Key) (*trial.Trial, error) {
	var found *trial.Trial
	for _, t := range a.trials {
		if t.Replicate != key.Replicate || !strings.HasPrefix(t.Cell, key.Cell) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("cell %q is ambiguous: %s and %s begin so", key.Cell, found.Cell, t.Cell)
		}
		found = t
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no results of cell %s, replicate %d; copse status lists the cells", a.Dir,
			key.Cell, key.Replicate)
	}
	one := *found
	one.Results = a.current(found, key.Classifier)
	if len(one.Results) == 0 {
		var ids []string
		for _, r := range found.Results {
			ids = append(ids, r.Classifier)
		}
		return nil, fmt.Errorf("%s has no result of %s in cell %s, replicate %d, but of %s", a.Dir, key.Classifier,
			found.Cell, key.Replicate, strings.Join(slices.Compact(ids), ", "))
	}
	return &one, nil
}

// current returns one result per classifier of a trial, or only the result of the given classifier
// if id is not "". Of several recipes with one id it takes the recipe of the current study, else
// the last.
func (a *Archive) current(t *trial.Trial, id string) []records.Record {
	spec := map[string]string{} // recipe in the current study, by id
	for _, c := range a.Study.Cells {
		if c.ID == t.Cell {
			for _, e := range c.Classifiers {
				spec[e.ID] = e.Spec
			}
		}
	}
	var list []records.Record
	for _, r := range t.Results {
		if id != "" && r.Classifier != id {
			continue
		}
		last := len(list) - 1
		switch {
		case last < 0 || list[last].Classifier != r.Classifier:
			list = append(list, r)
		case list[last].Spec != spec[r.Classifier]:
			list[last] = r
		}
	}
	return list
}

// An origin is the cell of a stored trial and the classifiers that made its results, as found
// among the configurations.
type origin struct {
	cell        *study.Cell // nil: no configuration has it
	classifiers map[string]configured
}

// A configured is a classifier with its study.
type configured struct {
	study *study.Study
	entry study.Entry
}

// origin returns the origin of a stored trial. Of several configurations it takes the current
// study, then the others in order.
func (a *Archive) origin(t *trial.Trial) origin {
	found := origin{classifiers: map[string]configured{}}
	for _, s := range a.studies() {
		i := slices.IndexFunc(s.Cells, func(c *study.Cell) bool { return c.ID == t.Cell })
		if i < 0 {
			continue
		}
		if found.cell == nil {
			found.cell = s.Cells[i]
		}
		for _, e := range s.Cells[i].Classifiers {
			made := func(r records.Record) bool { return r.Classifier == e.ID && r.Spec == e.Spec }
			_, known := found.classifiers[e.ID]
			if !known && slices.ContainsFunc(t.Results, made) {
				found.classifiers[e.ID] = configured{s, e}
			}
		}
	}
	return found
}

// whyNoCell returns the reason why no configuration has the cell of a stored trial: usually its
// generator has a new version.
func (a *Archive) whyNoCell(t *trial.Trial) string {
	recorded, _ := a.Manifest.Cell(t.Cell)
	stored := cmp.Or(recorded.Data, "unknown")
	for _, c := range a.Study.Cells {
		if c.Levels == t.Levels {
			return fmt.Sprintf("the recipe was %s, this binary's is %s", stored, c.Key)
		}
	}
	text := "no configuration in this folder leads to the cell"
	if len(a.broken) > 0 {
		text += "; " + strings.Join(a.broken, "; ")
	}
	return text
}

// whyNoClassifier returns the reason why no configuration makes a stored result of a cell.
func whyNoClassifier(c *study.Cell, r records.Record) string {
	for _, e := range c.Classifiers {
		if e.ID == r.Classifier {
			return fmt.Sprintf("the recipe was %s, this binary's is %s", r.Spec, e.Spec)
		}
	}
	return fmt.Sprintf("no configuration in this folder has the recipe %s", r.Spec)
}

// sessionsOf returns the sessions that stored a trial's results; all sessions if one is unknown.
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
