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

// oracleRule decides by the true densities with the test set's class shares
// as priors: its error is the Bayes error, to which irrelevant attributes, whose
// densities are the same in every class, add nothing. A generator of copse knows the densities
// of complete rows alone.
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

// Said spells out what the rule of a successful fit says of the test rows.
func (o *Outcome) Said(test *dataset.Set) Said {
	return Said{o.Classifier, o.Spec, test.C(), o.predictions(test)}
}

// predictions are what the rule says of the test rows beside their labels.
func (o *Outcome) predictions(test *dataset.Set) metrics.Predictions {
	p := predictions(o.rule, test, o.Labels, o.scores)
	o.scores = p.Scores
	return p
}

// predictions are what a rule says of the rows of a test set, whose labels are known and
// whose scores are, unless nil.
func predictions(rule *classifiers.Rule, test *dataset.Set, labels []int, scores *mat.Dense) metrics.Predictions {
	if scores == nil && rule.Scores != nil {
		scores = rule.Scores(test.X)
	}
	p := metrics.Predictions{Truth: test.Y, Labels: labels, Scores: scores}
	p.Probabilities = rule.ProbabilitiesFrom(scores, test.X)
	return p
}
