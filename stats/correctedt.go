package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// A TResult is the outcome of a t test of paired differences.
type TResult struct {
	Mean float64
	SE   float64 // corrected standard error of Mean; NaN if the differences do not vary or there is only one
	T    float64 // Mean / SE
	DF   int
	P    float64
}

// CorrectedT is the corrected resampled t test of differences d, one per fold (Nadeau and Bengio
// 2003; for repeated cross-validation Bouckaert and Frank 2004):
//
//	T = mean(d) / sqrt((1/J + share) var(d)),  share = n_test / (n - n_test).
//
// J is the number of folds. Each fold tests n_test of n rows. The share counts all other rows as
// training rows, even if a fold trains on only part of them. For independent differences, the share
// is 0.
//
// P is 1 if the differences do not vary.
func CorrectedT(d []float64, share float64, alternative Alternative) (TResult, error) {
	if err := checkShare("t test", share); err != nil {
		return TResult{}, err
	}
	return studentT(d, 1/float64(len(d))+share, len(d)-1, alternative)
}

const (
	calibratedFolds = 10 // number of folds, and of repeats, in Bouckaert's simulations
	calibratedDF    = 10 // degrees of freedom that these simulations gave
)

// calibratedT is the t test for ten repeats of ten-fold cross-validation (Bouckaert 2003, section
// 4, "use all data"):
//
//	T = mean(d) / (sd(d) / sqrt(df + 1)).
//
// df is only 10, because the folds share rows. With fewer than 11 differences, it is the ordinary
// paired t test.
func calibratedT(s Differences, alternative Alternative) (TResult, error) {
	df := min(calibratedDF, len(s.D)-1)
	return studentT(s.D, 1/float64(df+1), df, alternative)
}

// studentT compares mean(d) / sqrt(factor var(d)) with Student's t distribution. For independent
// differences d, factor is 1/len(d). P is 1 if d does not vary (see Summary.Varies).
func studentT(d []float64, factor float64, df int, alternative Alternative) (TResult, error) {
	if err := checkDifferences("t test", d); err != nil {
		return TResult{}, err
	}
	r := TResult{Mean: stat.Mean(d, nil), SE: math.NaN(), DF: df, P: 1}
	if !Summarize(d).Varies() {
		return r, nil
	}
	r.SE = math.Sqrt(factor * stat.Variance(d, nil))
	r.T = r.Mean / r.SE
	t := Student(float64(r.DF))
	lower, upper := t.Survival(-r.T), t.Survival(r.T) // the lower tail by symmetry
	r.P = alternative.FromTails(lower, upper)
	return r, nil
}
