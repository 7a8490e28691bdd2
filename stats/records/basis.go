package records

import (
	"cmp"
	"math"
	"slices"

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

// Attempts returns the numbers of fits and of failed fits of a classifier in the cell. Replicates
// whose data could not be drawn do not count.
func (c *Cell) Attempts(classifier string) (tried, failed int) {
	k := slices.Index(c.Classifiers, classifier)
	if k < 0 {
		return 0, 0
	}
	for _, i := range c.rowOf[k] { // the index of each replicate's result in c.Rows
		isMissing := i < 0
		if isMissing || c.Rows[i].Cause == NotDrawn {
			continue
		}
		tried++
		if c.Rows[i].Status != OK {
			failed++
		}
	}
	return tried, failed
}

// ClassShares returns the record of a rule that always predicts the most frequent class of the test
// rows of r. Its probabilities are the proportions of the classes. names lists the metrics to
// compute. The result is nil if r has no confusion matrix.
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
	var matrices []metrics.Confusion
	for _, r := range rows {
		worst.BER = max(worst.BER, r.BER)
		matrices = append(matrices, r.Confusion)
		for name, value := range r.Metrics {
			m, err := metrics.Lookup(name)
			worstValue, known := worst.Metrics[name]
			if err == nil && (!known || m.Loss(value) > m.Loss(worstValue)) {
				worst.Metrics[name] = value
			}
		}
	}
	// Cell.Loss computes some metrics from these matrices and takes the largest loss.
	worst.matrices = &matrices
	return &worst
}

// countsLoss returns the loss of a metric that is computed from the confusion matrix. It is NaN if
// the metric is undefined.
//
// A record from WorstOf represents several confusion matrices. Its loss is the largest of their
// losses.
func (r *Record) countsLoss(m *metrics.Metric) float64 {
	if r.matrices == nil {
		return m.Loss(m.FromCounts(r.Confusion))
	}
	largest := math.NaN()
	for _, c := range *r.matrices {
		if loss := m.Loss(m.FromCounts(c)); math.IsNaN(largest) || loss > largest {
			largest = loss
		}
	}
	return largest
}
