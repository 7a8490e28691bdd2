package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A TResult is the outcome of a t test of paired differences.
type TResult struct {
	Mean float64 // of the differences
	SE   float64 // standard error of Mean, corrected; NaN for a single difference
	T    float64 // Mean / SE
	DF   int
	P    float64
}

// CorrectedT is the corrected resampled t test (Nadeau and Bengio 2003; for repeated
// cross-validation Bouckaert and Frank 2004). It compares
//
//	T = mean(d) / sqrt((1/J + share) var(d)),  share = n_test / (n - n_test),
//
// with Student's t on J-1 degrees of freedom. d are J differences, one of each fold of each
// repeat, and n_test of the n rows of the data set are in the fold: share is 1/(k-1) for k
// folds. The results of folds are correlated. share is correlation/(1-correlation),
// which the differences cannot show. Test sets of two random splits overlap by n_test/n, and
// Nadeau and Bengio take this for the correlation. It does not depend on the number of
// training rows: a fold that trains on a part of them has the share of the whole fold.
//
// With share 0 it is the paired t test of independent differences. It assumes normal
// differences of one variance. If all differences are equal, or there is only one, no variance
// can be estimated: T is 0 and P is 1.
func CorrectedT(d []float64, share float64, alternative Alternative) (TResult, error) {
	if !(share >= 0) || math.IsInf(share, 1) {
		return TResult{}, fmt.Errorf("t test: the ratio of test rows is %v, must be finite and at least 0", share)
	}
	return studentT(d, 1/float64(len(d))+share, len(d)-1, alternative)
}

const (
	calibratedFolds = 10 // folds for which the calibrated t test was calibrated
	calibratedDF    = 10 // its degrees of freedom
)

// calibratedT is the t test of all J = 100 differences of ten times repeated ten-fold
// cross-validation (Bouckaert 2003, section 4, "use all data"). Since folds share rows, the test has
// fewer than J-1 degrees of freedom, by simulation df = 10:
//
//	T = mean(d) / (sd(d) / sqrt(df + 1)).
//
// With fewer than 11 differences df is J-1, and the test is the paired t test.
func calibratedT(d []float64, alternative Alternative) (TResult, error) {
	df := min(calibratedDF, len(d)-1)
	return studentT(d, 1/float64(df+1), df, alternative)
}

// studentT compares the mean of differences with Student's t on df degrees of freedom. The variance
// of the mean is factor times the variance of a difference.
func studentT(d []float64, factor float64, df int, alternative Alternative) (TResult, error) {
	if err := checkDifferences("t test", d, alternative); err != nil {
		return TResult{}, err
	}
	r := TResult{Mean: stat.Mean(d, nil), SE: math.NaN(), DF: df, P: 1}
	if len(d) < 2 {
		return r, nil
	}
	r.SE = math.Sqrt(factor * stat.Variance(d, nil))
	if equal(d) {
		r.SE = 0
		return r, nil
	}
	r.T = r.Mean / r.SE
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(r.DF)}
	r.P = alternative.FromTails(t.Survival(-r.T), t.Survival(r.T))
	return r, nil
}

// Interval returns the two-sided confidence interval of the mean difference.
func (r *TResult) Interval(level float64) (low, high float64) {
	if r.DF < 1 {
		return math.NaN(), math.NaN()
	}
	half := r.SE * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(r.DF)}.Quantile(1-(1-level)/2)
	return r.Mean - half, r.Mean + half
}

// equal reports whether all values are the same.
func equal(d []float64) bool {
	for _, v := range d {
		if v != d[0] {
			return false
		}
	}
	return true
}
