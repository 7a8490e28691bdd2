package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// checkDifferences returns an error if d is empty or if a difference is not finite. The error starts
// with the name of the test.
func checkDifferences(test string, d []float64) error {
	if len(d) == 0 {
		return fmt.Errorf("%s: the test needs at least one difference, but got none", test)
	}
	for i, v := range d {
		if !Finite(v) {
			return fmt.Errorf("%s: difference %d is not finite: %v", test, i+1, v)
		}
	}
	return nil
}

// checkShare returns an error unless the ratio of test rows to training rows is finite and at least
// 0. The error starts with the name of the test.
func checkShare(test string, share float64) error {
	if !(share >= 0) || math.IsInf(share, 1) {
		return fmt.Errorf("%s: the ratio of test rows to training rows is %v; it must be finite and at least 0",
			test, share)
	}
	return nil
}

// Skewness returns the sample skewness m3 / m2^1.5, where m2 and m3 are the central moments of d
// with divisor n. It is 0 if the values do not vary and NaN if d is empty.
func Skewness(d []float64) float64 {
	if len(d) == 0 {
		return math.NaN()
	}
	if !Summarize(d).Varies() {
		return 0
	}
	return stat.Moment(3, d, nil) / math.Pow(stat.Moment(2, d, nil), 1.5)
}

// Detectable returns the smallest true mean difference that the test detects with the given power:
//
//	se * (t(1 - tail) + t(power)).
//
// se is the standard error of the mean of the n observed differences. t(p) is the p-quantile of
// Student's distribution with df = n-1 degrees of freedom. tail is level, or level/2 for a two-sided
// test.
//
// The result is NaN if there are fewer than two differences or if they do not vary. A test without
// a t statistic gets the result of a t test. The calibrated t test has at most 10 degrees of freedom,
// and its se is SD / sqrt(df+1), as in calibratedT.
func (t *Test) Detectable(differences Summary, alternative Alternative, level, power float64) float64 {
	se, n := differences.MCSE, differences.N
	if n < 2 || !differences.Varies() {
		return math.NaN()
	}
	df := float64(n - 1)
	isCalibratedT := t.Folds > 0 // the only test that was calibrated for a number of folds
	if isCalibratedT {
		df = min(df, calibratedDF)
		se = differences.SD / math.Sqrt(df+1)
	}
	tail := level
	if alternative == TwoSided {
		tail = level / 2
	}
	return se * (StudentQuantile(1-tail, df) + StudentQuantile(power, df))
}

// StudentQuantile returns the p-quantile of Student's t distribution with df degrees of freedom.
func StudentQuantile(p, df float64) float64 { return Student(df).Quantile(p) }

// Student returns Student's t distribution.
func Student(df float64) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: df} }
