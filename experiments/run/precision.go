package run

import (
	"math"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/records"
)

// A Need is the number of replicates per cell for a requested Monte-Carlo standard error of the
// mean difference in error between any two classifiers.
type Need struct {
	Replicates int // from the largest observed standard deviation of a difference
	Bound      int // from the largest upper 95% confidence bound of a standard deviation

	Cell        *study.Cell // a cell with the largest observed standard deviation
	Classifiers [2]string   // ids of the two classifiers with this standard deviation
}

// boundLevel is the confidence level of Need.Bound.
const boundLevel = 0.95

// NeededReplicates returns how many replicates per cell are needed for a Monte-Carlo standard error
// of at most mcse, such as 0.002.
//
// In a cross-validation, each fold counts as a replicate, and all folds of a sample form a problem.
// Only problems are independent.
//
// The number allows for failed fits: if a fit of the pair failed in half of the problems, it is
// twice as large.
//
// The result ok is false if no two classifiers both succeeded in two independent replicates of a
// cell, or if the number overflows an int. Folds and splits of a data set are not independent.
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
			problems, bound, err := neededProblems(d, mcse)
			// Neither product below may overflow; problems is at most bound.
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

// neededProblems returns how many problems are needed for a mean difference whose standard error is
// at most mcse. A problem consists of all folds of a sample or, without folds, of one replicate.
//
// The result problems is computed from the standard deviation of the differences d, and bound from
// an upper confidence bound of this standard deviation.
func neededProblems(d pairDifference, mcse float64) (problems, bound int, err error) {
	successes := float64(len(d.values)) / float64(len(d.values)+d.failed)
	mcse *= math.Sqrt(successes) // only these problems have a difference
	sd := stats.Summarize(d.values).SD
	if problems, err = stats.ReplicatesFor(sd, mcse); err != nil {
		return 0, 0, err
	}
	bound, err = stats.ReplicatesFor(stats.SDBound(sd, len(d.values), boundLevel), mcse)
	return problems, bound, err
}

// A pairDifference contains the differences between the error rates of two classifiers in the
// problems in which both succeeded.
type pairDifference struct {
	classifiers [2]string // ids in the order of the cell
	values      []float64
	failed      int // number of problems in which a fit of one of the classifiers failed
}

// differences returns the differences of all pairs of classifiers of a cell, except the oracle (the
// Bayes rule).
func differences(f *results.Folder, c *study.Cell) (list []pairDifference) {
	var others []classifierRates
	for _, e := range c.Classifiers {
		if e.Oracle() {
			continue
		}
		rates := errorRates(f, c, e)
		for _, other := range others {
			list = append(list, newPairDifference(other, rates))
		}
		others = append(others, rates)
	}
	return list
}

// newPairDifference returns the differences between the rates of a and b that are not NaN.
func newPairDifference(a, b classifierRates) pairDifference {
	d := pairDifference{classifiers: [2]string{a.id, b.id}}
	for i := range a.rates {
		if a.failed[i] || b.failed[i] {
			d.failed++
		} else if v := a.rates[i] - b.rates[i]; !math.IsNaN(v) {
			d.values = append(d.values, v)
		}
	}
	return d
}

// classifierRates contains the error rates of a classifier in a cell, one for each problem. With
// cross-validation, a rate is the mean over the folds of the problem. It is NaN if one of the fits
// failed or is not stored.
type classifierRates struct {
	id     string
	rates  []float64
	failed []bool // whether a fit failed
}

func errorRates(f *results.Folder, c *study.Cell, e study.Entry) classifierRates {
	folds := max(1, c.Data.Folds)
	problems := f.Study.Replicates / folds
	r := classifierRates{id: e.ID, rates: make([]float64, problems), failed: make([]bool, problems)}
	for i := range problems {
		for fold := range folds {
			rate := math.NaN()
			if row, isStored := f.Row(c.ID, i*folds+fold+1, e.ID, e.Spec); isStored {
				rate = row.Error // NaN if the fit failed
				r.failed[i] = r.failed[i] || row.Status == records.Failed
			}
			r.rates[i] += rate / float64(folds)
		}
	}
	return r
}
