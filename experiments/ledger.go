package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
)

// A Ledger is everything that a results folder knows: the sessions and the
// rows of all journals, or of records.csv where no journal was kept.
type Ledger struct {
	Sessions []Session
	Warnings []string
	Repeated int // results that came more than once, all equal
	rows     map[rowKey]row
	files    []string
}

// rowKey identifies a result: a changed recipe is another row.
type rowKey struct {
	cell      string
	replicate int
	id, spec  string
}

type row struct {
	Result
	data   string
	nTest  int
	levels map[string]string
	place  place
}

// place tells where a row was read.
type place struct {
	file, line int // file counts in Ledger.files
	session    int // whose row it is, in Ledger.Sessions; -1: unknown
}

func (l *Ledger) describe(p place) string { return fmt.Sprintf("%s:%d", l.files[p.file], p.line) }

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
	l := &Ledger{rows: map[rowKey]row{}}
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

// add enters a trial's results. The same row may come twice, from a task that
// ran twice or a shard that was merged twice, but must then say the same; a
// result takes the place of a failure.
func (l *Ledger) add(t *Trial, at place) error {
	for _, r := range t.Results {
		key := rowKey{t.Cell, t.Replicate, r.ID, r.Spec}
		next := row{r, t.Data, t.NTest, t.Levels, at}
		old, again := l.rows[key]
		switch {
		case !again || old.Status == stats.Failed:
			l.rows[key] = next
		case r.Status == stats.Failed:
		case old.Errors != r.Errors || old.BER != r.BER || old.data != t.Data || old.nTest != t.NTest:
			return fmt.Errorf("cell %s, replicate %d, %s: disagrees with %s (%d errors on data %s here, %d on %s there): the same trial gave two results, on different platforms or by different binaries; keep one of the two files",
				t.Cell, t.Replicate, r.ID, l.describe(old.place), r.Errors, t.Data, old.Errors, old.data)
		default:
			l.Repeated++
		}
	}
	return nil
}

// readRecords enters the rows of records.csv, which manifest.json says how they
// were made: this is how a folder without journals, fresh from version control,
// goes on.
func (l *Ledger) readRecords(dir, study string, seed uint64) error {
	path, err := stats.RecordsPath(dir)
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
	records, err := stats.ReadRecordsFile(path)
	if err != nil {
		return err
	}
	times, err := readTimings(dir)
	if err != nil {
		return err
	}
	at := place{file: len(l.files), session: m.onlySession()}
	l.files = append(l.files, path)
	for i, r := range records.Rows {
		cell, ok := m.cell(r.Cell)
		if !ok {
			return fmt.Errorf("%s: row %d: cell %s is not in %s", path, i+2, r.Cell, manifestName)
		}
		result := Result{ID: r.Classifier, Spec: cell.Classifiers[r.Classifier], Status: r.Status, Errors: r.Errors, Message: r.Message}
		if r.Status == stats.OK {
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

// Records returns the rows that belong to the study as it is now: those of its
// cells and recipes, with all replicates that there are, and those of cells
// with other levels of the same factors, left from sweeps. They are sorted by
// levels, replicate and classifier.
func (l *Ledger) Records(s *Study) *Collection {
	b := newRecordBuilder(s)
	for key, r := range l.rows {
		b.add(key, r)
	}
	return b.build()
}

// trials gathers the rows into trials, sorted by cell and replicate.
func (l *Ledger) trials() []*Trial {
	var list []*Trial
	for _, key := range l.sortedKeys() {
		r := l.rows[key]
		if n := len(list); n == 0 || list[n-1].Cell != key.cell || list[n-1].Replicate != key.replicate {
			list = append(list, &Trial{Cell: key.cell, Levels: r.levels, Replicate: key.replicate, Data: r.data, NTest: r.nTest})
		}
		last := list[len(list)-1]
		last.Results = append(last.Results, r.Result)
	}
	return list
}

// sortedKeys lists the rows by cell, replicate, id and recipe.
func (l *Ledger) sortedKeys() []rowKey {
	keys := make([]rowKey, 0, len(l.rows))
	for key := range l.rows {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareKeys)
	return keys
}

func compareKeys(a, b rowKey) int {
	return cmp.Or(strings.Compare(a.cell, b.cell), cmp.Compare(a.replicate, b.replicate), strings.Compare(a.id, b.id), strings.Compare(a.spec, b.spec))
}

// A Collection is a study's records with their times, and notes on rows that
// were left out.
type Collection struct {
	*stats.Records
	Notes []string
	times map[timingKey][2]float64     // seconds to fit and to predict
	specs map[string]map[string]string // recipe by cell and id
	named map[string]map[string]string // levels by cell
}

// Seconds returns how long a record's fit and prediction took.
func (c *Collection) Seconds(r stats.Record) (fit, predict float64) {
	t := c.times[timingKey{r.Cell, r.Replicate, r.Classifier}]
	return t[0], t[1]
}

type recordBuilder struct {
	s        *Study
	ids      []string
	cells    map[string]*Cell
	tuples   map[string]string // level tuple -> cell
	specs    map[string]string // recipes of entries that no factor sets
	factors  []stats.Factor
	kept     map[rowKey]row
	foreign  int
	replaced int
}

func newRecordBuilder(s *Study) *recordBuilder {
	b := &recordBuilder{s: s, ids: s.ClassifierIDs(), cells: map[string]*Cell{}, tuples: map[string]string{}, specs: map[string]string{}, kept: map[rowKey]row{}}
	for _, f := range s.Factors {
		b.factors = append(b.factors, stats.Factor{Name: f.Name, Levels: slices.Clone(f.Levels)})
	}
	for _, c := range s.Cells {
		b.cells[c.ID] = c
		b.tuples[strings.Join(c.Levels, "\x00")] = c.ID
		for _, e := range c.Classifiers {
			if spec, seen := b.specs[e.ID]; seen && spec != e.Spec {
				b.specs[e.ID] = "" // set by a factor
			} else if !seen {
				b.specs[e.ID] = e.Spec
			}
		}
	}
	return b
}

// levels aligns a row's levels with the study's factors; false when the row has
// a factor that the study lacks.
func (b *recordBuilder) levels(r row) ([]string, bool) {
	list := make([]string, len(b.factors))
	found := 0
	for i, f := range b.factors {
		if level, ok := r.levels[f.Name]; ok {
			list[i] = level
			found++
		}
	}
	return list, found == len(r.levels)
}

func (b *recordBuilder) add(key rowKey, r row) {
	if c, ok := b.cells[key.cell]; ok {
		for _, e := range c.Classifiers {
			if e.ID == key.id && e.Spec == key.spec {
				b.kept[key] = r
				return
			}
		}
		b.replaced++
		return
	}
	levels, ok := b.levels(r)
	if !ok {
		b.foreign++
		return
	}
	spec, known := b.specs[key.id]
	if !known || spec != "" && spec != key.spec || b.tuples[strings.Join(levels, "\x00")] != "" {
		b.replaced++
		return
	}
	b.kept[key] = r
}

func (b *recordBuilder) build() *Collection {
	c := &Collection{Records: &stats.Records{Study: b.s.Name, Classifiers: b.ids}, times: map[timingKey][2]float64{},
		specs: map[string]map[string]string{}, named: map[string]map[string]string{}}
	for key, r := range b.kept {
		levels := levelsOf(b, key, r)
		for i, level := range levels {
			if level != "" && !slices.Contains(b.factors[i].Levels, level) {
				b.factors[i].Levels = append(b.factors[i].Levels, level)
			}
		}
		c.Rows = append(c.Rows, r.record(key, levels))
		c.times[timingKey{key.cell, key.replicate, key.id}] = [2]float64{r.Fit, r.Predict}
		if c.specs[key.cell] == nil {
			c.specs[key.cell], c.named[key.cell] = map[string]string{}, r.levels
		}
		c.specs[key.cell][key.id] = key.spec
	}
	for i := range b.factors {
		orderLevels(&b.factors[i], len(b.s.Factors[i].Levels))
	}
	c.Factors = b.factors
	c.Sort()
	if b.replaced > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results of earlier recipes or settings stay in the journal and out of the records", b.replaced))
	}
	if b.foreign > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results with other factors stay in the journal and out of the records", b.foreign))
	}
	return c
}

func (r *row) record(key rowKey, levels []string) stats.Record {
	out := stats.Record{Cell: key.cell, Levels: levels, Replicate: key.replicate, Classifier: key.id, Status: r.Status,
		NTest: r.nTest, Errors: r.Errors, Error: math.NaN(), BER: math.NaN(), Data: r.data, Message: r.Message}
	if r.Status == stats.OK {
		out.Error, out.BER = float64(r.Errors)/float64(r.nTest), r.BER
	}
	return out
}

// levelsOf names a kept row's levels as the study does now.
func levelsOf(b *recordBuilder, key rowKey, r row) []string {
	if c, ok := b.cells[key.cell]; ok {
		return c.Levels
	}
	levels, _ := b.levels(r)
	return levels
}

// orderLevels sorts numeric levels by value; otherwise levels that the study
// does not list follow its own, by name.
func orderLevels(f *stats.Factor, own int) {
	numbers := map[string]float64{}
	for _, l := range f.Levels {
		if v, err := strconv.ParseFloat(l, 64); err == nil {
			numbers[l] = v
		}
	}
	if len(numbers) == len(f.Levels) {
		if own < len(f.Levels) {
			slices.SortStableFunc(f.Levels, func(a, b string) int {
				if numbers[a] != numbers[b] {
					return int(math.Copysign(1, numbers[a]-numbers[b]))
				}
				return strings.Compare(a, b)
			})
		}
		return
	}
	slices.Sort(f.Levels[own:])
}
