package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"copse/experiments/folder"
	"copse/stats/records"
	"copse/stats/regular"
)

// readRecords stores the rows of records.csv that are in no journal. Users can thus extend results
// that were shared without journals.
//
// If the file differs from its checksum in the manifest, all rows must be in journals. This
// happens, for example, if copse was killed after it wrote only one of the two files.
func (f *Folder) readRecords() error {
	path, err := records.Path(f.Dir)
	if err != nil {
		return folder.IgnoreMissing(err)
	}
	if err := f.checkManifestSessions(); err != nil {
		return err
	}
	f.records.path = path
	if f.records.info, err = os.Stat(path); err != nil {
		return err
	}
	if f.records.digest, err = folder.RecordsDigest(path); err != nil {
		return err
	}
	hasListedChecksum := f.Manifest != nil && f.Manifest.RecordsSHA256 == f.records.digest
	switch {
	case f.hasRecordedLines(): // the journals contain all rows, so the file is not needed
		if !hasListedChecksum {
			f.Warnings = append(f.Warnings, fmt.Sprintf("%s differs from its checksum in %s, but the journals contain "+
				"all results; run `copse report` to write both files again", path, folder.Manifest))
		}
		return nil
	case hasListedChecksum:
		return f.importRecords()
	}
	return f.checkEachRow()
}

// checkManifestSessions returns an error if a session of the manifest belongs to another study.
func (f *Folder) checkManifestSessions() error {
	if f.Manifest == nil {
		return nil
	}
	for _, s := range f.Manifest.Sessions {
		if err := s.Belongs(f.Study.Name, f.Study.Seed); err != nil {
			return fmt.Errorf("%s: %w", f.path(folder.Manifest), err)
		}
	}
	return nil
}

// hasRecordedLines reports whether the journals still contain all lines that the manifest lists.
func (f *Folder) hasRecordedLines() bool {
	isListed := f.Manifest != nil && len(f.Manifest.Journals) > 0
	return isListed && len(f.journals) > 0 && len(f.ChangedJournals()) == 0
}

// eachRecord passes every row of a records file to each, with its line number and the file's
// metrics.
func eachRecord(path string, each func(line int, r *records.Record, metrics []string) error) error {
	file, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := records.NewReader(file, path)
	if err != nil {
		return err
	}
	return eachRow(rows, func(line int, r *records.Record) error { return each(line, r, rows.Columns.Metrics) })
}

// eachRow calls each for every row, with the row's line number.
func eachRow(rows *records.Reader, each func(line int, r *records.Record) error) error {
	for line := 2; ; line++ { // line 1 is the header
		r, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = each(line, &r)
		}
		if err != nil {
			return err
		}
	}
}

// importRecords stores the rows of records.csv that are in no journal. It reads their times from
// timings.csv.
func (f *Folder) importRecords() error {
	times, err := readTimings(f.Dir)
	if err != nil {
		return err
	}
	f.recorded = f.Manifest.Sessions // some of them computed the rows
	session := unknownSession        // records.csv does not show which of several sessions computed a row
	if len(f.recorded) == 1 {
		session = 0 // the only session computed all rows
	}
	err = eachRecord(f.records.path, func(line int, r *records.Record, metrics []string) error {
		at := origin{file: fromRecords, line: line, session: session}
		if err := f.importRecord(r, at, metrics, times); err != nil {
			return fmt.Errorf("%s: row %d: %w", f.records.path, line, err)
		}
		return nil
	})
	// Imported rows get their levels and recipes from the manifest.
	if err == nil && f.HasImports && !f.Manifest.IsWhole() {
		return fmt.Errorf("%s contains rows that are in no journal, and %s was edited: restore both files",
			f.records.path, folder.Manifest)
	}
	return err
}

// importRecord stores a row of records.csv unless a journal contains the result. It adds the levels
// and the recipe from the manifest, and the times. metrics lists the metrics in the file.
func (f *Folder) importRecord(
	r *records.Record, at origin, metrics []string, times map[timingKey]timing,
) error {
	cell, ok := f.Manifest.Cell(r.Cell)
	if !ok {
		return fmt.Errorf("%s does not contain the cell %s; restore the records file and the manifest",
			folder.Manifest, r.Cell)
	}
	r.Levels = cell.Levels
	r.Spec = cell.Classifiers[r.Classifier]
	if f.store.matches(r) { // a journal contains the result
		return nil
	}
	measured := times[timingKey{r.Cell, r.Replicate, r.Classifier}] // zero if timings.csv lacks the result
	r.Fit = measured.fit
	r.Predict = measured.predict
	r.Peak = measured.peak
	f.HasImports = true
	return f.add(trialWith(*r), at, metrics)
}

// checkEachRow returns an error if records.csv contains rows that are in no journal. Without a
// manifest that describes the file, their recipes are unknown.
func (f *Folder) checkEachRow() error {
	unknown := 0
	err := eachRecord(f.records.path, func(_ int, r *records.Record, _ []string) error {
		if !f.store.matches(r) {
			unknown++
		}
		return nil
	})
	switch {
	case err != nil || unknown == 0:
		return err
	case f.Manifest == nil:
		return fmt.Errorf("%s contains %d rows that are in no journal, and %s is missing, so copse cannot add "+
			"results: restore the manifest, or move the records file out of the folder",
			f.records.path, unknown, folder.Manifest)
	}
	text := fmt.Sprintf("%s has the SHA-256 %s, but %s lists %s", f.records.path, f.records.digest, folder.Manifest,
		f.Manifest.RecordsSHA256)
	if !HasJournals(f.Dir) { // the folder has no other copy of the results
		return fmt.Errorf("%s: restore both files", text)
	}
	return fmt.Errorf("%s, and %d rows of the records file are in no journal: restore both files, or move both "+
		"out of the folder", text, unknown)
}

// importedPrefix begins the file name of every journal that KeepImported writes.
const importedPrefix = "imported-"

// KeepImported copies the results that are only in records.csv to a new journal, because copse may
// write records.csv again. Without such results, it accepts a read-only folder.
func (f *Folder) KeepImported() error {
	err := folder.Locked(f.Dir, f.keepImported)
	if !f.HasImports && folder.IsUnwritable(err) {
		return nil
	}
	return err
}

func (f *Folder) keepImported() error {
	if !f.HasImports {
		return nil
	}
	sub := f.path(folder.Journals)
	if err := folder.Make(sub); err != nil {
		return err
	}
	// Processes that import the same records write the same file.
	name := fmt.Sprintf("%s%.12s%s", importedPrefix, f.records.digest, journalSuffix)
	if err := folder.WriteFile(filepath.Join(sub, name), f.writeImported); err != nil {
		return err
	}
	return f.reopen() // now all results come from journals
}

// writeImported writes a new journal to w. It contains the imported results, which any of the
// sessions may have computed.
func (f *Folder) writeImported(w io.Writer) error {
	for _, s := range f.Sessions() {
		if err := WriteLine(w, &s); err != nil {
			return err
		}
	}
	isImported := func(at origin) bool { return at.file == fromRecords }
	for _, key := range f.store.keys() {
		t := f.store.trialOf(key, isImported)
		if len(t.Results) == 0 {
			continue
		}
		if err := WriteLine(w, t); err != nil {
			return err
		}
	}
	return nil
}

// reopen reads the folder again from the beginning.
func (f *Folder) reopen() error {
	opened, err := OpenFor(f.Dir, f.Study)
	if err == nil {
		*f = *opened
	}
	return err
}
