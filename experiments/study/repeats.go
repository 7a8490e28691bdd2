package study

import (
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/experiments/stream"
	"copse/stats/dataset"
)

// checkRepeats reports an error if two repeats of a cross-validation have the same folds.
// Significance tests would count their equal results as results of different splits. checkRepeats
// also sets Data.sharedTests, a remark on replicates with the same test set.
func (r *reader) checkRepeats() {
	for _, c := range r.cells {
		d := c.Data
		if d.File == nil {
			continue // a generator draws new rows
		}
		testSets := r.groupTestSets(c) // equal numbers for equal test sets
		d.noteSharedTests(testSets)
		if r.onlyReports() {
			continue // stored results remain readable
		}
		units, noun := d.units() // the rows or groups that are divided into folds
		isLeaveOneOut := units == d.Folds
		hasRepeats := r.Replicates > d.Folds
		if isLeaveOneOut && hasRepeats && d.onlySplitsDiffer() {
			reason := fmt.Sprintf("each of the %d %s forms one fold, so all repeats are identical", units, noun)
			const suggested = 1 // repeat
			r.failRepeats(c, suggested, reason)
			continue
		}
		if d.Folds > 0 && d.onlySplitsDiffer() {
			r.checkDistinctFolds(c, testSets)
		}
	}
}

// failRepeats reports that repeats of a cross-validation have equal folds. The error is at the key
// that sets the number of repeats and suggests another number.
func (r *reader) failRepeats(c *Cell, suggested int, reason string) {
	if at := c.source.Key("repeats"); at.Exists() {
		at.Fail("%s; give `repeats: %d`", reason, suggested)
		return
	}
	r.root.Key("replicates").Fail("%s; give `replicates: %d`", reason, suggested*c.Data.Folds)
}

// checkDistinctFolds reports a repeat that divides the groups like an earlier one. testSets is the
// result of groupTestSets: a number for each fold, first of repeat 1, then of repeat 2, and so on.
func (r *reader) checkDistinctFolds(c *Cell, testSets []int) {
	d := c.Data
	var splits []string // for each repeat, the numbers of its folds in ascending order, as text
	for folds := range slices.Chunk(testSets, d.Folds) {
		splits = append(splits, fmt.Sprint(slices.Sorted(slices.Values(folds))))
	}
	numbers := dataset.NumberDistinct(splits) // equal numbers for equal splits
	for i, number := range numbers {
		isNew := number == i // new splits get the numbers 0, 1, 2, ...
		if isNew {
			continue
		}
		groups, _ := d.units()
		reason := fmt.Sprintf("%s: repeat %d divides the %d groups into the same folds as an earlier repeat "+
			"(distinct splits in %d repeats: %d)", d.Source(), i+1, groups, len(numbers), distinct(numbers))
		r.failRepeats(c, i, reason) // suggests i repeats, which are distinct
		return
	}
}

// distinct returns the number of distinct elements in a list from dataset.NumberDistinct.
func distinct(numbers []int) int { return 1 + slices.Max(numbers) }

// noteSharedTests sets d.sharedTests if many replicates have the test set of another replicate.
// testSets is the result of groupTestSets.
func (d *Data) noteSharedTests(testSets []int) {
	const smallest = 0.9 // a larger share of distinct test sets hardly changes intervals and tests
	replicates := len(testSets)
	if replicates == 0 || float64(distinct(testSets)) >= smallest*float64(replicates) {
		return
	}
	noun := "replicates"
	if d.Folds > 0 {
		noun = "repeats"
	}
	d.sharedTests = fmt.Sprintf("%d replicates have only %d distinct test sets, "+
		"so intervals and tests are too optimistic; give fewer `%s`", replicates, distinct(testSets), noun)
}

// mostSplits is the largest number of splits that groupTestSets draws. If so many splits differ,
// equal test sets among later ones hardly affect intervals and tests.
const mostSplits = 100

// groupTestSets draws the first test sets of a cell with the same random numbers as a run. It
// returns a number for each test set, and equal numbers for equal sets. With folds, each fold is a
// test set. It skips splits that cannot be drawn. Without random splits of groups, or with a
// subsample, the result is nil.
func (r *reader) groupTestSets(c *Cell) (numbers []int) {
	d := c.Data
	if !d.splitsGroups() || d.Subsample > 0 { // each replicate or repeat has its own subsample
		return nil
	}
	splits := r.Replicates // with a holdout, each replicate has its own split
	if d.Folds > 0 {
		splits = r.Replicates / d.Folds // the number of repeats
	}
	var testSets []string // each is a list of groups
	// A run also numbers its splits from 1.
	for split := 1; split <= min(splits, mostSplits); split++ {
		part, err := d.drawParts(stream.New(r.Seed, c.SplitKey, split, stream.Folds))
		if err != nil {
			continue // these replicates will fail
		}
		groupsOfParts := listGroups(part)
		if d.Holdout > 0 {
			groupsOfParts = groupsOfParts[1:] // part 0 contains the training groups
		}
		testSets = append(testSets, groupsOfParts...)
	}
	return dataset.NumberDistinct(testSets)
}

// drawParts returns the fold of each group or, with a holdout, 1 for test groups and 0 for others.
func (d *Data) drawParts(rng *rand.Rand) (part []int, err error) {
	rows := d.File.Rows
	sizes := dataset.GroupSizes(rows.Groups)
	if d.Holdout > 0 {
		return dataset.HoldoutOfGroups(sizes, d.Holdout, rng)
	}
	fold, err := dataset.StratifiedGroupFolds(rows.Strata(!d.Random), rows.Groups, d.Folds, rng)
	if err != nil {
		return nil, err
	}
	part = make([]int, len(sizes))
	for i, g := range dataset.NumberDistinct(rows.Groups) {
		part[g] = fold[i]
	}
	return part, nil
}

// listGroups returns a text for each part that lists its groups. part[g] is the number of the part
// that contains group g.
func listGroups(part []int) []string {
	lists := make([][]int, 1+slices.Max(part))
	for g, p := range part {
		lists[p] = append(lists[p], g)
	}
	texts := make([]string, len(lists))
	for p, list := range lists {
		texts[p] = fmt.Sprint(list)
	}
	return texts
}
