package run

import (
	"math"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/records"
)

// A Need is the number of replicates per cell for a requested precision. The precision is the
// Monte-Carlo standard error of the mean difference in error between any two classifiers.
type Need struct {
	Replicates int // computed from the largest observed standard deviation of a difference
	Bound      int // computed from the largest upper 95% confidence bound of a standard deviation

	Cell        *study.Cell // a cell with the largest observed standard deviation
	Classifiers [2]string   // ids of the two classifiers whose difference has this standard deviation
}

// boundLevel is the confidence level of Need.Bound.
const boundLevel = 0.95

// NeededReplicates returns how many replicates per cell are needed to compare any two classifiers.
// With this number, the Monte-Carlo standard error of their mean difference in error is at most
// mcse, such as 0.002.
//
// In a cross-validation, each fold counts as a replicate, and all folds of a sample form a problem.
// Problems are independent, but the folds of a problem are not.
//
// The result ok is false if no two classifiers both succeeded in two independent replicates of a
// cell. Folds and splits of a data set are not independent. The result ok is also false if the
// number overflows an int.
func NeededReplicates(f *results.Folder, mcse float64) (need Need, ok bool) {
	for _, c := range f.Study.Cells {
		if c.Data.FromFiles() {
			continue // replicates that share rows are not independent
		}
		folds := max(1, c.Data.Folds) // replicates per problem
		for _, d := range differences(f, c) {
			if len(d.values) < 2 {
				continue // a standard deviation needs two values
			}
			problems, bound, err := neededProblems(d.values, mcse)
			// Neither product below may overflow. It suffices to check bound, because problems is at
			// most bound.
			if err != nil || bound > math.MaxInt/folds {
				return Need{}, false
			}
			if folds*problems > need.Replicates {
				need.Replicates = folds * problems
				need.Cell = c
				need.Classifiers = d.classifiers
			}
			need.Bound = max(need.Bound, folds*bound)
			ok = true
		}
	}
	return need, ok
}

// neededProblems returns how many problems are needed for a mean difference between two classifiers
// whose standard error is at most mcse. A problem consists of all folds of a sample or, without
// folds, of one replicate.
//
// The argument d contains the difference in each problem so far. The result problems is computed
// from the standard deviation of d, and bound from an upper confidence bound of this standard
// deviation.
func neededProblems(d []float64, mcse float64) (problems, bound int, err error) {
	sd := stats.Summarize(d).SD
	if problems, err = stats.ReplicatesFor(sd, mcse); err != nil {
		return 0, 0, err
	}
	bound, err = stats.ReplicatesFor(stats.SDBound(sd, len(d), boundLevel), mcse)
	return problems, bound, err
}

// A pairDifference contains the differences between the error rates of two classifiers, one for each
// problem in which both succeeded. For problems, see neededProblems.
type pairDifference struct {
	classifiers [2]string // ids in the order of the cell
	values      []float64
}

// differences returns the differences of all pairs of classifiers of a cell, except the oracle (the
// Bayes rule).
func differences(f *results.Folder, c *study.Cell) (list []pairDifference) {
	var ids []string
	var rates [][]float64 // one list for each id
	for _, e := range c.Classifiers {
		if !e.Oracle() {
			ids = append(ids, e.ID)
			rates = append(rates, errorRates(f, c, e)) // means over the folds of each problem, if there are folds
		}
	}
	for i := range ids {
		for j := range i {
			pair := [2]string{ids[j], ids[i]}
			list = append(list, pairDifference{pair, numericDifferences(rates[i], rates[j])})
		}
	}
	return list
}

// numericDifferences returns the differences a[k]-b[k] that are not NaN. The rate of a failed fit is
// NaN.
func numericDifferences(a, b []float64) (values []float64) {
	for k := range a {
		if v := a[k] - b[k]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// errorRates returns the error rate of a classifier in each replicate of a cell. With
// cross-validation, it returns the mean over the folds of each sample instead.
//
// A rate is NaN if a fit failed or a result is not stored. A mean is NaN if one of its folds is.
func errorRates(f *results.Folder, c *study.Cell, e study.Entry) []float64 {
	folds := max(1, c.Data.Folds)
	rates := make([]float64, f.Study.Replicates/folds)
	for i := range rates {
		for fold := range folds {
			rate := math.NaN()
			if r, isStored := f.Row(c.ID, i*folds+fold+1, e.ID, e.Spec); isStored && r.Status == records.OK {
				rate = r.Error
			}
			rates[i] += rate / float64(folds)
		}
	}
	return rates
}
