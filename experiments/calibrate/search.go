package calibrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/exp/rand"

	"copse/experiments/published"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/verdicts"
)

// A Reading is a choice of values for the free parameters of a generator.
type Reading struct {
	Number   int      // 0: the unchanged study
	Round    int      // round that proposed the reading; 0: none
	Parent   int      // number of the reading from which it was derived, or -1
	Values   []string // values of the free parameters; all "" in reading 0
	Stage    int      // number of the last stage that ran the reading
	Distance verdicts.Distance
	Failed   string // reason why there is no distance

	cells []*study.Cell // cells of the study with these values; nil after the reading left the search
}

// A Search searches for the parameter values with the smallest distance from the published numbers.
// It is deterministic: a repeated search runs the same trials.
type Search struct {
	Result
	studyYAML []byte
	targets   []map[string]verdicts.Reported // targets[i]: published means of cell i, by classifier
	published published.Table
	losses    *Losses
	run       func(*run.Plan) error
	proposed  map[string]bool // parameter values that were already proposed
}

// New prepares a search for parameter values that reproduce a study's published table. losses
// contains existing results. The function run must execute missing fits and add their results to
// losses.
func New(s *study.Study, losses *Losses, run func(*run.Plan) error) (*Search, error) {
	o, err := readSection(s)
	if err != nil {
		return nil, err
	}
	c := &Search{Result: Result{Study: s, Options: o}, losses: losses, run: run, proposed: map[string]bool{}}
	if c.studyYAML, err = s.YAML(); err != nil {
		return nil, err
	}
	for _, p := range o.Free {
		c.Parameters = append(c.Parameters, p.label())
	}
	if c.published, err = onlyTable(s); err != nil {
		return nil, err
	}
	c.findTargets()
	c.Searched, c.HeldOut = divideCells(s, o.Blocks)
	isUnpublished := func(i int) bool { return len(c.targets[i]) == 0 }
	c.HeldOut = slices.DeleteFunc(c.HeldOut, isUnpublished) // checkTargets rejects such searched cells
	return c, c.checkTargets()
}

// onlyTable returns the only published table of a study. The table must contain error rates.
func onlyTable(s *study.Study) (published.Table, error) {
	tables, err := published.Tables(s)
	if err != nil {
		return published.Table{}, err
	}
	section := s.Section("published")
	switch {
	case len(tables) != 1:
		section.Fail("`copse calibrate` needs exactly one published table, but the study has %d; list one table whose "+
			"numbers have standard deviations", len(tables))
	case tables[0].Metric() != metrics.ErrorRate: // stored numbers of errors do not give balanced error rates
		section.Item(0).Key("file").Fail("%s contains balanced error rates, but `copse calibrate` compares only error "+
			"rates; use a table with the column `mean_error` or `mean_accuracy`", tables[0].File)
	default:
		return tables[0], nil
	}
	return published.Table{}, section.Err()
}

// findTargets sets c.targets, the published means of each cell.
func (c *Search) findTargets() {
	for _, cell := range c.Study.Cells {
		means := map[string]verdicts.Reported{}
		for _, e := range cell.Classifiers {
			if mean, ok := c.published.Mean(cell.Levels, e.ID); ok {
				means[e.ID] = mean
			}
		}
		c.targets = append(c.targets, means)
	}
}

// checkTargets returns an error if a searched cell has no published mean, or if a published standard
// deviation or the means of a stage are missing.
func (c *Search) checkTargets() error {
	for _, i := range c.Searched {
		if len(c.targets[i]) == 0 {
			return fmt.Errorf("%s: calibrate.blocks: the published table has no mean for the selected cell %s",
				c.Study.File, c.Study.Describe(c.Study.Cells[i]))
		}
	}
	return cmp.Or(c.checkDeviations(), c.checkStageMeans())
}

// checkDeviations returns an error if the standard deviation of a published mean is not above 0.
func (c *Search) checkDeviations() error {
	for i, means := range c.targets {
		for _, id := range slices.Sorted(maps.Keys(means)) {
			if !(means[id].SD > 0) {
				return fmt.Errorf("%s: calibrate: %s: the mean of %s in the cell %s needs a standard deviation above "+
					"0; add the standard deviation to the table, or remove the row", c.Study.File,
					c.published.File, id, c.Study.Describe(c.Study.Cells[i]))
			}
		}
	}
	return nil
}

// checkStageMeans returns an error if the searched cells have no published mean for a stage.
func (c *Search) checkStageMeans() error {
	for k, stage := range c.Options.Stages {
		hasNumber := func(i int) bool {
			return len(c.comparedClassifiers(i, c.Study.Cells[i].Classifiers, stage.Classifiers)) > 0
		}
		if !slices.ContainsFunc(c.Searched, hasNumber) {
			return fmt.Errorf(
				"%s: calibrate.stages[%d].classifiers: %s has no mean of %s for any of the searched cells",
				c.Study.File, k, c.published.File, strings.Join(stage.Classifiers, ", "))
		}
	}
	return nil
}

// rounds runs all rounds of the search. It returns the unchanged study as reading 0, followed by
// the best readings, nearest to the published numbers first.
func (c *Search) rounds() ([]*Reading, error) {
	unchanged := &Reading{
		Parent: -1,
		Values: make([]string, len(c.Options.Free)),
		cells:  c.withSharedStreams(c.Study.Cells),
	}
	c.Readings = []*Reading{unchanged}
	var best []*Reading // best readings of all rounds so far
	for round := 1; round <= c.Options.Rounds; round++ {
		list, err := c.propose(round, best)
		if err != nil {
			return nil, err
		}
		if round == 1 {
			list = append([]*Reading{unchanged}, list...)
		}
		if list, err = c.runStages(list); err != nil {
			return nil, err
		}
		best = keepNearest(append(best, list...), c.Options.Finalists)
		if len(best) == 0 {
			return nil, fmt.Errorf("round %d: every reading (choice of parameter values) failed; the last failure: %s",
				round, c.Readings[len(c.Readings)-1].Failed)
		}
	}
	// The unchanged study is always a finalist. Round 1 may have dropped it at an early stage, so
	// run its missing fits of the last stage.
	last := len(c.Options.Stages)
	if err := c.runStage([]*Reading{unchanged}, last, c.Options.Stages[last-1]); err != nil {
		return nil, err
	}
	best = slices.DeleteFunc(best, func(r *Reading) bool { return r == unchanged })
	return append([]*Reading{unchanged}, best...), nil
}

// runStages runs the stages of one round. It returns the readings that remain after the last stage.
func (c *Search) runStages(list []*Reading) ([]*Reading, error) {
	for i, stage := range c.Options.Stages {
		if err := c.runStage(list, i+1, stage); err != nil {
			return nil, err
		}
		list = keepNearest(list, stage.Keep)
	}
	return list, nil
}

// keepNearest returns at most k readings that did not fail, best first. To save memory, it deletes
// the cells of all other readings except reading 0, the unchanged study, which runs again at the end
// of the search.
func keepNearest(list []*Reading, k int) []*Reading {
	kept := slices.DeleteFunc(slices.Clone(list), func(r *Reading) bool { return r.Failed != "" })
	slices.SortStableFunc(kept, func(a, b *Reading) int {
		// Only the best readings of a stage reach the next one, so a later stage comes first.
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

// maxTries limits the random draws per proposed reading. A draw is rejected if it is not new, or if
// the generator rejects it.
const maxTries = 50

// propose returns new readings for a round: random ones, and others that differ slightly from the best. The
// list may be shorter than c.Options.Readings, because it contains no repeated or rejected readings. If the
// generator rejects all, propose returns an error.
func (c *Search) propose(round int, best []*Reading) ([]*Reading, error) {
	rng := stream.New(c.Study.Seed, "", round, "calibrate")
	var list []*Reading
	rejected := 0
	var refusal error // the generator's error for the last rejected reading
	for attempt := 0; len(list) < c.Options.Readings && attempt < maxTries*c.Options.Readings; attempt++ {
		r := c.drawReading(best, rng)
		r.Round = round
		key := strings.Join(r.Values, "\x00")
		if c.proposed[key] {
			continue // an earlier reading has the same values
		}
		c.proposed[key] = true
		if err := c.setCells(r); err != nil {
			rejected++
			refusal = err
			continue
		}
		c.Readings = append(c.Readings, r)
		list = append(list, r)
	}
	c.Impossible += rejected
	if len(list) == 0 && refusal != nil {
		return nil, fmt.Errorf("round %d: the generator rejects all %d proposed parameter values; the last error: %w",
			round, rejected, refusal)
	}
	return list, nil
}

// drawReading returns a random reading. With probability Options.Local, it is a small change of one
// of the readings in best, unless best is empty.
func (c *Search) drawReading(best []*Reading, rng *rand.Rand) *Reading {
	r := &Reading{Number: len(c.Readings), Parent: -1}
	if len(best) > 0 && rng.Float64() < c.Options.Local {
		parent := best[rng.Intn(len(best))]
		r.Parent = parent.Number
		r.Values = near(c.Options.Free, parent.Values, rng)
	} else {
		for _, p := range c.Options.Free {
			r.Values = append(r.Values, p.draw(rng))
		}
	}
	return r
}
