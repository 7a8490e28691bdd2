package study

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats/records"
)

// countReplicates sets the number of replicates by folds and repeats and reports a
// different number in the file. Without either number, each fold of a file is held out
// once. A flag overrides folds and repeats; repeats is then removed from the study, so that
// its copy beside the results stays consistent.
func (r *reader) countReplicates() {
	flagged := r.root.Key("replicates").FromFlag()
	for _, c := range r.cells {
		n := c.Data.Folds * c.Data.Repeats
		if r.Replicates == 0 && n == 0 && c.Data.FromFiles() {
			n = c.Data.Folds
		}
		switch {
		case n == 0 || n == r.Replicates:
		case flagged:
			c.source.Remove("repeats")
		case r.Replicates == 0:
			r.Replicates = n
		default:
			r.Data.Key("repeats").Fail(
				"%d folds x %d repeats are %d replicates, the study or another "+
					"cell has %d", c.Data.Folds, c.Data.Repeats, n, r.Replicates)
			return
		}
	}
	if r.Replicates == 0 {
		r.root.Key("replicates").Fail(
			"missing; the number of independent draws per cell (of an official split, of fits), or repeats beside folds")
	}
}

// checkFolds reports a number of replicates that is no multiple of the folds: the last
// repeat, or the last task of a generator, would be incomplete. Stored results are not
// checked.
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
		k := c.Data.Folds
		if k == 0 || r.Replicates%k == 0 {
			continue
		}
		of, give := "task", fmt.Sprint(complete)
		if c.Data.FromFiles() {
			of = "repeat"
		}
		if below := r.Replicates / complete * complete; below > 0 {
			give = fmt.Sprintf("%d or %d", below, below+complete)
		}
		at.Fail("%d leave a %s of %d folds incomplete: give %s", r.Replicates, of, k, give)
		return
	}
}

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
		r.root.Key("replicates").Fail(
			"%d cells x %d replicates are %d trials, more than %d: divide "+
				"the study", len(r.cells), r.Replicates, trials, maxTrials)
	}
}

// Resampled reports whether replicates are folds, holdouts or refits of one data set. share
// is then the ratio of scored rows to all other rows by the study file alone; it is 1 for an
// official test set and for scored training rows. The manifest of results has the numbers of rows.
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

// sameRows reports whether replicates with the same test rows have the same training
// rows, values and labels.
func (d *Data) sameRows() bool {
	return d.Subsample == 0 && d.Train.N == 0 && !d.Missing.any() && d.Flip == 0
}

// MeasuredShare returns the mean ratio of test rows to all other rows of the split, for folds
// and groups whose sizes depend on the draw. All other rows count, even where train.n takes a
// part of them for training: how much test sets overlap does not depend on that part.
// tests has the number of test rows by replicate; all is the number of rows before the split,
// 0 if unknown. ok is false if no replicate counts.
func (d *Data) MeasuredShare(tests map[int]int, all int) (share float64, ok bool) {
	if d.scoresTraining() {
		return 1, len(tests) > 0
	}
	if d.Groups == "" || d.Folds > 1 {
		return foldShare(tests, d.Folds)
	}
	n := 0
	for _, replicate := range slices.Sorted(maps.Keys(tests)) { // sums in a fixed order
		test := tests[replicate]
		if others := all - test; test > 0 && others > 0 {
			share += float64(test) / float64(others)
			n++
		}
	}
	return share / float64(max(n, 1)), n > 0
}

// foldShare returns the mean ratio of a fold's rows to the rows of all other folds, over
// complete tasks; ok is false without any.
func foldShare(tests map[int]int, folds int) (share float64, ok bool) {
	if folds < 2 {
		return 0, false
	}
	tasks := map[int][]int{}
	for replicate := range tests {
		task := records.FoldTask(replicate, folds)
		tasks[task] = append(tasks[task], tests[replicate])
	}
	n := 0
	for _, task := range slices.Sorted(maps.Keys(tasks)) { // sums in a fixed order
		list := tasks[task]
		slices.Sort(list)
		total := 0
		for _, t := range list {
			total += t
		}
		if len(list) < folds || list[0] < 1 {
			continue
		}
		for _, t := range list {
			share += float64(t) / float64(total-t)
			n++
		}
	}
	return share / float64(max(n, 1)), n > 0
}
