package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"copse/stats/records"
)

// A Ledger is everything that a results folder knows: the sessions and the
// results of all journals, or of records.csv where no journal was kept.
type Ledger struct {
	Sessions []Session
	Warnings []string
	Repeated int // results that came more than once, all equal

	files    []string
	store    resultStore
	contents map[string]string // of cells, as far as the manifest tells
}

// ReadLedger reads a results folder. A folder that does not exist yet is an
// empty ledger. Journals of another study or seed, or of an older format, are
// refused.
func ReadLedger(dir, study string, seed uint64) (*Ledger, error) {
	l, errs := readLedger(dir, study, seed)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return l, nil
}

// readLedger reads what can be read of a folder, and returns an error for each
// file of which something cannot.
func readLedger(dir, study string, seed uint64) (*Ledger, []error) {
	l := &Ledger{store: newResultStore(), contents: map[string]string{}}
	if m, err := ReadManifest(dir); err == nil { // where it matters, its absence is noticed
		for _, c := range m.Cells {
			l.contents[c.ID] = c.Data
		}
	}
	files, err := journalFiles(dir)
	if err == nil && len(files) == 0 {
		err = l.readRecords(dir, study, seed)
	}
	var errs []error
	if err != nil {
		errs = append(errs, err)
	}
	for _, path := range files {
		if err := l.readJournalFile(path, study, seed); err != nil {
			errs = append(errs, err)
		}
	}
	return l, errs
}

func (l *Ledger) readJournalFile(path, study string, seed uint64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	at := place{file: len(l.files), session: -1}
	l.files = append(l.files, path)
	warning, err := readJournal(path, file, func(line int, content any) error {
		switch c := content.(type) {
		case *Session:
			at.session = len(l.Sessions)
			l.Sessions = append(l.Sessions, *c)
			return c.belongs(study, seed)
		case *Trial:
			if at.session < 0 {
				return errors.New("a trial before any session header")
			}
			at.line = line
			return l.add(c, at)
		}
		return nil
	})
	if warning != "" {
		l.Warnings = append(l.Warnings, warning)
	}
	return err
}

// belongs refuses a session of another study, seed or format.
func (s *Session) belongs(study string, seed uint64) error {
	switch {
	case s.Format != journalFormat:
		return fmt.Errorf("written in the format %q, this binary reads %q: use the binary that wrote it, or another --out folder", s.Format, journalFormat)
	case s.Study != study:
		return fmt.Errorf("belongs to the study %q, not to %q: use another --out folder", s.Study, study)
	case s.Seed != seed:
		return fmt.Errorf("was run with seed %d, the study says %d: every draw would differ; use another --out folder, or the old seed", s.Seed, seed)
	}
	return nil
}

// add enters a trial's results. The same result may come twice, from a task that
// ran twice or a shard that was merged twice, but must then say the same; a
// result takes the place of a failure.
func (l *Ledger) add(t *Trial, at place) error {
	if err := t.check(); err != nil {
		return err
	}
	line := l.store.line(t, at)
	for _, r := range t.Results {
		old := l.store.put(t, r, line)
		switch {
		case old == nil || old.Status == records.Failed || r.Status == records.Failed:
		case old.Errors != r.Errors || old.BER != r.BER || old.data != t.Data || old.nTest != t.NTest:
			return fmt.Errorf("cell %s, replicate %d, %s: disagrees with %s (%d errors on data %s here, %d on %s there): the same trial gave two results, on different platforms or by different binaries; keep one of the two files",
				t.Cell, t.Replicate, r.ID, l.describe(old.place), r.Errors, t.Data, old.Errors, old.data)
		default:
			l.Repeated++
		}
	}
	return nil
}

// place tells where a trial was read.
type place struct {
	file, line int // file counts in Ledger.files
	session    int // whose it is, in Ledger.Sessions; -1: unknown
}

func (l *Ledger) describe(p place) string { return fmt.Sprintf("%s:%d", l.files[p.file], p.line) }

// readRecords enters the rows of records.csv, which manifest.json says how they
// were made: this is how a folder without journals, fresh from version control,
// goes on.
func (l *Ledger) readRecords(dir, study string, seed uint64) error {
	path, err := records.Path(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := ReadManifest(dir)
	if err != nil {
		return fmt.Errorf("%s cannot be extended without its manifest: %w", path, err)
	}
	sum, err := recordsDigest(path)
	if err != nil {
		return err
	}
	var damage error // reading goes on, for whoever wants to see what is left
	if sum != m.RecordsSHA256 {
		damage = fmt.Errorf("%s is not the file that %s describes: its SHA-256 is %s, not %s: restore both", path, manifestName, sum, m.RecordsSHA256)
	}
	for i := range m.Sessions {
		if err := m.Sessions[i].belongs(study, seed); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, manifestName), err)
		}
	}
	l.Sessions = m.Sessions
	rows, err := records.ReadFile(path)
	if err != nil {
		return err
	}
	times, err := readTimings(dir)
	if err != nil {
		return err
	}
	at := place{file: len(l.files), session: m.onlySession()}
	l.files = append(l.files, path)
	for i, r := range rows.Rows {
		cell, ok := m.cell(r.Cell)
		if !ok {
			return fmt.Errorf("%s: row %d: cell %s is not in %s", path, i+2, r.Cell, manifestName)
		}
		result := Result{ID: r.Classifier, Spec: cell.Classifiers[r.Classifier], Status: r.Status, Errors: r.Errors, Message: r.Message}
		if r.Status == records.OK {
			result.BER = r.BER
		}
		if t, ok := times[timingKey{r.Cell, r.Replicate, r.Classifier}]; ok {
			result.Fit, result.Predict = t[0], t[1]
		}
		t := &Trial{Cell: r.Cell, Levels: cell.Levels, Replicate: r.Replicate, Data: r.Data, NTest: r.NTest, Results: []Result{result}}
		at.line = i + 2
		if err := l.add(t, at); err != nil {
			return err
		}
	}
	return damage
}
