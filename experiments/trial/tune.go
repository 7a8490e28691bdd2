package trial

import (
	"context"
	"fmt"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/metrics"
	"copse/stats/records"
)

// tune chooses the best candidate by cross-validation on the training set and describes it in
// f.tuned. The result warning describes the first candidate that failed.
func (f *fitting) tune(ctx context.Context) (chosen study.Entry, warning string, err error) {
	t := f.entry.Tuning
	rng := stream.New(f.study.Seed, f.cell.Key, f.replicate, stream.Tuning(f.entry.ID))
	// predict fits candidate k to training rows of a fold and predicts the test rows.
	predict := func(ctx context.Context, k int, train, test *dataset.Set) (p metrics.Predictions, err error) {
		rule, err := f.fitEntry(ctx, t.Candidates[k], train, test)
		if err != nil {
			return p, err
		}
		labels, scores := rule.PredictSet(test)
		if t.Metric.Needs == metrics.Counts { // the metric needs only labels
			return metrics.Predictions{Truth: test.Y, Labels: labels}, nil
		}
		return predictions(rule, test, labels, scores), nil
	}
	found, err := t.Choose(ctx, len(t.Candidates), f.draw.Train, rng, predict)
	if err != nil {
		return chosen, "", fmt.Errorf("tuning: %w", err)
	}
	failed, warning := countFailed(found.Failed, t.Values)
	f.tuned = records.Tuned{Values: t.Values[found.Best], Metric: t.Metric.Name, Score: found.Scores[found.Best],
		Candidates: len(t.Candidates), Failed: failed}.String()
	return t.Candidates[found.Best], warning, nil
}

// countFailed returns the number of candidates with a failed fit, and a warning about the first of
// them. failures[k] is the error of candidate k, or nil. values[k] describes this candidate.
func countFailed(failures []error, values []string) (failed int, warning string) {
	for k, err := range failures {
		if err == nil {
			continue
		}
		if failed == 0 {
			warning = fmt.Sprintf("tuning candidates failed; the first of them was %s: %s", values[k], err)
		}
		failed++
	}
	return failed, warning
}
