// Package results reads and writes a results folder. The folder contains journals of finished
// trials, records computed from them, predictions and exports.
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
	"copse/stats/regular"
)

// A Folder is an open results folder with its results, which are read from the journals. Results in
// no journal are read from records.csv.
type Folder struct {
	Dir         string
	Study       *study.Study
	Manifest    *Manifest // as last read or written, or nil
	ManifestErr error     // why Manifest is nil
	Warnings    []string  // about lines and files that were skipped
	Repeated    int       // number of results that were found more than once, with equal values
	HasImports  bool      // some results are in records.csv but in no journal

	journals []*journalFile
	records  recordsFile
	recorded []Session // sessions in the manifest that may have computed the imported results
	store    *store

	// successful results whose required predictions are missing; set by FindPredictions
	unpredicted map[storedFit]bool
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

// Open reads a results folder and its study. The data files of the study need not exist.
func Open(dir string) (*Folder, error) {
	f, damage, err := Salvage(dir)
	if err != nil {
		return nil, err
	}
	return f, cmp.Or(damage...) // the first error, if any
}

// Salvage opens a folder that may be damaged. It returns the errors of unreadable files in damage,
// and in err the error of an unreadable study.
func Salvage(dir string) (f *Folder, damage []error, err error) {
	f = &Folder{Dir: dir, store: newStore()}
	if err := f.readManifest(); err != nil {
		damage = append(damage, err)
	}
	if f.Study, err = f.Manifest.readStudy(dir); err != nil {
		return nil, damage, err
	}
	return f, append(damage, f.readResults()...), nil
}

// readStudy reads the study of a results folder. The manifest m, which may be nil, identifies cells whose data
// files do not exist.
func (m *Manifest) readStudy(dir string) (*study.Study, error) {
	file := filepath.Join(dir, folder.Study)
	text, err := study.Read(file, regular.Open)
	if err != nil {
		return nil, err
	}
	return study.Parse(filepath.ToSlash(file), text, nil, m.cellLookup())
}

// OpenFor opens the results folder of a study, which need not exist. It returns an error for
// results of another study, seed or format, and for links that folder.RejectLinks rejects.
func OpenFor(dir string, s *study.Study) (*Folder, error) {
	if err := folder.RejectLinks(dir); err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Study: s, store: newStore()}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	return f, cmp.Or(f.readResults()...)
}

// readManifest sets f.Manifest. If the file does not exist, it sets f.ManifestErr and returns nil.
func (f *Folder) readManifest() error {
	f.Manifest, f.ManifestErr = readManifest(f.Dir)
	return folder.IgnoreMissing(f.ManifestErr)
}

// readResults reads all journals and the records. It returns the errors of unreadable files.
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
	f.addRetried()
	return damage
}

// Refresh reads the lines that were added to the journals since they were last read. If a file was
// replaced or removed, it reads the whole folder again.
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

// readJournal stores the sessions and trials in the lines that were added to a journal since the
// last call.
func (f *Folder) readJournal(path string) error {
	at := f.journalIndex(path)
	j := f.journals[at]
	warning, err := j.readOn(func(line int, content any) error {
		switch c := content.(type) {
		case *Session: // it precedes its trials
			j.sessions = append(j.sessions, *c)
			if len(f.Study.Metrics) > 0 { // otherwise no result can lack a metric
				j.requestedMetrics = study.MetricsIn([]byte(c.Config))
			}
			return c.Belongs(f.Study.Name, f.Study.Seed)
		case *trial.Trial:
			if len(j.sessions) == 0 {
				return errors.New("the journal contains a trial before its first session")
			}
			return f.add(c, origin{file: at, line: line, session: j.session()}, j.requestedMetrics)
		}
		return nil
	})
	if warning != "" {
		f.Warnings = append(f.Warnings, warning)
	}
	return err
}

// journalIndex returns the index of a journal in f.journals. It first adds the journal if it is
// new.
func (f *Folder) journalIndex(path string) int {
	at := slices.IndexFunc(f.journals, func(j *journalFile) bool { return j.path == path })
	if at < 0 {
		at = len(f.journals)
		f.journals = append(f.journals, &journalFile{path: path, listed: f.Manifest.journal(path)})
	}
	return at
}

// Sessions returns the sessions in the journals, ordered by journal, and then the sessions that are
// only in the manifest.
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

// add stores the results of a trial and where they were read. If a fit already has a stored result,
// the new result is merged with it. requested lists the metrics that the study of the trial
// requests.
func (f *Folder) add(t *trial.Trial, at origin, requested []string) error {
	if err := t.Check(); err != nil {
		return err
	}
	if len(t.Results) == 0 {
		return nil
	}
	s := f.store
	line := int32(len(s.lines))
	s.lines = append(s.lines, storedLine{origin: at, data: t.Data, nTest: t.NTest})
	key := trialKey{s.cell(t), int32(t.Replicate)}
	list := slices.Grow(s.results(key), len(t.Results))
	requestedSet := s.nameSet(requested)
	for i := range t.Results {
		result := s.pack(&t.Results[i], line, requestedSet)
		k := slices.IndexFunc(list, func(stored storedResult) bool { return stored.recipe == result.recipe })
		isNew := k < 0
		if isNew {
			list = append(list, result)
			s.n++
		} else if err := f.addRepeated(key, &list[k], result); err != nil {
			return err
		}
	}
	s.cells[key.cell].trials[key.replicate] = list
	return nil
}

// addRepeated merges a result with the stored result of the same fit. A success replaces a failure,
// and a later failure replaces an earlier one. Two successes must agree.
func (f *Folder) addRepeated(key trialKey, stored *storedResult, result storedResult) error {
	s := f.store
	// Journals are read in any order.
	isEarlier := f.compareTimes(s.lines[result.line].origin, s.lines[stored.line].origin) < 0
	if result.failed != stored.failed {
		s.retried[storedFit{key, stored.recipe}] = true
	}
	isFirstSuccess := stored.failed && !result.failed
	isLaterFailure := stored.failed && result.failed && !isEarlier
	if isFirstSuccess || isLaterFailure {
		*stored = result
		return nil
	}
	if stored.failed || result.failed {
		return nil // keep the stored result
	}
	return f.mergeSuccesses(key, stored, result, isEarlier)
}

// mergeSuccesses merges two successful results of the same fit, which may have different metrics. It
// returns an error if they differ in their errors or data. isEarlier is true if result was computed
// before the stored result, whose times it then replaces.
func (f *Folder) mergeSuccesses(key trialKey, stored *storedResult, result storedResult, isEarlier bool) error {
	s := f.store
	oldOrigin := s.lines[stored.line].origin
	old, r := s.record(key, stored), s.record(key, &result)
	if !agrees(&r, &old) {
		return fmt.Errorf("%s: the result differs from the one in %s:%d (%d errors on data %s here, %d on %s there). "+
			"The same trial ran on different platforms or with different binaries, or one of the two files was "+
			"edited. Keep one of the files",
			fitName(&r), f.fileOf(oldOrigin), oldOrigin.line, r.Errors, r.Data, old.Errors, old.Data)
	}
	f.Repeated++
	// The fit may have run again because its predictions were missing. A run writes predictions
	// before results, so they exist now.
	delete(f.unpredicted, storedFit{key, stored.recipe})
	if isEarlier {
		*stored = s.mergeResults(key, result, *stored)
	} else {
		*stored = s.mergeResults(key, *stored, result)
	}
	return nil
}

// agrees reports whether two results of the same fit are equal.
func agrees(a, b *records.Record) bool {
	return a.Errors == b.Errors && a.BER == b.BER && a.Data == b.Data && a.NTest == b.NTest
}

// CheckRepeated returns an error if a trial differs from stored results of the same fits. Such a
// trial must not be stored.
func (f *Folder) CheckRepeated(t *trial.Trial) error {
	for i := range t.Results {
		r := &t.Results[i]
		old, stored := f.Row(t.Cell, t.Replicate, r.Classifier, r.Spec)
		if !stored || old.Status == records.Failed || r.Status == records.Failed || agrees(r, &old) {
			continue
		}
		return fmt.Errorf("%s: the fit was repeated to compute a metric or predictions and gave %d errors on data "+
			"%s, but the stored result has %d errors on data %s: run the study on the platform and with the binary of "+
			"the stored result, or use another `--out`", fitName(r), r.Errors, r.Data, old.Errors, old.Data)
	}
	return nil
}

// fitName returns the name of a fit for messages, such as "cell 1a2b, replicate 3, lda".
func fitName(r *records.Record) string {
	return fmt.Sprintf("cell %s, replicate %d, %s", r.Cell, r.Replicate, r.Classifier)
}

// An origin is the file and line from which a trial was read.
type origin struct {
	file    int // index in Folder.journals, or fromRecords
	line    int
	session int // index in the journal's sessions; for records.csv, in Folder.recorded; or unknownSession
}

const (
	fromRecords    = -1 // value of origin.file for results from records.csv
	unknownSession = -1 // value of origin.session
)

func (f *Folder) fileOf(o origin) string {
	if o.file == fromRecords {
		return f.records.path
	}
	return f.journals[o.file].path
}

// compareTimes compares the start times of the sessions that wrote the lines at a and b. Unknown
// sessions come first.
func (f *Folder) compareTimes(a, b origin) int {
	started := func(o origin) string {
		if s := f.sessionAt(o); s != nil {
			return s.Started
		}
		return ""
	}
	return cmp.Or(strings.Compare(started(a), started(b)), strings.Compare(f.fileOf(a), f.fileOf(b)),
		cmp.Compare(a.session, b.session), cmp.Compare(a.line, b.line))
}

// SessionOf returns the session that first computed a stored result, or nil if it is unknown.
func (f *Folder) SessionOf(r *records.Record) *Session {
	_, stored := f.store.find(r.Cell, r.Replicate, r.Classifier, r.Spec)
	if stored == nil {
		return nil
	}
	return f.sessionAt(f.store.lines[stored.line].origin)
}

// sessionAt returns the session in which a result of the given origin was computed, or nil if it is unknown.
func (f *Folder) sessionAt(o origin) *Session {
	switch {
	case o.session == unknownSession:
		return nil
	case o.file == fromRecords:
		return &f.recorded[o.session]
	}
	return &f.journals[o.file].sessions[o.session]
}

// Earlier returns earlier configurations of the study, the latest first. broken contains the errors
// of unreadable configurations.
func (f *Folder) Earlier() (list []*study.Study, broken []string) {
	seen := map[string]bool{"": true} // a session without a configuration is skipped
	if text, err := f.Study.YAML(); err == nil {
		seen[string(text)] = true
	}
	for _, session := range slices.Backward(f.Sessions()) {
		text := session.Config
		if seen[text] {
			continue
		}
		seen[text] = true
		// study.Parse begins its errors with this name, and relative paths are relative to its folder.
		name := filepath.ToSlash(f.path(folder.Study)) + " of the session of " + session.Started
		earlier, err := study.Parse(name, []byte(text), nil, f.Manifest.cellLookup())
		if err != nil {
			broken = append(broken, err.Error())
			continue
		}
		list = append(list, earlier)
	}
	return list, broken
}

// A recordsFile describes records.csv or records.csv.gz as it was when last read.
type recordsFile struct {
	path   string // "" if there was no such file
	info   os.FileInfo
	digest string // SHA-256 of the uncompressed file
}

// unchanged reports whether the records file is the same as when it was last read, or is still
// missing.
func (r *recordsFile) unchanged(dir string) bool {
	path, err := records.Path(dir)
	if r.path == "" {
		return errors.Is(err, fs.ErrNotExist)
	}
	now, _ := os.Stat(r.path)
	isSame := err == nil && path == r.path && os.SameFile(r.info, now) // SameFile returns false after an error of Stat
	return isSame && r.info.Size() == now.Size() && r.info.ModTime().Equal(now.ModTime())
}
