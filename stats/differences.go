package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// checkDifferences returns an error if d has no or infinite differences, or the alternative is
// unknown.
func checkDifferences(test string, d []float64, alternative Alternative) error {
	if err := alternative.check(); err != nil {
		return fmt.Errorf("%s: %w", test, err)
	}
	if len(d) == 0 {
		return fmt.Errorf("%s: there are no differences", test)
	}
	for i, v := range d {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: difference %d is not finite: %v", test, i+1, v)
		}
	}
	return nil
}

// Skewness returns the sample skewness of differences, m3 / m2^1.5 with moments of divisor
// n; 0 for equal differences, NaN without any.
func Skewness(d []float64) float64 {
	if len(d) == 0 {
		return math.NaN()
	}
	if equal(d) {
		return 0
	}
	return stat.Moment(3, d, nil) / math.Pow(stat.Moment(2, d, nil), 1.5)
}

// Detectable returns the smallest true mean difference that a two-sided t test at the
// given level finds with the given power, when the mean of n differences has standard
// error se: se times the sum of Student's quantiles of 1 - level/2 and of the power. It is
// NaN for fewer than two differences.
func Detectable(se float64, n int, level, power float64) float64 {
	if n < 2 {
		return math.NaN()
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}
	return se * (t.Quantile(1-level/2) + t.Quantile(power))
}
