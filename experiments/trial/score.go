package trial

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// oracleRule decides by the true densities with the test set's class shares
// as priors: its error is the Bayes error, to which irrelevant attributes, whose
// densities are the same in every class, add nothing. A generator of copse knows the densities
// of complete rows alone.
func oracleRule(ctx context.Context, d *Draw) (classifiers.Rule, error) {
	logPrior := make([]float64, d.Test.C())
	for c, count := range d.Test.Counts() {
		logPrior[c] = math.Log(float64(count) / float64(d.Test.N()))
	}
	if d.External == nil {
		if d.Test.HasMissing() {
			return nil, errors.New("the test rows lack values, and the densities are those of complete rows")
		}
		problem := d.Problem.(generators.DensityProblem) // checked when the study was read
		return classifiers.NewBayes(logPrior, func(class int, x []float64) float64 {
			return problem.LogDensity(class, x[:len(x)-d.Irrelevant])
		}), nil
	}
	x := d.Test.X.Slice(0, d.Test.N(), 0, d.Test.D()-d.Irrelevant).(*mat.Dense)
	logs, err := d.External.LogDensity(ctx, x)
	if err != nil {
		return nil, err
	}
	return classifiers.NewBayesAt(logPrior, logs), nil
}

// Said spells out what the rule of a successful fit says of the test rows.
func (o *Outcome) Said(test *dataset.Set) Said {
	a := Said{ID: o.Classifier, Spec: o.Spec, Classes: test.C(), Truth: test.Y, Labels: o.Predictions}
	a.Scores, a.Probabilities = saidOf(o.rule, test.X)
	return a
}

// saidOf is what a rule says of rows beside their labels, rows x classes; nil where it
// has none.
func saidOf(rule classifiers.Rule, x *mat.Dense) (scores, probabilities *mat.Dense) {
	if scorer, ok := rule.(classifiers.Scorer); ok {
		scores = scorer.Scores(x)
	}
	if prober, ok := rule.(classifiers.Prober); ok {
		probabilities = prober.Probabilities(x)
	}
	return scores, probabilities
}

// measure returns the metrics that were asked for, as far as the rule gives what
// they need and the test rows determine them.
func measure(asked []string, rule classifiers.Rule, test *dataset.Set, labels []int) map[string]float64 {
	if len(asked) == 0 {
		return nil
	}
	p := metrics.Predictions{Truth: test.Y, Labels: labels}
	p.Scores, p.Probabilities = saidOf(rule, test.X)
	values := map[string]float64{}
	for _, name := range asked {
		m, err := metrics.Lookup(name)
		if err != nil {
			panic(err) // checked when the study was read
		}
		if m, err = m.InClasses(test.Classes); err != nil {
			continue // a class of other cells
		}
		if v := m.FromRows(&p); !math.IsNaN(v) {
			values[name] = v
		}
	}
	return values
}
