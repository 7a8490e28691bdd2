package trial

import (
	"context"
	"encoding/json"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/external"
	"copse/experiments/study"
	"copse/stats/dataset"
)

// fitApart lets another process fit and label the test set: a program, or this
// binary for one of its own classifiers.
func (w *Worker) fitApart(ctx context.Context, o *Outcome, e study.Entry, d *Draw, state []byte) error {
	var said *external.Prediction
	err := o.run(ctx, d, w.study.Metrics, func() (rule *classifiers.Rule, err error) {
		if e.Program == nil {
			b := external.Builtin{Name: e.Name, Spec: e.Spec, Recipe: builtin{e.Classifier, e.Preparation}, Memory: w.study.Memory, Scores: len(w.study.Metrics) > 0 || w.study.Predictions}
			if said, err = w.host.FitBuiltin(ctx, b, d.Train, d.Test, state, w.limit); err != nil {
				return nil, err
			}
			return ruleOf(said), nil
		}
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

// Answer fits a built-in classifier for a Worker of another process: it is an
// external.Answerer.
func Answer(q external.Question) (*external.Prediction, error) {
	spec, ok := classifiers.Registry.Lookup(q.Name)
	if !ok {
		panic("trial: unregistered " + q.Name) // who asks is of the same binary
	}
	b := builtin{Recipe: spec.New()}
	if err := json.Unmarshal(q.Recipe, &b); err != nil {
		return nil, err
	}
	ctx, d, o := context.Background(), &Draw{Train: q.Train, Test: q.Test}, Outcome{} // at its limit the process ends
	err := o.run(ctx, d, nil, func() (*classifiers.Rule, error) { return fitBuiltin(ctx, q.Name, b, d, q.State) })
	if err != nil {
		return nil, err
	}
	said := &external.Prediction{Labels: o.Labels, Fit: o.Fit, Predict: o.Predict}
	if o.Message != "" {
		said.Warnings = []string{o.Message}
	}
	if q.Scores {
		p := o.predictions(q.Test)
		said.Scores, said.Probabilities = p.Scores, p.Probabilities
	}
	return said, nil
}
