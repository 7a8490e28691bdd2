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

// A Finalist is a reading (choice of parameter values) that was run again on new replicates, which
// the search did not use.
type Finalist struct {
	*Reading
	Searched, HeldOut verdicts.Distance   // distances on the searched and held-out cells
	P                 float64             // corrected p-value of the test against the nearest finalist
	Kept              bool                // the distance is not significantly larger than the smallest
	Numbers           verdicts.Agreements // comparison of all means with the published means
	IsHeld            []bool              // IsHeld[i]: Numbers.Items[i] is in a held-out cell
	AtEnd             []bool              // AtEnd[i]: Values[i] is at an end of its range
}

// A Result is the outcome of a calibration.
type Result struct {
	Study             *study.Study
	Options           Options
	Parameters        []string    // labels of the free parameters
	Readings          []*Reading  // all readings that were tried
	Impossible        int         // number of proposals that the generator rejected
	Searched, HeldOut []int       // indices of searched and held-out cells, all with published numbers
	Finalists         []*Finalist // reading 0, followed by the others, nearest first
	Failed            []int       // numbers of the readings that failed on the new replicates
}

// Run searches for readings that reproduce the published numbers. It then runs the best readings
// and reading 0, which is the unchanged study, on new replicates. It returns an error if all of
// these fail.
func (c *Search) Run() (*Result, error) {
	best, err := c.rounds()
	if err != nil {
		return nil, err
	}
	used := c.Options.Stages[len(c.Options.Stages)-1].Replicates // number of replicates that the search used
	allCells := slices.Concat(c.Searched, c.HeldOut)
	newFits := selectedFits{cells: allCells, first: used + 1, last: used + c.Options.Confirm}
	if err := c.runMissing(best, newFits); err != nil {
		return nil, err
	}
	firstFailure := ""
	for _, r := range best {
		f, failed := c.confirm(r, newFits)
		if failed == "" {
			c.Finalists = append(c.Finalists, f)
			continue
		}
		c.Failed = append(c.Failed, r.Number)
		firstFailure = cmp.Or(firstFailure, failed)
	}
	if len(c.Finalists) == 0 { // firstFailure is from reading 0, which comes first
		return nil, fmt.Errorf(
			"every choice of parameter values failed on the new replicates for the final comparison; "+
				"the study with its original values failed with: %s",
			firstFailure)
	}
	c.rank()
	return &c.Result, nil
}

// confirm compares a reading, which is a choice of parameter values, with the published means. It
// uses the mean error rates of newFits, which contains all searched and held-out cells.
//
// If a distance cannot be computed, f is nil and failed is the reason. Otherwise, failed is "".
func (c *Search) confirm(r *Reading, newFits selectedFits) (f *Finalist, failed string) {
	f = &Finalist{Reading: r}
	searched, heldOut := newFits, newFits
	searched.cells, heldOut.cells = c.Searched, c.HeldOut
	f.Searched, failed = c.distance(r, searched)
	if failed == "" && len(c.HeldOut) > 0 {
		f.HeldOut, failed = c.distance(r, heldOut)
	}
	if failed != "" {
		return nil, failed
	}
	means, _ := c.pairMeans(r, newFits) // no fit has failed: distance has already checked these cells
	c.compareMeans(f, means)
	for i, parameter := range c.Options.Free {
		f.AtEnd = append(f.AtEnd, parameter.isEndOfRange(r.Values[i]))
	}
	return f, ""
}

// compareMeans compares our means in list with the published means. It sets f.Numbers and f.IsHeld,
// in the same order.
func (c *Search) compareMeans(f *Finalist, list []pairedMean) {
	var pairs []verdicts.Counterpart
	for _, l := range list {
		cell := c.Study.Cells[l.cell]
		pairs = append(pairs, verdicts.Counterpart{Cell: cell.ID, Levels: cell.Levels, Classifier: l.id,
			Metric: metrics.ErrorRate, Ours: stats.Summarize(l.Ours), Published: l.Published})
		f.IsHeld = append(f.IsHeld, slices.Contains(c.HeldOut, l.cell))
	}
	f.Numbers = verdicts.CompareWithPublished(pairs, published.Test(c.Study))
}

// rank sorts the finalists, the best choices of parameter values. Finalist 0, the unchanged study,
// comes first, and the others follow by increasing distance from the published numbers.
//
// rank also sets P and Kept. P tests the null hypothesis that the true distance of the finalist is at
// most the true distance of the nearest finalist.
func (r *Result) rank() {
	slices.SortStableFunc(r.Finalists, func(a, b *Finalist) int {
		if a.Number == 0 || b.Number == 0 {
			return a.Number - b.Number // the unchanged study comes first
		}
		return cmp.Or(cmp.Compare(a.Searched.Squared, b.Searched.Squared), a.Number-b.Number)
	})
	var distances []verdicts.Distance
	for _, f := range r.Finalists {
		distances = append(distances, f.Searched)
	}
	_, pValues := verdicts.Nearest(distances)
	for i, f := range r.Finalists {
		f.P = pValues[i]
		f.Kept = f.P > r.Options.Alpha
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
