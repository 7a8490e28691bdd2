package verdicts

import (
	"fmt"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/records"
)

// A Paired says how two classifiers' losses in a cell are tested.
type Paired struct {
	Test   stats.Test
	Design stats.Design
	Share  float64 // test rows per training row of a resampled difference
	// Random returns the source of the given name, for tests that draw; nil where
	// none does.
	Random func(name string) *rand.Rand
}

// differences are those of the pairs, with a source of their own: what is drawn
// for one comparison does not depend on the others.
func (p *Paired) differences(cell string, pairs *records.Pairs) stats.Differences {
	d := stats.Differences{D: pairs.Differences(), Share: p.Share}
	if p.Random != nil {
		d.Rng = p.Random(fmt.Sprintf("%s/%s/%s/%s", p.Test.Name, cell, pairs.A, pairs.B))
	}
	return d
}

// pValue tests the pairs; without any, nothing speaks against equality.
func (p *Paired) pValue(cell string, pairs *records.Pairs, a stats.Alternative) (float64, error) {
	if len(pairs.X) == 0 {
		return 1, nil
	}
	value, err := p.Test.PValue(p.differences(cell, pairs), a)
	if err != nil {
		return 0, fmt.Errorf("cell %s, %s against %s: %w", cell, pairs.A, pairs.B, err)
	}
	return value, nil
}

// Shift is the estimate that belongs to the test, in the unit of the losses: of the
// first classifier of the pairs minus the second.
func (p *Paired) Shift(cell string, pairs *records.Pairs, level float64) stats.Shift {
	if len(pairs.X) == 0 {
		return stats.Shift{}
	}
	s := p.Test.Shift(p.differences(cell, pairs), level)
	s.Estimate, s.Low, s.High = s.Estimate/stats.Grid, s.Low/stats.Grid, s.High/stats.Grid
	return s
}

// equivalence is the p-value of the two one-sided tests at the margin.
func (p *Paired) equivalence(cell string, pairs *records.Pairs, margin float64) (float64, error) {
	if len(pairs.X) == 0 {
		return 1, nil
	}
	s := p.differences(cell, pairs)
	return stats.Equivalence(s.D, stats.Steps(margin), func(d []float64, a stats.Alternative) (float64, error) {
		s.D = d
		return p.Test.PValue(s, a)
	})
}

// posterior is the Bayesian signed-rank test's, whose differences must be
// independent.
func (p *Paired) posterior(cell string, pairs *records.Pairs, rope float64) (*stats.BayesResult, error) {
	if p.Design != stats.Independent {
		return nil, fmt.Errorf("%w: the Bayesian signed-rank test (rope) assumes independent differences; those of cell %s are of folds or splits of one data set, which share rows: use margin, whose two one-sided tests are valid there; over several data sets, in rows that pool them (rows: []), rope is valid", stats.ErrAssumption, cell)
	}
	if len(pairs.X) == 0 {
		return nil, nil
	}
	s := p.differences(cell, pairs)
	if s.Rng == nil {
		return nil, fmt.Errorf("the Bayesian signed-rank test needs a random source")
	}
	result, err := stats.BayesSignedRank(s.D, stats.DefaultBayesOptions(stats.Steps(rope)), s.Rng)
	return &result, err
}
