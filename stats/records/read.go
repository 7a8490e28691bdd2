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

	"copse/stats"
	"copse/stats/metrics"
)

// A Reader reads records.csv, plain or gzipped, row by row.
type Reader struct {
	Study string // name of the study, which is the same in all rows; "" before the first row
	Columns
	Header []string // names of all columns
	Fields []string // of the last row, without carriage returns in the message; Read overwrites them

	name     string // name of the file, for errors
	csv      *csv.Reader
	row      int // number of the current row; the header is row 1
	sequence recordSequence
	previous Record            // last record, with which the next one shares equal strings
	levels   []string          // levels of previous, in the order of the factors
	known    map[string]string // strings that intern has returned
}

// NewReader reads the header. name is the name of the file in error messages.
func NewReader(r io.Reader, name string) (*Reader, error) {
	plain, err := Decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	reader := &Reader{name: name, csv: csv.NewReader(plain), row: 1, known: make(map[string]string)}
	reader.csv.ReuseRecord = true
	header, err := reader.csv.Read()
	reader.Header = slices.Clone(header)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty; it needs the header of records.csv", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if reader.Columns, err = parseHeader(header); err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	return reader, nil
}

// Decompress returns a reader for r, which decompresses a gzip file.
func Decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}

// Read returns and checks the next record, or returns io.EOF after the last one.
func (r *Reader) Read() (Record, error) {
	fields, err := r.csv.Read()
	if err == io.EOF {
		return Record{}, err
	}
	r.row++
	if err != nil {
		return Record{}, fmt.Errorf("%s: row %d: %w", r.name, r.row, err)
	}
	if r.row == 2 { // the first record sets the study; Clone, because the next row overwrites fields
		r.Study = strings.Clone(fields[atStudy])
	}
	if study := fields[atStudy]; study != r.Study {
		return Record{}, r.fail(mistake("study", "the study is %q, but %q in the rows above", study, r.Study))
	}
	r.Fields = fields
	record, problem := r.parse(fields)
	if problem == nil {
		problem = checkRecord(&record, &r.Columns)
	}
	if problem == nil {
		problem = r.sequence.next(&record) // compares it with the earlier records
	}
	if problem != nil {
		return Record{}, r.fail(problem)
	}
	r.previous = record
	return record, nil
}

func (r *Reader) fail(f *fieldError) error {
	return fmt.Errorf("%s: row %d, column %s: %s", r.name, r.row, f.Column, f.Problem)
}

// parse converts the fields of a row to a record.
//
// The CSV reader reuses the memory of the fields, so parse copies each string or takes an equal
// string from an earlier record. It removes carriage returns from the message in fields.
func (r *Reader) parse(fields []string) (Record, *fieldError) {
	// A row consists of leadColumns, the levels of the factors, tailColumns and optional columns.
	lead, rest := fields[:len(leadColumns)], fields[len(leadColumns):]
	levels, rest := rest[:len(r.Factors)], rest[len(r.Factors):]
	tail, optional := rest[:len(tailColumns)], rest[len(tailColumns):]
	tail[atMessage] = strings.ReplaceAll(tail[atMessage], "\r", "")
	record := Record{
		Cell:       reuseOrCopy(r.previous.Cell, lead[atCell]),
		Levels:     r.reuseOrAlign(levels),
		Classifier: r.intern(tail[atClassifier]),
		Status:     Status(r.intern(tail[atStatus])),
		Data:       reuseOrCopy(r.previous.Data, tail[atData]),
		Message:    reuseOrCopy(r.previous.Message, tail[atMessage]),
	}
	p := fieldParser{}
	record.Replicate = p.whole("replicate", tail[atReplicate], !mayBeMissing)
	countsMayBeMissing := record.Status == Failed // a failed fit has no errors, and may have no test rows
	record.NTest = p.whole("n_test", tail[atNTest], countsMayBeMissing)
	record.Errors = p.whole("errors", tail[atErrors], countsMayBeMissing)
	record.Error = p.float("error", tail[atError])
	record.BER = p.float("ber", tail[atBER])
	r.parseOptional(&record, &p, optional)
	record.setCause()
	return record, p.problem
}

// parseOptional parses the fields of the columns that only some studies have (see r.Columns).
func (r *Reader) parseOptional(record *Record, p *fieldParser, fields []string) {
	if r.Folds {
		record.Repeat = p.whole(repeatColumn, fields[0], mayBeMissing)
		record.Fold = p.whole(foldColumn, fields[1], mayBeMissing)
		fields = fields[2:]
	}
	if r.Confusion {
		record.Confusion = p.counts(fields[0])
		fields = fields[1:]
	}
	if r.Tuned {
		record.Tuned = reuseOrCopy(r.previous.Tuned, fields[0])
		fields = fields[1:]
	}
	for i, name := range r.Metrics {
		if v := p.float(name, fields[i]); !math.IsNaN(v) {
			if record.Metrics == nil {
				record.Metrics = make(map[string]float64, len(r.Metrics))
			}
			record.Metrics[name] = v
		}
	}
}

// reuseOrAlign returns the Levels of a row in which r.Factors[j] has the level levels[j]. If the
// previous record has the same levels, it returns the Levels of that record.
func (r *Reader) reuseOrAlign(levels []string) Levels {
	if slices.Equal(r.levels, levels) {
		return r.previous.Levels
	}
	r.levels = copied(levels)
	return Align(r.Factors, r.levels)
}

// reuseOrCopy returns previous if it equals field, and otherwise a copy of field.
func reuseOrCopy(previous, field string) string {
	if field == previous {
		return previous
	}
	return strings.Clone(field)
}

// intern returns a copy of field that is shared by all rows with the same text.
func (r *Reader) intern(field string) string {
	if s, ok := r.known[field]; ok {
		return s
	}
	s := strings.Clone(field)
	r.known[s] = s
	return s
}

// A fieldParser parses numbers. problem describes the first field that is not a number.
type fieldParser struct{ problem *fieldError }

// mayBeMissing is an argument of fieldParser.whole that allows the field NA.
const mayBeMissing = true

// whole parses a whole number. If missing is true, NA is allowed and parsed as 0.
func (p *fieldParser) whole(column, field string, missing bool) int {
	if missing && field == NotAvailable {
		return 0
	}
	v, err := strconv.Atoi(field)
	if err != nil && p.problem == nil {
		p.problem = mistake(column, "%q is not a whole number", field)
	}
	return v
}

// counts parses the counts of a confusion matrix, separated by spaces. It returns nil for NA.
func (p *fieldParser) counts(field string) (c metrics.Confusion) {
	if field == NotAvailable {
		return nil
	}
	for _, count := range strings.Fields(field) {
		c = append(c, p.whole(confusionColumn, count, !mayBeMissing))
	}
	return c
}

// float parses a finite number. It returns NaN for NA.
func (p *fieldParser) float(column, field string) float64 {
	if field == NotAvailable {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(field, 64)
	if (err != nil || !stats.Finite(v)) && p.problem == nil {
		p.problem = mistake(column, "%q is neither a number nor %s", field, NotAvailable)
	}
	return v
}
