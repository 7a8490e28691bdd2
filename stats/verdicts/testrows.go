package verdicts

import (
	"fmt"
	"math"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// Fits contains the predictions of each classifier for the rows of one test set. Each classifier
// has one fit per replicate, in the same order.
//
// The conclusions of tests apply to these fits on new test rows. They do not apply to classifiers
// trained on other rows.
type Fits map[string][]*metrics.Predictions

// compareRows compares two classifiers by the test o.Test on the rows of the test set. The p-values
// are unadjusted. The argument confidence is the level of the interval for the mean difference,
// such as 0.95.
func (o *BestOptions) compareRows(
	c *records.Cell, first, second string, confidence float64,
) (q Comparison, err error) {
	if o.Rope > 0 {
		return q, fmt.Errorf("cell %s, %s against %s: %w: the Bayesian signed-rank test (`rope`) compares replicates, "+
			"not test rows; use `margin`", c.ID, first, second, stats.ErrAssumption)
	}
	rows := len(o.Fits[first][0].Truth)
	q = Comparison{Other: second, Pairs: rows, Effect: math.NaN(), Equivalence: math.NaN()}
	// Set the p-values, the estimate and its interval (q.Shift), and its standard error (q.Mean.MCSE).
	if err = o.testRows(&q, c, first, confidence); err != nil {
		return q, fmt.Errorf("cell %s, %s against %s: %w", c.ID, first, second, err)
	}
	q.favoursOther = q.Shift.Estimate > 0 // the loss of first minus the loss of second
	q.Mean.N, q.Mean.Mean = rows, q.Shift.Estimate
	if q.Mean.Varies() { // otherwise, Level remains 0: there is no interval
		q.Shift.Level = confidence
	}
	// The p-values are too small if the difference hardly varies between rows, or if there are few
	// rows. Raise them to lower bounds: the first bound corrects the first error, and MinP the second.
	independent := min(o.Metric.IndependentRows(o.Fits[first][0]), o.Metric.IndependentRows(o.Fits[second][0]))
	o.raiseToSameDifferenceP(&q, independent)
	q.P = max(q.P, o.Test.MinP(rows, o.Alternative))
	q.Detectable = o.Test.Detectable(q.Mean, o.Alternative, 1-confidence, power)
	return q, nil
}

// testRows compares two classifiers, first and q.Other, by the test o.Test on the test rows. It
// sets the p-values of q, the estimate and the ends of its interval in q.Shift, and the standard
// error q.Mean.MCSE. All tests except DeLong's also set q.Resampled.
func (o *BestOptions) testRows(q *Comparison, c *records.Cell, first string, confidence float64) error {
	if o.Test.Name == "delong" {
		return o.deLong(q, first, confidence)
	}
	if err := o.bootstrap(q, c, first, confidence); err != nil {
		return err
	}
	if o.Test.Name == "mcnemar" {
		o.mcNemar(q, first, confidence)
	}
	return nil
}

// raiseToSameDifferenceP raises the p-values of q to lower bounds for n independent rows (see
// stats.SameDifferenceP).
//
// Without the bounds, the p-values would be too small if the difference hardly varies between rows,
// because its standard error is almost 0.
func (o *BestOptions) raiseToSameDifferenceP(q *Comparison, n int) {
	difference := q.Shift.Estimate
	if !q.Mean.Varies() {
		lower, upper := stats.SameDifferenceP(difference, 0, n), stats.SameDifferenceP(-difference, 0, n)
		q.P = max(q.P, o.Alternative.FromTails(lower, upper))
	}
	if o.Margin > 0 {
		q.Equivalence = max(q.Equivalence, stats.SameDifferenceP(math.Abs(difference), o.Margin, n))
	}
}

// mcNemar compares one fit of each classifier by McNemar's test, and stores the results in q.
func (o *BestOptions) mcNemar(q *Comparison, first string, confidence float64) {
	m := mcNemarOf(o.Fits[first][0], o.Fits[q.Other][0])
	q.P = m.PValue(o.Alternative)
	q.Mean.MCSE = m.SE()
	q.Shift = m.Shift(confidence)
	if o.Margin > 0 {
		q.Equivalence = m.Equivalence(o.Margin)
	}
}

// deLong sets the p-values and the estimate of q, using DeLong's test. The loss is 1 - AUC. So the
// difference of the losses is the second AUC minus the first.
func (o *BestOptions) deLong(q *Comparison, first string, confidence float64) error {
	d, err := metrics.DeLong(o.Fits[q.Other], o.Fits[first])
	if err != nil {
		return err
	}
	o.setPValues(q, d.PValue)
	q.Mean.MCSE = d.SE
	q.Shift = d.Shift(confidence)
	return nil
}

// setPValues sets the p-values of q. The call pValue(x, a) must return the p-value of the
// hypothesis that the difference between the two losses is x.
func (o *BestOptions) setPValues(q *Comparison, pValue func(value float64, a stats.Alternative) float64) {
	q.P = pValue(0, o.Alternative)
	if o.Margin > 0 {
		q.Equivalence = max(pValue(-o.Margin, stats.Greater), pValue(o.Margin, stats.Less))
	}
}

// bootstrap compares two classifiers, first and q.Other, on resampled rows of the test set.
//
// It sets the p-values, q.Mean, q.Shift and q.Resampled. If the difference does not vary, q.Resampled remains
// nil.
func (o *BestOptions) bootstrap(q *Comparison, c *records.Cell, first string, confidence float64) error {
	r, err := o.sample(c, first).Minus(o.sample(c, q.Other)).Interval(confidence)
	if err != nil {
		return err
	}
	q.Mean.Mean, q.Mean.MCSE = r.Estimate, r.SE
	if q.Mean.Varies() {
		q.Resampled = &r
	}
	o.setPValues(q, r.PValue)
	q.Shift = stats.Shift{Estimate: r.Estimate, Low: r.Percentile[0], High: r.Percentile[1]}
	return nil
}

// mcNemarOf counts the rows that exactly one of the two fits misclassifies.
func mcNemarOf(first, second *metrics.Predictions) stats.McNemar {
	m := stats.McNemar{Rows: len(first.Truth)}
	for i, truth := range first.Truth {
		firstWrong, secondWrong := first.Labels[i] != truth, second.Labels[i] != truth
		if firstWrong && !secondWrong {
			m.OnlyFirst++
		}
		if secondWrong && !firstWrong {
			m.OnlySecond++
		}
	}
	return m
}

// sample returns the loss of a classifier on resampled rows of the test set. The resamples of all classifiers of
// the cell are the same.
func (o *BestOptions) sample(c *records.Cell, classifier string) stats.RowSample {
	if s, ok := o.samples[classifier]; ok {
		return s
	}
	fits := o.Fits[classifier]
	loss := resampledLoss(o.Metric, fits, c.Rows[0].Confusion.Classes())
	s := stats.SampleRows(len(fits[0].Truth), stats.RowDraws, o.Random("test-rows/"+c.ID), loss)
	o.samples[classifier] = s
	return s
}

// meanRowLosses returns the loss of each test row, averaged over fits. It returns nil if the metric is
// not a mean over rows.
func meanRowLosses(m *metrics.Metric, fits []*metrics.Predictions) []float64 {
	mean := make([]float64, len(fits[0].Truth))
	for _, p := range fits {
		losses := m.RowLosses(p)
		if losses == nil {
			return nil
		}
		for i, loss := range losses {
			mean[i] += loss / float64(len(fits))
		}
	}
	return mean
}

// resampledLoss returns a function that computes the loss on resampled test rows, averaged over
// fits. Row i occurs times[i] times.
//
// If the metric is a mean over rows, the function averages the losses of the rows, which is faster.
func resampledLoss(m *metrics.Metric, fits []*metrics.Predictions, classes int) func(times []int) float64 {
	if losses := meanRowLosses(m, fits); losses != nil { // losses[i]: mean over the fits of the loss of row i
		return func(times []int) float64 {
			sum := 0.0
			for row, loss := range losses {
				sum += float64(times[row]) * loss
			}
			return sum / float64(stats.Sum(times))
		}
	}
	values := stats.Map(fits, func(p *metrics.Predictions) func([]int) float64 { return m.Resampled(p, classes) })
	return func(times []int) float64 {
		sum := 0.0
		for _, value := range values {
			sum += m.Loss(value(times))
		}
		return sum / float64(len(fits))
	}
}

// FirstShares draws bootstrap resamples of the test rows. For each classifier in ids, it returns the share of
// resamples in which this classifier has the smallest mean loss over its fits.
//
// The list ids must not be empty.
func (f Fits) FirstShares(m *metrics.Metric, classes int, ids []string, draws int, rng *rand.Rand) []float64 {
	// If the metric is a mean over rows, it is enough to resample the losses of the rows, which is faster.
	if losses := f.rowLosses(m, ids); losses != nil {
		ranking := stats.Ranking{Losses: [][][]float64{losses}}
		return ranking.FirstShares(draws, rng)
	}
	losses := make([]func(times []int) float64, len(ids)) // losses[k] computes the loss of classifier ids[k]
	for k, id := range ids {
		losses[k] = resampledLoss(m, f[id], classes)
	}
	times := make([]int, len(f[ids[0]][0].Truth)) // how often each test row occurs in the resample
	return stats.FirstShares(draws, func() []float64 {
		stats.Resample(times, rng)
		means := make([]float64, len(ids))
		for k, loss := range losses {
			means[k] = stats.RoundedSteps(loss(times)) // rounded, so that ties are exact
		}
		return means
	})
}

// rowLosses returns the results of meanRowLosses for several classifiers. The result has one row
// per test row and one column per classifier. It is nil if the metric is not a mean over rows.
func (f Fits) rowLosses(m *metrics.Metric, ids []string) [][]float64 {
	losses := make([][]float64, len(f[ids[0]][0].Truth))
	for _, id := range ids {
		means := meanRowLosses(m, f[id])
		if means == nil {
			return nil
		}
		for row, loss := range means {
			losses[row] = append(losses[row], loss)
		}
	}
	return losses
}
