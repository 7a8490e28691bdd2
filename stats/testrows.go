package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// The tests of this file compare two fitted rules on the rows of one test set. Their conclusions
// apply to these two fits on new test rows, not to fits on new training sets.

// A McNemar contains the counts for McNemar's test (1947) of two fits on one test set. The null hypothesis is
// that both have the same error rate.
type McNemar struct {
	OnlyFirst, OnlySecond int // rows misclassified only by this fit
	Rows                  int
}

// adjusted returns the difference and its standard error after adding 1 to OnlyFirst and to
// OnlySecond (Bonett and Price 2012).
//
// Without the additions, the standard error would be 0 if both fits misclassify the same rows.
func (m McNemar) adjusted() (difference, se float64) {
	rows := float64(m.Rows + 2)
	difference = float64(m.OnlyFirst-m.OnlySecond) / rows
	discordant := float64(m.OnlyFirst+m.OnlySecond+2) / rows
	return difference, math.Sqrt((discordant - difference*difference) / rows)
}

// SE returns the standard error of the difference (Bonett and Price 2012).
func (m McNemar) SE() float64 {
	_, se := m.adjusted()
	return se
}

// PValue returns the exact binomial p-value. It is 1 if both fits misclassify exactly the same rows.
func (m McNemar) PValue(a Alternative) float64 {
	n := m.OnlyFirst + m.OnlySecond
	return a.FromTails(fairTail(m.OnlyFirst, n), fairTail(m.OnlySecond, n))
}

// Shift returns the error rate of the first fit minus the error rate of the second. Its confidence interval is the
// adjusted Wald interval for paired data of Bonett and Price (2012). The field Level of the result is 0.
func (m McNemar) Shift(level float64) Shift {
	difference, se := m.adjusted()
	halfWidth := mathext.NormalQuantile((1+level)/2) * se
	wald := Shift{Estimate: difference, Low: max(-1, difference-halfWidth), High: min(1, difference+halfWidth)}
	rejectsZero := m.PValue(TwoSided) <= 1-level
	s := wald.Reconciled(rejectsZero) // the exact test decides whether the interval contains 0
	s.Estimate = float64(m.OnlyFirst-m.OnlySecond) / float64(m.Rows)
	return s
}

// Equivalence returns the p-value of two one-sided tests with the standard error of Bonett and
// Price. The null hypothesis is that the difference lies outside (-margin, margin).
func (m McNemar) Equivalence(margin float64) float64 {
	difference, se := m.adjusted()
	return normalUpper((margin - math.Abs(difference)) / se)
}

// SameDifferenceP returns a p-value for the loss difference between two rules if n independent test
// rows all have the same difference: the argument observed. The null hypothesis is that the true
// mean difference is not below the argument mean. No difference may exceed 1. The p-value is the
// largest probability of n such rows under the null hypothesis.
func SameDifferenceP(observed, mean float64, n int) float64 {
	switch {
	case observed >= mean:
		return 1
	case mean >= 1:
		return 0
	}
	// Let s be the probability that a row has the observed difference. All other differences are at
	// most 1, so the true mean is at most s*observed + (1-s)*1. Under the null hypothesis, this
	// bound is at least mean. The result is s^n for the largest such s.
	return math.Pow((1-mean)/(1-observed), float64(n))
}

// A RowSample contains the values of a statistic, or of the difference of two statistics, on several
// selections of test rows.
type RowSample struct {
	Estimate  float64   // on all rows
	Resampled []float64 // on each resample; NaN if undefined
	LeftOut   []float64 // without each group of rows in turn; NaN if undefined
}

// RowDraws is the number of resamples in studies. With this number, a tail probability of 2.5 percent has a
// standard error of 0.16 percent.
const RowDraws = 9999

// bootstrapFloor explains the lower bound of the bootstrap's p-values.
var bootstrapFloor = fmt.Sprintf("the bootstrap draws %d resamples, so its p-value is at least %.2g "+
	"(twice that if two-sided)", RowDraws, 1.0/(RowDraws+1))

// A BootstrapInterval is an estimate with confidence intervals from resampled rows.
type BootstrapInterval struct {
	Estimate   float64
	SE         float64    // of the resampled estimates
	Percentile [2]float64 // quantiles of the resampled estimates
	BCa        [2]float64 // bias-corrected and accelerated interval

	ascending []float64 // the resampled estimates without NaN, such as an AUC when a class is missing
}

// PValue returns the p-value of the hypothesis that the statistic has the given value in the
// population of rows.
func (b *BootstrapInterval) PValue(value float64, a Alternative) float64 {
	// In each tail, the observed estimate counts as an additional resample.
	below, upTo := Position(b.ascending, value)
	all := float64(len(b.ascending) + 1)
	return a.FromTails((all-float64(below))/all, float64(upTo+1)/all)
}

// Position returns the number of values < v and the number of values <= v in an ascending slice.
func Position(ascending []float64, v float64) (below, upTo int) {
	below, _ = slices.BinarySearch(ascending, v)
	upTo, _ = slices.BinarySearch(ascending, math.Nextafter(v, math.Inf(1)))
	return below, upTo
}

// SampleRows computes a statistic of the rows of one test set: on all rows, on the given number of
// resamples, and without each group of rows in turn.
//
// The function statistic returns the statistic of a sample that contains row i times[i] times. It may
// return NaN. It must not keep the slice times.
func SampleRows(rows, draws int, rng *rand.Rand, statistic func(times []int) float64) RowSample {
	eachOnce := slices.Repeat([]int{1}, rows)
	s := RowSample{Estimate: statistic(eachOnce), LeftOut: jackknife(eachOnce, statistic)}
	times := make([]int, rows)
	for range draws {
		Resample(times, rng)
		s.Resampled = append(s.Resampled, statistic(times))
	}
	return s
}

// Resample draws a bootstrap sample of as many rows as times has elements. It sets times[i] to the
// number of times that row i is drawn.
func Resample(times []int, rng *rand.Rand) {
	clear(times)
	for range times {
		times[rng.Intn(len(times))]++
	}
}

// mostGroups is the largest number of groups of rows in the jackknife, which leaves out one group
// at a time.
//
// If there are more rows, a group contains several rows to save time (Efron and Narasimhan 2020).
const mostGroups = 2000

// jackknife leaves out each group of rows in turn and returns the statistic of the remaining rows. Row i
// belongs to group i modulo the number of groups. To compute the statistic, times[i] states how often row i
// counts. All elements of eachOnce are 1.
func jackknife(eachOnce []int, statistic func(times []int) float64) []float64 {
	groups := min(len(eachOnce), mostGroups)
	values := make([]float64, groups)
	times := slices.Clone(eachOnce)
	setGroup := func(group, count int) { // lets each row of the group count so many times
		for i := group; i < len(times); i += groups {
			times[i] = count
		}
	}
	for group := range values {
		setGroup(group, 0)
		values[group] = statistic(times)
		setGroup(group, 1)
	}
	return values
}

// Minus returns the sample of the difference of two statistics, s minus other. Both must have been
// computed on the same resamples of the same rows. Values that differ only by rounding errors have
// the difference 0.
func (s RowSample) Minus(other RowSample) RowSample {
	// Rounding to multiples of 1/Grid makes values equal that differ only by rounding errors.
	difference := func(a, b float64) float64 { return (RoundedSteps(a) - RoundedSteps(b)) / Grid }
	d := RowSample{Estimate: difference(s.Estimate, other.Estimate)}
	for i, v := range s.Resampled {
		d.Resampled = append(d.Resampled, difference(v, other.Resampled[i]))
	}
	for i, v := range s.LeftOut {
		d.LeftOut = append(d.LeftOut, difference(v, other.LeftOut[i]))
	}
	return d
}

// Interval returns percentile and BCa confidence intervals (Efron 1987; Efron and Tibshirani 1993,
// section 14.3).
//
// It ignores resamples in which the statistic is undefined (NaN). It returns an error if the
// estimate is undefined, or if level is not between 0 and 1.
func (s RowSample) Interval(level float64) (BootstrapInterval, error) {
	if !(level > 0 && level < 1) {
		return BootstrapInterval{}, fmt.Errorf("bootstrap of test rows: the level is %v; it must be between 0 and 1",
			level)
	}
	result := BootstrapInterval{Estimate: s.Estimate}
	if math.IsNaN(s.Estimate) {
		return result, errors.New("bootstrap of test rows: the statistic is undefined on the test rows")
	}
	resampled := slices.DeleteFunc(slices.Clone(s.Resampled), math.IsNaN)
	if len(resampled) == 0 {
		return result, errors.New("bootstrap of test rows: the statistic is undefined for every resample")
	}
	slices.Sort(resampled)
	result.ascending = resampled
	result.SE = stat.StdDev(resampled, nil)
	tail := (1 - level) / 2
	result.Percentile = quantiles(resampled, tail, 1-tail)
	leftOut := slices.DeleteFunc(slices.Clone(s.LeftOut), math.IsNaN)
	result.BCa = bca(resampled, s.Estimate, leftOut, level)
	return result, nil
}

// bca returns the BCa interval. Its ends are the quantiles of the resampled estimates at
//
//	Phi(z0 + (z0 + z) / (1 - a (z0 + z))).
//
// z is the normal quantile of (1-level)/2 for the lower end and of (1+level)/2 for the upper end. a
// is the acceleration.
//
// z0 is the normal quantile of the proportion of resampled estimates below the estimate. Resampled
// estimates equal to the estimate count half.
func bca(ascending []float64, estimate float64, jackknife []float64, level float64) [2]float64 {
	n := float64(len(ascending))
	below, upTo := Position(ascending, estimate) // numbers of resampled estimates < and <= estimate
	proportion := float64(below+upTo) / 2 / n
	z0 := mathext.NormalQuantile(min(max(proportion, 0.5/n), 1-0.5/n)) // away from 0 and 1, so z0 is finite
	a := acceleration(jackknife)
	adjust := func(p float64) float64 {
		shifted := z0 + mathext.NormalQuantile(p)         // z0 + z
		return normalUpper(-(z0 + shifted/(1-a*shifted))) // Phi(v) is normalUpper(-v)
	}
	tail := (1 - level) / 2
	return quantiles(ascending, adjust(tail), adjust(1-tail))
}

// acceleration returns the acceleration of the BCa interval,
//
//	sum(d^3) / (6 sum(d^2)^1.5).
//
// The sums are over all jackknife values, and d is their mean minus one value. The result is 0 if
// all values are equal.
func acceleration(jackknife []float64) float64 {
	mean := stat.Mean(jackknife, nil)
	squares, cubes := 0.0, 0.0
	for _, v := range jackknife {
		d := mean - v
		squares += d * d
		cubes += d * d * d
	}
	if squares == 0 {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

func quantiles(ascending []float64, low, high float64) [2]float64 {
	return [2]float64{Quantile(ascending, low), Quantile(ascending, high)}
}
