package run

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats"
	"copse/stats/records"
)

// Wanted returns the replicates that a cell shall have as far as its results tell:
// the study's number, or with a rule to stop by the least number of whole batches
// that are not all there or are precise enough.
func Wanted(l *results.Ledger, s *study.Study, c *study.Cell) int {
	stop := s.Stop
	if stop == nil {
		return s.Replicates
	}
	n := stop.Min
	for ; n < stop.Max; n = min(n+stop.Batch, stop.Max) {
		errors, complete := errorsOf(l, c, n)
		if !complete || precision(errors) <= stop.Until.MCSE {
			return n
		}
	}
	return n
}

// A Need is how many replicates the rule to stop by asks for, as far as some tell.
type Need struct {
	Replicates int // by the largest standard deviation of a difference
	Bound      int // by its upper 95 % confidence bound
}

// boundLevel is the confidence of Need.Bound.
const boundLevel = 0.95

// Needed returns what the complete replicates of a cell that are there ask for;
// false without a rule, or where there are too few.
func Needed(l *results.Ledger, s *study.Study, c *study.Cell) (need Need, ok bool) {
	if s.Stop == nil {
		return need, false
	}
	n := 0
	for n < s.Replicates && slices.IndexFunc(c.Classifiers, func(e study.Entry) bool {
		done, _ := l.Has(c.ID, n+1, e.ID, e.Spec)
		return !done
	}) < 0 {
		n++
	}
	if n < 2 {
		return need, false
	}
	errors, _ := errorsOf(l, c, n)
	return needOf(s.Stop, errors, n)
}

// needOf is the need that n replicates' error rates show, by classifier.
func needOf(stop *study.Stopping, errors [][]float64, n int) (need Need, ok bool) {
	sd := precision(errors) * math.Sqrt(float64(n))
	var err1, err2 error
	need.Replicates, err1 = stats.ReplicatesFor(sd, stop.Until.MCSE)
	need.Bound, err2 = stats.ReplicatesFor(stats.SDBound(sd, n, boundLevel), stop.Until.MCSE)
	need.Replicates, need.Bound = max(need.Replicates, stop.Min), max(need.Bound, stop.Min)
	return need, err1 == nil && err2 == nil
}

// leastPilot is the number of replicates below which no need is told.
const leastPilot = 5

// PilotNeeds runs, in memory, the first batch of each cell, the cheapest cells first,
// until the budget is spent, and returns what each asks for: cells that were not
// reached, or have programs, say nothing. replicates is the number of those run in
// the cell that had fewest.
func PilotNeeds(s *study.Study, budget time.Duration) (needs []Need, replicates int) {
	if s.Stop == nil {
		return nil, 0
	}
	worker := inMemory(s)
	defer worker.Close()
	deadline := time.Now().Add(budget)
	cells := slices.Clone(s.Cells)
	slices.SortStableFunc(cells, func(a, b *study.Cell) int { return cmp.Compare(roughly.at(sizeOf(a)), roughly.at(sizeOf(b))) })
	for _, c := range cells {
		if c.Data.Program != nil || slices.ContainsFunc(c.Classifiers, func(e study.Entry) bool { return e.Program != nil }) {
			continue
		}
		errors, n := pilotErrors(worker, c, s.Stop.Min, deadline)
		if n < min(leastPilot, s.Stop.Min) || n < 2 {
			break
		}
		if need, ok := needOf(s.Stop, errors, n); ok {
			needs = append(needs, need)
			if replicates == 0 || n < replicates {
				replicates = n
			}
		}
	}
	return needs, replicates
}

// pilotErrors runs up to most replicates of a cell and returns the error rates of
// each classifier but the oracle.
func pilotErrors(worker *trial.Worker, c *study.Cell, most int, deadline time.Time) (errors [][]float64, n int) {
	compared := slices.DeleteFunc(slices.Clone(c.Classifiers), func(e study.Entry) bool { return e.Classifier == nil })
	errors = make([][]float64, len(compared))
	for ; n < most && time.Now().Before(deadline); n++ {
		t, err := worker.Run(context.Background(), c, n+1, compared)
		if err != nil {
			break
		}
		for k, r := range t.Results {
			rate := math.NaN()
			if r.Status == records.OK {
				rate = float64(r.Errors) / float64(t.NTest)
			}
			errors[k] = append(errors[k], rate)
		}
	}
	return errors, n
}

// errorsOf returns the error rates of each classifier but the oracle in replicates
// 1..n, NaN where it failed; false when any result is not there.
func errorsOf(l *results.Ledger, c *study.Cell, n int) (errors [][]float64, complete bool) {
	for _, e := range c.Classifiers {
		rates := make([]float64, n)
		for i := range rates {
			r, done := l.Row(c.ID, i+1, e.ID, e.Spec)
			if !done {
				return nil, false
			}
			rates[i] = math.NaN()
			if r.Status == records.OK {
				rates[i] = float64(r.Errors) / float64(r.NTest)
			}
		}
		if e.Classifier != nil {
			errors = append(errors, rates)
		}
	}
	return errors, true
}

// precision is the largest Monte-Carlo standard error of the mean difference of two
// classifiers, over the replicates where both succeeded. Pairs that never did have
// none; one success alone is no precision.
func precision(errors [][]float64) float64 {
	largest := 0.0
	for i, a := range errors {
		for _, b := range errors[:i] {
			var d []float64
			for k := range a {
				if v := a[k] - b[k]; !math.IsNaN(v) {
					d = append(d, v)
				}
			}
			switch len(d) {
			case 0:
			case 1:
				return math.Inf(1)
			default:
				largest = max(largest, stats.Summarize(d).MCSE)
			}
		}
	}
	return largest
}
