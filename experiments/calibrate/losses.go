package calibrate

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// Losses are the results of trials, by reading (the cell's ID), levels, replicate and
// classifier: the levels seed the random streams, and readings may be equal in cells
// of different levels.
type Losses struct {
	known    map[lossKey]loss
	factors  []records.Factor
	Sessions []results.Session
}

type lossKey struct {
	cell, levels string
	replicate    int
	id, spec     string
}

type loss struct {
	status       records.Status // "": not known
	errors, rows int
	message      string
}

func (l *Losses) of(c *study.Cell, replicate int, e study.Entry) loss {
	return l.known[lossKey{c.ID, c.Levels.Describe(l.factors), replicate, e.ID, e.Spec}]
}

func (l *Losses) has(c *study.Cell, replicate int, e study.Entry) bool {
	return l.of(c, replicate, e).status != ""
}

// Add keeps the results of a trial.
func (l *Losses) Add(t *trial.Trial) {
	for _, r := range t.Results {
		kept := loss{status: r.Status, errors: r.Errors, rows: t.NTest}
		if r.Status != records.OK {
			kept.message = r.Message
		}
		l.known[lossKey{t.Cell, t.Levels.Describe(l.factors), t.Replicate, r.Classifier, r.Spec}] = kept
	}
}

// ReadLosses reads what a folder knows: its record and its journals. A warning
// names a line that was cut off.
func ReadLosses(dir string, s *study.Study) (l *Losses, warnings []string, err error) {
	l = &Losses{known: map[lossKey]loss{}, factors: s.Factors}
	names := records.FactorNames(s.Factors)
	m, err := readManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	default:
		if err := m.check(dir, s); err != nil {
			return nil, nil, err
		}
		if err := l.readRecord(dir); err != nil {
			return nil, nil, err
		}
		l.Sessions = m.Sessions
	}
	files, err := results.JournalFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		warning, err := results.ReadJournal(path, f, func(_ int, content any) error {
			switch content := content.(type) {
			case *trial.Trial:
				if content.Levels.On(names) != content.Levels {
					return fmt.Errorf("a trial at %s is of another design than %s: name another folder "+
						"(--out)", content.Levels, s.Name)
				}
				l.Add(content)
			case *results.Session:
				if err := content.Belongs(s.Name, s.Seed); err != nil {
					return err
				}
				own := *content
				own.Config = ""
				if !slices.ContainsFunc(l.Sessions, func(o results.Session) bool { return o.Started == own.Started }) {
					l.Sessions = append(l.Sessions, own)
				}
			}
			return nil
		})
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return l, warnings, nil
}

// The record: a row for each reading, cell and classifier with the test errors of
// its replicates from the first on, one missing as a dash, failed as x.
var recordColumns = []string{"cell", "classifier", "recipe", "test_rows", "first", "errors", "message"}

// writeRecord writes the losses of a result's readings.
func (r *Result) writeRecord(w io.Writer, l *Losses, cells func(*Reading) []*study.Cell) error {
	zipped := gzip.NewWriter(w)
	out := csv.NewWriter(zipped)
	head := append([]string{"reading", "round", "parent"}, r.Parameters...)
	var factors []string
	for _, f := range r.Study.Factors {
		factors = append(factors, f.Name)
	}
	out.Write(slices.Concat(head, factors, recordColumns))
	last := r.Options.Stages[len(r.Options.Stages)-1].Replicates + r.Options.Confirm
	for _, reading := range r.Readings {
		start := append(
			[]string{strconv.Itoa(reading.Number), strconv.Itoa(reading.Round), strconv.Itoa(reading.Parent)},
			reading.Values...)
		for i, c := range cells(reading) {
			for _, e := range c.Classifiers {
				if own := l.row(c, e, last); own != nil {
					out.Write(
						slices.Concat(start, r.Study.Cells[i].Levels.In(factors), []string{c.ID, e.ID, e.Spec}, own),
					)
				}
			}
		}
	}
	out.Flush()
	return errors.Join(out.Error(), zipped.Close())
}

// row is what the record says after the recipe; nil: nothing is known.
func (l *Losses) row(c *study.Cell, e study.Entry, last int) []string {
	var counts []string
	first, end, rows, message := 0, 0, 0, ""
	for replicate := 1; replicate <= last; replicate++ {
		got := l.of(c, replicate, e)
		word := "-"
		switch {
		case got.status == records.OK:
			word, rows = strconv.Itoa(got.errors), got.rows
		case got.status == records.Failed:
			word = "x"
			if message == "" {
				message = got.message
			}
		}
		if word != "-" && first == 0 {
			first = replicate
		}
		if first > 0 {
			counts = append(counts, word)
		}
		if word != "-" {
			end = len(counts)
		}
	}
	if first == 0 {
		return nil
	}
	return []string{strconv.Itoa(rows), strconv.Itoa(first), strings.Join(counts[:end], " "), message}
}

func (l *Losses) readRecord(dir string) error {
	path := filepath.Join(dir, folder.Losses)
	f, err := os.Open(path)
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
	names := records.FactorNames(l.factors)
	wanted := slices.Concat(names, recordColumns)
	from := len(head) - len(wanted)
	if from < 0 || !slices.Equal(head[from:], wanted) {
		return fmt.Errorf(
			"%s, row 1: the columns %v do not end in %v: if the design is another one, name another folder (--out)",
			path,
			head,
			wanted,
		)
	}
	for number := 2; ; number++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			levels := records.Align(names, row[from:from+len(names)])
			err = l.readRow(levels, row[from+len(names):])
		}
		if err != nil {
			return fmt.Errorf("%s, row %d: %w", path, number, err)
		}
	}
}

func (l *Losses) readRow(levels records.Levels, row []string) error {
	rows, err := strconv.Atoi(row[3])
	if err != nil {
		return fmt.Errorf("test_rows: %w", err)
	}
	first, err := strconv.Atoi(row[4])
	if err != nil {
		return fmt.Errorf("first: %w", err)
	}
	for k, word := range strings.Fields(row[5]) {
		got := loss{status: records.OK, rows: rows}
		switch word {
		case "-":
			continue
		case "x":
			got = loss{status: records.Failed, message: row[6]}
		default:
			if got.errors, err = strconv.Atoi(word); err != nil || got.errors < 0 || got.errors > rows {
				return fmt.Errorf("errors: %q is no number of %d test rows", word, rows)
			}
		}
		l.known[lossKey{row[0], levels.Describe(l.factors), first + k, row[1], row[2]}] = got
	}
	return nil
}
