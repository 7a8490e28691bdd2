package trial

import (
	"math"

	"copse/classifiers"
	"copse/generators"
	"copse/stats/dataset"
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

// score counts the errors and averages the error rates of the classes that
// have test rows.
func score(test *dataset.Set, predictions []int) (errors int, ber float64) {
	wrong := make([]int, test.C())
	for i, y := range test.Y {
		if predictions[i] != y {
			wrong[y]++
			errors++
		}
	}
	present := 0
	for c, count := range test.Counts() {
		if count > 0 {
			ber += float64(wrong[c]) / float64(count)
			present++
		}
	}
	return errors, ber / float64(present)
}
