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

// A programClock adds up what the program of an entry takes by its own clock, and the
// preparation of its data, without the way there and back.
type programClock struct {
	fit, predict float64 // seconds
	peak         int64   // bytes
}

// add counts one request.
func (c *programClock) add(prepared time.Duration, said *external.Prediction) {
	c.fit += prepared.Seconds() + said.Fit
	c.predict += said.Predict
	c.peak = max(c.peak, said.Peak)
}

// endTuning counts all requests so far as parts of the fit.
func (c *programClock) endTuning() { c.fit, c.predict = c.fit+c.predict, 0 }

// program returns the program of an entry as a classifier. It fits and predicts in one
// request, so that its rules know the labels of one test set.
func (w *Worker) program(e study.Entry, test *dataset.Set, clock *programClock) classifiers.Classifier {
	return askFor(func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error) {
		start := time.Now()
		train, test, err := e.Preparation.Sets(train, test)
		if err != nil {
			return nil, err
		}
		prepared := time.Since(start)
		said, err := w.host.FitPredict(ctx, e.Program, train, test, seed, w.limit)
		if err == nil {
			clock.add(prepared, said)
		}
		return said, err
	})
}

// askFor is a program as a classifier.
type askFor func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error)

func (ask askFor) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	said, err := ask(ctx, train, rng.Uint64())
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
