// Package records holds the rows of a study, one per cell, replicate and
// classifier: their type, their cells and pairs, their CSV and their JSON.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"copse/stats/metrics"
)

// Status tells how a fit ended.
type Status string

const (
	OK     Status = "ok"
	Failed Status = "failed" // its Cause and Message say why
)

// A Cause is what made a result fail.
type Cause string

const (
	FitFailed Cause = "fit"        // an error, a panic, labels that are no classes
	OutOfTime Cause = "time limit" // the fit with its prediction
	NotDrawn  Cause = "data"       // there is nothing to fit
)

// A Record is the result of one classifier on one replicate of one cell. It has
// this shape all the way: a fit makes it, a line of the journal keeps it, ledger and
// statistics read it. records.csv has all of it but the recipe, which the manifest
// has, the cause, which the message tells, and the times, which timings.csv has.
//
// As JSON it is a part of its trial, whose line says once what its results share.
type Record struct {
	Cell      string `json:"-"` // identity of the cell: a digest of its content
	Levels    Levels `json:"-"` // of the cell
	Replicate int    `json:"-"` // 1, 2, ...
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
	// Metrics are those that the study asks for and the rule gives, by name.
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// Fit and Predict are seconds, not reproducible; both 0 where they are not known.
	// What several recipes derive alike from a set is computed once and counts for
	// each of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
	Peak    int64   `json:"peak_bytes,omitempty"` // of a process of its own; 0: not known

	worst *[]metrics.Confusion // of the fits behind a result of WorstOf; nil in every other record
}

// Rate sets what follows from the counts: Error, and with a confusion matrix Errors
// and BER. A failure has none of them.
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

// MarshalJSON leaves out what follows from the rest.
func (r Record) MarshalJSON() ([]byte, error) {
	if r.Confusion != nil || r.Status == Failed {
		r.Errors, r.BER = 0, 0
	}
	return json.Marshal(stored(r))
}

// UnmarshalJSON reads it back; unknown keys are errors. What it shares with its
// trial, and Error with it, is set by whoever reads the trial.
func (r *Record) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*stored)(r)); err != nil {
		return err
	}
	return r.Settle()
}

// Settle completes a record as it was stored, and refuses counts that nobody stores.
func (r *Record) Settle() error {
	if n := r.Confusion.Classes(); n*n != len(r.Confusion) || len(r.Confusion) > 0 && (r.Errors != 0 || r.BER != 0) {
		return fmt.Errorf("%s: a confusion matrix of %d counts, %d errors beside it", r.Classifier, len(r.Confusion), r.Errors)
	}
	r.translate()
	return nil
}

// translate sets the cause of a failure that was stored without it, by journals of
// before and in records.csv, from what their messages begin with. Nothing else
// reads a message.
func (r *Record) translate() {
	switch {
	case r.Status != Failed || r.Cause != "":
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
