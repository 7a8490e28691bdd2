package records

import (
	"math"
	"slices"
	"strings"

	"copse/stats/metrics"
)

// FoldTask returns the task, a complete cross-validation with k folds, to which a replicate
// belongs. Replicates 1..k are the folds of task 1, and so on.
func FoldTask(replicate, k int) int { return 1 + (replicate-1)/k }

// OverFolds replaces the records of the k folds of each task with their mean, because folds of the
// same task are not independent. Replicates 1..k are the folds of task 1, and so on. The number of
// the task becomes the replicate of the mean. r must be sorted.
//
// The map folds contains the number of folds of each cell. Cells with fewer than two folds, or
// without an entry, keep their records. Tasks with missing folds are omitted.
func (r *Records) OverFolds(folds map[string]int) *Records {
	out := &Records{Study: r.Study, Factors: r.Factors, Metrics: r.Metrics, Classifiers: r.Classifiers}
	type taskFit struct {
		cell       string
		task       int
		classifier string
	}
	taskFolds := make(map[taskFit][]*Record) // the folds read so far
	for i := range r.Rows {
		row := &r.Rows[i]
		k := folds[row.Cell]
		if k < 2 {
			out.Rows = append(out.Rows, *row)
			continue
		}
		fit := taskFit{row.Cell, FoldTask(row.Replicate, k), row.Classifier}
		taskFolds[fit] = append(taskFolds[fit], row)
		if complete := len(taskFolds[fit]) == k; complete {
			mean := Mean(taskFolds[fit])
			mean.Replicate = fit.task
			out.Rows = append(out.Rows, mean)
		}
	}
	out.Sort()
	return out
}

// Mean combines several records of a classifier, such as folds. It averages rates and times, and
// takes the largest peak of memory. The mean is a failure if any record is.
func Mean(folds []*Record) Record {
	first := folds[0]
	mean := Record{Cell: first.Cell, Levels: first.Levels, Replicate: first.Replicate,
		Classifier: first.Classifier, Spec: first.Spec, Status: OK}
	n := float64(len(folds))
	var data, messages []string
	for _, f := range folds {
		// Counts are added up, so that metrics such as F1 use the test rows of all folds (Forman
		// and Scholz 2010).
		mean.NTest += f.NTest
		mean.Errors += f.Errors
		mean.Error += f.Error / n
		mean.BER += f.BER / n
		mean.Fit += f.Fit / n
		mean.Predict += f.Predict / n
		mean.Peak = max(mean.Peak, f.Peak)
		data = append(data, f.Data)
		if f.Message != "" && !slices.Contains(messages, f.Message) {
			messages = append(messages, f.Message)
		}
		// The cause NotDrawn has priority: without data, the failure is not the fault of a classifier.
		if f.Status != OK && mean.Cause != NotDrawn {
			mean.Status, mean.Cause = f.Status, f.Cause
		}
	}
	mean.Confusion, mean.Metrics = sumOfCounts(folds), meanMetrics(folds)
	mean.Data, mean.Message = strings.Join(data, "+"), strings.Join(messages, "; ")
	if mean.Status != OK {
		mean.Errors, mean.Error, mean.BER, mean.Confusion = 0, math.NaN(), math.NaN(), nil
	}
	return mean
}

// sumOfCounts returns the sum of the confusion matrices, or nil if a fold has none.
func sumOfCounts(folds []*Record) metrics.Confusion {
	sum := make(metrics.Confusion, len(folds[0].Confusion))
	for _, f := range folds {
		if len(f.Confusion) == 0 || len(f.Confusion) != len(sum) {
			return nil
		}
		sum.Add(f.Confusion)
	}
	return sum
}

// meanMetrics returns the mean of each metric over the folds that have a value. It omits a metric
// if a fold with test rows of all classes lacks a value. The result is nil if no metric remains.
func meanMetrics(folds []*Record) map[string]float64 {
	means := map[string]float64{} // sums at first
	counts := map[string]int{}    // number of folds with a value of the metric
	for _, f := range folds {
		for name, value := range f.Metrics {
			means[name] += value
			counts[name]++
		}
	}
	for name, n := range counts {
		lacksValue := func(f *Record) bool { // although it has test rows of all classes
			return math.IsNaN(f.Metric(name)) && !f.Confusion.LacksClass()
		}
		if slices.ContainsFunc(folds, lacksValue) {
			delete(means, name)
			continue
		}
		means[name] /= float64(n)
	}
	if len(means) == 0 {
		return nil
	}
	return means
}
