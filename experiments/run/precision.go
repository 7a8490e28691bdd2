package run

import (
	"math"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/records"
)

// A Need is the number of replicates per cell that brings the standard error of all differences between
// classifiers down to a requested value.
type Need struct {
	Replicates int // by the largest standard deviation of a difference
	Bound      int // by the largest upper 95% confidence bound of such a standard deviation
}

// boundLevel is the confidence level of Need.Bound.
const boundLevel = 0.95

// NeededReplicates returns how many replicates per cell bring the Monte-Carlo standard
// error of every mean difference in error between two classifiers down to mcse, a share
// such as 0.002, by the stored replicates. ok is false where no
// cell of independent replicates has two in which both classifiers succeeded, or where
// the number exceeds all bounds.
func NeededReplicates(f *results.Folder, mcse float64) (need Need, ok bool) {
	for _, c := range f.Study.Cells {
		if c.Data.FromFiles() || c.Data.Folds > 0 {
			continue // replicates that share rows are not independent
		}
		for _, d := range differences(f, c) {
			if len(d) < 2 {
				continue // one replicate has no standard deviation
			}
			sd := stats.Summarize(d).SD
			replicates, err := stats.ReplicatesFor(sd, mcse)
			if err != nil {
				return Need{}, false
			}
			bound, err := stats.ReplicatesFor(stats.SDBound(sd, len(d), boundLevel), mcse)
			if err != nil {
				return Need{}, false
			}
			need = Need{max(need.Replicates, replicates), max(need.Bound, bound)}
			ok = true
		}
	}
	return need, ok
}

// differences returns, for each pair of a cell's classifiers but the oracle, the
// differences of their error rates in the replicates in which both succeeded.
func differences(f *results.Folder, c *study.Cell) (list [][]float64) {
	var rates [][]float64
	for _, e := range c.Classifiers {
		if !e.Oracle() {
			rates = append(rates, errorRates(f, c, e))
		}
	}
	for i, a := range rates {
		for _, b := range rates[:i] {
			var d []float64
			for k := range a {
				if v := a[k] - b[k]; !math.IsNaN(v) {
					d = append(d, v)
				}
			}
			list = append(list, d)
		}
	}
	return list
}

// errorRates returns a classifier's error rates in the replicates of a cell, NaN where
// it failed or no result is stored.
func errorRates(f *results.Folder, c *study.Cell, e study.Entry) []float64 {
	rates := make([]float64, f.Study.Replicates)
	for i := range rates {
		rates[i] = math.NaN()
		if r, done := f.Row(c.ID, i+1, e.ID, e.Spec); done && r.Status == records.OK {
			rates[i] = r.Error
		}
	}
	return rates
}
