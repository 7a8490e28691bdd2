package plan

import (
	"math"

	"copse/experiments/ledger"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/records"
)

// Wanted returns the replicates that a cell shall have as far as its results tell:
// the study's number, or with a rule to stop by the least number of whole batches
// that are not all there or are precise enough.
func Wanted(l *ledger.Ledger, s *study.Study, c *study.Cell) int {
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

// Needed returns how many replicates a cell's results ask for, from the largest
// standard deviation of a difference among those that are there; false where there
// are too few.
func Needed(l *ledger.Ledger, s *study.Study, c *study.Cell) (replicates int, ok bool) {
	n := 0
	for n < s.Replicates {
		if _, complete := errorsOf(l, c, n+1); !complete {
			break
		}
		n++
	}
	if s.Stop == nil || n < 2 {
		return 0, false
	}
	errors, _ := errorsOf(l, c, n)
	sd := precision(errors) * math.Sqrt(float64(n))
	replicates, err := stats.ReplicatesFor(sd, s.Stop.Until.MCSE)
	return max(replicates, s.Stop.Min), err == nil
}

// errorsOf returns the error rates of each classifier but the oracle in replicates
// 1..n, NaN where it failed; false when any result is not there.
func errorsOf(l *ledger.Ledger, c *study.Cell, n int) (errors [][]float64, complete bool) {
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
