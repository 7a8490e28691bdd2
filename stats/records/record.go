// Package records represents the results of a study, with one record per cell, replicate and
// classifier. A cell is one combination of factor levels.
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
	Failed Status = "failed" // see Record.Cause and Record.Message for the reason
)

// A Cause is the general reason for a failure.
type Cause string

const (
	FitFailed Cause = "fit"        // the fit returned an error, panicked, or predicted an unknown class
	OutOfTime Cause = "time limit" // fit and prediction together exceeded the time limit
	NotDrawn  Cause = "data"       // the data could not be drawn
)

// A Record is the result of one classifier on one replicate of one cell.
//
// In JSON, a trial stores the fields that its records share. The file records.csv omits Cause. It
// also omits Spec, which is in the manifest, and Fit, Predict and Peak, which are in timings.csv.
type Record struct {
	Cell      string `json:"-"` // digest that identifies the cell
	Levels    Levels `json:"-"` // factor levels of the cell
	Replicate int    `json:"-"` // 1, 2, ...
	Repeat    int    `json:"-"` // repeat of the cross-validation, from 1; 0: no folds
	Fold      int    `json:"-"` // fold used for testing, from 1; 0: no folds
	Data      string `json:"-"` // fingerprint of training and test set
	NTest     int    `json:"-"` // number of test rows

	Classifier string  `json:"id"`   // id in the study
	Spec       string  `json:"spec"` // canonical recipe of the classifier, which determines the results
	Status     Status  `json:"status"`
	Errors     int     `json:"errors,omitempty"` // number of misclassified test rows; 0 for a failure
	Error      float64 `json:"-"`                // Errors/NTest; NaN for a failure
	// BER is the balanced error rate, the mean of the error rates of the classes. It is NaN for a
	// failure.
	BER     float64 `json:"ber,omitempty"`
	Message string  `json:"message,omitempty"` // reason for a failure, or warnings from the fit
	Cause   Cause   `json:"cause,omitempty"`
	// Confusion is the confusion matrix. It is nil for failures and in early results.
	Confusion metrics.Confusion `json:"confusion,omitempty"`
	// Tuned describes the result of tuning (see Tuned.String), or is "".
	Tuned string `json:"tuned,omitempty"`
	// Metrics maps names of metrics to their values. It contains the requested metrics that are
	// computed from probabilities or scores, unless they are undefined.
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// Fit and Predict are times in seconds, 0 if unknown. If several classifiers share a
	// computation, its time counts for each of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
	Peak    int64   `json:"peak_bytes,omitempty"` // peak memory of an external process; 0: unknown

	combination *combination // the records that it combines; nil if Confusion is their sum
}

// SetRates computes Error and, if there is a confusion matrix, Errors and BER. For a failure it sets Errors
// to 0, and Error and BER to NaN.
func (r *Record) SetRates() {
	switch {
	case r.Status == Failed:
		r.Errors, r.Error, r.BER = 0, math.NaN(), math.NaN()
		return
	case len(r.Confusion) > 0:
		r.Errors, r.BER = r.Confusion.Errors(), metrics.BalancedError.FromCounts(r.Confusion)
	}
	r.Error = float64(r.Errors) / float64(r.NTest)
}

// Metric returns the named entry of Metrics, or NaN if there is none.
func (r *Record) Metric(name string) float64 {
	if v, ok := r.Metrics[name]; ok {
		return v
	}
	return math.NaN()
}

// stored is a Record without methods, for encoding/json.
type stored Record

// MarshalJSON writes a record without Errors and BER if they follow from other fields.
func (r Record) MarshalJSON() ([]byte, error) {
	if r.Confusion != nil || r.Status == Failed {
		r.Errors, r.BER = 0, 0
	}
	return json.Marshal(stored(r))
}

// UnmarshalJSON reads a record. Unknown keys are errors. The caller must set the fields that the
// records of a trial share, and then call SetRates.
func (r *Record) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*stored)(r)); err != nil {
		return err
	}
	return r.Settle()
}

// Settle checks a record that was read from JSON, and sets the cause of a failure. A confusion
// matrix must be square, and Errors and BER must then be 0.
func (r *Record) Settle() error {
	n := r.Confusion.Classes()
	if n*n != len(r.Confusion) {
		return fmt.Errorf("%s: the confusion matrix has %d counts, which is not a square", r.Classifier,
			len(r.Confusion))
	}
	if n > 0 && (r.Errors != 0 || r.BER != 0) {
		return fmt.Errorf(
			"%s: a record with a confusion matrix must have no field `errors` or `ber`: both follow from the matrix",
			r.Classifier)
	}
	r.setCause()
	return nil
}

// setCause sets the cause of a failure that was stored without one, from the beginning of the
// message.
func (r *Record) setCause() {
	switch {
	case r.Status != Failed || r.Cause != "":
		return
	case strings.HasPrefix(r.Message, "time limit of "):
		r.Cause = OutOfTime
	case strings.HasPrefix(r.Message, "data: "):
		r.Cause = NotDrawn
	default:
		r.Cause = FitFailed
	}
}

// Reason returns the message. If a limit stopped a program, Reason omits its output, which depends
// on the time of the stop.
func (r *Record) Reason() string {
	if reason := r.WithoutOutput(); strings.Contains(reason, "limit of ") {
		return reason
	}
	return r.Message
}

// WithoutOutput returns the message without the output of the program that failed.
func (r *Record) WithoutOutput() string {
	message, _, _ := strings.Cut(r.Message, "; it printed: ")
	return message
}

// A Factor is a factor of a study with its levels in display order.
type Factor struct {
	Name   string
	Levels []string
}

// Records contains all records of a study. They are sorted by factor levels, replicate and
// classifier. Levels and classifiers are in the order of Factors and Classifiers.
type Records struct {
	Study       string
	Factors     []Factor
	Metrics     []string // names of the metrics in Record.Metrics
	Classifiers []string
	Rows        []Record
}
