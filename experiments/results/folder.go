// Package results reads and writes a results folder: the journals of finished trials,
// the records that follow from them, kept predictions and exports.
package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Folder is an open results folder: its study, its manifest and all stored results. These are the
// results in the journals, and those in records.csv that no journal has.
type Folder struct {
	Dir         string
	Study       *study.Study
	Manifest    *Manifest // as it was read or last written; nil: there is none
	ManifestErr error     // why Manifest is nil
	Warnings    []string  // about lines and files that were not read
	Repeated    int       // number of results that were read more than once, all equal

	journals   []*journalFile
	records    recordsFile
	hasImports bool      // only records.csv has some of the results
	recorded   []Session // of the manifest, whose trials only records.csv has
	store      *store
}

// LoadStudy reads the study that a results folder was made from. Its CSV files need not
// exist any more.
func LoadStudy(dir string) (*study.Study, error) {
	m, err := readManifest(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has none yet
		return nil, err
	}
	return loadStudy(dir, m)
}

// loadStudy is LoadStudy for a folder whose manifest was read.
func loadStudy(dir string, m *Manifest) (*study.Study, error) {
	file := filepath.Join(dir, folder.Study)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return study.Parse(filepath.ToSlash(file), text, nil, m.recall())
}

// Open reads a results folder with the study that it was made from.
func Open(dir string) (*Folder, error) {
	f, damage, err := Salvage(dir)
	if err != nil {
		return nil, err
	}
	return firstError(f, damage)
}

// Salvage is Open for a damaged folder: it reads all files that can be read and returns an error
// in damage for each of the others. err is the error of a study or a manifest that cannot be read.
func Salvage(dir string) (f *Folder, damage []error, err error) {
	f = &Folder{Dir: dir, store: newStore()}
	if err := f.readManifest(); err != nil {
		return nil, nil, err
	}
	if f.Study, err = loadStudy(dir, f.Manifest); err != nil {
		return nil, nil, err
	}
	return f, f.readResults(), nil
}

// OpenFor reads the results folder of a study, which need not exist yet. A folder of
// another study or seed, or of an older format, is an error.
func OpenFor(dir string, s *study.Study) (*Folder, error) {
	f := &Folder{Dir: dir, Study: s, store: newStore()}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	return firstError(f, f.readResults())
}

func firstError(f *Folder, damage []error) (*Folder, error) {
	if len(damage) > 0 {
		return nil, damage[0]
	}
	return f, nil
}

// readManifest sets Manifest, or ManifestErr if there is none, as after an interrupted first run.
func (f *Folder) readManifest() error {
	f.Manifest, f.ManifestErr = readManifest(f.Dir)
	if f.ManifestErr != nil && !errors.Is(f.ManifestErr, fs.ErrNotExist) {
		return f.ManifestErr
	}
	return nil
}

// readResults reads the journals and the records. After a file that cannot be read it goes on with
// the next one; it returns all errors.
func (f *Folder) readResults() (damage []error) {
	files, err := JournalFiles(f.Dir)
	if err != nil {
		damage = append(damage, err)
	}
	for _, path := range files {
		if err := f.readJournal(path); err != nil {
			damage = append(damage, err)
		}
	}
	if err := f.readRecords(); err != nil {
		damage = append(damage, err)
	}
	return damage
}

// Refresh reads the lines that processes have added to the journals since the folder was read. If
// other files were removed or replaced, it reads the whole folder again.
func (f *Folder) Refresh() error {
	files, err := JournalFiles(f.Dir)
	if err != nil {
		return err
	}
	isReplaced := func(j *journalFile) bool { return !slices.Contains(files, j.path) || !j.onlyGrown() }
	if !f.records.unchanged(f.Dir) || slices.ContainsFunc(f.journals, isReplaced) {
		return f.reopen()
	}
	for _, path := range files {
		if err := f.readJournal(path); err != nil {
			return err
		}
	}
	return nil
}

// readJournal adds the trials of a journal that were not read before.
func (f *Folder) readJournal(path string) error {
	at := slices.IndexFunc(f.journals, func(j *journalFile) bool { return j.path == path })
	if at < 0 {
		at = len(f.journals)
		f.journals = append(f.journals, &journalFile{path: path, began: f.Manifest.journal(path)})
	}
	j := f.journals[at]
	warning, err := j.readOn(func(line int, content any) error {
		switch c := content.(type) {
		case *Session:
			j.sessions = append(j.sessions, *c)
			if len(f.Study.Metrics) > 0 {
				j.requested = study.MetricsIn([]byte(c.Config))
			}
			return c.Belongs(f.Study.Name, f.Study.Seed)
		case *trial.Trial:
			if len(j.sessions) == 0 {
				return errors.New("a trial before any session header")
			}
			return f.add(c, origin{at, line, len(j.sessions) - 1}, j.requested)
		}
		return nil
	})
	if warning != "" {
		f.Warnings = append(f.Warnings, warning)
	}
	return err
}

// Sessions returns the sessions of the results, by journal, and then the sessions of records.csv that
// no journal has.
func (f *Folder) Sessions() []Session {
	var list []Session
	byName := func(a, b *journalFile) int { return strings.Compare(a.path, b.path) }
	for _, j := range slices.SortedFunc(slices.Values(f.journals), byName) {
		list = append(list, j.sessions...)
	}
	for _, s := range f.recorded {
		if !slices.ContainsFunc(list, func(o Session) bool { return reflect.DeepEqual(o, s) }) {
			list = append(list, s)
		}
	}
	return list
}

// add stores the results of a trial; requested are the metrics that its configuration requests. The
// same result may come twice, if a trial ran twice or a shard was copied twice; both must then be
// equal. A success replaces a failure.
func (f *Folder) add(t *trial.Trial, at origin, requested []string) error {
	if err := t.Check(); err != nil {
		return err
	}
	return f.store.put(t, at, requested, func(r, old *records.Record, was origin) error {
		if old.Status == records.Failed || r.Status == records.Failed {
			return nil
		}
		if !agrees(t, r, old) {
			return fmt.Errorf("%s: disagrees with %s (%d errors on data %s here, %d on %s there): the same trial gave "+
				"two results, on different platforms or by different binaries; keep one of the two files",
				fitName(t, r), f.describe(was), r.Errors, t.Data, old.Errors, old.Data)
		}
		f.Repeated++
		return nil
	})
}

// agrees reports whether a result of a trial equals the one that is stored.
func agrees(t *trial.Trial, r, old *records.Record) bool {
	return old.Errors == r.Errors && old.BER == r.BER && old.Data == t.Data && old.NTest == t.NTest
}

// CheckRepeated returns an error for a trial that must not be stored: it repeats stored fits and gives
// other results, as on another platform or by another binary.
func (f *Folder) CheckRepeated(t *trial.Trial) error {
	for i := range t.Results {
		r := &t.Results[i]
		old, stored := f.Row(t.Cell, t.Replicate, r.Classifier, r.Spec)
		if !stored || old.Status == records.Failed || r.Status == records.Failed || agrees(t, r, &old) {
			continue // a failure leaves the stored result as it is
		}
		return fmt.Errorf("%s: the fit was repeated for a metric and gave %d errors on data %s; %d on %s are stored: "+
			"repeat it on the platform and with the binary that stored them, or use another --out",
			fitName(t, r), r.Errors, t.Data, old.Errors, old.Data)
	}
	return nil
}

// fitName identifies a fit in messages.
func fitName(t *trial.Trial, r *records.Record) string {
	return fmt.Sprintf("cell %s, replicate %d, %s", t.Cell, t.Replicate, r.Classifier)
}

// An origin is the place where a trial was read.
type origin struct {
	file    int // in Folder.journals; fromRecords: records.csv
	line    int
	session int // in journalFile.sessions, of records.csv in Folder.recorded; or unknownSession
}

const (
	fromRecords    = -1 // the file of results that were read from records.csv
	unknownSession = -1
)

// describe names the file and line of an origin.
func (f *Folder) describe(o origin) string {
	path := f.records.path
	if o.file != fromRecords {
		path = f.journals[o.file].path
	}
	return fmt.Sprintf("%s:%d", path, o.line)
}

// SessionOf returns the session that stored a result; nil where that is not known.
func (f *Folder) SessionOf(r *records.Record) *Session {
	_, stored := f.store.at(r.Cell, r.Replicate, r.Classifier, r.Spec)
	if stored == nil {
		return nil
	}
	at := f.store.lines[stored.line].origin
	switch {
	case at.session == unknownSession:
		return nil
	case at.file == fromRecords:
		return &f.recorded[at.session]
	}
	return &f.journals[at.file].sessions[at.session]
}

// Earlier returns the earlier configurations of the study that gave results, the latest first. broken
// has the errors of configurations that this binary cannot read.
func (f *Folder) Earlier() (list []*study.Study, broken []string) {
	seen := map[string]bool{"": true}
	if text, err := f.Study.YAML(); err == nil {
		seen[string(text)] = true
	}
	for _, session := range slices.Backward(f.Sessions()) {
		text := session.Config
		if seen[text] {
			continue
		}
		seen[text] = true
		name := filepath.ToSlash(f.Dir) + "/the configuration of the session of " + session.Started
		if earlier, err := study.Parse(name, []byte(text), nil, f.Manifest.recall()); err == nil {
			list = append(list, earlier)
		} else {
			broken = append(broken, err.Error())
		}
	}
	return list, broken
}

// A recordsFile is records.csv, plain or zipped, as it was when the folder was read.
type recordsFile struct {
	path   string      // "": there was none
	info   os.FileInfo // of the file
	digest string      // SHA-256 of its rows
}

// unchanged reports whether the records of a folder are still the file that was read.
func (r *recordsFile) unchanged(dir string) bool {
	path, err := records.Path(dir)
	if r.path == "" {
		return errors.Is(err, fs.ErrNotExist)
	}
	now, statErr := os.Stat(r.path)
	return cmp.Or(err, statErr) == nil && path == r.path && sameContent(r.info, now)
}

// sameContent reports whether two looks at a path saw the same file without a change.
func sameContent(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
