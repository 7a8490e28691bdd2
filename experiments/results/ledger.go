// Package results reads and writes a results folder: the journals of finished trials,
// the records that follow from them, kept predictions and exports.
package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Ledger is everything that a results folder knows: the sessions and the
// results of all journals, and of records.csv where no journal has them.
type Ledger struct {
	Sessions []Session
	Warnings []string
	Repeated int // results that came more than once, all equal

	dir      string
	files    []string
	store    store
	cells    map[string]ManifestCell // as far as the manifest tells
	recall   study.Recall            // what the manifest tells of cells
	records  string                  // the path of records.csv, "" where there is none
	digest   string                  // of that file
	imported []trialKey              // trials with results that it alone has
	parts    []JournalPart           // what was read of the journals
	held     int                     // of the manifest's parts, those that are here
}

// LoadStudy reads the study that a results folder was made from. CSV files
// that are not here any more are no mistake then.
func LoadStudy(dir string) (*study.Study, error) {
	file := filepath.Join(dir, folder.Study)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := ReadManifest(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has none yet
		return nil, err
	}
	return study.Parse(filepath.ToSlash(file), text, nil, m.recall())
}

// Read reads a results folder: its journals, and those rows of records.csv that no
// journal knows, as version control brings them. A folder that does not exist yet
// is an empty ledger. Another study or seed, or an older format, is refused.
func Read(dir, study string, seed uint64) (*Ledger, error) {
	l, errs := Salvage(dir, study, seed)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return l, nil
}

// Salvage reads what can be read of a folder, and returns an error for each
// file of which something cannot.
func Salvage(dir, study string, seed uint64) (*Ledger, []error) {
	l := &Ledger{dir: dir, store: newStore(), cells: map[string]ManifestCell{}}
	var errs []error
	m, err := ReadManifest(dir)
	if err == nil {
		l.recall = m.recall()
		for _, c := range m.Cells {
			l.cells[c.ID] = c
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	files, err := JournalFiles(dir)
	if err != nil {
		errs = append(errs, err)
	}
	for _, path := range files {
		if err := l.readJournalFile(path, m, study, seed); err != nil {
			errs = append(errs, err)
		}
	}
	if err := l.readRecords(dir, m, study, seed); err != nil {
		errs = append(errs, err)
	}
	return l, errs
}

func (l *Ledger) readJournalFile(path string, m *Manifest, study string, seed uint64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	at := origin{file: len(l.files), session: -1}
	l.files = append(l.files, path)
	text := &partReader{Reader: file}
	if m != nil {
		text.began = partOf(m.Journals, path)
	}
	warning, err := ReadJournal(path, text, func(line int, content any) error {
		switch c := content.(type) {
		case *Session:
			at.session = len(l.Sessions)
			l.Sessions = append(l.Sessions, *c)
			return c.Belongs(study, seed)
		case *trial.Trial:
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
	if err == nil {
		l.parts = append(l.parts, text.part(path))
		if text.held {
			l.held++
		}
	}
	return err
}

// add enters a trial's results. The same result may come twice, from a task that
// ran twice or a shard that was merged twice, but must then say the same; a
// result takes the place of a failure.
func (l *Ledger) add(t *trial.Trial, at origin) error {
	if err := t.Check(); err != nil {
		return err
	}
	return l.store.put(t, at, func(r, old *records.Record, was origin) error {
		switch {
		case old.Status == records.Failed || r.Status == records.Failed:
		case old.Errors != r.Errors || old.BER != r.BER || old.Data != t.Data || old.NTest != t.NTest:
			return fmt.Errorf("cell %s, replicate %d, %s: disagrees with %s (%d errors on data %s here, %d on %s there): the same trial gave two results, on different platforms or by different binaries; keep one of the two files",
				t.Cell, t.Replicate, r.Classifier, l.describe(was), r.Errors, t.Data, old.Errors, old.Data)
		default:
			l.Repeated++
		}
		return nil
	})
}

// An origin tells where a trial was read.
type origin struct {
	file, line int // file counts in Ledger.files
	session    int // whose it is, in Ledger.Sessions; -1: unknown
}

func (l *Ledger) describe(p origin) string { return fmt.Sprintf("%s:%d", l.files[p.file], p.line) }
