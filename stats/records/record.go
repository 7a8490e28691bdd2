// Package records has the results of a study, one row per cell, replicate and classifier: the
// type of a row, groups of rows by cell, pairs of classifiers, CSV and JSON.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"copse/stats/metrics"
)

// Status is the outcome of a fit.
type Status string

const (
	OK     Status = "ok"
	Failed Status = "failed" // Cause and Message give the reason
)

// A Cause is the kind of reason for which a result failed.
type Cause string

const (
	FitFailed Cause = "fit"        // an error, a panic, or labels that are no classes
	OutOfTime Cause = "time limit" // of the fit with its prediction
	NotDrawn  Cause = "data"       // the data could not be drawn
)

// A Record is the result of one classifier on one replicate of one cell. Fits, journals, reports
// and statistics use the same type. records.csv lacks the recipe (see the manifest), the cause
// (which follows from the message) and the times (see timings.csv).
//
// The JSON of a record is part of the line of its trial, which has the fields that the results
// of a trial share.
type Record struct {
	Cell      string `json:"-"` // identity of the cell: a digest of its content
	Levels    Levels `json:"-"` // of the cell
	Replicate int    `json:"-"` // 1, 2, ...
	Repeat    int    `json:"-"` // of the cross-validation to which the test rows belong, from 1; 0: none
	Fold      int    `json:"-"` // of this repeat, from 1; 0: none
	Data      string `json:"-"` // fingerprint of training and test set
	NTest     int    `json:"-"` // test rows

	Classifier string  `json:"id"`   // id within the study
	Spec       string  `json:"spec"` // canonical recipe: another one makes another result
	Status     Status  `json:"status"`
	Errors     int     `json:"errors,omitempty"`  // misclassified test rows; 0 when failed
	Error      float64 `json:"-"`                 // Errors/NTest; NaN when failed
	BER        float64 `json:"ber,omitempty"`     // balanced error rate: mean over classes of the class's error; NaN when failed
	Message    string  `json:"message,omitempty"` // why it failed, or the rule's warnings
	Cause      Cause   `json:"cause,omitempty"`
	// Confusion is the C x C matrix, row by row; nil when failed, and in results of
	// versions that kept none.
	Confusion metrics.Confusion `json:"confusion,omitempty"`
	// Tuned is what tuning chose, as Tuned.String writes it; "" where nothing was tuned.
	Tuned string `json:"tuned,omitempty"`
	// Metrics are the requested metrics beside the counts, by name, if the rule allows them.
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// Fit and Predict are seconds, which are not reproducible; both are 0 if unknown. Work that
	// several recipes share is done once and counts for each of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
	Peak    int64   `json:"peak_bytes,omitempty"` // of a process of its own; 0: not known

	worst *[]metrics.Confusion // of the fits behind a result of WorstOf; nil in every other record
}

// Rate sets the fields that follow from the counts: Error and, with a confusion matrix, Errors
// and BER. For a failure it sets them to 0 and NaN.
func (r *Record) Rate() {
	switch {
	case r.Status == Failed:
		r.Errors, r.Error, r.BER = 0, math.NaN(), math.NaN()
		return
	case len(r.Confusion) > 0:
		r.Errors, r.BER = r.Confusion.Errors(), metrics.BalancedError.FromCounts(r.Confusion)
	}
	r.Error = float64(r.Errors) / float64(r.NTest)
}

// Metric returns a value beside the counts, NaN where there is none.
func (r *Record) Metric(name string) float64 {
	if v, ok := r.Metrics[name]; ok {
		return v
	}
	return math.NaN()
}

// stored is a Record without its methods.
type stored Record

// MarshalJSON omits the fields that follow from others.
func (r Record) MarshalJSON() ([]byte, error) {
	if r.Confusion != nil || r.Status == Failed {
		r.Errors, r.BER = 0, 0
	}
	return json.Marshal(stored(r))
}

// UnmarshalJSON reads a record; unknown keys are errors. The reader of the trial sets the shared
// fields and calls Rate.
func (r *Record) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*stored)(r)); err != nil {
		return err
	}
	return r.Settle()
}

// Settle completes a stored record. It returns an error for counts that contradict each other.
func (r *Record) Settle() error {
	n := r.Confusion.Classes()
	stored := r.Errors != 0 || r.BER != 0 // they follow from a confusion matrix
	if n*n != len(r.Confusion) || n > 0 && stored {
		return fmt.Errorf("%s: a confusion matrix of %d counts, %d errors beside it", r.Classifier, len(r.Confusion),
			r.Errors)
	}
	r.setCause()
	return nil
}

// setCause sets the cause of a failure that was stored without one, in records.csv and early
// journals, by the beginning of its message.
func (r *Record) setCause() {
	switch {
	case r.Status != Failed || r.Cause != "": // nothing to set
	case strings.HasPrefix(r.Message, "time limit of "):
		r.Cause = OutOfTime
	case strings.HasPrefix(r.Message, "data: "):
		r.Cause = NotDrawn
	default:
		r.Cause = FitFailed
	}
}

// A Factor is one varied quantity with its levels in display order.
type Factor struct {
	Name   string
	Levels []string
}

// Records are the rows of one study, sorted by levels, replicate and
// classifier in the order of Factors and Classifiers.
type Records struct {
	Study       string
	Factors     []Factor
	Metrics     []string // names of the metrics that the records keep beside their counts
	Classifiers []string
	Rows        []Record
}
