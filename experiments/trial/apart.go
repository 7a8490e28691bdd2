package trial

import (
	"context"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/external"
	"copse/experiments/study"
	"copse/stats/dataset"
)

// fitApart lets the program of an entry fit and label the test set.
func (w *Worker) fitApart(ctx context.Context, o *Outcome, e study.Entry, d *Draw, state []byte) error {
	var said *external.Prediction
	err := o.run(ctx, d, w.study.Metrics, func() (*classifiers.Rule, error) {
		return fitPresent(ctx, askFor(func(train *dataset.Set, seed uint64) (*external.Prediction, error) {
			start := time.Now()
			train, test, err := e.Preparation.Sets(train, d.Test)
			if err != nil {
				return nil, err
			}
			prepared := time.Since(start)
			if said, err = w.host.FitPredict(ctx, e.Program, train, test, seed, w.limit); err == nil {
				said.Fit += prepared.Seconds()
			}
			return said, err
		}), d, state)
	})
	if err == nil { // its own clock and the preparation, without the way there and back
		o.Fit, o.Predict, o.Peak = microseconds(said.Fit), microseconds(said.Predict), said.Peak
	}
	return err
}

// askFor is a program as a classifier: it fits and predicts in one request, so its
// rules know the labels of one test set.
type askFor func(train *dataset.Set, seed uint64) (*external.Prediction, error)

func (ask askFor) Fit(_ context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	said, err := ask(train, rng.Uint64())
	if err != nil {
		return nil, err
	}
	return ruleOf(said), nil
}

// ruleOf returns an answer as the rule for the test set that it is about.
func ruleOf(said *external.Prediction) *classifiers.Rule {
	copyOf := func(m *mat.Dense) func(*mat.Dense) *mat.Dense {
		if m == nil {
			return nil
		}
		return func(*mat.Dense) *mat.Dense { return mat.DenseCopyOf(m) }
	}
	rule := &classifiers.Rule{
		Labels: func(*mat.Dense) []int { return said.Labels }, Scores: copyOf(said.Scores),
		Probabilities: copyOf(said.Probabilities), Warnings: said.Warnings,
	}
	if rule.Scores == nil {
		rule.Scores = rule.Probabilities
	}
	return rule
}
