package calibrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/published"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/verdicts"
)

// A Reading is one choice of values for the free parameters of a generator.
type Reading struct {
	Number   int      // 0 is the study as it is
	Round    int      // in which it was proposed; 0: none
	Parent   int      // number of the reading that it changes; -1: none
	Values   []string // of the free parameters; "" for all in reading 0
	Stage    int      // last stage that measured it, from 1
	Distance verdicts.Distance
	Failed   string // reason why it has no distance

	cells []*study.Cell // nil once the reading has left the search
}

// A Search is a calibration in progress. It depends only on the study and the results of its
// trials: a new search of the same study runs the same trials.
type Search struct {
	Options    Options
	Readings   []*Reading
	Impossible int // proposals that the generator refuses

	study      *study.Study
	text       []byte // of the study, as YAML
	free       []parameter
	seen, held []int                          // cells that the search uses, and the others
	targets    []map[string]verdicts.Reported // by cell: printed means by classifier
	published  published.Table
	losses     *Losses
	run        func([]run.Task) error
	known      map[string]bool // readings so far, by their values
}

// New prepares the search of a study. losses has the results so far; run computes tasks and adds
// their results to losses.
func New(s *study.Study, losses *Losses, run func([]run.Task) error) (*Search, error) {
	o, free, err := read(s)
	if err != nil {
		return nil, err
	}
	c := &Search{Options: o, study: s, free: free, losses: losses, run: run, known: map[string]bool{}}
	if c.text, err = s.YAML(); err != nil {
		return nil, err
	}
	c.seen, c.held = divide(s, o.Blocks)
	tables, err := published.Tables(s)
	if err != nil {
		return nil, err
	}
	if len(tables) != 1 {
		return nil, fmt.Errorf("%s: calibrate wants one published table, there are %d", s.File, len(tables))
	}
	c.published = tables[0]
	c.findTargets()
	return c, c.checkTargets()
}

// findTargets sets the printed means of each cell.
func (c *Search) findTargets() {
	for _, cell := range c.study.Cells {
		means := map[string]verdicts.Reported{}
		for _, e := range cell.Classifiers {
			if mean, ok := c.published.Mean(cell.Levels, e.ID); ok {
				means[e.ID] = mean
			}
		}
		c.targets = append(c.targets, means)
	}
}

// checkTargets returns an error if a cell of the search has no printed mean, a mean has no standard
// deviation, which the distance needs, or a stage has no classifier with a printed mean.
func (c *Search) checkTargets() error {
	for _, i := range c.seen {
		if len(c.targets[i]) == 0 {
			return fmt.Errorf("%s: calibrate: the published table has no number of the cell %s", c.study.File,
				c.study.Describe(c.study.Cells[i]))
		}
	}
	for i, means := range c.targets {
		for _, id := range slices.Sorted(maps.Keys(means)) {
			if !(means[id].SD > 0) {
				return fmt.Errorf("%s: calibrate: %s: the mean of %s in the cell %s has no standard deviation above "+
					"0, which its distance needs: write it beside the mean, or leave the row out", c.study.File,
					c.published.File, id, c.study.Describe(c.study.Cells[i]))
			}
		}
	}
	for k, stage := range c.Options.Stages {
		counts := func(i int) bool {
			return len(c.compared(i, c.study.Cells[i].Classifiers, stage.Classifiers)) > 0
		}
		if !slices.ContainsFunc(c.seen, counts) {
			return fmt.Errorf("%s: calibrate.stages[%d].classifiers: %s has no number of %s in the cells of the search",
				c.study.File, k, c.published.File, strings.Join(stage.Classifiers, ", "))
		}
	}
	return nil
}

// rounds runs all rounds. It returns reading 0 and then the best readings, nearest first.
func (c *Search) rounds() ([]*Reading, error) {
	literal := &Reading{Parent: -1, Values: make([]string, len(c.free)), cells: sharing(c.study, c.study.Cells)}
	c.Readings = []*Reading{literal}
	var best []*Reading // of all rounds so far
	for round := 1; round <= c.Options.Rounds; round++ {
		list, err := c.propose(round, best)
		if err != nil {
			return nil, err
		}
		if round == 1 {
			list = append([]*Reading{literal}, list...)
		}
		for i, stage := range c.Options.Stages {
			if err := c.measure(list, i+1, stage); err != nil {
				return nil, err
			}
			list = nearest(list, stage.Keep)
		}
		best = nearest(append(best, list...), c.Options.Finalists)
		if len(best) == 0 {
			return nil, fmt.Errorf("no reading of round %d has a distance: %s", round,
				c.Readings[len(c.Readings)-1].Failed)
		}
	}
	last := len(c.Options.Stages)
	if err := c.measure([]*Reading{literal}, last, c.Options.Stages[last-1]); err != nil {
		return nil, err
	}
	best = slices.DeleteFunc(best, func(r *Reading) bool { return r == literal })
	return append([]*Reading{literal}, best...), nil
}

// nearest returns up to k readings that have a distance, sorted by stage, latest first, and then by
// distance. The others lose their cells, to save memory.
func nearest(list []*Reading, k int) []*Reading {
	kept := slices.DeleteFunc(slices.Clone(list), func(r *Reading) bool { return r.Failed != "" })
	slices.SortStableFunc(kept, func(a, b *Reading) int {
		return cmp.Or(
			cmp.Compare(b.Stage, a.Stage),
			cmp.Compare(a.Distance.Squared, b.Distance.Squared),
			cmp.Compare(a.Number, b.Number),
		)
	})
	kept = kept[:min(k, len(kept))]
	for _, r := range list {
		if r.Number > 0 && !slices.Contains(kept, r) {
			r.cells = nil
		}
	}
	return kept
}

// tries is the largest number of draws per proposal: a draw may be known or impossible.
const tries = 50

// propose returns the new readings of a round: random ones, and changes of the best so far. It
// returns an error if all proposals are impossible.
func (c *Search) propose(round int, best []*Reading) ([]*Reading, error) {
	rng := stream.New(c.study.Seed, "", round, "calibrate")
	var list []*Reading
	var refusal error // of the last impossible proposal
	for attempt := 0; len(list) < c.Options.Readings && attempt < tries*c.Options.Readings; attempt++ {
		r := &Reading{Number: len(c.Readings), Round: round, Parent: -1}
		if len(best) > 0 && rng.Float64() < c.Options.Local {
			parent := best[rng.Intn(len(best))]
			r.Parent, r.Values = parent.Number, near(c.free, parent.Values, rng)
		} else {
			r.Values = random(c.free, rng)
		}
		key := strings.Join(r.Values, "\x00")
		if c.known[key] {
			continue
		}
		c.known[key] = true
		if err := c.resolve(r); err != nil {
			c.Impossible++
			refusal = err
			continue
		}
		c.Readings = append(c.Readings, r)
		list = append(list, r)
	}
	if len(list) == 0 && refusal != nil {
		return nil, fmt.Errorf("no reading of round %d is possible; the last of %d: %w", round, c.Impossible, refusal)
	}
	return list, nil
}
