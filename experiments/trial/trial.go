// Package trial computes one replicate of one cell: draw, fit, predict, score.
// It writes nothing, and starts nothing but the programs of external entries.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Trial is the outcome of one replicate of one cell: data drawn once, and the results of
// the classifiers on them. Its line in the journal has the fields common to all results
// only once.
type Trial struct {
	Cell      string           `json:"cell"`
	Levels    records.Levels   `json:"levels"`
	Replicate int              `json:"replicate"`
	Data      string           `json:"data"` // fingerprint of training and test set
	NTest     int              `json:"n_test"`
	Results   []records.Record `json:"results"`
	// Predictions of the successful fits; nil unless the study keeps predictions.
	Predictions []FitPredictions `json:"-"`
}

// FitPredictions are the predictions of one fit for every test row.
type FitPredictions struct {
	ID, Spec string // of the classifier
	Classes  int    // number of classes
	metrics.Predictions
}

// UnmarshalJSON reads a journal's line; unknown keys are errors.
func (t *Trial) UnmarshalJSON(text []byte) error {
	type line Trial // without methods
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*line)(t)); err != nil {
		return err
	}
	t.completeResults()
	return nil
}

// completeResults sets the fields of the results that the trial's line in the journal has only
// once, and the rates that follow from them.
func (t *Trial) completeResults() {
	for i := range t.Results {
		r := &t.Results[i]
		r.Cell, r.Levels, r.Replicate, r.Data, r.NTest = t.Cell, t.Levels, t.Replicate, t.Data, t.NTest
		r.Rate()
	}
}

// Check returns an error for values that no run writes or that are too large to be stored.
func (t *Trial) Check() error {
	if t.Replicate < 1 || t.Replicate > math.MaxInt32 || t.NTest < 0 || t.NTest > math.MaxInt32 {
		return fmt.Errorf("cell %s: replicate %d with %d test rows", t.Cell, t.Replicate, t.NTest)
	}
	for _, r := range t.Results {
		if err := t.checkResult(&r); err != nil {
			return fmt.Errorf("cell %s, replicate %d, %s: %w", t.Cell, t.Replicate, r.Classifier, err)
		}
	}
	return nil
}

// checkResult reports values of one result that no run writes.
func (t *Trial) checkResult(r *records.Record) error {
	knownStatus := r.Status == records.OK || r.Status == records.Failed
	if !knownStatus || r.Errors < 0 || r.Errors > math.MaxInt32 {
		return fmt.Errorf("status %q with %d errors in %d test rows", r.Status, r.Errors, t.NTest)
	}
	if len(r.Confusion) > 0 && (r.Confusion.Rows() != t.NTest || slices.Min(r.Confusion) < 0) {
		return fmt.Errorf("the confusion matrix %v is not one of %d test rows", r.Confusion, t.NTest)
	}
	return nil
}

// Run draws the data of one trial and fits the given entries to them, one after the other.
// Failed draws and fits become failed results. Run returns an error only if ctx is done
// before all entries have run.
func (w *Worker) Run(ctx context.Context, c *study.Cell, replicate int, entries []study.Entry) (*Trial, error) {
	t := &Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate}
	draw, drawErr := w.Draw(ctx, c, replicate)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if drawErr != nil {
		for _, e := range entries {
			t.Results = append(t.Results, Undrawn(e.ID, e.Spec, drawErr))
		}
		t.completeResults()
		return t, nil
	}
	defer draw.Close(ctx)
	t.Data, t.NTest = draw.Fingerprint, draw.Test.N()
	for _, e := range entries {
		o := w.Fit(ctx, c, replicate, e, draw)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if w.study.Predictions && o.Status == records.OK {
			t.Predictions = append(t.Predictions, o.Predictions(draw.Test))
		}
		t.Results = append(t.Results, o.Record)
	}
	t.completeResults()
	return t, nil
}
