package calibrate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/experiments/published"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Reading is one choice of the free parameters.
type Reading struct {
	Number   int      // 0 is the study as it stands
	Round    int      // that proposed it; 0: none
	Parent   int      // that it is a change of; -1: none
	Values   []string // of the free parameters; empty texts for reading 0
	Stage    int      // the last that measured it, from 1
	Distance verdicts.Distance
	Failed   string // why it has none

	cells []*study.Cell // while it is in the search
}

// A Search is a calibration under way. It is a function of the study and of what
// its trials gave: begun anew, it asks for the same trials.
type Search struct {
	Options    Options
	Readings   []*Reading
	Impossible int // proposals that the generator refuses

	study      *study.Study
	text       []byte
	free       []parameter
	seen, held []int
	targets    []map[string]verdicts.Reported // by cell: classifiers with a printed number
	published  published.Table
	losses     *Losses
	run        func([]run.Task) error
	known      map[string]bool // readings, by their values
}

// New prepares the search of a study; losses are those that are known, and run adds
// those of tasks to them.
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
	return c, c.findTargets()
}

// findTargets sets the printed numbers beside the study's cells.
func (c *Search) findTargets() error {
	tables, err := published.Tables(c.study)
	if err != nil {
		return err
	}
	if len(tables) != 1 {
		return fmt.Errorf("%s: calibrate wants one published table, there are %d", c.study.File, len(tables))
	}
	c.published = tables[0]
	rows := &records.Records{Study: c.study.Name, Factors: c.study.Factors, Classifiers: c.study.ClassifierIDs()}
	index := map[string]int{}
	for i, cell := range c.study.Cells {
		index[cell.ID] = i
		for _, e := range cell.Classifiers {
			rows.Rows = append(
				rows.Rows,
				records.Record{
					Cell:       cell.ID,
					Levels:     cell.Levels,
					Replicate:  1,
					Classifier: e.ID,
					Status:     records.OK,
				},
			)
		}
	}
	rows.Sort()
	pairs, _, err := c.published.Counterparts(rows, func(string) (float64, int) { return 0, 0 })
	if err != nil {
		return err
	}
	c.targets = make([]map[string]verdicts.Reported, len(c.study.Cells))
	for i := range c.targets {
		c.targets[i] = map[string]verdicts.Reported{}
	}
	for _, p := range pairs {
		if p.Extreme == nil && !math.IsNaN(p.Published.Mean) {
			c.targets[index[p.Cell]][p.Classifier] = p.Published
		}
	}
	for _, i := range c.seen {
		if len(c.targets[i]) == 0 {
			return fmt.Errorf(
				"%s: calibrate: the published table has no number of the cell %s",
				c.study.File,
				c.study.Describe(c.study.Cells[i]),
			)
		}
	}
	return c.checkTargets()
}

// checkTargets refuses numbers that give no distance before anything runs: each has a
// standard deviation, and every stage has one that counts.
func (c *Search) checkTargets() error {
	for i, numbers := range c.targets {
		for _, id := range slices.Sorted(maps.Keys(numbers)) {
			if !(numbers[id].SD > 0) {
				return fmt.Errorf(
					"%s: calibrate: %s: the mean of %s in the cell %s has no standard deviation above 0, without "+
						"which it has no distance: write it beside the mean, or leave the row out",
					c.study.File,
					c.published.File,
					id,
					c.study.Describe(c.study.Cells[i]),
				)
			}
		}
	}
	for k, stage := range c.Options.Stages {
		counts := func(i int) bool {
			return slices.ContainsFunc(
				c.study.Cells[i].Classifiers,
				func(e study.Entry) bool { return c.counts(i, e.ID, stage.Classifiers) },
			)
		}
		if !slices.ContainsFunc(c.seen, counts) {
			return fmt.Errorf(
				"%s: calibrate.stages[%d].classifiers: %s has no number of %s in the cells that the search may look at",
				c.study.File,
				k,
				c.published.File,
				strings.Join(stage.Classifiers, ", "),
			)
		}
	}
	return nil
}

// rounds runs all rounds and returns the readings that came through, nearest first,
// after reading 0.
func (c *Search) rounds() ([]*Reading, error) {
	literal := &Reading{Parent: -1, Values: make([]string, len(c.free)), cells: sharing(c.study, c.study.Cells)}
	c.Readings = []*Reading{literal}
	var through []*Reading
	for round := 1; round <= c.Options.Rounds; round++ {
		list, err := c.propose(round, through)
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
		if through = nearest(append(through, list...), c.Options.Finalists); len(through) == 0 {
			return nil, fmt.Errorf(
				"no reading of round %d has a distance: %s",
				round,
				c.Readings[len(c.Readings)-1].Failed,
			)
		}
	}
	last := len(c.Options.Stages)
	if err := c.measure([]*Reading{literal}, last, c.Options.Stages[last-1]); err != nil {
		return nil, err
	}
	through = slices.DeleteFunc(through, func(r *Reading) bool { return r == literal })
	return append([]*Reading{literal}, through...), nil
}

// nearest returns up to k readings that have a distance, the smallest first; what
// falls out is forgotten but for its number.
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

// tries is how often a proposal is drawn again that is known or impossible.
const tries = 50

// propose returns the new readings of a round: random ones, and changes of those
// that came through. It is an error that every one is impossible.
func (c *Search) propose(round int, through []*Reading) ([]*Reading, error) {
	rng := stream.New(c.study.Seed, "", round, "calibrate")
	var list []*Reading
	var refusal error
	for attempt := 0; len(list) < c.Options.Readings && attempt < tries*c.Options.Readings; attempt++ {
		r := &Reading{Number: len(c.Readings), Round: round, Parent: -1}
		if len(through) > 0 && rng.Float64() < c.Options.Local {
			parent := through[rng.Intn(len(through))]
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
		return nil, fmt.Errorf(
			"no reading of round %d is possible, the last of %d for: %w",
			round,
			c.Impossible,
			refusal,
		)
	}
	return list, nil
}
