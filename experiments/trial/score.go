package trial

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/classifiers/method"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// oracleRule returns the Bayes rule by the true densities, with the class shares of the
// test set as priors; its error estimates the Bayes error. It leaves out irrelevant
// attributes, since their densities are the same in every class. Built-in generators have
// the densities of complete rows only.
func oracleRule(ctx context.Context, d *Draw) (*classifiers.Rule, error) {
	logPrior := make([]float64, d.Test.C())
	for c, count := range d.Test.Counts() {
		logPrior[c] = math.Log(float64(count) / float64(d.Test.N()))
	}
	if d.External == nil {
		if d.Test.HasMissing() {
			return nil, errors.New("the test rows lack values, and the densities are those of complete rows")
		}
		problem := d.Problem.(generators.DensityProblem) // checked when the study was read
		return method.NewBayes(logPrior, func(class int, x []float64) float64 {
			return problem.LogDensity(class, x[:len(x)-d.Irrelevant])
		}), nil
	}
	x := d.Test.X.Slice(0, d.Test.N(), 0, d.Test.D()-d.Irrelevant).(*mat.Dense)
	logs, err := d.External.LogDensity(ctx, x)
	if err != nil {
		return nil, err
	}
	return method.NewBayesAt(logPrior, logs), nil
}

// Predictions returns the predictions of a successful fit for the test rows.
func (o *Outcome) Predictions(test *dataset.Set) FitPredictions {
	return FitPredictions{o.Classifier, o.Spec, test.C(), o.predictions(test)}
}

// predictions returns all predictions for the test rows, and caches their scores.
func (o *Outcome) predictions(test *dataset.Set) metrics.Predictions {
	p := predictions(o.rule, test, o.Labels, o.scores)
	o.scores = p.Scores
	return p
}

// predictions returns all predictions of a rule for a test set. labels are its predicted
// labels; scores are its scores, or nil to compute them.
func predictions(rule *classifiers.Rule, test *dataset.Set, labels []int, scores *mat.Dense) metrics.Predictions {
	if scores == nil && rule.Scores != nil {
		scores = rule.Scores(test.X)
	}
	p := metrics.Predictions{Truth: test.Y, Labels: labels, Scores: scores}
	p.Probabilities = rule.ProbabilitiesFrom(scores, test.X)
	return p
}
