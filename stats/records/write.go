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

	"copse/stats/metrics"
)

// A Writer writes records.csv row by row.
type Writer struct {
	study    string
	columns  Columns
	csv      *csv.Writer
	fields   []string
	sequence recordSequence
	row      int
}

// NewWriter writes the header. The caller calls Flush at the end.
func NewWriter(w io.Writer, study string, columns Columns) (*Writer, error) {
	head, err := columns.header()
	if err != nil {
		return nil, err
	}
	if strings.Contains(study, "\r") {
		return nil, fmt.Errorf("the study's name %q contains a carriage return", study)
	}
	writer := &Writer{study: study, columns: columns, csv: csv.NewWriter(w), row: 1}
	return writer, writer.csv.Write(head)
}

// Write adds a row. It drops carriage returns in the message, since CSV readers change them. It
// returns an error for a record with contradictory fields or out of sequence.
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
	nTest, misses := strconv.Itoa(r.NTest), strconv.Itoa(r.Errors)
	if r.Status == Failed {
		misses = NotAvailable
		if r.NTest == 0 {
			nTest = NotAvailable
		}
	}
	w.fields = append(w.fields[:0], w.study, r.Cell)
	for _, factor := range w.columns.Factors {
		w.fields = append(w.fields, r.Levels.Of(factor))
	}
	w.fields = append(w.fields, strconv.Itoa(r.Replicate), r.Classifier, string(r.Status), nTest, misses,
		formatNumber(r.Error), formatNumber(r.BER), r.Data, strings.ReplaceAll(r.Message, "\r", ""))
	if w.columns.Folds {
		w.fields = append(w.fields, formatPlace(r.Repeat), formatPlace(r.Fold))
	}
	if w.columns.Confusion {
		w.fields = append(w.fields, formatCounts(r.Confusion))
	}
	if w.columns.Tuned {
		w.fields = append(w.fields, r.Tuned)
	}
	for _, name := range w.columns.Metrics {
		w.fields = append(w.fields, formatNumber(r.Metric(name)))
	}
	return w.csv.Write(w.fields)
}

// Flush writes buffered rows and returns the first error of any write.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// formatNumber returns v with the fewest digits that read back to v; NA for NaN.
func formatNumber(v float64) string {
	if math.IsNaN(v) {
		return NotAvailable
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// formatPlace returns a repeat or a fold, which are counted from 1; NA for 0.
func formatPlace(n int) string {
	if n == 0 {
		return NotAvailable
	}
	return strconv.Itoa(n)
}

// formatCounts returns the counts of a confusion matrix; NA for nil.
func formatCounts(c metrics.Confusion) string {
	if c == nil {
		return NotAvailable
	}
	return c.String()
}

// Path returns the path of the records in a results folder: records.csv or records.csv.gz. Both
// together are an error, since one of them is stale.
func Path(dir string) (string, error) {
	plain := filepath.Join(dir, "records.csv")
	zipped := plain + ".gz"
	_, errPlain := os.Stat(plain)
	_, errZipped := os.Stat(zipped)
	switch {
	case errPlain == nil && errZipped == nil:
		return "", fmt.Errorf("%s: holds both records.csv and records.csv.gz; remove the stale one", dir)
	case errPlain == nil:
		return plain, nil
	case errZipped == nil:
		return zipped, nil
	case errors.Is(errPlain, fs.ErrNotExist):
		return "", fmt.Errorf("%s: no records.csv or records.csv.gz: %w", dir, fs.ErrNotExist)
	}
	return "", errPlain
}
