package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/stats/records"
)

// readRecords enters the rows of records.csv that no journal has; manifest.json
// says how they were made. This is how a folder fresh from version control goes
// on, and how results that others committed meet journals of one's own. A file
// that is not the one of the manifest is only taken where the journals know all
// that it says: a kill may have come between the two. One that is, and whose journals
// begin with what it was written from, has nothing that they have not.
func (l *Ledger) readRecords(dir string, m *Manifest, study string, seed uint64) error {
	path, err := records.Path(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if m != nil {
		for i := range m.Sessions {
			if err := m.Sessions[i].Belongs(study, seed); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(dir, folder.Manifest), err)
			}
		}
	}
	in := importer{Ledger: l, dir: dir, path: path, m: m, at: origin{file: len(l.files), session: -1}}
	if l.digest, err = folder.RecordsDigest(path); err != nil {
		return err
	}
	in.described = m != nil && m.RecordsSHA256 == l.digest
	l.files, l.records = append(l.files, path), path
	if in.described && len(m.Journals) > 0 && l.held == len(m.Journals) {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := records.NewReader(file, path)
	if err != nil {
		return err
	}
	defer func() {
		if in.times != nil {
			in.times.file.Close() // which of no file says so and does nothing
		}
	}()
	for in.at.line = 2; ; in.at.line++ {
		r, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = in.take(&r)
		}
		if err != nil {
			return err
		}
	}
	l.imported = slices.Compact(l.imported)
	return in.damage()
}

// An importer takes the rows of one records.csv into a ledger.
type importer struct {
	*Ledger
	dir, path string
	m         *Manifest // nil: none
	described bool      // the manifest is that of the records
	at        origin
	unknown   int    // rows that nothing vouches for
	times     *times // nil: no row was entered yet
}

// take enters a row, unless it is known.
func (in *importer) take(r *records.Record) error {
	spec := ""
	if in.described {
		cell, ok := in.m.Cell(r.Cell)
		if !ok {
			return fmt.Errorf("%s: row %d: cell %s is not in %s", in.path, in.at.line, r.Cell, folder.Manifest)
		}
		spec = cell.Classifiers[r.Classifier]
	}
	if in.store.says(r, spec) {
		return nil
	}
	if !in.described {
		in.unknown++
		if in.m == nil {
			return nil
		}
	}
	if err := in.begin(); err != nil {
		return err
	}
	cell, ok := in.m.Cell(r.Cell)
	if !ok {
		return nil // of a damaged file, which is refused in the end
	}
	result := *r
	result.Levels, result.Spec = cell.Levels, cell.Classifiers[r.Classifier]
	took, err := in.times.of(timingKey{r.Cell, r.Replicate, r.Classifier})
	if err != nil {
		return err
	}
	result.Fit, result.Predict, result.Peak = took.fit, took.predict, took.peak
	t := &trial.Trial{Cell: r.Cell, Levels: cell.Levels, Replicate: r.Replicate, Data: r.Data, NTest: r.NTest, Results: []records.Record{result}}
	if err := in.add(t, in.at); err != nil {
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
	if whole, sealed, err := CheckSeal(in.dir); err != nil || sealed && !whole {
		return errors.Join(err, fmt.Errorf("%s: %s was edited, and no journal knows this row: restore both", in.path, folder.Manifest))
	}
	if in.times, err = openTimes(in.dir); err != nil {
		return err
	}
	for _, s := range in.m.Sessions {
		i := slices.IndexFunc(in.Sessions, func(o Session) bool { return reflect.DeepEqual(o, s) })
		if i < 0 {
			i = len(in.Sessions)
			in.Sessions = append(in.Sessions, s)
		}
		if len(in.m.Sessions) == 1 { // else the records do not say whose they are
			in.at.session = i
		}
	}
	return nil
}

// damage says what is wrong with records that nothing describes.
func (in *importer) damage() error {
	switch {
	case in.unknown == 0:
		return nil
	case in.m == nil:
		return fmt.Errorf("%s has %d rows that no journal knows, and cannot be extended without its manifest: restore %s, or move the records away", in.path, in.unknown, folder.Manifest)
	}
	return fmt.Errorf("%s is not the file that %s describes: its SHA-256 is %s, not %s, and no journal knows %d of its rows: restore both, or move them away",
		in.path, folder.Manifest, in.digest, in.m.RecordsSHA256, in.unknown)
}

// KeepImported turns results that records.csv alone has into a journal, before
// anything is written: nothing is lost with the next records.
func KeepImported(dir string, l *Ledger) error {
	if len(l.imported) == 0 {
		return nil
	}
	sub := filepath.Join(dir, folder.Journals)
	if err := folder.Make(sub); err != nil {
		return err
	}
	name := fmt.Sprintf("imported-%.12s.jsonl", l.digest) // two processes that import the same write the same
	return folder.WriteFile(filepath.Join(sub, name), func(w io.Writer) error {
		for i := range l.Sessions {
			if err := WriteLine(w, &l.Sessions[i]); err != nil {
				return err
			}
		}
		for _, key := range l.imported {
			t := l.store.trialOf(key, func(at origin) bool { return l.files[at.file] == l.records })
			if err := WriteLine(w, t); err != nil {
				return err
			}
		}
		return nil
	})
}
