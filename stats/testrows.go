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

// The tests of this file compare two fitted rules on the rows of one test set. Their
// conclusions concern these two fits on further test rows, not what further training
// sets would give.

// A McNemar compares the errors of two fits on the rows of one test set. Where both have the
// same error rate, a row that exactly one of them classifies correctly is as likely to be wrong
// by the first as by the second (McNemar 1947).
type McNemar struct {
	OnlyFirst, OnlySecond int // rows that are wrong by one fit alone
	Rows                  int // of the test set
}

// Difference returns the error rate of the first fit minus the error rate of the second.
func (m McNemar) Difference() float64 {
	return float64(m.OnlyFirst-m.OnlySecond) / float64(m.Rows)
}

// SE returns the standard error of the difference.
func (m McNemar) SE() float64 {
	discordant, difference := float64(m.OnlyFirst+m.OnlySecond), m.Difference()
	return math.Sqrt((discordant/float64(m.Rows) - difference*difference) / float64(m.Rows))
}

// PValue returns the exact binomial p-value; 1 if no row is wrong by one fit alone.
func (m McNemar) PValue(a Alternative) float64 {
	n := m.OnlyFirst + m.OnlySecond
	return a.FromTails(fairTail(m.OnlyFirst, n), fairTail(m.OnlySecond, n))
}

// Interval returns the confidence interval of the difference, given the number of rows that are wrong
// by one fit alone. It follows from Clopper and Pearson's interval of the first fit's share of them,
// and excludes 0 exactly if the two-sided p-value is at most 1 - level.
func (m McNemar) Interval(level float64) [2]float64 {
	n, tail := m.OnlyFirst+m.OnlySecond, (1-level)/2
	low, high := 0.0, 1.0
	if m.OnlyFirst > 0 {
		low = mathext.InvRegIncBeta(float64(m.OnlyFirst), float64(m.OnlySecond+1), tail)
	}
	if m.OnlySecond > 0 {
		high = mathext.InvRegIncBeta(float64(m.OnlyFirst+1), float64(m.OnlySecond), 1-tail)
	}
	scale := float64(n) / float64(m.Rows)
	return [2]float64{(2*low - 1) * scale, (2*high - 1) * scale}
}

// A RowBootstrap resamples the rows of one test set.
type RowBootstrap struct {
	Rows  int // of the test set
	Draws int
	Rng   *rand.Rand
}

// rowDraws resamples give an interval's tail of 2.5 percent a standard error of 0.16 percent.
const rowDraws = 9999

// bootstrapFloor is the Floor of the bootstrap test.
var bootstrapFloor = fmt.Sprintf("it draws %d resamples, of which the smallest p-value is %.2g, twice that where "+
	"two-sided", rowDraws, 1.0/(rowDraws+1))

// DefaultRowBootstrap draws 9999 resamples.
func DefaultRowBootstrap(rows int, rng *rand.Rand) RowBootstrap {
	return RowBootstrap{Rows: rows, Draws: rowDraws, Rng: rng}
}

// A BootstrapInterval is an estimate with confidence intervals from resampled rows.
type BootstrapInterval struct {
	Estimate   float64
	SE         float64    // standard deviation of the resampled estimates
	Percentile [2]float64 // between quantiles of the resampled estimates
	BCa        [2]float64 // bias-corrected and accelerated
	Level      float64    // of both
	Undefined  int        // resamples whose statistic is NaN, such as an AUC without rows of one class; left out

	ascending []float64 // the resampled estimates
}

// PValue returns the p-value of the hypothesis that the statistic of further rows is value: twice the
// smaller share of resampled estimates on one side of it, for the two-sided alternative. The observed
// estimate counts as one more on both sides.
func (b *BootstrapInterval) PValue(value float64, a Alternative) float64 {
	below, upTo := position(b.ascending, value)
	all := float64(len(b.ascending) + 1)
	return a.FromTails((all-float64(below))/all, float64(upTo+1)/all)
}

// position returns the numbers of ascending values below v and up to v.
func position(ascending []float64, v float64) (below, upTo int) {
	below, _ = slices.BinarySearch(ascending, v)
	upTo, _ = slices.BinarySearch(ascending, math.Nextafter(v, math.Inf(1)))
	return below, upTo
}

// Interval returns percentile and BCa intervals (Efron 1987; Efron and Tibshirani 1993, section 14.3)
// of a statistic of test rows, such as the difference of two rules' metrics. statistic gets the indices
// of the rows, with repetitions, and must not keep the slice.
func (b RowBootstrap) Interval(statistic func(rows []int) float64, level float64) (BootstrapInterval, error) {
	if !(level > 0 && level < 1) {
		return BootstrapInterval{}, fmt.Errorf("bootstrap of test rows: the level is %v, must lie in (0,1)", level)
	}
	if b.Rows < 2 || b.Draws < 1 || b.Rng == nil {
		return BootstrapInterval{}, errors.New("bootstrap of test rows: needs two rows, one draw and a random source")
	}
	rows := make([]int, b.Rows)
	for i := range rows {
		rows[i] = i
	}
	result := BootstrapInterval{Estimate: statistic(rows), Level: level}
	if math.IsNaN(result.Estimate) {
		return result, errors.New("bootstrap of test rows: the statistic is not defined for these rows")
	}
	resampled := b.resample(statistic)
	result.Undefined, result.ascending = b.Draws-len(resampled), resampled
	if len(resampled) == 0 {
		return result, errors.New("bootstrap of test rows: the statistic is defined for no resample")
	}
	result.SE = stat.StdDev(resampled, nil)
	tail := (1 - level) / 2
	result.Percentile = quantiles(resampled, tail, 1-tail)
	result.BCa = bca(resampled, result.Estimate, jackknife(b.Rows, statistic), level)
	return result, nil
}

// resample returns the statistics of the resamples that have one, ascending.
func (b RowBootstrap) resample(statistic func(rows []int) float64) []float64 {
	rows := make([]int, b.Rows)
	var values []float64
	for range b.Draws {
		for i := range rows {
			rows[i] = b.Rng.Intn(b.Rows)
		}
		if v := statistic(rows); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// jackknife returns the statistics of the samples that lack one row, if they are defined.
func jackknife(n int, statistic func(rows []int) float64) []float64 {
	var values []float64
	for without := range n {
		var rows []int
		for i := range n {
			if i != without {
				rows = append(rows, i)
			}
		}
		if v := statistic(rows); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// bca returns the BCa interval: with z0 the normal quantile of the share of resamples below
// the estimate, ties half, and a the acceleration of the jackknife values, its ends are the
// resamples' quantiles at
//
//	Phi(z0 + (z0 + z) / (1 - a (z0 + z))),  z the normal quantiles of (1-level)/2 and its complement.
//
// If all resamples are on one side of the estimate, half a resample on the other keeps z0 finite.
func bca(ascending []float64, estimate float64, jackknife []float64, level float64) [2]float64 {
	n := float64(len(ascending))
	below, upTo := position(ascending, estimate)
	share := float64(below+upTo) / 2 / n
	z0 := mathext.NormalQuantile(min(max(share, 0.5/n), 1-0.5/n))
	a := acceleration(jackknife)
	at := func(p float64) float64 {
		z := z0 + mathext.NormalQuantile(p)
		return normalUpper(-(z0 + z/(1-a*z)))
	}
	tail := (1 - level) / 2
	return quantiles(ascending, at(tail), at(1-tail))
}

// acceleration returns a sixth of the skewness of the jackknife's influence values: with d the
// mean of the values less each, sum(d^3) / (6 sum(d^2)^1.5); 0 for equal values.
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
