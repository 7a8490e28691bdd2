package records

import (
	"math"
	"slices"
	"strings"
)

// FoldTask returns the task of a replicate in a cross-validation with k folds,
// where replicates 1..k are the folds of task 1, k+1..2k those of task 2: a
// problem drawn anew, or another split of the same data.
func FoldTask(replicate, k int) int { return 1 + (replicate-1)/k }

// OverFolds returns the records with one row per task in place of one per
// fold, for the cells in folds, which holds the number of their folds. The folds
// of a task share data, so their results depend on one another; tasks do not.
//
// Error and BER of a task are the means over its folds, Errors and NTest the
// sums. A task fails with any of its folds, and is left out until it has all.
func (r *Records) OverFolds(folds map[string]int) *Records {
	out := &Records{Study: r.Study, Factors: r.Factors, Classifiers: r.Classifiers}
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
			out.Rows = append(out.Rows, meanOfFolds(parts[at], at.task))
		}
	}
	out.Sort()
	return out
}

// meanOfFolds makes one row of a task's folds.
func meanOfFolds(folds []*Record, task int) Record {
	mean := *folds[0]
	mean.Replicate, mean.NTest, mean.Errors, mean.Error, mean.BER = task, 0, 0, 0, 0
	var data, messages []string
	for _, f := range folds {
		mean.NTest += f.NTest
		mean.Errors += f.Errors
		mean.Error += f.Error / float64(len(folds))
		mean.BER += f.BER / float64(len(folds))
		data = append(data, f.Data)
		if f.Message != "" && !slices.Contains(messages, f.Message) {
			messages = append(messages, f.Message)
		}
		if f.Status != OK {
			mean.Status = f.Status
		}
	}
	mean.Data, mean.Message = strings.Join(data, "+"), strings.Join(messages, "; ")
	if mean.Status != OK {
		mean.Errors, mean.Error, mean.BER = 0, math.NaN(), math.NaN()
	}
	return mean
}
