package run

import (
	"math"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Precision is the largest Monte-Carlo standard error that the mean difference between any two
// classifiers may have.
type Precision struct {
	Metric *metrics.Metric
	MCSE   float64 // in the unit of the metric, such as 0.002

	// SetAside is a proportion of failed fits. Classifiers with a larger proportion in a cell do not count there,
	// because reports do not compare them.
	SetAside float64
}

// A Need is the number of replicates per cell for a Precision.
type Need struct {
	Replicates int // from the largest observed standard deviation of a difference
	Bound      int // from the largest upper 95% confidence bound of a standard deviation

	Cell        *study.Cell // a cell with the largest observed standard deviation
	Classifiers [2]string   // ids of the two classifiers with this standard deviation
}

// boundLevel is the confidence level of Need.Bound.
const boundLevel = 0.95

// NeededReplicates returns how many replicates per cell are needed for a precision: the largest
// number that any pair of classifiers in any cell needs. need.Replicates is this number for the
// observed standard deviations, and need.Bound for their upper confidence bounds. The two numbers
// may come from different pairs.
//
// In a cross-validation, each fold counts as a replicate, and all folds of a sample form a problem.
// Only problems are independent.
//
// The number allows for fits without a value of the metric: if a fit of the pair failed or the metric
// is undefined in half of the problems, the number is twice as large.
//
// ok is false if no two classifiers both have a value of the metric in two independent replicates
// of a cell, or if the number overflows an int. Folds and splits of a data set are not independent.
func NeededReplicates(f *results.Folder, wanted Precision) (need Need, ok bool) {
	for _, c := range f.Study.Cells {
		metric, err := wanted.Metric.InClasses(c.Data.ClassNames())
		if err != nil || c.Data.FromFiles() {
			continue // the data lack the metric's class, or the replicates share rows
		}
		folds := max(1, c.Data.Folds) // replicates per problem
		for _, d := range differences(f, c, metric, wanted.SetAside) {
			if len(d.values) < 2 {
				continue // a standard deviation needs two values
			}
			problems, bound, err := neededProblems(d, wanted.MCSE)
			overflows := bound > math.MaxInt/folds // folds*bound, which is at least folds*problems
			if err != nil || overflows {
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
// bound is the number needed if the standard deviation of d equals its upper confidence bound.
func neededProblems(d pairDifference, mcse float64) (problems, bound int, err error) {
	successes := float64(len(d.values)) / float64(len(d.values)+d.missing)
	mcse *= math.Sqrt(successes) // only these problems have a difference
	sd := stats.Summarize(d.values).SD
	if problems, err = stats.ReplicatesFor(sd, mcse); err != nil {
		return 0, 0, err
	}
	bound, err = stats.ReplicatesFor(stats.SDBound(sd, len(d.values), boundLevel), mcse)
	return problems, bound, err
}

// A pairDifference contains the differences between the losses of two classifiers in the problems in
// which both have a loss.
type pairDifference struct {
	classifiers [2]string // ids in the order of the cell
	values      []float64
	missing     int // number of problems in which a stored fit of one of the classifiers has no loss
}

// differences returns the differences of all pairs of classifiers of a cell, except the oracle (the
// Bayes rule) and classifiers whose proportion of failed fits exceeds setAside.
func differences(f *results.Folder, c *study.Cell, metric *metrics.Metric, setAside float64) (list []pairDifference) {
	var others []classifierLosses
	for _, e := range c.Classifiers {
		if e.Oracle() {
			continue
		}
		losses := lossesOf(f, c, e, metric)
		if float64(losses.failed)/float64(losses.tried) > setAside { // false for 0/0
			continue
		}
		for _, other := range others {
			list = append(list, newPairDifference(other, losses))
		}
		others = append(others, losses)
	}
	return list
}

// newPairDifference returns the differences between the losses of a and b that are not NaN.
func newPairDifference(a, b classifierLosses) pairDifference {
	d := pairDifference{classifiers: [2]string{a.id, b.id}}
	for i := range a.losses {
		if a.lacksLoss[i] || b.lacksLoss[i] {
			d.missing++
		} else if v := a.losses[i] - b.losses[i]; !math.IsNaN(v) {
			d.values = append(d.values, v)
		}
	}
	return d
}

// classifierLosses contains the losses of a classifier in a cell, one for each problem. With
// cross-validation, a loss is the mean over the folds of the problem. It is NaN if one of the fits is
// not stored, failed or lacks the metric.
type classifierLosses struct {
	id     string
	losses []float64
	// lacksLoss is true if a stored fit failed, or if the metric is undefined or not stored for it.
	lacksLoss []bool

	tried, failed int // numbers of stored fits, without replicates whose data could not be drawn
}

func lossesOf(f *results.Folder, c *study.Cell, e study.Entry, metric *metrics.Metric) classifierLosses {
	folds := max(1, c.Data.Folds)
	problems := f.Study.Replicates / folds
	r := classifierLosses{id: e.ID, losses: make([]float64, problems), lacksLoss: make([]bool, problems)}
	for i := range problems {
		for fold := range folds {
			loss := math.NaN()
			if row, isStored := f.Row(c.ID, i*folds+fold+1, e.ID, e.Spec); isStored {
				loss = row.Loss(metric)
				if row.Cause != records.NotDrawn {
					r.tried++
					if row.Status == records.Failed {
						r.failed++
					}
				}
				r.lacksLoss[i] = r.lacksLoss[i] || math.IsNaN(loss)
			}
			r.losses[i] += loss / float64(folds)
		}
	}
	return r
}
