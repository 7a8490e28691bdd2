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

// An Archive is a results folder opened to be checked against this binary.
type Archive struct {
	*results.Folder
	earlier []*study.Study // other configurations that rows were made by
	trials  []*trial.Trial // all stored results, by cell and replicate
	broken  []string       // earlier configurations that this binary does not read
}

// Open reads a results folder, with journals or with records.csv and
// manifest.json alone.
func Open(dir string) (*Archive, error) {
	f, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	return newArchive(f), nil
}

func newArchive(f *results.Folder) *Archive {
	a := &Archive{Folder: f, trials: f.Trials()}
	a.earlier, a.broken = f.Earlier()
	return a
}

// Programs returns the programs of all configurations that rows were made by.
func (a *Archive) Programs() []*external.Program {
	list := a.Study.Programs()
	for _, s := range a.earlier {
		list = append(list, s.Programs()...)
	}
	return list
}

// find returns the stored trial of a key, with the results it asks for.
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
		return nil, fmt.Errorf(
			"%s has no results of cell %s, replicate %d; copse status lists the cells",
			a.Dir,
			key.Cell,
			key.Replicate,
		)
	}
	one := *found
	one.Results = a.current(found, key.Classifier)
	if len(one.Results) == 0 {
		var ids []string
		for _, r := range found.Results {
			ids = append(ids, r.Classifier)
		}
		return nil, fmt.Errorf(
			"%s has no result of %s in cell %s, replicate %d, but of %s",
			a.Dir,
			key.Classifier,
			found.Cell,
			key.Replicate,
			strings.Join(slices.Compact(ids), ", "),
		)
	}
	return &one, nil
}

// current picks one result per classifier: of several recipes under one id the
// one that the study has now, else the last.
func (a *Archive) current(t *trial.Trial, id string) []records.Record {
	now := map[string]string{}
	for _, c := range a.Study.Cells {
		if c.ID == t.Cell {
			for _, e := range c.Classifiers {
				now[e.ID] = e.Spec
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
		case list[last].Spec != now[r.Classifier]:
			list[last] = r
		}
	}
	return list
}

// A maker is the entry of a study that makes a stored result.
type maker struct {
	study *study.Study
	entry study.Entry
}

// An origin is where a stored trial comes from.
type origin struct {
	cell    *study.Cell
	missing string           // why there is no cell
	entries map[string]maker // of its results, by classifier
}

// origin finds a stored trial's cell, and for each of its results the entry
// that made it, among the configurations.
func (a *Archive) origin(t *trial.Trial) (found origin) {
	found.entries = map[string]maker{}
	for _, s := range append([]*study.Study{a.Study}, a.earlier...) {
		i := slices.IndexFunc(s.Cells, func(c *study.Cell) bool { return c.ID == t.Cell })
		if i < 0 {
			continue
		}
		if found.cell == nil {
			found.cell = s.Cells[i]
		}
		for _, e := range s.Cells[i].Classifiers {
			for _, r := range t.Results {
				if _, known := found.entries[e.ID]; r.Classifier == e.ID && r.Spec == e.Spec && !known {
					found.entries[e.ID] = maker{s, e}
				}
			}
		}
	}
	if found.cell == nil {
		found.missing = a.whyNoCell(t)
	}
	return found
}

// whyNoCell says why no configuration leads to a stored cell: as a rule its
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

// whyGone says why no configuration makes a stored result of a known cell.
func (a *Archive) whyGone(c *study.Cell, r records.Record) string {
	for _, e := range c.Classifiers {
		if e.ID == r.Classifier {
			return fmt.Sprintf("the recipe was %s, this binary's is %s", r.Spec, e.Spec)
		}
	}
	return fmt.Sprintf("no configuration in this folder has the recipe %s", r.Spec)
}

// sessionsOf returns the sessions that may have stored a trial's results.
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
