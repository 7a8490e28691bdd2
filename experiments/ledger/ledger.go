// Package ledger gathers all results of a folder and writes the records that
// follow from them.
package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"copse/experiments/folder"
	"copse/experiments/journal"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Ledger is everything that a results folder knows: the sessions and the
// results of all journals, or of records.csv where no journal was kept.
type Ledger struct {
	Sessions []journal.Session
	Warnings []string
	Repeated int // results that came more than once, all equal

	files    []string
	store    store
	contents map[string]string // of cells, as far as the manifest tells
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
	return study.Parse(filepath.ToSlash(file), text, nil, m.Recall())
}

// Read reads a results folder. A folder that does not exist yet is an
// empty ledger. Journals of another study or seed, or of an older format, are
// refused.
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
	l := &Ledger{store: newResultStore(), contents: map[string]string{}}
	if m, err := ReadManifest(dir); err == nil { // where it matters, its absence is noticed
		for _, c := range m.Cells {
			l.contents[c.ID] = c.Data
		}
	}
	files, err := journal.Files(dir)
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
	at := Place{file: len(l.files), Session: -1}
	l.files = append(l.files, path)
	warning, err := journal.Read(path, file, func(line int, content any) error {
		switch c := content.(type) {
		case *journal.Session:
			at.Session = len(l.Sessions)
			l.Sessions = append(l.Sessions, *c)
			return c.Belongs(study, seed)
		case *trial.Trial:
			if at.Session < 0 {
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

// add enters a trial's results. The same result may come twice, from a task that
// ran twice or a shard that was merged twice, but must then say the same; a
// result takes the place of a failure.
func (l *Ledger) add(t *trial.Trial, at Place) error {
	if err := t.Check(); err != nil {
		return err
	}
	line := l.store.line(t, at)
	for _, r := range t.Results {
		old := l.store.put(t, r, line)
		switch {
		case old == nil || old.Status == records.Failed || r.Status == records.Failed:
		case old.Errors != r.Errors || old.BER != r.BER || old.Data != t.Data || old.NTest != t.NTest:
			return fmt.Errorf("cell %s, replicate %d, %s: disagrees with %s (%d errors on data %s here, %d on %s there): the same trial gave two results, on different platforms or by different binaries; keep one of the two files",
				t.Cell, t.Replicate, r.ID, l.describe(old.Place), r.Errors, t.Data, old.Errors, old.Data)
		default:
			l.Repeated++
		}
	}
	return nil
}

// A Place tells where a trial was read.
type Place struct {
	file, line int // file counts in Ledger.files
	Session    int // whose it is, in Ledger.Sessions; -1: unknown
}

func (l *Ledger) describe(p Place) string { return fmt.Sprintf("%s:%d", l.files[p.file], p.line) }

// Len is the number of results.
func (l *Ledger) Len() int { return l.store.n }

// Rows yields the results by cell, replicate, id and recipe.
func (l *Ledger) Rows() iter.Seq[Row] { return l.store.all() }

// Row finds one result.
func (l *Ledger) Row(cell string, replicate int, id, spec string) (Row, bool) {
	return l.store.find(cell, replicate, id, spec)
}

// Trials gathers the results into trials, by cell and replicate.
func (l *Ledger) Trials() []*trial.Trial { return l.store.asTrials() }

// A KnownCell is a cell that has results.
type KnownCell struct {
	ID      string
	Levels  map[string]string
	Content string // canonical content of its data; "" where the manifest does not tell
}

// Cells lists the cells that have results.
func (l *Ledger) Cells() []KnownCell {
	var list []KnownCell
	for _, c := range l.store.cells {
		list = append(list, KnownCell{c.id, c.levels, l.contents[c.id]})
	}
	return list
}

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
	sum, err := folder.RecordsDigest(path)
	if err != nil {
		return err
	}
	var damage error // reading goes on, for whoever wants to see what is left
	if sum != m.RecordsSHA256 {
		damage = fmt.Errorf("%s is not the file that %s describes: its SHA-256 is %s, not %s: restore both", path, folder.Manifest, sum, m.RecordsSHA256)
	}
	for i := range m.Sessions {
		if err := m.Sessions[i].Belongs(study, seed); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, folder.Manifest), err)
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
	at := Place{file: len(l.files), Session: m.onlySession()}
	l.files = append(l.files, path)
	for i, r := range rows.Rows {
		cell, ok := m.Cell(r.Cell)
		if !ok {
			return fmt.Errorf("%s: row %d: cell %s is not in %s", path, i+2, r.Cell, folder.Manifest)
		}
		result := trial.Result{ID: r.Classifier, Spec: cell.Classifiers[r.Classifier], Status: r.Status, Errors: r.Errors, Message: r.Message}
		if r.Status == records.OK {
			result.BER = r.BER
		}
		if t, ok := times[timingKey{r.Cell, r.Replicate, r.Classifier}]; ok {
			result.Fit, result.Predict = t[0], t[1]
		}
		t := &trial.Trial{Cell: r.Cell, Levels: cell.Levels, Replicate: r.Replicate, Data: r.Data, NTest: r.NTest, Results: []trial.Result{result}}
		at.line = i + 2
		if err := l.add(t, at); err != nil {
			return err
		}
	}
	return damage
}
