package study

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// countReplicates reports a number of replicates that contradicts folds and repeats. If the study
// file has no number, it sets r.Replicates to the number that the first cell with folds implies.
func (r *reader) countReplicates() {
	isFlag := r.root.Key("replicates").FromFlag() // as in --set replicates=20
	isGiven := r.Replicates > 0
	origin := "the study" // of r.Replicates, for error messages
	for _, c := range r.cells {
		implied := c.Data.impliedReplicates(isGiven) // 0 if the cell accepts any number
		switch {
		case implied == 0 || implied == r.Replicates:
			// no contradiction
		case isFlag:
			// The flag overrides the key "repeats", which the stored study file must not contain.
			c.source.Remove("repeats")
		case r.Replicates == 0:
			r.Replicates = implied
			origin = "the cell " + c.Levels.Describe(r.factors)
		case r.onlyReports() && c.Data.Repeats == 0:
			// Old study files may lack "repeats" in some cells, which then have as many replicates
			// as the other cells.
		default:
			r.failContradiction(c, implied, origin)
			return
		}
	}
	if r.Replicates == 0 && !r.onlyReports() { // stored results give the number
		r.failNoReplicates()
	}
}

func (r *reader) failNoReplicates() {
	remedy := "give the number of independent draws or holdouts per cell, or with an official test set, " +
		"the number of fits"
	if r.commonFolds() > 1 {
		remedy = "add `repeats` to `folds`, or give `replicates` as a multiple of the number of folds"
	}
	r.root.Key("replicates").Fail("missing; %s", remedy)
}

// failContradiction reports that the folds and repeats of a cell make a number of replicates,
// implied, that differs from r.Replicates. origin is the study or the cell that sets r.Replicates.
func (r *reader) failContradiction(c *Cell, implied int, origin string) {
	where := ""
	if levels := c.Levels.Describe(r.factors); levels != "" {
		where = " in the cell " + levels
	}
	c.source.Key("repeats").Fail("%d folds x %d repeats make %d replicates%s, but %s has %d; "+
		"the numbers must be equal", c.Data.Folds, max(1, c.Data.Repeats), implied, where, origin, r.Replicates)
}

// impliedReplicates returns the number of replicates that the folds and repeats determine, or 0.
// isGiven reports whether the study gives the number of replicates. If it gives neither this number
// nor repeats, files have one cross-validation.
func (d *Data) impliedReplicates(isGiven bool) int {
	if !isGiven && d.Repeats == 0 && d.FromFiles() {
		return d.Folds
	}
	return d.Folds * d.Repeats
}

// checkFolds reports an error unless the number of replicates is a multiple of the number of folds.
func (r *reader) checkFolds() {
	if r.onlyReports() {
		return
	}
	at := r.root.Key("replicates")
	if !at.Exists() { // the number follows from folds and repeats
		at = r.Data.WithPath("data.repeats")
	}
	for _, c := range r.cells {
		folds := c.Data.Folds
		if folds == 0 {
			continue
		}
		if r.Replicates%folds != 0 {
			unit := "task" // the word for a cross-validation of a generated sample
			if c.Data.FromFiles() {
				unit = "repeat"
			}
			at.Fail("%d replicates leave a %s of %d folds incomplete: give %s",
				r.Replicates, unit, folds, multiplesNear(r.Replicates, r.commonFolds()))
			return
		}
		hasGivenFolds := c.Data.File != nil && c.Data.File.Folds != nil
		if available := folds * c.Data.Repeats; hasGivenFolds && r.Replicates > available {
			at.Fail("the given folds need %d replicates, but the study has %d", available, r.Replicates)
			return
		}
	}
}

// commonFolds returns the least common multiple of the numbers of folds of all cells, or 1 if no
// cell has folds.
func (r *reader) commonFolds() int {
	multiple := 1
	for _, c := range r.cells {
		if folds := c.Data.Folds; folds > 0 {
			multiple *= folds / gcd(multiple, folds)
		}
	}
	return multiple
}

// multiplesNear returns the nearest positive multiples of unit below and above n, such as "10 or
// 15".
func multiplesNear(n, unit int) string {
	below := n / unit * unit
	if below == 0 {
		return fmt.Sprint(unit)
	}
	return fmt.Sprintf("%d or %d", below, below+unit)
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// maxTrials is the largest allowed number of trials. The results then fit in a few GB of memory.
const maxTrials = 10_000_000

func (r *reader) checkTrials() {
	trials := float64(len(r.cells)) * float64(r.Replicates) // the product of integers could overflow
	if trials > maxTrials {
		r.root.Key("replicates").Fail(
			"%d cells x %d replicates are %.0f trials, but at most %d are allowed: divide the study",
			len(r.cells), r.Replicates, trials, maxTrials)
	}
}

// Resampled reports whether the replicates reuse the rows of one data set, as with folds. The
// result testRatio is the ratio of test rows to other rows. It is 1 for scores on training rows,
// and for official test sets, whose size is unknown here.
func (d *Data) Resampled() (testRatio float64, ok bool) {
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
	return 1, true // an official test set
}

func (d *Data) SameTest() bool {
	return d.FromFiles() && d.Folds == 0 && d.Holdout == 0 && d.Subsample == 0
}

// onlySplitsDiffer reports whether all replicates have the same rows with the same values, perhaps
// with different splits.
func (d *Data) onlySplitsDiffer() bool {
	return d.Subsample == 0 && d.Train.N == 0 && !d.Missing.any() && d.Flip == 0
}

// MeasuredTestRatio returns the mean ratio of test rows to all other rows, including unused ones.
// For scores on training rows, it returns 1. The argument testRows maps each replicate to its
// number of test rows. The argument allRows is the number of rows before the split, or 0 if
// unknown.
//
// The result ok is false if the ratio cannot be measured, or if the test set has the same size in
// all replicates.
func (d *Data) MeasuredTestRatio(testRows map[int]int, allRows int) (testRatio float64, ok bool) {
	switch {
	case d.scoresTraining():
		isMeasured := len(testRows) > 0
		return 1, isMeasured
	case d.Folds > 1:
		return foldTestRatio(testRows, d.Folds)
	case d.Groups != "" && d.Holdout > 0:
		return groupHoldoutRatio(testRows, allRows)
	}
	return 0, false // with a holdout of rows or an official test set, all test sets have the same size
}

// groupHoldoutRatio returns the mean ratio of test rows to other rows if whole groups are held out.
func groupHoldoutRatio(testRows map[int]int, allRows int) (testRatio float64, ok bool) {
	var ratios []float64
	for _, replicate := range slices.Sorted(maps.Keys(testRows)) { // the order decides how the mean is rounded
		test := testRows[replicate]
		if others := allRows - test; test > 0 && others > 0 {
			ratios = append(ratios, float64(test)/float64(others))
		}
	}
	return meanOf(ratios)
}

// foldTestRatio returns the mean ratio of the rows in a fold to the rows in the other folds. The
// argument testRows maps each replicate to the number of rows in its fold. ok is false if no
// cross-validation is complete.
func foldTestRatio(testRows map[int]int, folds int) (testRatio float64, ok bool) {
	sizes := map[int][]int{} // sizes of the folds of each task, which is one cross-validation
	for replicate, n := range testRows {
		task := records.FoldTask(replicate, folds)
		sizes[task] = append(sizes[task], n)
	}
	var ratios []float64
	for _, task := range slices.Sorted(maps.Keys(sizes)) { // the order decides how the mean is rounded
		foldSizes := sizes[task]
		slices.Sort(foldSizes)
		if len(foldSizes) < folds || foldSizes[0] < 1 {
			continue // a fold is missing or empty
		}
		total := stats.Sum(foldSizes)
		for _, test := range foldSizes {
			ratios = append(ratios, float64(test)/float64(total-test))
		}
	}
	return meanOf(ratios)
}

func meanOf(values []float64) (mean float64, ok bool) {
	for _, v := range values {
		mean += v
	}
	return mean / float64(max(len(values), 1)), len(values) > 0
}
