// Package stats computes summaries, paired tests, corrections for multiple tests and effect sizes for float64
// slices.
package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Summary describes the results of one classifier over the replicates of one cell (a combination
// of factor levels). Mean is NaN without results. SD and MCSE are NaN for fewer than two results.
type Summary struct {
	N      int // replicates with a result
	Failed int // replicates with a failed fit
	Mean   float64
	SD     float64 // standard deviation, with divisor N-1
	MCSE   float64 // Monte-Carlo standard error: SD / sqrt(N)
	DF     float64 // degrees of freedom of MCSE: N-1, or as in WeightedSum
}

func withoutMoments(n int) Summary {
	return Summary{N: n, Mean: math.NaN(), SD: math.NaN(), MCSE: math.NaN()}
}

// Summarize returns the summary of values. Failed is left at 0.
func Summarize(values []float64) Summary {
	s := withoutMoments(len(values))
	if s.N > 0 {
		s.Mean = stat.Mean(values, nil)
	}
	if s.N > 1 {
		s.DF = float64(s.N - 1)
		s.SD = stat.StdDev(values, nil)
		s.MCSE = s.SD / math.Sqrt(float64(s.N))
	}
	return s
}

// Sharing returns s for folds that share rows. It corrects the MCSE to SD sqrt(1/N + share). The
// argument share is the ratio of test rows to training rows (see CorrectedT). If the ratio is 0,
// the MCSE does not change.
func (s Summary) Sharing(share float64) Summary {
	if share > 0 {
		s.MCSE = s.SD * math.Sqrt(1/float64(s.N)+share)
	}
	return s
}

// WeightedSum summarises sum_i w_i m_i for independent means m_i, which are the means of the parts.
// N is the smallest number of results of a part, and SD is NaN. MCSE has the degrees of freedom of
// Welch (1947) and Satterthwaite (1946):
//
//	MCSE^2 = sum_i v_i,  v_i = (w_i MCSE_i)^2,  DF = (sum_i v_i)^2 / sum_i (v_i^2 / DF_i).
//
// If no part varies, DF is the smallest of the DF_i.
func WeightedSum(parts []Summary, weights []float64) Summary {
	sum := Summary{N: math.MaxInt, SD: math.NaN(), DF: math.Inf(1)}
	variance, squares := 0.0, 0.0 // sums of v_i and of v_i^2 / DF_i
	for i, part := range parts {
		se := weights[i] * part.MCSE
		v := se * se
		sum.N, sum.DF = min(sum.N, part.N), min(sum.DF, part.DF)
		sum.Mean += weights[i] * part.Mean
		variance += v
		squares += v * v / part.DF
	}
	sum.MCSE = math.Sqrt(variance)
	if variance != 0 {
		sum.DF = variance * variance / squares
	}
	return sum
}

// sameValue is a ratio of standard error to mean. Values with a smaller ratio count as equal,
// because they may differ by rounding errors only.
const sameValue = 1e-6

// Varies reports whether the values differ by more than rounding errors. It returns false if MCSE
// is NaN. Without variation, t tests and confidence intervals cannot be computed.
func (s Summary) Varies() bool {
	return RoundedSteps(s.MCSE) > 0 && s.MCSE > sameValue*math.Abs(s.Mean)
}

// Quantile returns the p-quantile of ascending values, with linear interpolation. This is type 7 of
// Hyndman and Fan (1996), the default in R. Quantile panics if the sample is empty or p is outside
// [0,1].
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		panic("stats: a quantile needs a nonempty sample and a probability in [0,1]")
	}
	at := float64(len(sorted)-1) * p
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// A Box contains the numbers that define a box plot.
type Box struct {
	Low      float64
	Q1       float64
	Median   float64
	Q3       float64
	High     float64
	Mean     float64
	Outliers []float64 // ascending; beyond 1.5 interquartile ranges from the box
}

const whiskerReach = 1.5

// NewBox returns the box plot of at least one value. All values must be finite. Quartiles are of
// type 7 (see Quantile).
//
// Each whisker extends to the most extreme value within 1.5 interquartile ranges of the box. If
// this value lies inside the box, the whisker has length 0. Values farther away are outliers.
func NewBox(values []float64) Box {
	sorted := slices.Sorted(slices.Values(values))
	b := Box{
		Q1:     Quantile(sorted, 0.25),
		Median: Quantile(sorted, 0.5),
		Q3:     Quantile(sorted, 0.75),
		Mean:   stat.Mean(sorted, nil),
	}
	b.Low, b.High = b.Q1, b.Q3
	reach := whiskerReach * (b.Q3 - b.Q1)
	// RoundedSteps rounds to 12 decimal places, so that rounding errors create no outliers.
	lowest, highest := RoundedSteps(b.Q1-reach), RoundedSteps(b.Q3+reach)
	for _, v := range sorted {
		if step := RoundedSteps(v); step < lowest || step > highest {
			b.Outliers = append(b.Outliers, v)
			continue
		}
		b.Low, b.High = min(b.Low, v), max(b.High, v)
	}
	return b
}
