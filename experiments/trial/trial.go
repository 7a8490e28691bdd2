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

	"gonum.org/v1/gonum/mat"

	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Trial is the outcome of one replicate of one cell: the data were drawn
// once and every listed classifier ran on them.
type Trial struct {
	Cell      string         `json:"cell"`
	Levels    records.Levels `json:"levels"`
	Replicate int            `json:"replicate"`
	Data      string         `json:"data"` // fingerprint of training and test set
	NTest     int            `json:"n_test"`
	Results   []Result       `json:"results"`
	Said      []Said         `json:"-"` // of the successful results, where the study keeps predictions
}

// A Said is what one classifier said of every test row.
type Said struct {
	ID, Spec              string
	Classes               int
	Truth, Labels         []int      // class codes
	Scores, Probabilities *mat.Dense // rows x classes; nil where the rule has none
}

// A Result is one classifier's part of a trial.
type Result struct {
	ID      string         `json:"id"`
	Spec    string         `json:"spec"`
	Status  records.Status `json:"status"`
	Errors  int            `json:"errors,omitempty"`  // stored where there is no Confusion to count them in
	BER     float64        `json:"ber,omitempty"`     // likewise; 0 when failed
	Message string         `json:"message,omitempty"` // why it failed, or warnings
	// Confusion is the C x C confusion matrix, row by row; nil when failed and in
	// journals of versions that kept none.
	Confusion metrics.Confusion `json:"confusion,omitempty"`
	// Metrics are those that the study asks for and the rule gives, by name.
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// Fit and Predict are seconds, not reproducible. What several recipes derive
	// alike from a set is computed once and counts for each of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
	Peak    int64   `json:"peak_bytes,omitempty"` // of a process of its own; 0: not known
}

// stored is a Result in the journal.
type stored Result

// MarshalJSON leaves out what the confusion matrix says.
func (r Result) MarshalJSON() ([]byte, error) {
	if r.Confusion != nil {
		r.Errors, r.BER = 0, 0
	}
	return json.Marshal(stored(r))
}

// UnmarshalJSON counts it again. Unknown keys are errors.
func (r *Result) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode((*stored)(r)); err != nil {
		return err
	}
	if n := r.Confusion.Classes(); n*n != len(r.Confusion) || len(r.Confusion) > 0 && (r.Errors != 0 || r.BER != 0) {
		return fmt.Errorf("%s: a confusion matrix of %d counts, %d errors beside it", r.ID, len(r.Confusion), r.Errors)
	}
	r.count()
	return nil
}

// count sets what follows from the confusion matrix.
func (r *Result) count() {
	if len(r.Confusion) > 0 {
		r.Errors, r.BER = r.Confusion.Errors(), metrics.BalancedError.FromCounts(r.Confusion)
	}
}

// Check refuses what no run writes and the store cannot hold.
func (t *Trial) Check() error {
	if t.Replicate < 1 || t.Replicate > math.MaxInt32 || t.NTest < 0 || t.NTest > math.MaxInt32 {
		return fmt.Errorf("cell %s: replicate %d with %d test rows", t.Cell, t.Replicate, t.NTest)
	}
	for _, r := range t.Results {
		if r.Status != records.OK && r.Status != records.Failed || r.Errors < 0 || r.Errors > math.MaxInt32 {
			return fmt.Errorf("cell %s, replicate %d, %s: status %q with %d errors in %d test rows", t.Cell, t.Replicate, r.ID, r.Status, r.Errors, t.NTest)
		}
		if len(r.Confusion) > 0 && (r.Confusion.Rows() != t.NTest || slices.Min(r.Confusion) < 0) {
			return fmt.Errorf("cell %s, replicate %d, %s: the confusion matrix %v is not one of %d test rows", t.Cell, t.Replicate, r.ID, r.Confusion, t.NTest)
		}
	}
	return nil
}

// DataFailure begins the message of results whose data could not be drawn.
const DataFailure = "data: "

// Run draws the data of one trial and runs the given entries on them, one
// after the other. It fails only when ctx is done before all have run: whatever
// goes wrong in the data or in a fit is part of the trial.
func (w *Worker) Run(ctx context.Context, c *study.Cell, replicate int, entries []study.Entry) (*Trial, error) {
	t := &Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate}
	draw, err := w.Draw(ctx, c, replicate)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		defer draw.Close(ctx)
		t.Data, t.NTest = draw.Fingerprint, draw.Test.N()
	}
	for _, e := range entries {
		result := Result{ID: e.ID, Spec: e.Spec, Status: records.Failed}
		if err != nil {
			result.Message = DataFailure + OneLine(err.Error())
		} else {
			outcome := w.Fit(ctx, c, replicate, e, draw)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			result = outcome.Result
			if w.study.Predictions && result.Status == records.OK {
				t.Said = append(t.Said, outcome.said(draw.Test))
			}
		}
		t.Results = append(t.Results, result)
	}
	return t, nil
}
