package results

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/regular"
)

// Collect writes study.yaml, records.csv, timings.csv and manifest.json from the journals, and
// merges the prediction files. It locks the folder.
func (f *Folder) Collect() error {
	return folder.Locked(f.Dir, f.collect)
}

// collect writes study.yaml, the records, the times and the manifest from the journals, and merges
// the files of predictions. The caller must hold the lock of the folder.
func (f *Folder) collect() error {
	if err := f.Refresh(); err != nil {
		return err
	}
	if err := f.keepImported(); err != nil { // otherwise writing records.csv would lose these results
		return err
	}
	selected := f.Select()
	allPredicted, err := f.mergePredictions(selected)
	if err != nil {
		return err
	}
	// Remove the leases before writing the records, because no later run removes them if the records
	// are current.
	if err := removeLeases(f.Dir); err != nil {
		return err
	}
	if err := f.WriteStudy(); err != nil {
		return err
	}
	path := cmp.Or(f.records.path, f.path(folder.Records))
	write := selected.Write
	if folder.IsZipped(path) {
		write = selected.writeZipped
	}
	if err := folder.WriteFile(path, write); err != nil {
		return err
	}
	if err := folder.WriteFile(f.path(folder.Timings), selected.WriteTimings); err != nil {
		return err
	}
	return f.collectManifest(selected, path, allPredicted)
}

// mergePredictions merges the prediction files of trials, unless results are missing. allPredicted
// is true if the merged files cover all records.
func (f *Folder) mergePredictions(selected *Selection) (allPredicted bool, err error) {
	lacking, damage := f.LackPredictions(selected) // copse verify reports damage
	if err := GatherPredictions(f.Dir, lacking == 0 && f.hasAllResults()); err != nil {
		return false, err
	}
	waiting, err := WaitingPredictions(f.Dir)
	return f.Study.Predictions && lacking == 0 && damage == nil && len(waiting) == 0, err
}

// hasAllResults reports whether all results of the study are stored.
func (f *Folder) hasAllResults() bool {
	for _, c := range f.Study.Cells {
		for replicate := 1; replicate <= f.Study.Replicates; replicate++ {
			isMissing := func(e study.Entry) bool { return f.State(c.ID, replicate, &e) == Missing }
			if slices.ContainsFunc(c.Classifiers, isMissing) {
				return false
			}
		}
	}
	return true
}

// RequireRecords returns an error if results are stored but none belongs to the study. Collect
// would then write an empty table.
func (f *Folder) RequireRecords() error {
	if selected := f.Select(); f.Len() > 0 && len(selected.cells) == 0 {
		return fmt.Errorf("%s: no stored result belongs to the study in this folder: %s", f.Dir,
			strings.Join(selected.Notes, "; "))
	}
	return nil
}

// collectManifest writes manifest.json for the selected records in the file at path, and sets
// f.Manifest.
func (f *Folder) collectManifest(selected *Selection, path string, allPredicted bool) error {
	m, err := f.manifestNow(selected, path)
	if err != nil {
		return err
	}
	m.AllPredicted = allPredicted
	if err := writeManifest(f.Dir, m); err != nil {
		return err
	}
	f.Manifest, f.ManifestErr = m, nil
	f.records = recordsFile{path: path, digest: m.RecordsSHA256}
	f.records.info, err = os.Stat(path)
	return err
}

// removeLeases removes the lease files, with which processes claim trials, unless a process is
// running trials.
func removeLeases(dir string) error {
	path := filepath.Join(dir, folder.Leases)
	if !folder.Exists(path) {
		return nil
	}
	if used, err := inUse(dir); used || err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// IsCollected reports whether the files that Collect writes are up to date.
func (f *Folder) IsCollected() (bool, error) {
	config, err := f.Study.YAML()
	if err != nil {
		return false, err
	}
	isStudyWritten := hasContent(f.path(folder.Study), config) && f.Study.CopiesAreCurrent(f.Dir)
	hasRecords := f.records.path != ""
	if !isStudyWritten || !hasRecords {
		return false, nil
	}
	if f.HasImports {
		return false, nil // Collect copies results that are only in the records to a journal
	}
	if waiting, err := WaitingPredictions(f.Dir); len(waiting) > 0 || err != nil {
		return false, err // Collect merges these predictions
	}
	m, err := f.manifestNow(f.Select(), f.records.path)
	if err != nil {
		return false, folder.IgnoreMissing(err)
	}
	// Copy AllPredicted, which is slow to compute. If predictions or records have changed, so have
	// their checksums in m.
	m.AllPredicted = f.Manifest != nil && f.Manifest.AllPredicted
	return hasContent(f.path(folder.Manifest), m.encode()), nil
}

// hasContent reports whether a file is readable and has the given content.
func hasContent(path string, content []byte) bool {
	text, err := regular.Read(path)
	return err == nil && bytes.Equal(text, content)
}

// manifestNow returns the manifest of the selected records, with the checksums of the current
// files.
func (f *Folder) manifestNow(selected *Selection, path string) (m *Manifest, err error) {
	m = f.NewManifest(selected)
	for _, j := range f.journals {
		m.Journals = append(m.Journals, j.part())
	}
	slices.SortFunc(m.Journals, func(a, b JournalPart) int { return strings.Compare(a.Name, b.Name) })
	if m.TimingsSHA256, err = folder.Digest(f.path(folder.Timings)); err != nil {
		return nil, err
	}
	if err := m.addPredictions(f.Dir); err != nil {
		return nil, err
	}
	if m.RecordsSHA256, err = folder.RecordsDigest(path); err != nil {
		return nil, err
	}
	m.ConfigSHA256, err = folder.Digest(f.path(folder.Study))
	return m, err
}

// Write writes the records as CSV, without holding all of them in memory.
func (c *Selection) Write(w io.Writer) error {
	out, err := records.NewWriter(w, c.Study, c.columns())
	if err != nil {
		return err
	}
	for r := range c.filtered(anyResult) {
		if err := out.Write(&r); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (c *Selection) writeZipped(w io.Writer) error {
	zipped := gzip.NewWriter(w) // without name and time, so that equal records give equal bytes
	return errors.Join(c.Write(zipped), zipped.Close())
}

// columns returns the columns of the records file, with the optional columns that some record
// needs.
func (c *Selection) columns() records.Columns {
	isTuned := func(r *storedResult) bool { return c.store.texts.values[r.text].tuned != "" }
	return records.Columns{
		Factors:   records.FactorNames(c.Factors),
		Metrics:   c.Metrics,
		Folds:     slices.ContainsFunc(c.cells, func(s selectedCell) bool { return s.cell.Data.Folds > 0 }),
		Confusion: c.hasRecord(func(r *storedResult) bool { return r.classes > 0 }),
		Tuned:     c.hasRecord(isTuned),
	}
}

// hasRecord reports whether a stored result of any record satisfies want.
func (c *Selection) hasRecord(want func(*storedResult) bool) bool {
	for range c.eachResult(want) {
		return true
	}
	return false
}

// WriteStudy writes study.yaml, the configuration of the study with all defaults. It also updates
// the copies of the programs' files.
func (f *Folder) WriteStudy() error {
	text, err := f.Study.YAML()
	if err != nil {
		return err
	}
	if err := f.CheckStudy(); err != nil {
		return err
	}
	former, err := f.formerFiles()
	if err != nil {
		return err
	}
	if err := folder.Remove(former); err != nil {
		return err
	}
	if err := f.Study.KeepFiles(f.Dir); err != nil {
		return err
	}
	path := f.path(folder.Study)
	if hasContent(path, text) {
		return nil
	}
	return folder.WriteBytes(path, text)
}

// CheckStudy returns an error if copse would overwrite or remove a file that it did not write.
func (f *Folder) CheckStudy() error {
	if err := checkTimings(f.Dir); err != nil {
		return err
	}
	if _, err := f.formerFiles(); err != nil { // the user may have edited a copy that copse would remove
		return err
	}
	path := f.path(folder.Study)
	text, err := regular.Read(path)
	if err != nil {
		return folder.IgnoreMissing(err)
	}
	isOwnFile := sameFile(path, f.Study.File) // the study was read from this file, which the user may have edited
	if isOwnFile || f.wroteStudy(text) {
		return nil
	}
	// Another copse process may have written the file. Such a process has first written its session to
	// a journal, which Refresh reads.
	if err := f.Refresh(); err != nil {
		return err
	}
	if f.wroteStudy(text) {
		return nil
	}
	return fmt.Errorf("%s was edited or written by another program: move it away, or choose another `--out`", path)
}

func sameFile(a, b string) bool {
	one, _ := os.Stat(a)
	other, _ := os.Stat(b)
	return os.SameFile(one, other) // false after an error of Stat
}

// wroteStudy reports whether copse may have written a study file with this text: it must be the
// configuration of f.Study, of the manifest or of a session.
func (f *Folder) wroteStudy(text []byte) bool {
	if own, err := f.Study.YAML(); err == nil && bytes.Equal(own, text) {
		return true
	}
	if f.Manifest != nil && f.Manifest.ConfigSHA256 == folder.DigestBytes(text) {
		return true
	}
	return slices.ContainsFunc(f.Sessions(), func(s Session) bool { return s.Config == string(text) })
}
