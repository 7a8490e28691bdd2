package study

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats/records"
)

// countReplicates sets the number of replicates to folds times repeats, and reports a different
// number in the file. Without either number, each fold of a file is held out once. A flag
// overrides folds and repeats; repeats is then removed from the study, so that its copy beside
// the results is consistent.
func (r *reader) countReplicates() {
	isFlag := r.root.Key("replicates").FromFlag()
	for _, c := range r.cells {
		n := c.Data.Folds * c.Data.Repeats
		if r.Replicates == 0 && n == 0 && c.Data.FromFiles() {
			n = c.Data.Folds
		}
		switch {
		case n == 0 || n == r.Replicates:
			continue
		case isFlag:
			c.source.Remove("repeats")
		case r.Replicates == 0:
			r.Replicates = n
		default:
			r.Data.Key("repeats").Fail("%d folds x %d repeats are %d replicates, the study or another cell has %d",
				c.Data.Folds, c.Data.Repeats, n, r.Replicates)
			return
		}
	}
	if r.Replicates == 0 && r.recall == nil { // stored results have replicates, even if the folds are absent
		r.root.Key("replicates").Fail("missing; give the number of independent draws per cell, or of fits to an " +
			"official split, or repeats beside folds")
	}
}

// checkFolds reports a number of replicates that is not a multiple of the folds, since the last
// repeat of a file, or the last task of a generator, would be incomplete. It also reports more
// replicates than given folds. Stored results are not checked.
func (r *reader) checkFolds() {
	if r.recall != nil {
		return
	}
	complete := 1 // least common multiple of the folds of all cells
	for _, c := range r.cells {
		if k := c.Data.Folds; k > 0 {
			complete *= k / gcd(complete, k)
		}
	}
	at := r.root.Key("replicates")
	if !at.There() {
		at = r.Data.Under("data.repeats")
	}
	for _, c := range r.cells {
		folds := c.Data.Folds
		if folds == 0 {
			continue
		}
		if r.Replicates%folds != 0 {
			unit := "task"
			if c.Data.FromFiles() {
				unit = "repeat"
			}
			at.Fail("%d leave a %s of %d folds incomplete: give %s",
				r.Replicates, unit, folds, multiplesNear(r.Replicates, complete))
			return
		}
		if c.Data.File != nil && c.Data.File.Folds != nil && r.Replicates > folds*c.Data.Repeats {
			at.Fail("the given folds make %d replicates, not %d", folds*c.Data.Repeats, r.Replicates)
			return
		}
	}
}

// multiplesNear returns the multiples of unit below and above n, such as "10 or 15", without 0.
func multiplesNear(n, unit int) string {
	below := n / unit * unit
	if below == 0 {
		return fmt.Sprint(unit)
	}
	return fmt.Sprintf("%d or %d", below, below+unit)
}

// gcd returns the greatest common divisor of two numbers that are not negative.
func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// maxTrials bounds a study, so that a few GB of memory are enough to plan and collect it.
const maxTrials = 10_000_000

// checkTrials reports a study with more than maxTrials trials.
func (r *reader) checkTrials() {
	if trials := len(r.cells) * r.Replicates; trials > maxTrials {
		r.root.Key("replicates").Fail("%d cells x %d replicates are %d trials, more than %d: divide the study",
			len(r.cells), r.Replicates, trials, maxTrials)
	}
}

// Resampled reports whether replicates are folds, holdouts or refits of one data set. share is
// the ratio of scored rows to all other rows according to the study file. It is 1 for scored
// training rows, and for an official test set, whose size only the data have.
func (d *Data) Resampled() (share float64, ok bool) {
	switch {
	case !d.FromFiles():
		return 0, false
	case d.scoresTraining():
		return 1, true
	case d.Folds > 1:
		return 1 / float64(d.Folds-1), true
	case d.Holdout > 0:
		return d.Holdout / (1 - d.Holdout), true
	}
	return 1, true
}

// SameTest reports whether all replicates have the same test rows.
func (d *Data) SameTest() bool {
	return d.FromFiles() && d.Folds == 0 && d.Holdout == 0 && d.Subsample == 0
}

// sameRows reports whether replicates with the same test rows also have the same training rows,
// values and labels.
func (d *Data) sameRows() bool {
	return d.Subsample == 0 && d.Train.N == 0 && !d.Missing.any() && d.Flip == 0
}

// MeasuredShare returns the mean ratio of test rows to all other rows of the split, for folds and
// groups whose sizes depend on the draw. All other rows count, even if train.n selects a part of
// them, since the overlap of test sets does not depend on that part. tests maps replicates to
// their numbers of test rows; rows is the number of rows before the split, 0 if unknown. ok is
// false if no replicate has both parts. The share of scored training rows is 1.
func (d *Data) MeasuredShare(tests map[int]int, rows int) (share float64, ok bool) {
	if d.scoresTraining() {
		return 1, len(tests) > 0
	}
	if d.Groups == "" || d.Folds > 1 {
		return foldShare(tests, d.Folds)
	}
	var shares []float64
	for _, replicate := range slices.Sorted(maps.Keys(tests)) { // sums in a fixed order
		test := tests[replicate]
		if others := rows - test; test > 0 && others > 0 {
			shares = append(shares, float64(test)/float64(others))
		}
	}
	return meanOf(shares)
}

// foldShare returns the mean ratio of a fold's rows to the rows of all other folds, over complete
// tasks. tests maps replicates to their numbers of test rows. ok is false if no task is complete.
func foldShare(tests map[int]int, folds int) (share float64, ok bool) {
	if folds < 2 {
		return 0, false
	}
	sizes := map[int][]int{} // of the folds, by task
	for replicate, n := range tests {
		task := records.FoldTask(replicate, folds)
		sizes[task] = append(sizes[task], n)
	}
	var shares []float64
	for _, task := range slices.Sorted(maps.Keys(sizes)) { // sums in a fixed order
		list := sizes[task]
		slices.Sort(list)
		if len(list) < folds || list[0] < 1 {
			continue // incomplete
		}
		total := sum(list)
		for _, test := range list {
			shares = append(shares, float64(test)/float64(total-test))
		}
	}
	return meanOf(shares)
}

// meanOf returns the mean; ok is false if there are no values.
func meanOf(values []float64) (mean float64, ok bool) {
	for _, v := range values {
		mean += v
	}
	return mean / float64(max(len(values), 1)), len(values) > 0
}
