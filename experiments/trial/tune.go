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

// tune chooses among candidates, i.e. copies of the classifier with fixed parameter values, by cross-validation
// of the training set. It records the choice in o.Tuned and returns the best candidate, which the caller fits
// to the whole training set. warning describes the first failed candidate, or is "".
func (w *Worker) tune(
	ctx context.Context, o *Outcome, c *study.Cell, replicate int, e study.Entry, train *dataset.Set, fit fitter,
) (chosen study.Entry, warning string, err error) {
	t := e.Tuning
	rng := stream.New(w.seed, c.Key, replicate, stream.Tuning(e.ID))
	predict := func(ctx context.Context, k int, train, test *dataset.Set) (p metrics.Predictions, err error) {
		rule, err := fit(ctx, t.Candidates[k], train, test)
		if err != nil {
			return p, err
		}
		labels, scores := rule.PredictSet(test)
		if t.Metric.Needs == metrics.Counts {
			return metrics.Predictions{Truth: test.Y, Labels: labels}, nil
		}
		return predictions(rule, test, labels, scores), nil
	}
	found, err := t.Choose(ctx, len(t.Candidates), train, rng, predict)
	if err != nil {
		return e, "", fmt.Errorf("tuning: %w", err)
	}
	failed := 0                        // number of candidates with a failed fit
	for k, err := range found.Failed { // nil for candidates without a failure
		if err == nil {
			continue
		}
		failed++
		if failed == 1 {
			warning = fmt.Sprintf("candidates of tuning failed, the first one %s: %s", t.Values[k], err)
		}
	}
	o.Tuned = records.Tuned{Values: t.Values[found.Best], Metric: t.Metric.Name, Score: found.Scores[found.Best],
		Candidates: len(t.Candidates), Failed: failed}.String()
	return t.Candidates[found.Best], warning, nil
}
