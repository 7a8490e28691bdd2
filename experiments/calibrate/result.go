package calibrate

import (
	"cmp"
	"fmt"
	"slices"

	"copse/experiments/published"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/verdicts"
)

// A Finalist is a choice of parameter values that was run again on fresh replicates, which the
// search did not use.
type Finalist struct {
	*Reading
	Searched, HeldOut verdicts.Distance   // distances on the searched and held-out cells
	P                 float64             // corrected p-value of the test against the nearest finalist
	Kept              bool                // whether the distance is not significantly larger than the smallest
	Numbers           verdicts.Agreements // comparison of all means with the published means
	IsHeld            []bool              // IsHeld[i] reports whether Numbers.Items[i] is in a held-out cell
	AtEnd             []bool              // AtEnd[i] reports whether Values[i] is at an end of its range
}

// A Result is the outcome of a calibration.
type Result struct {
	Study             *study.Study
	Options           Options
	Parameters        []string    // labels of the free parameters
	Readings          []*Reading  // all readings that were tried
	Impossible        int         // number of proposals that the generator rejected
	Searched, HeldOut int         // numbers of searched and held-out cells, all with published numbers
	Finalists         []*Finalist // reading 0, followed by the others, nearest first
	Failed            []int       // numbers of the readings that failed on the fresh replicates and are no finalists
}

// Run searches for parameter values that reproduce the published numbers. A choice of parameter
// values is called a reading. Reading 0 is the unchanged study.
//
// Run then runs reading 0 and the best other readings on fresh replicates. It returns an error if
// all of these fail.
func (c *Search) Run() (*Result, error) {
	best, err := c.rounds() // reading 0, and then the best of the others
	if err != nil {
		return nil, err
	}
	used := c.Options.Stages[len(c.Options.Stages)-1].Replicates // number of replicates that the search used
	fresh := comparison{cells: slices.Concat(c.searched, c.heldOut), first: used + 1, last: used + c.Options.Confirm}
	if err := c.runMissing(best, fresh); err != nil {
		return nil, err
	}
	firstFailure := ""
	for _, r := range best {
		f, failed := c.confirm(r, fresh)
		if failed == "" {
			c.Finalists = append(c.Finalists, f)
			continue
		}
		c.Failed = append(c.Failed, r.Number)
		firstFailure = cmp.Or(firstFailure, failed)
	}
	if len(c.Finalists) == 0 { // reading 0 comes first and failed, too
		return nil, fmt.Errorf(
			"every choice of parameter values failed on the new replicates for the final comparison; "+
				"the study with its original values failed with: %s",
			firstFailure)
	}
	c.rank()
	return &c.Result, nil
}

// confirm compares the mean error rates of fresh fits, for the parameter values in r, with the
// published means. The argument fresh selects all searched and held-out cells. If a distance cannot
// be computed, f is nil and failed is the reason. Otherwise, failed is "".
func (c *Search) confirm(r *Reading, fresh comparison) (f *Finalist, failed string) {
	f = &Finalist{Reading: r}
	searched, heldOut := fresh, fresh
	searched.cells, heldOut.cells = c.searched, c.heldOut
	f.Searched, failed = c.distance(r, searched)
	if failed == "" && len(c.heldOut) > 0 {
		f.HeldOut, failed = c.distance(r, heldOut)
	}
	if failed != "" {
		return nil, failed
	}
	means, _ := c.comparedMeans(r, fresh) // no fit has failed: distance has already checked all these cells
	c.compareMeans(f, means)
	for i := range c.free {
		f.AtEnd = append(f.AtEnd, c.free[i].atEnd(r.Values[i]))
	}
	return f, ""
}

// compareMeans compares our mean loss with the published mean, for each element of list. It sets
// f.Numbers and f.IsHeld, in the same order.
func (c *Search) compareMeans(f *Finalist, list []comparedMean) {
	var pairs []verdicts.Counterpart
	for _, l := range list {
		cell := c.Study.Cells[l.cell]
		pairs = append(pairs, verdicts.Counterpart{Cell: cell.ID, Levels: cell.Levels, Classifier: l.id,
			Metric: metrics.ErrorRate, Ours: stats.Summarize(l.Ours), Published: l.Published})
		f.IsHeld = append(f.IsHeld, slices.Contains(c.heldOut, l.cell))
	}
	f.Numbers = verdicts.CompareWithPublished(pairs, published.Test(c.Study))
}

// rank sorts the finalists and sets P and Kept.
//
// Reading 0, the unchanged study, comes first. The other finalists follow by increasing distance
// from the published means. P is the p-value for the null hypothesis that the true distance of the
// finalist is at most the true distance of the nearest finalist.
func (r *Result) rank() {
	slices.SortStableFunc(r.Finalists, func(a, b *Finalist) int {
		if a.Number == 0 || b.Number == 0 { // one of them is the unchanged study
			return a.Number - b.Number
		}
		return cmp.Or(cmp.Compare(a.Searched.Squared, b.Searched.Squared), a.Number-b.Number)
	})
	var distances []verdicts.Distance
	for _, f := range r.Finalists {
		distances = append(distances, f.Searched)
	}
	_, p := verdicts.Nearest(distances) // p[i] compares distance i with the smallest; its own p is 1
	for i, f := range r.Finalists {
		f.P = p[i]
		f.Kept = p[i] > r.Options.Alpha
	}
}

// Differs returns the number of means that differ significantly from the published ones, and the
// number of compared means. It counts either the held-out cells or the searched cells.
func (f *Finalist) Differs(held bool) (differ, all int) {
	for i, n := range f.Numbers.Items {
		if f.IsHeld[i] != held {
			continue
		}
		all++
		if n.Verdict == verdicts.Differs {
			differ++
		}
	}
	return differ, all
}
