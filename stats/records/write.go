package records

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Writer checks records and writes records.csv row by row.
type Writer struct {
	study    string
	columns  Columns
	csv      *csv.Writer
	fields   []string
	sequence recordSequence
	row      int
}

// NewWriter writes the header. The caller must call Flush after the last record.
func NewWriter(w io.Writer, study string, columns Columns) (*Writer, error) {
	head, err := columns.header()
	if err != nil {
		return nil, err
	}
	if strings.Contains(study, "\r") {
		return nil, fmt.Errorf("the name of the study, %q, contains a carriage return; rename the study", study)
	}
	writer := &Writer{study: study, columns: columns, csv: csv.NewWriter(w), row: 1}
	return writer, writer.csv.Write(head)
}

// Write writes a record. It removes carriage returns from the message, because CSV readers change
// them.
func (w *Writer) Write(r *Record) error {
	w.row++
	problem := checkRecord(r, &w.columns)
	if problem == nil {
		problem = w.sequence.next(r)
	}
	if problem != nil {
		return fmt.Errorf("record %d (cell %s, replicate %d, %s), column %s: %s",
			w.row-1, r.Cell, r.Replicate, r.Classifier, problem.Column, problem.Problem)
	}
	return w.csv.Write(w.fieldsOf(r))
}

// fieldsOf returns the fields of a record. The next call overwrites the slice.
func (w *Writer) fieldsOf(r *Record) []string {
	nTest, nErrors := strconv.Itoa(r.NTest), strconv.Itoa(r.Errors)
	if r.Status == Failed {
		nErrors = NotAvailable
		if r.NTest == 0 { // the fit failed because it had no data
			nTest = NotAvailable
		}
	}
	w.fields = append(w.fields[:0], w.study, r.Cell)
	for _, factor := range w.columns.Factors {
		w.fields = append(w.fields, r.Levels.Of(factor))
	}
	w.fields = append(w.fields, strconv.Itoa(r.Replicate), r.Classifier, string(r.Status), nTest, nErrors,
		formatNumber(r.Error), formatNumber(r.BER), r.Data, strings.ReplaceAll(r.Message, "\r", ""))
	if w.columns.Folds {
		w.fields = append(w.fields, formatPlace(r.Repeat), formatPlace(r.Fold))
	}
	if w.columns.Confusion {
		counts := NotAvailable
		if r.Confusion != nil {
			counts = r.Confusion.String()
		}
		w.fields = append(w.fields, counts)
	}
	if w.columns.Tuned {
		w.fields = append(w.fields, r.Tuned)
	}
	for _, name := range w.columns.Metrics {
		w.fields = append(w.fields, formatNumber(r.Metric(name)))
	}
	return w.fields
}

// Flush writes any buffered rows. It returns the first error that occurred in any write.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// formatNumber formats v with the fewest digits that read back as v. It returns NA for NaN.
func formatNumber(v float64) string {
	if math.IsNaN(v) {
		return NotAvailable
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// formatPlace formats the number of a repeat or fold, or returns NA for 0.
func formatPlace(n int) string {
	if n == 0 {
		return NotAvailable
	}
	return strconv.Itoa(n)
}

// Path returns the path of the records in a results folder: records.csv or records.csv.gz. If both
// exist, one of them must be outdated, which is an error.
func Path(dir string) (string, error) {
	plain := filepath.Join(dir, "records.csv")
	zipped := plain + ".gz"
	_, errPlain := os.Stat(plain)
	_, errZipped := os.Stat(zipped)
	switch {
	case errPlain == nil && errZipped == nil:
		return "", fmt.Errorf("%s contains both records.csv and records.csv.gz; remove the outdated one", dir)
	case errPlain == nil:
		return plain, nil
	case errZipped == nil:
		return zipped, nil
	case errors.Is(errPlain, fs.ErrNotExist):
		return "", fmt.Errorf("%s contains no records.csv or records.csv.gz: %w", dir, fs.ErrNotExist)
	}
	return "", errPlain
}
