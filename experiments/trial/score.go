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

// oracleRule returns the Bayes rule for the true class densities, whose test error estimates the
// Bayes error. The priors are the class proportions of the test set.
func oracleRule(ctx context.Context, d *Draw) (*classifiers.Rule, error) {
	logPrior := make([]float64, d.Test.C())
	for c, count := range d.Test.Counts() {
		logPrior[c] = math.Log(float64(count) / float64(d.Test.N()))
	}
	// The irrelevant attributes, which come last, have the same density in all classes.
	relevant := d.Test.D() - d.Irrelevant
	if d.External != nil {
		x := d.Test.X.Slice(0, d.Test.N(), 0, relevant).(*mat.Dense)
		logDensities, err := d.External.LogDensity(ctx, x)
		if err != nil {
			return nil, err
		}
		return method.NewBayesAt(logPrior, logDensities), nil // a rule for these rows only
	}
	if d.Test.HasMissing() {
		return nil, errors.New("the test rows have missing values, " +
			"but the densities are only defined for complete rows")
	}
	problem := d.Problem.(generators.DensityProblem) // a study may use an oracle only if densities are known
	logDensity := func(class int, x []float64) float64 { return problem.LogDensity(class, x[:relevant]) }
	return method.NewBayes(logPrior, logDensity), nil
}

// predictions collects the labels, scores and probabilities that a rule predicts for a test set. If
// scores is nil, it computes the scores from the rule, if possible. It panics if a score or a
// probability is NaN.
func predictions(rule *classifiers.Rule, test *dataset.Set, labels []int, scores *mat.Dense) metrics.Predictions {
	if scores == nil && rule.Scores != nil {
		scores = rule.Scores(test.X)
	}
	if scores != nil {
		method.RefuseNaN("score", scores)
	}
	probabilities := rule.ProbabilitiesFrom(scores, test.X)
	if probabilities != nil {
		method.RefuseNaN("probability", probabilities)
	}
	return metrics.Predictions{Truth: test.Y, Labels: labels, Scores: scores, Probabilities: probabilities}
}
