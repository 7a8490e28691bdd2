package calibrate

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
	"copse/stats/regular"
)

// Losses holds the results of all fits of a calibration.
type Losses struct {
	known    map[lossKey]loss
	Sessions []results.Session
}

// A lossKey identifies a fit. It includes the factor levels, because cells with different levels,
// and thus different random streams, may have the same id.
type lossKey struct {
	cell      string
	levels    records.Levels
	replicate int
	id, spec  string // id and recipe of the classifier
}

type loss struct {
	status       records.Status // "": no result yet
	errors, rows int            // number of misclassified test rows, and of all test rows
	message      string         // reason for a failure, or a warning
}

// resultOf returns the result of a classifier in one replicate of a cell.
func (l *Losses) resultOf(c *study.Cell, replicate int, e study.Entry) loss {
	return l.known[lossKey{c.ID, c.Levels, replicate, e.ID, e.Spec}]
}

// Add adds the results of a trial.
func (l *Losses) Add(t *trial.Trial) {
	for _, r := range t.Results {
		key := lossKey{t.Cell, t.Levels, t.Replicate, r.Classifier, r.Spec}
		l.known[key] = loss{status: r.Status, errors: r.Errors, rows: t.NTest, message: r.Message}
	}
}

// ReadLosses reads the losses file and the journals of a calibration, which need not exist.
// warnings describes incomplete last lines of journals.
func ReadLosses(dir string, s *study.Study) (l *Losses, warnings []string, err error) {
	l = &Losses{known: map[lossKey]loss{}}
	if err := l.readKept(dir, s); err != nil {
		return nil, nil, err
	}
	files, err := results.JournalFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range files {
		warning, err := l.readJournal(path, s)
		if err != nil {
			return nil, nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return l, warnings, nil
}

// readKept adds the results and sessions that Keep stored earlier, if any.
func (l *Losses) readKept(dir string, s *study.Study) error {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.check(dir, s); err != nil {
		return err
	}
	l.Sessions = m.Sessions
	return l.readLosses(dir, records.FactorNames(s.Factors))
}

// readJournal adds the results and the new sessions of a journal, which must belong to the study s.
// warning describes an incomplete last line, or is "".
func (l *Losses) readJournal(path string, s *study.Study) (warning string, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	names := records.FactorNames(s.Factors)
	warning, err = results.ReadJournal(path, f, func(_ int, content any) error {
		switch content := content.(type) {
		case *trial.Trial:
			if content.Levels.Restrict(names) != content.Levels { // the trial has other factors
				return fmt.Errorf("the trial at %s does not belong to the design of %s; choose another folder (--out)",
					content.Levels, s.Name)
			}
			l.Add(content)
		case *results.Session:
			if err := content.Belongs(s.Name, s.Seed); err != nil {
				return err
			}
			l.addSession(*content)
		}
		return nil
	})
	return warning, errors.Join(err, f.Close())
}

// addSession adds a session unless the manifest already lists it.
func (l *Losses) addSession(session results.Session) {
	session.Config = "" // the folder already contains the study file
	isSame := func(o results.Session) bool { return o.Started == session.Started }
	if !slices.ContainsFunc(l.Sessions, isSame) {
		l.Sessions = append(l.Sessions, session)
	}
}

// lossColumns are the last columns of the losses file. The column "errors" contains one word for
// each replicate, beginning with the replicate in the column "first". A word is the number of
// misclassified rows, "x" for a failed fit, or "-" without a result.
var lossColumns = []string{"cell", "classifier", "recipe", "test_rows", "first", "errors", "message"}

// writeLosses writes the results of all fits as a gzipped CSV file. A row contains the results of
// one classifier in one cell for one reading, which is a choice of parameter values. Combinations
// without results have no row.
//
// The column "round" states which round of the search proposed the reading, and "parent" from which
// other reading it was derived.
func (c *Search) writeLosses(w io.Writer, r *Result) error {
	zipped := gzip.NewWriter(w)
	out := csv.NewWriter(zipped)
	factors := records.FactorNames(c.Study.Factors)
	out.Write(slices.Concat([]string{"reading", "round", "parent"}, r.Parameters, factors, lossColumns))
	stages := c.Options.Stages
	// The search uses replicates 1, 2, ..., and the confirmation uses the next ones.
	lastReplicate := stages[len(stages)-1].Replicates + c.Options.Confirm
	for _, reading := range r.Readings {
		start := []string{strconv.Itoa(reading.Number), strconv.Itoa(reading.Round), strconv.Itoa(reading.Parent)}
		start = append(start, reading.Values...)
		for i, cell := range c.cellsOf(reading) { // in the order of c.Study.Cells
			levels := c.Study.Cells[i].Levels.List(factors)
			for _, e := range cell.Classifiers {
				if row := c.losses.resultColumns(cell, e, lastReplicate); row != nil {
					out.Write(slices.Concat(start, levels, []string{cell.ID, e.ID, e.Spec}, row))
				}
			}
		}
	}
	out.Flush()
	return errors.Join(out.Error(), zipped.Close())
}

// cellsOf returns the cells of a reading. It generates them again if the search has deleted them to
// save memory.
func (c *Search) cellsOf(r *Reading) []*study.Cell {
	if r.cells != nil {
		return r.cells
	}
	again := *r
	if err := c.setCells(&again); err != nil {
		panic("calibrate: the generator now rejects parameter values that it accepted before: " + err.Error())
	}
	return again.cells
}

// resultColumns returns the values of the columns test_rows, first, errors and message of the
// losses file for a classifier in a cell. It uses the replicates 1 to limit. If none of them has a
// result, it returns nil.
func (l *Losses) resultColumns(c *study.Cell, e study.Entry, limit int) []string {
	first, last := l.replicatesWithResult(c, e, limit)
	if first > last {
		return nil
	}
	var words []string // of the column "errors"
	rows := 0          // all replicates of a cell have the same number of test rows
	message := ""      // of the first failure
	for replicate := first; replicate <= last; replicate++ {
		result := l.resultOf(c, replicate, e)
		word := "-" // no result
		switch result.status {
		case records.OK:
			word = strconv.Itoa(result.errors)
			rows = result.rows
		case records.Failed:
			word = "x"
			message = cmp.Or(message, result.message)
		}
		words = append(words, word)
	}
	return []string{strconv.Itoa(rows), strconv.Itoa(first), strings.Join(words, " "), message}
}

// replicatesWithResult returns the first and the last of the replicates 1 to limit that have a
// result of a classifier in a cell. If none has, first exceeds last.
func (l *Losses) replicatesWithResult(c *study.Cell, e study.Entry, limit int) (first, last int) {
	hasResult := func(replicate int) bool { return l.resultOf(c, replicate, e).status != "" }
	first, last = 1, limit
	for first <= last && !hasResult(first) {
		first++
	}
	for last > first && !hasResult(last) {
		last--
	}
	return first, last
}

// readLosses adds the results in the losses file of the folder dir. The last columns of the file
// must be the given factors and lossColumns.
func (l *Losses) readLosses(dir string, factors []string) error {
	path := filepath.Join(dir, folder.Losses)
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in := csv.NewReader(zipped)
	head, err := in.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	wanted := slices.Concat(factors, lossColumns)
	first := len(head) - len(wanted) // index of the first wanted column
	if first < 0 || !slices.Equal(head[first:], wanted) {
		return fmt.Errorf("%s, row 1: want %v as the last columns, got %v; if you changed the design, choose another "+
			"folder (--out)", path, wanted, head)
	}
	for number := 2; ; number++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			levels, results := row[first:first+len(factors)], row[first+len(factors):]
			err = l.readRow(records.Align(factors, levels), results)
		}
		if err != nil {
			return fmt.Errorf("%s, row %d: %w", path, number, err)
		}
	}
}

// readRow adds the results in a row of the losses file. row contains the values of lossColumns.
func (l *Losses) readRow(levels records.Levels, row []string) error {
	key := lossKey{cell: row[0], levels: levels, id: row[1], spec: row[2]}
	testRows, firstReplicate, words, message := row[3], row[4], row[5], row[6]
	rows, err := strconv.Atoi(testRows)
	if err != nil {
		return fmt.Errorf("test_rows: %w", err)
	}
	first, err := strconv.Atoi(firstReplicate)
	if err != nil {
		return fmt.Errorf("first: %w", err)
	}
	for k, word := range strings.Fields(words) { // one word for each replicate from first on
		if word == "-" {
			continue // no result
		}
		key.replicate = first + k
		if l.known[key], err = parseLoss(word, rows, message); err != nil {
			return err
		}
	}
	return nil
}

// parseLoss converts a word of the column "errors" (see lossColumns) to the result of one replicate.
// rows is the number of test rows.
func parseLoss(word string, rows int, message string) (loss, error) {
	if word == "x" {
		return loss{status: records.Failed, message: message}, nil
	}
	errors, err := strconv.Atoi(word)
	if err != nil || errors < 0 || errors > rows {
		return loss{}, fmt.Errorf("errors: %q is not an integer from 0 to %d, the number of test rows", word, rows)
	}
	return loss{status: records.OK, errors: errors, rows: rows}, nil
}
