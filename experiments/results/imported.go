package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/stats/records"
)

// readRecords enters the rows of records.csv that no journal has; manifest.json states
// how they were made. So a folder that comes from version control can be extended, and
// results that others committed join one's own journals. Records that the manifest does
// not describe are read only to check that the journals have every row of them: a kill
// may have come between writing the two files. Records that it describes have nothing
// new where the journals begin with all that they were written from.
func (f *Folder) readRecords() error {
	path, err := records.Path(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if f.Manifest != nil {
		for _, s := range f.Manifest.Sessions {
			if err := s.Belongs(f.Study.Name, f.Study.Seed); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(f.Dir, folder.Manifest), err)
			}
		}
	}
	f.records.path = path
	if f.records.info, err = os.Stat(path); err != nil {
		return err
	}
	if f.records.digest, err = folder.RecordsDigest(path); err != nil {
		return err
	}
	in := importer{Folder: f, at: origin{file: fromRecords, session: -1}}
	in.described = f.Manifest != nil && f.Manifest.RecordsSHA256 == f.records.digest
	if in.described && f.journalsHold() {
		return nil
	}
	if err := in.takeAll(); err != nil {
		if torn := (*csv.ParseError)(nil); errors.As(err, &torn) && in.needless() {
			f.Warnings = append(f.Warnings,
				fmt.Sprintf("%s; the journals have its results: report and run write it anew", err))
			return nil
		}
		return err
	}
	f.imported = slices.Compact(f.imported)
	return in.damage()
}

// journalsHold reports whether the journals begin with everything that the records were
// written from.
func (f *Folder) journalsHold() bool {
	held := 0
	for _, j := range f.journals {
		if j.held {
			held++
		}
	}
	return len(f.Manifest.Journals) > 0 && held == len(f.Manifest.Journals)
}

// needless reports whether damaged records can be written anew without loss: the journals
// hold all that the manifest's records were written from, and every row that was read.
func (in *importer) needless() bool {
	return !in.described && in.unknown == 0 && in.Manifest != nil && in.journalsHold()
}

// An importer takes the rows of records.csv into a folder.
type importer struct {
	*Folder
	described bool // the manifest is that of the records
	at        origin
	requested []string // metrics: the columns of the file
	unknown   int      // rows that nothing describes
	times     *times   // nil: no row was entered yet
}

// takeAll takes all rows of the file.
func (in *importer) takeAll() error {
	file, err := os.Open(in.records.path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := records.NewReader(file, in.records.path)
	if err != nil {
		return err
	}
	defer func() {
		if in.times != nil {
			in.times.file.Close() // without a file this is an error that changes nothing
		}
	}()
	in.requested = rows.Columns.Metrics
	for in.at.line = 2; ; in.at.line++ { // after the header
		r, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = in.take(&r)
		}
		if err != nil {
			return err
		}
	}
}

// take enters a row, unless a journal has it.
func (in *importer) take(r *records.Record) error {
	m := in.Manifest
	cell, ok := m.Cell(r.Cell)
	spec := ""
	if in.described {
		if !ok {
			return fmt.Errorf("%s: row %d: cell %s is not in %s", in.records.path, in.at.line, r.Cell, folder.Manifest)
		}
		spec = cell.Classifiers[r.Classifier]
	}
	if in.store.says(r, spec) {
		return nil
	}
	if !in.described {
		in.unknown++ // damage reports them
		return nil
	}
	if err := in.begin(); err != nil {
		return err
	}
	result := *r
	result.Levels, result.Spec = cell.Levels, spec
	took, err := in.times.of(timingKey{r.Cell, r.Replicate, r.Classifier})
	if err != nil {
		return err
	}
	result.Fit, result.Predict, result.Peak = took.fit, took.predict, took.peak
	t := &trial.Trial{Cell: r.Cell, Levels: cell.Levels, Replicate: r.Replicate, Data: r.Data, NTest: r.NTest,
		Results: []records.Record{result}}
	if err := in.add(t, in.at, in.requested); err != nil {
		return err
	}
	in.imported = append(in.imported, trialKey{in.store.cell(t), int32(r.Replicate)})
	return nil
}

// begin prepares for the first row that is entered: its session and times.
func (in *importer) begin() (err error) {
	if in.times != nil {
		return nil
	}
	if m := in.Manifest; m.IsSealed() && !m.IsWhole() {
		return fmt.Errorf(
			"%s: %s was edited, and no journal knows this row: restore both",
			in.records.path,
			folder.Manifest,
		)
	}
	if in.times, err = openTimes(in.Dir); err != nil {
		return err
	}
	in.recorded = in.Manifest.Sessions
	if len(in.recorded) == 1 { // of several the records do not name theirs
		in.at.session = 0
	}
	return nil
}

// damage reports records that nothing describes.
func (in *importer) damage() error {
	switch {
	case in.unknown == 0:
		return nil
	case in.Manifest == nil:
		return fmt.Errorf(
			"%s has %d rows that no journal knows, and cannot be extended without its manifest: restore %s, or "+
				"move the records away",
			in.records.path,
			in.unknown,
			folder.Manifest,
		)
	}
	return fmt.Errorf(
		"%s is not the file that %s describes: its SHA-256 is %s, not %s, and no journal knows %d of its rows: "+
			"restore both, or move them away",
		in.records.path,
		folder.Manifest,
		in.records.digest,
		in.Manifest.RecordsSHA256,
		in.unknown,
	)
}

// KeepImported turns results that records.csv alone has into a journal, before anything
// is written, so that nothing is lost with the next records.
func (f *Folder) KeepImported() error { return folder.Locked(f.Dir, f.keepImported) }

func (f *Folder) keepImported() error {
	if len(f.imported) == 0 {
		return nil
	}
	sub := filepath.Join(f.Dir, folder.Journals)
	if err := folder.Make(sub); err != nil {
		return err
	}
	name := fmt.Sprintf(
		"imported-%.12s%s",
		f.records.digest,
		journalSuffix,
	) // processes that import the same write the same
	err := folder.WriteFile(filepath.Join(sub, name), func(w io.Writer) error {
		for _, s := range f.Sessions() {
			if err := WriteLine(w, &s); err != nil {
				return err
			}
		}
		for _, key := range f.imported {
			t := f.store.trialOf(key, func(at origin) bool { return at.file == fromRecords })
			if err := WriteLine(w, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	anew, err := OpenFor(f.Dir, f.Study) // the journals now have everything
	if err == nil {
		*f = *anew
	}
	return err
}
