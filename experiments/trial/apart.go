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

// A programClock adds up the times that an external program reports for its requests, and the times in which
// copse prepares the data, but not the transfer of data between both.
type programClock struct {
	fit, predict float64 // seconds
	peak         int64   // bytes of memory
}

func (c *programClock) add(prepared time.Duration, answer *external.Prediction) {
	c.fit += prepared.Seconds() + answer.Fit
	c.predict += answer.Predict
	c.peak = max(c.peak, answer.Peak)
}

// endTuning makes all times until now parts of the fit.
func (c *programClock) endTuning() { c.fit, c.predict = c.fit+c.predict, 0 }

// program returns a classifier that runs the program of an entry. The program fits and predicts in one
// request, so the rule of a fit only has the predictions for test.
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

// A programClassifier sends a training set and a seed to a program and returns the predictions for a fixed
// test set.
type programClassifier func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error)

// Fit sends the training set to the program, with a seed that it draws from rng.
func (send programClassifier) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	answer, err := send(ctx, train, rng.Uint64())
	if err != nil {
		return nil, err
	}
	return ruleOf(answer), nil
}

// ruleOf returns a rule with the predictions of a program. The rule ignores its rows, so it must only be
// applied to the test set for which the program made the predictions.
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
