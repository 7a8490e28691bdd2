package audit

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/stats/records"
)

// noManifest is the reason why a check was skipped. Only checkManifest reports the underlying error.
const noManifest = folder.Manifest + " cannot be read"

// checkRecords checks study.yaml and the records against the manifest and the journals. It also
// reports data files that have changed. In the result, Seen states what was checked, and Problems
// lists what is wrong.
func (a *Archive) checkRecords(selected *results.Selection) Check {
	c := Check{Name: "study.yaml and records", Seen: "SHA-256 of both files"}
	m := a.Manifest
	if m == nil {
		return Check{Name: c.Name, Seen: noManifest, Skipped: true}
	}
	sum, err := folder.Digest(filepath.Join(a.Dir, folder.Study))
	c.compareSums(folder.Study, sum, m.ConfigSHA256, err)
	isStudyIntact := len(c.Problems) == 0 // study.yaml has the checksum in the manifest
	change := a.studyChange()             // since an earlier run, or ""
	switch {
	case change != "" && isStudyIntact: // copse has run the changed study, so the change is no problem
		c.Seen += "; " + change
	case change != "":
		c.problem("%s", change)
	}
	path, err := records.Path(a.Dir)
	if err != nil {
		c.problem("%v", err)
		return c
	}
	sum, err = folder.RecordsDigest(path)
	c.compareSums(filepath.Base(path), sum, m.RecordsSHA256, err)
	c.Problems = append(c.Problems, a.dataChanges...)
	if a.canCompareJournals() {
		a.compareJournals(&c, path, sum == m.RecordsSHA256, selected.Write)
	}
	return c
}

// compareSums reports a problem if the checksum of a file differs from the checksum in the
// manifest. If err is not nil, it reports err instead.
func (c *Check) compareSums(file, sum, manifestSum string, err error) {
	if err != nil {
		c.problem("%v", err)
	} else if sum != manifestSum {
		c.problem("%s has the SHA-256 %s, but %s expects %s", file, sum, folder.Manifest, cmp.Or(manifestSum, "none"))
	}
}

// canCompareJournals reports whether the stored records can be compared with the journals. They
// cannot if a data file has changed: a selection from the journals may then lack the results for
// the old file.
func (a *Archive) canCompareJournals() bool {
	return results.HasJournals(a.Dir) && len(a.dataChanges) == 0
}

// studyChange lists the keys of study.yaml whose values differ from those in an earlier session,
// for example because the authors chose another test after they saw results. It returns "" if no
// key differs, or if the earlier texts are unknown.
func (a *Archive) studyChange() string {
	text, err := os.ReadFile(filepath.Join(a.Dir, folder.Study))
	now, errNow := config.Parse("", text)
	if err != nil || errNow != nil {
		return ""
	}
	changed := map[string]bool{}
	for _, old := range a.Manifest.StudyFiles() {
		for _, key := range config.ChangedKeys("", now.Plain(), old.Plain()) {
			changed[key] = true
		}
	}
	if len(changed) == 0 {
		return ""
	}
	keys := slices.Sorted(maps.Keys(changed))
	return fmt.Sprintf("changed in %s since an earlier run: %s", folder.Study, strings.Join(keys, ", "))
}

// compareJournals reports a problem if the file at path differs from the results in the journals,
// which the function write prints. isIntact states whether the file has the checksum in the manifest.
func (a *Archive) compareJournals(c *Check, path string, isIntact bool, write func(io.Writer) error) {
	file := filepath.Base(path)
	line, err := firstDifference(path, write)
	if err != nil {
		c.problem("the results in the journals could not be compared with %s: %v", file, err)
		return
	}
	if line == 0 {
		return
	}
	// Report only the first cause that applies.
	someFileChanged := len(c.Problems) > 0 || results.JournalsChanged(a.Dir)
	switch {
	case a.Manifest.Seed != a.Study.Seed:
		c.problem("%s differs from the journals, because the seed of the study has changed; restore the old seed in %s",
			file, folder.Study)
	case isIntact && results.StudyChanged(a.Dir):
		c.problem("%s differs from the journals, because %s has changed; restore %s, or run `copse report %s` to "+
			"write the results of the changed study", file, folder.Study, folder.Study, a.Dir)
	case someFileChanged:
		c.problem("%s differs from the journals, first in line %d; run `copse report %s` to regenerate it",
			file, line, a.Dir)
	case run.NewPlan(a.Folder).Missing > 0:
		// The files are intact, but the study lacks results. Some stored records therefore belong to
		// an earlier version of a program or classifier.
		c.problem("%s differs from the journals: a program or version has changed, so its earlier results no longer "+
			"belong to the study, as listed under %s; restore the program, or run the study again", file, Completeness)
	default:
		c.problem("%s differs from the journals, first in line %d: another version of copse wrote it, or it was "+
			"edited together with %s; run `copse report %s` to regenerate it", file, line, folder.Manifest, a.Dir)
	}
}

// checkManifest compares the manifest with its checksum, with study.yaml and with the sessions of
// the journals.
func (a *Archive) checkManifest(selected *results.Selection) Check {
	c := Check{Name: folder.Manifest}
	m := a.Manifest
	if m == nil {
		c.problem("%v", a.ManifestErr)
		return c
	}
	if !m.IsWhole() {
		c.problem("%s was edited: its checksum is wrong or missing", folder.Manifest)
	}
	c.Seen = "study, seed, replicates, title, source, cells"
	a.compareWithStudy(&c, a.NewManifest(selected))
	if results.HasJournals(a.Dir) {
		c.Seen += ", sessions"
		a.compareSessions(&c)
	}
	return c
}

// compareWithStudy reports fields and cells of the manifest that differ from want, the manifest of
// the current study.
func (a *Archive) compareWithStudy(c *Check, want *results.Manifest) {
	m := a.Manifest
	for _, f := range []struct {
		name                string
		inStudy, inManifest any
	}{
		{"study", want.Study, m.Study},
		{"title", want.Title, m.Title},
		{"source", want.Source, m.Source},
		{"seed", want.Seed, m.Seed},
		{"replicates", want.Replicates, m.Replicates},
	} {
		if f.inStudy != f.inManifest {
			c.problem("%s is %v, but %s has %v", f.name, f.inManifest, folder.Study, f.inStudy)
		}
	}
	for _, cell := range m.Cells {
		current, ok := want.Cell(cell.ID)
		if !ok {
			continue // the study no longer contains the cell, so the records have no results for it
		}
		differentData := cell.Data != "" && current.Data != cell.Data // "" if the manifest does not describe data
		if current.Levels != cell.Levels || differentData {
			c.problem("cell %s has the levels %v and the data %s, but in %s the levels are %v and the data %s",
				cell.ID, cell.Levels, cell.Data, folder.Study, current.Levels, current.Data)
		}
	}
}

func (a *Archive) compareSessions(c *Check) {
	sessions := a.Sessions()
	for _, s := range a.Manifest.Sessions {
		if !slices.ContainsFunc(sessions, func(o results.Session) bool { return reflect.DeepEqual(o, s) }) {
			c.problem("the session that began at %s, as listed in %s, matches no session in the journals",
				s.Started, folder.Manifest)
		}
	}
}

// checkTimings compares timings.csv with its checksum in the manifest and with the journals.
func (a *Archive) checkTimings(selected *results.Selection) Check {
	if a.Manifest == nil {
		return Check{Name: folder.Timings, Seen: noManifest, Skipped: true}
	}
	c := Check{Name: folder.Timings, Seen: "SHA-256"}
	path := filepath.Join(a.Dir, folder.Timings)
	sum, err := folder.Digest(path)
	c.compareSums(folder.Timings, sum, a.Manifest.TimingsSHA256, err)
	if len(c.Problems) == 0 && a.canCompareJournals() {
		const isIntact = true // c.Problems contains no wrong checksum
		a.compareJournals(&c, path, isIntact, selected.WriteTimings)
	}
	return c
}

// checkOutputs compares the files of the report with their checksums, and the checksums of records
// and study.yaml with those from which the report was made.
func (a *Archive) checkOutputs() Check {
	outputs, err := folder.CheckOutputs(a.Dir)
	if err != nil {
		outputs.Problems = append(outputs.Problems, err.Error())
	}
	c := Check{Name: "tables, figures and page", Problems: outputs.Problems}
	areSourcesKnown := outputs.Sources != nil && a.Manifest != nil
	if areSourcesKnown && !slices.Equal(outputs.Sources, a.Manifest.ReportSources()) {
		c.problem("they were made from other records or another study.yaml; run `copse report %s` to regenerate them",
			a.Dir)
	}
	c.Seen = fmt.Sprintf("SHA-256 of %d files", len(outputs.Listed)-len(outputs.NotKept))
	if n := len(outputs.NotKept); n > 0 {
		c.Seen += fmt.Sprintf("; %d more have not been drawn: run `copse report %s` to draw them", n, a.Dir)
	}
	return c
}
