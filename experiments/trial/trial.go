// Package trial computes one replicate of one cell: draw, fit, predict, score.
// It writes nothing and starts nothing.
package trial

import (
	"context"
	"fmt"
	"math"

	"copse/experiments/study"
	"copse/stats/records"
)

// A Trial is the outcome of one replicate of one cell: the data were drawn
// once and every listed classifier ran on them.
type Trial struct {
	Cell      string            `json:"cell"`
	Levels    map[string]string `json:"levels"`
	Replicate int               `json:"replicate"`
	Data      string            `json:"data"` // fingerprint of training and test set
	NTest     int               `json:"n_test"`
	Results   []Result          `json:"results"`
}

// A Result is one classifier's part of a trial.
type Result struct {
	ID      string         `json:"id"`
	Spec    string         `json:"spec"`
	Status  records.Status `json:"status"`
	Errors  int            `json:"errors"`
	BER     float64        `json:"ber"`               // 0 when failed
	Message string         `json:"message,omitempty"` // why it failed, or warnings
	// Fit and Predict are seconds, not reproducible. What several recipes derive
	// alike from the training set counts for the first of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
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
	}
	return nil
}

// Run draws the data of one trial and runs the given entries on them, one
// after the other. It fails only when ctx is done before all have run: whatever
// goes wrong in the data or in a fit is part of the trial.
func Run(ctx context.Context, s *study.Study, c *study.Cell, replicate int, entries []study.Entry) (*Trial, error) {
	t := &Trial{Cell: c.ID, Levels: s.LevelMap(c), Replicate: replicate}
	draw, err := NewDraw(c, s.Seed, replicate)
	if err == nil {
		t.Data, t.NTest = draw.Fingerprint, draw.Test.N()
	}
	for _, e := range entries {
		result := Result{ID: e.ID, Spec: e.Spec, Status: records.Failed}
		if err != nil {
			result.Message = "data: " + OneLine(err.Error())
		} else {
			outcome := Fit(ctx, s, c, replicate, e, draw)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			result = outcome.Result
		}
		t.Results = append(t.Results, result)
	}
	return t, nil
}
