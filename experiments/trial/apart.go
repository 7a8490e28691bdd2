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

// A programClock adds up the times that an external program reports and the times that copse needs to
// prepare the data. It does not count the transfer of data between copse and the program.
type programClock struct {
	fit, predict float64 // seconds
	peak         int64   // bytes of memory
}

func (c *programClock) add(prepared time.Duration, answer *external.Prediction) {
	c.fit += prepared.Seconds() + answer.Fit
	c.predict += answer.Predict
	c.peak = max(c.peak, answer.Peak)
}

// endTuning treats all time spent so far as fitting time.
func (c *programClock) endTuning() { c.fit, c.predict = c.fit+c.predict, 0 }

// program returns a classifier that runs an external program. The program fits and predicts in one request,
// so the fitted rule can only predict the rows of test.
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

// A programClassifier sends a training set and a seed to an external program, and returns its predictions
// for a fixed test set.
type programClassifier func(ctx context.Context, train *dataset.Set, seed uint64) (*external.Prediction, error)

// Fit sends the training set to the program, with a seed that it draws from rng.
func (send programClassifier) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	answer, err := send(ctx, train, rng.Uint64())
	if err != nil {
		return nil, err
	}
	return ruleOf(answer), nil
}

// ruleOf returns a rule that reproduces the predictions of an external program. The rule ignores the rows
// that it receives, so apply it only to the test set of the request.
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
