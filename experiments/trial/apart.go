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

// A programClock adds up the times that a program reports and the time of preparing its
// data. It leaves out the transfer between copse and the program.
type programClock struct {
	fit, predict float64 // seconds
	peak         int64   // bytes of memory
}

// add counts one request.
func (c *programClock) add(prepared time.Duration, answer *external.Prediction) {
	c.fit += prepared.Seconds() + answer.Fit
	c.predict += answer.Predict
	c.peak = max(c.peak, answer.Peak)
}

// endTuning counts all requests so far as parts of the fit.
func (c *programClock) endTuning() { c.fit, c.predict = c.fit+c.predict, 0 }

// program returns the program of an entry as a classifier. A program fits and predicts in
// one request, so that each rule has the predictions for test alone.
func (w *Worker) program(e study.Entry, test *dataset.Set, clock *programClock) classifiers.Classifier {
	return programClassifier(func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error) {
		start := time.Now()
		train, test, err := e.Preparation.Sets(train, test)
		if err != nil {
			return nil, err
		}
		prepared := time.Since(start)
		answer, err := w.host.FitPredict(ctx, e.Program, train, test, seed, w.limit)
		if err == nil {
			clock.add(prepared, answer)
		}
		return answer, err
	})
}

// A programClassifier is a classifier that sends a training set and a seed to a program.
type programClassifier func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error)

func (ask programClassifier) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	answer, err := ask(ctx, train, rng.Uint64())
	if err != nil {
		return nil, err
	}
	return ruleOf(answer), nil
}

// ruleOf returns a rule that returns the predictions of an answer for the answer's test
// set; it must not be given other rows.
func ruleOf(answer *external.Prediction) *classifiers.Rule {
	copyOf := func(m *mat.Dense) func(*mat.Dense) *mat.Dense {
		if m == nil {
			return nil
		}
		return func(*mat.Dense) *mat.Dense { return mat.DenseCopyOf(m) }
	}
	rule := &classifiers.Rule{
		Labels: func(*mat.Dense) []int { return answer.Labels }, Scores: copyOf(answer.Scores),
		Probabilities: copyOf(answer.Probabilities), Warnings: answer.Warnings,
	}
	if rule.Scores == nil {
		rule.Scores = rule.Probabilities
	}
	return rule
}
