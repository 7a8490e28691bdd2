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

// A programClock sums the times that an external program reports and the times that copse needs to
// prepare the data, without the transfer of data.
type programClock struct {
	fit, predict float64 // seconds
	peak         int64   // bytes of memory
}

// A programClassifier is a classifier that runs an external program. The program fits and predicts
// in one request, so the fitted rule can predict only the rows of test.
type programClassifier struct {
	fitting *fitting
	entry   study.Entry
	test    *dataset.Set
}

// Fit sends the training set and the test set to the program, with a seed that it draws from rng.
func (p programClassifier) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	start := time.Now()
	train, test, err := p.entry.Preparation.Sets(train, p.test)
	if err != nil {
		return nil, err
	}
	prepared := time.Since(start)
	answer, err := p.fitting.Host.FitPredict(ctx, p.entry.Program, train, test, rng.Uint64())
	if err != nil {
		return nil, err
	}
	clock := &p.fitting.clock
	clock.fit += prepared.Seconds() + answer.Fit
	clock.predict += answer.Predict
	clock.peak = max(clock.peak, answer.Peak)
	return ruleOf(answer), nil
}

// ruleOf returns a rule that reproduces the predictions of an external program for the test set of
// the request. The rule ignores its argument.
func ruleOf(answer *external.Prediction) *classifiers.Rule {
	// Callers may change the matrices, but never the labels.
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
	if rule.Scores == nil { // probabilities rank the classes as scores do
		rule.Scores = rule.Probabilities
	}
	return rule
}
