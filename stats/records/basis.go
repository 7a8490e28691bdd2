package records

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"copse/stats/metrics"
)

// ByReplicate returns the records of the cell, grouped by replicate.
func (c *Cell) ByReplicate() map[int][]*Record {
	rows := make(map[int][]*Record, len(c.Replicates))
	for i := range c.Rows {
		r := &c.Rows[i]
		rows[r.Replicate] = append(rows[r.Replicate], r)
	}
	return rows
}

// RowsOf returns the records of a classifier in ascending order of replicate.
func (c *Cell) RowsOf(classifier string) (rows []*Record) {
	k := slices.Index(c.Classifiers, classifier)
	if k < 0 {
		return nil
	}
	for _, i := range c.rowOf[k] {
		if i >= 0 { // the classifier has a record for this replicate
			rows = append(rows, &c.Rows[i])
		}
	}
	return rows
}

// Attempts returns the numbers of fits and of failed fits of a classifier, without replicates whose
// data could not be drawn.
func (c *Cell) Attempts(classifier string) (tried, failed int) {
	for _, r := range c.RowsOf(classifier) {
		if r.Cause == NotDrawn {
			continue
		}
		tried++
		if r.Status != OK {
			failed++
		}
	}
	return tried, failed
}

// ClassShares returns the record of a rule that always predicts the most frequent class of the test
// rows of r, with the proportions of the classes as probabilities. It is nil if r has no confusion
// matrix. names lists the metrics to compute.
func (r *Record) ClassShares(names, classes []string) *Record {
	counts := r.Confusion.ClassRows()
	if len(counts) == 0 {
		return nil
	}
	var truth []int
	for class, rows := range counts {
		truth = append(truth, slices.Repeat([]int{class}, rows)...)
	}
	p := metrics.ClassShares(truth, len(counts))
	shares := &Record{Cell: r.Cell, Levels: r.Levels, Replicate: r.Replicate, Data: r.Data, NTest: r.NTest, Status: OK,
		Confusion: metrics.NewConfusion(len(counts), p.Truth, p.Labels), Metrics: p.Metrics(names, classes)}
	shares.SetRates()
	return shares
}

// WorstOf returns a record that contains, for each metric and for BER, the value with the largest
// loss among the given records. All other fields come from the record with the largest error. There
// must be at least one record.
func WorstOf(rows []*Record) *Record {
	worst := *slices.MaxFunc(rows, func(a, b *Record) int { return cmp.Compare(a.Error, b.Error) })
	worst.Metrics = map[string]float64{}
	for _, r := range rows {
		worst.BER = max(worst.BER, r.BER)
		for name, value := range r.Metrics {
			m, err := metrics.Lookup(name)
			if err != nil {
				continue // an unknown metric has no loss
			}
			worstValue, known := worst.Metrics[name]
			if !known || m.Loss(value) > m.Loss(worstValue) {
				worst.Metrics[name] = value
			}
		}
	}
	// Metrics of the confusion matrix are computed later. The combination then takes their largest
	// loss among the records.
	worst.combination = &combination{rows, largestKnown}
	return &worst
}

// A combination contains records that were combined without adding their confusion matrices. For
// metrics that need the matrix, combine computes the loss from the losses of these records.
type combination struct {
	records []*Record
	combine func(losses []float64) float64
}

// MeanOfCells is like Mean for records of a classifier in different cells, but also averages
// metrics that are computed from confusion matrices. Their mean is undefined if the metric is
// undefined in any record.
func MeanOfCells(rows []*Record) Record {
	mean := Mean(rows)
	mean.combination = &combination{rows, func(losses []float64) float64 { return stat.Mean(losses, nil) }}
	return mean
}

// MeanOfRepeats is like MeanOfCells for cross-validations or random splits of the same data, but
// leaves out records in which a metric is undefined.
func MeanOfRepeats(rows []*Record) Record {
	mean := Mean(rows)
	mean.combination = &combination{rows, func(losses []float64) float64 { return stat.Mean(withoutNaN(losses), nil) }}
	return mean
}

// largestKnown returns the largest loss. It ignores NaN unless all losses are NaN.
func largestKnown(losses []float64) float64 {
	if known := withoutNaN(losses); len(known) > 0 {
		return slices.Max(known)
	}
	return math.NaN()
}

// withoutNaN removes NaN from losses.
func withoutNaN(losses []float64) []float64 { return slices.DeleteFunc(losses, math.IsNaN) }

// Loss returns the loss of a metric in a record, or NaN if the fit failed or the record lacks the
// data for the metric.
func (r *Record) Loss(m *metrics.Metric) float64 {
	switch {
	case r.Status != OK:
		return math.NaN()
	case m.Name == "error" || m.Name == "accuracy": // the loss of accuracy is the error
		return r.Error
	case m.Name == "ber":
		return r.BER
	case m.Needs == metrics.Counts:
		return r.countsLoss(m)
	}
	return m.Loss(r.Metric(m.Name))
}

// countsLoss returns the loss of a metric that is computed from the confusion matrix, or NaN if the
// metric is undefined.
func (r *Record) countsLoss(m *metrics.Metric) float64 {
	if r.combination == nil {
		return m.Loss(m.FromCounts(r.Confusion))
	}
	var losses []float64
	for _, part := range r.combination.records {
		losses = append(losses, part.countsLoss(m))
	}
	return r.combination.combine(losses)
}

// Undefined reports whether m is undefined for the confusion matrix of r or of a record that r
// combines.
func (r *Record) Undefined(m *metrics.Metric) bool {
	if r.combination == nil {
		return m.Undefined(r.Confusion)
	}
	return slices.ContainsFunc(r.combination.records, func(part *Record) bool { return part.Undefined(m) })
}
