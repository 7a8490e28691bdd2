package records

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/metrics"
)

// A Reader reads records.csv row by row, plain or gzipped. It keeps the keys of one cell and no
// rows.
type Reader struct {
	Study string // of all rows; "" before the first
	Columns

	name     string
	csv      *csv.Reader
	row      int // the header is row 1
	sequence recordSequence
	previous Record            // the next row shares its strings where they are equal
	levels   []string          // of previous, in the order of the factors
	known    map[string]string // classifiers and statuses so far
}

// NewReader reads the header. Errors contain the given name of the file.
func NewReader(r io.Reader, name string) (*Reader, error) {
	plain, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	reader := &Reader{name: name, csv: csv.NewReader(plain), row: 1, known: make(map[string]string)}
	reader.csv.ReuseRecord = true
	header, err := reader.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty file, expected the header of records.csv", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if reader.Columns, err = parseHeader(header); err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	return reader, nil
}

// decompress returns a reader of the content, unzipped if it begins like a gzip file.
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}

// Read returns the next record, and io.EOF after the last.
func (r *Reader) Read() (Record, error) {
	fields, err := r.csv.Read()
	if err == io.EOF {
		return Record{}, err
	}
	r.row++
	if err != nil {
		return Record{}, fmt.Errorf("%s: row %d: %w", r.name, r.row, err)
	}
	if r.row == 2 {
		r.Study = strings.Clone(fields[0])
	}
	if fields[0] != r.Study {
		return Record{}, r.fail(&fieldError{"study",
			fmt.Sprintf("%q, the rows above are of study %q", fields[0], r.Study)})
	}
	record, problem := r.parse(fields)
	if problem == nil {
		problem = checkRecord(&record, &r.Columns)
	}
	if problem == nil {
		problem = r.sequence.next(&record)
	}
	if problem != nil {
		return Record{}, r.fail(problem)
	}
	r.previous = record
	return record, nil
}

// fail returns an error that names the place of a field in the current row.
func (r *Reader) fail(f *fieldError) error {
	return fmt.Errorf("%s: row %d, column %s: %s", r.name, r.row, f.Column, f.Problem)
}

// parse converts the fields of a row. It copies strings, or shares them with earlier rows, so that
// no string keeps a whole line in memory.
func (r *Reader) parse(fields []string) (Record, *fieldError) {
	lead := len(leadColumns)
	levels, tail := fields[lead:lead+len(r.Factors)], fields[lead+len(r.Factors):]
	record := Record{
		Cell:       share(r.previous.Cell, fields[1]),
		Levels:     r.previous.Levels,
		Classifier: r.intern(tail[atClassifier]),
		Status:     Status(r.intern(tail[atStatus])),
		Data:       share(r.previous.Data, tail[atData]),
		Message:    share(r.previous.Message, strings.ReplaceAll(tail[atMessage], "\r", "")),
	}
	if !slices.Equal(r.levels, levels) {
		r.levels = copied(levels)
		record.Levels = Align(r.Factors, r.levels)
	}
	p := fieldParser{}
	record.Replicate = p.whole("replicate", tail[atReplicate], false)
	record.NTest = p.whole("n_test", tail[atNTest], record.Status == Failed)
	record.Errors = p.whole("errors", tail[atErrors], record.Status == Failed)
	record.Error = p.float("error", tail[atError])
	record.BER = p.float("ber", tail[atBER])
	rest := tail[len(tailColumns):]
	if r.Folds {
		record.Repeat, record.Fold = p.whole(repeatColumn, rest[0], true), p.whole(foldColumn, rest[1], true)
		rest = rest[2:]
	}
	if r.Confusion {
		record.Confusion, rest = p.counts(rest[0]), rest[1:]
	}
	if r.Columns.Tuned {
		record.Tuned, rest = share(r.previous.Tuned, rest[0]), rest[1:]
	}
	for i, name := range r.Metrics {
		if v := p.float(name, rest[i]); !math.IsNaN(v) {
			if record.Metrics == nil {
				record.Metrics = make(map[string]float64, len(r.Metrics))
			}
			record.Metrics[name] = v
		}
	}
	record.setCause()
	return record, p.problem
}

// share returns previous if it equals the field, else a copy of the field.
func share(previous, field string) string {
	if field == previous {
		return previous
	}
	return strings.Clone(field)
}

// intern returns one copy of a field for all rows.
func (r *Reader) intern(field string) string {
	if s, ok := r.known[field]; ok {
		return s
	}
	s := strings.Clone(field)
	r.known[s] = s
	return s
}

// A fieldParser parses numbers and records the first field that is not one.
type fieldParser struct{ problem *fieldError }

// whole returns a whole number; 0 for NA if a number may be missing.
func (p *fieldParser) whole(column, field string, missing bool) int {
	if missing && field == NotAvailable {
		return 0
	}
	v, err := strconv.Atoi(field)
	if err != nil && p.problem == nil {
		p.problem = &fieldError{column, fmt.Sprintf("%q is not a whole number", field)}
	}
	return v
}

// counts returns a confusion matrix; nil for NA.
func (p *fieldParser) counts(field string) (c metrics.Confusion) {
	if field == NotAvailable {
		return nil
	}
	for _, count := range strings.Fields(field) {
		c = append(c, p.whole(confusionColumn, count, false))
	}
	return c
}

// float returns a finite number; NaN for NA.
func (p *fieldParser) float(column, field string) float64 {
	if field == NotAvailable {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(field, 64)
	if (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) && p.problem == nil {
		p.problem = &fieldError{column, fmt.Sprintf("%q is neither a number nor %s", field, NotAvailable)}
	}
	return v
}
