package calibrate

import (
	"fmt"
	"slices"

	"copse/experiments/published"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/verdicts"
)

// A Finalist is a reading on fresh replicates, which no choice has seen.
type Finalist struct {
	*Reading
	Seen, Held verdicts.Distance   // on the cells looked at and on those held out
	P          float64             // that it is not farther from the seen cells' numbers than the nearest, corrected
	Kept       bool                // it cannot be told apart from the nearest
	Numbers    verdicts.Agreements // of the means of all cells, each beside print
	IsHeld     []bool              // of Numbers
	AtEnd      []bool              // of Values: the least or the largest that the study lets the parameter have
}

// A Result is what a calibration found.
type Result struct {
	Study      *study.Study
	Options    Options
	Parameters []string
	Readings   []*Reading // all that were tried
	Impossible int
	Seen, Held []*study.Cell
	Correction string      // of the tests of single numbers
	Finalists  []*Finalist // reading 0, then the others, nearest first
}

// Run searches and confirms.
func (c *Search) Run() (*Result, error) {
	through, err := c.rounds()
	if err != nil {
		return nil, err
	}
	first := c.Options.Stages[len(c.Options.Stages)-1].Replicates + 1
	last := first + c.Options.Confirm - 1
	if err := c.draw(through, slices.Concat(c.seen, c.held), first, last, nil); err != nil {
		return nil, err
	}
	result := &Result{
		Study:      c.study,
		Options:    c.Options,
		Readings:   c.Readings,
		Impossible: c.Impossible,
		Correction: "holm",
	}
	for _, p := range c.free {
		result.Parameters = append(result.Parameters, p.label())
	}
	for _, i := range c.seen {
		result.Seen = append(result.Seen, c.study.Cells[i])
	}
	for _, i := range c.held {
		result.Held = append(result.Held, c.study.Cells[i])
	}
	for _, r := range through {
		if f := c.confirm(r, first, last); f.Failed == "" || r.Number == 0 {
			result.Finalists = append(result.Finalists, f)
		}
	}
	if !slices.ContainsFunc(result.Finalists, func(f *Finalist) bool { return f.Failed == "" }) {
		return nil, fmt.Errorf("no reading has a distance on the fresh replicates: %s", result.Finalists[0].Failed)
	}
	result.tellApart()
	return result, nil
}

// confirm measures a reading on replicates that are fresh.
func (c *Search) confirm(r *Reading, first, last int) *Finalist {
	f := &Finalist{Reading: r}
	for i := range c.free {
		f.AtEnd = append(f.AtEnd, c.free[i].atEnd(r.Values[i]))
	}
	if f.Seen, r.Failed = c.distance(r, c.seen, first, last, nil); r.Failed != "" {
		return f
	}
	printed := slices.DeleteFunc(slices.Clone(c.held), func(i int) bool { return len(c.targets[i]) == 0 })
	if len(printed) > 0 {
		if f.Held, r.Failed = c.distance(r, printed, first, last, nil); r.Failed != "" {
			return f
		}
	}
	list, _ := c.likenesses(r, slices.Concat(c.seen, printed), first, last, nil)
	var pairs []verdicts.Counterpart
	for _, l := range list {
		cell := c.study.Cells[l.cell]
		pairs = append(
			pairs,
			verdicts.Counterpart{Cell: cell.ID, Levels: cell.Levels, Classifier: l.id, Metric: metrics.ErrorRate,
				Ours: stats.Summarize(l.Ours), Published: l.Published},
		)
		f.IsHeld = append(f.IsHeld, slices.Contains(printed, l.cell))
	}
	var err error
	if f.Numbers, err = verdicts.CompareWithPublished(pairs, published.Test(c.study)); err != nil {
		r.Failed = err.Error()
	}
	return f
}

// tellApart sorts the finalists after reading 0 and says which are kept.
func (r *Result) tellApart() {
	slices.SortStableFunc(r.Finalists, func(a, b *Finalist) int {
		switch {
		case (a.Number == 0) != (b.Number == 0):
			return a.Number - b.Number
		case a.Seen.Squared < b.Seen.Squared:
			return -1
		case a.Seen.Squared > b.Seen.Squared:
			return 1
		}
		return a.Number - b.Number
	})
	list := slices.DeleteFunc(slices.Clone(r.Finalists), func(f *Finalist) bool { return f.Failed != "" })
	var distances []verdicts.Distance
	for _, f := range list {
		distances = append(distances, f.Seen)
	}
	_, p := verdicts.Nearest(distances)
	for i, f := range list {
		f.P, f.Kept = p[i], p[i] > r.Options.Alpha
	}
}

// Differs counts the finalist's numbers that are shown to differ from print, and
// all that were compared, on the cells held out or on the others.
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
