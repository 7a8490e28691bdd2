package trial

import (
	"math"

	"copse/classifiers"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// oracleRule decides by the true densities with the test set's class shares
// as priors: its error is the Bayes error.
func oracleRule(d *Draw) classifiers.Rule {
	problem := d.Problem.(generators.DensityProblem) // checked when the study was read
	logPrior := make([]float64, d.Test.C())
	for c, count := range d.Test.Counts() {
		logPrior[c] = math.Log(float64(count) / float64(d.Test.N()))
	}
	return classifiers.NewBayes(logPrior, problem.LogDensity)
}

// measure returns the metrics that were asked for, as far as the rule gives what
// they need and the test rows determine them.
func measure(asked []string, rule classifiers.Rule, test *dataset.Set, labels []int) map[string]float64 {
	if len(asked) == 0 {
		return nil
	}
	p := metrics.Predictions{Truth: test.Y, Labels: labels}
	if prober, ok := rule.(classifiers.Prober); ok {
		p.Probabilities = prober.Probabilities(test.X)
	}
	if scorer, ok := rule.(classifiers.Scorer); ok {
		p.Scores = scorer.Scores(test.X)
	}
	values := map[string]float64{}
	for _, name := range asked {
		m, err := metrics.Lookup(name)
		if err != nil {
			panic(err) // checked when the study was read
		}
		if v := m.FromRows(&p); !math.IsNaN(v) {
			values[name] = v
		}
	}
	return values
}
