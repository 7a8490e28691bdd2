package records

import (
	"math"
	"slices"
	"strings"

	"copse/stats/metrics"
)

// FoldTask returns the task of a replicate in a cross-validation with k folds,
// where replicates 1..k are the folds of task 1, k+1..2k those of task 2: a
// problem drawn anew, or another split of the same data.
func FoldTask(replicate, k int) int { return 1 + (replicate-1)/k }

// OverFolds returns the records with one row per task in place of one per
// fold, for the cells in folds, which holds the number of their folds. The folds
// of a task share data, so their results depend on one another; tasks do not.
//
// Error, BER, Metrics and seconds of a task are the means over its folds, Metrics over
// those that have it where others lack test rows of a class; Errors, NTest and
// Confusion the sums, so that F1 and its like are those of all test rows (Forman
// and Scholz 2010). A task fails with any of its folds, and is left out until it has all.
func (r *Records) OverFolds(folds map[string]int) *Records {
	out := &Records{Study: r.Study, Factors: r.Factors, Metrics: r.Metrics, Classifiers: r.Classifiers}
	type key struct {
		cell       string
		task       int
		classifier string
	}
	parts := make(map[key][]*Record)
	for i := range r.Rows {
		row := &r.Rows[i]
		k := folds[row.Cell]
		if k < 2 {
			out.Rows = append(out.Rows, *row)
			continue
		}
		at := key{row.Cell, FoldTask(row.Replicate, k), row.Classifier}
		// Rows are sorted by replicate, so the last fold comes last.
		if parts[at] = append(parts[at], row); len(parts[at]) == k {
			out.Rows = append(out.Rows, foldsMean(parts[at], at.task))
		}
	}
	out.Sort()
	return out
}

func foldsMean(folds []*Record, task int) Record {
	mean := Mean(folds)
	mean.Replicate = task
	return mean
}

// Mean makes one row of several of a classifier: means of the rates, sums of the
// counts. It fails with any of them.
func Mean(folds []*Record) Record {
	mean := *folds[0]
	mean.Tuned, mean.worst = "", nil // of one fold
	mean.NTest, mean.Errors, mean.Error, mean.BER, mean.Fit, mean.Predict = 0, 0, 0, 0, 0, 0
	var data, messages []string
	for _, f := range folds {
		mean.NTest += f.NTest
		mean.Errors += f.Errors
		mean.Error += f.Error / float64(len(folds))
		mean.BER += f.BER / float64(len(folds))
		mean.Fit += f.Fit / float64(len(folds))
		mean.Predict += f.Predict / float64(len(folds))
		mean.Peak = max(mean.Peak, f.Peak)
		data = append(data, f.Data)
		if f.Message != "" && !slices.Contains(messages, f.Message) {
			messages = append(messages, f.Message)
		}
		if f.Status != OK {
			mean.Status, mean.Cause = f.Status, f.Cause
		}
	}
	mean.Confusion, mean.Metrics = countsOfFolds(folds), metricsOfFolds(folds)
	mean.Data, mean.Message = strings.Join(data, "+"), strings.Join(messages, "; ")
	if mean.Status != OK {
		mean.Errors, mean.Error, mean.BER, mean.Confusion = 0, math.NaN(), math.NaN(), nil
	}
	return mean
}

// countsOfFolds adds the confusion matrices, nil when any fold has none.
func countsOfFolds(folds []*Record) metrics.Confusion {
	sum := make(metrics.Confusion, len(folds[0].Confusion))
	for _, f := range folds {
		if len(f.Confusion) == 0 || len(f.Confusion) != len(sum) {
			return nil
		}
		sum.Add(f.Confusion)
	}
	return sum
}

// metricsOfFolds are the means of those that every fold has, but for folds without test
// rows of some class, where a metric may be undefined: its mean is over the others.
func metricsOfFolds(folds []*Record) map[string]float64 {
	sums, counts := map[string]float64{}, map[string]int{}
	for _, f := range folds {
		for name, value := range f.Metrics {
			sums[name] += value
			counts[name]++
		}
	}
	var means map[string]float64
	for name, n := range counts {
		lacks := func(f *Record) bool { return math.IsNaN(f.Metric(name)) && !f.Confusion.LacksClass() }
		if mean := sums[name] / float64(n); !math.IsNaN(mean) && !slices.ContainsFunc(folds, lacks) {
			if means == nil {
				means = map[string]float64{}
			}
			means[name] = mean
		}
	}
	return means
}
