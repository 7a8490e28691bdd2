// Package trial runs trials. A trial draws the data for one replicate of a cell, a combination of
// factor levels, and fits and scores classifiers. The package writes no files, but starts external
// programs.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"copse/experiments/external"
	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Trial contains the results of several classifiers on the data of one replicate of a cell. The
// journal stores it as one line of JSON, in which shared values occur only once.
type Trial struct {
	Cell      string           `json:"cell"`
	Levels    records.Levels   `json:"levels"`
	Replicate int              `json:"replicate"`
	Data      string           `json:"data"` // fingerprint of the training and test sets
	NTest     int              `json:"n_test"`
	Results   []records.Record `json:"results"`
	// Predictions holds the predictions of the successful fits. It is nil unless the study stores
	// predictions.
	Predictions []FitPredictions `json:"-"`
}

// FitPredictions holds the predictions of one fit for every test row.
type FitPredictions struct {
	ID, Spec string // of the classifier
	Classes  int    // number of classes
	metrics.Predictions
}

// UnmarshalJSON parses one line of a journal. It returns an error for an unknown key.
func (t *Trial) UnmarshalJSON(text []byte) error {
	type line Trial // lacks the method UnmarshalJSON
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*line)(t)); err != nil {
		return err
	}
	t.completeResults()
	return nil
}

// completeResults copies the shared values of the trial to each result and computes the error
// rates.
func (t *Trial) completeResults() {
	for i := range t.Results {
		r := &t.Results[i]
		r.Cell = t.Cell
		r.Levels = t.Levels
		r.Replicate = t.Replicate
		r.Data = t.Data
		r.NTest = t.NTest
		r.SetRates()
	}
}

// Check returns an error if the trial contains values that are impossible or too large to store.
func (t *Trial) Check() error {
	if t.Replicate < 1 || t.Replicate > math.MaxInt32 || t.NTest < 0 || t.NTest > math.MaxInt32 {
		return fmt.Errorf("cell %s: invalid replicate number %d or number of test rows %d", t.Cell, t.Replicate,
			t.NTest)
	}
	for _, r := range t.Results {
		if err := t.checkResult(&r); err != nil {
			return fmt.Errorf("cell %s, replicate %d, %s: %w", t.Cell, t.Replicate, r.Classifier, err)
		}
	}
	return nil
}

func (t *Trial) checkResult(r *records.Record) error {
	knownStatus := r.Status == records.OK || r.Status == records.Failed
	if !knownStatus || r.Errors < 0 || r.Errors > t.NTest {
		return fmt.Errorf("invalid status %q or number of errors: %d in %d test rows", r.Status, r.Errors, t.NTest)
	}
	if len(r.Confusion) > 0 && (r.Confusion.Rows() != t.NTest || slices.Min(r.Confusion) < 0) {
		return fmt.Errorf("the confusion matrix %v has negative counts or does not sum to %d test rows", r.Confusion,
			t.NTest)
	}
	return nil
}

// Run draws the data of one replicate of a cell and fits the classifiers one after the other. It
// records failures as results. It returns an error only if ctx is done before all classifiers have
// run, or if copse cannot start a program.
func (w *Worker) Run(ctx context.Context, c *study.Cell, replicate int, entries []study.Entry) (*Trial, error) {
	t := &Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate}
	draw, drawErr := w.Draw(ctx, c, replicate)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.As(drawErr, new(*external.NotStarted)) {
		return nil, fmt.Errorf("%s: %w", c.Data.Program, drawErr)
	}
	if drawErr != nil {
		for _, e := range entries {
			t.Results = append(t.Results, Undrawn(e.ID, e.Spec, drawErr))
		}
		t.completeResults()
		return t, nil
	}
	defer draw.Close(ctx)
	t.Data = draw.Fingerprint
	t.NTest = draw.Test.N()
	for _, e := range entries {
		o := w.Fit(ctx, c, replicate, e, draw)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if o.NotStarted != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, o.NotStarted)
		}
		if w.study.Predictions && o.Status == records.OK {
			t.Predictions = append(t.Predictions, FitPredictions{e.ID, e.Spec, draw.Test.C(), o.Predictions})
		}
		t.Results = append(t.Results, o.Record)
	}
	t.completeResults()
	return t, nil
}
