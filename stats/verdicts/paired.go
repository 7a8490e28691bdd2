package verdicts

import (
	"fmt"
	"sync"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/records"
)

// A Paired is a test of the paired losses of two classifiers in a cell.
type Paired struct {
	Test   stats.Test
	Design stats.Design
	Share  float64 // test rows per training row for Resampled; otherwise 0
	// Random returns the random source with the given name. Random may be nil if no test draws random numbers.
	Random     func(name string) *rand.Rand
	Posteriors *Posteriors // cache of Bayesian tests; nil: no cache
	Flips      int         // number of random sign vectors of a joint test; 0: the default of stats.FlipAllPairs
}

// Posteriors caches the results of Bayesian tests. Each test takes tens of milliseconds, and a
// report needs its result several times. Posteriors is safe for concurrent use.
type Posteriors struct{ known sync.Map }

// cached returns the cached result if there is one. Otherwise it calls test and, unless p is nil, stores
// the result.
func (p *Posteriors) cached(key string, test func() stats.BayesResult) *stats.BayesResult {
	if p == nil {
		return new(test())
	}
	if known, ok := p.known.Load(key); ok {
		return known.(*stats.BayesResult)
	}
	result := new(test())
	p.known.Store(key, result)
	return result
}

// differences returns the input of a paired test: the differences between the losses of two
// classifiers, and a source of random numbers.
//
// Each comparison has its own source, so its random numbers do not depend on other comparisons.
func (p *Paired) differences(cell string, pairs *records.Pairs) stats.Differences {
	d := stats.Differences{D: pairs.Differences(), Share: p.Share}
	if p.Random != nil {
		d.Rng = p.Random(p.source(cell, pairs))
	}
	return d
}

// source names the random source of a comparison: TEST/CELL/FIRST/SECOND.
func (p *Paired) source(cell string, pairs *records.Pairs) string {
	return fmt.Sprintf("%s/%s/%s/%s", p.Test.Name, cell, pairs.A, pairs.B)
}

// pValue returns the unadjusted p-value of the pairs, or 1 if there are none.
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

// Shift returns the estimated loss of the first classifier minus the loss of the second, with its
// confidence interval. If the two-sided test rejects equality at level 1 - level, differs is true.
// The interval does not contradict the test (see stats.Shift.Reconciled).
//
// If there are too few pairs for the level, Level is 0, both ends equal the estimate, and differs is
// false.
func (p *Paired) Shift(cell string, pairs *records.Pairs, level float64) (s stats.Shift, differs bool, err error) {
	if len(pairs.X) == 0 {
		return stats.Shift{}, false, nil
	}
	const rounding = 1e-9
	s = p.Test.Shift(p.differences(cell, pairs), level).OffGrid() // differences are in steps of size 1/Grid
	tooFewPairs := s.Level < level-rounding                       // s.Level is the attained confidence
	if tooFewPairs {
		s.Low, s.High, s.Level = s.Estimate, s.Estimate, 0
		return s, false, nil
	}
	value, err := p.pValue(cell, pairs, stats.TwoSided)
	differs = value <= 1-level+rounding
	return s.Reconciled(differs), differs, err
}

// equivalence returns the unadjusted p-value of the two one-sided tests at the margin, or 1 if there are
// no pairs.
func (p *Paired) equivalence(cell string, pairs *records.Pairs, margin float64) (float64, error) {
	if len(pairs.X) == 0 {
		return 1, nil
	}
	s := p.differences(cell, pairs)
	return stats.Equivalence(s.D, stats.RoundedSteps(margin), func(d []float64, a stats.Alternative) (float64, error) {
		s.D = d
		return p.Test.PValue(s, a)
	})
}

// posterior returns the result of the Bayesian signed-rank test for the pairs of a cell, or nil if there are no
// pairs. Losses that differ by at most rope count as equivalent.
//
// p.Posteriors caches the results. A result depends on the differences and on random numbers, so
// the key contains the name of the random source.
func (p *Paired) posterior(cell string, pairs *records.Pairs, rope float64) (*stats.BayesResult, error) {
	if p.Design != stats.Independent {
		return nil, fmt.Errorf("%w: the Bayesian signed-rank test (`rope`) assumes independent differences, but folds "+
			"or splits of one data set share rows; use `margin`, or set `rows: []` in every table, so that its single "+
			"row pools several data sets",
			stats.ErrAssumption)
	}
	if len(pairs.X) == 0 {
		return nil, nil
	}
	s := p.differences(cell, pairs)
	key := fmt.Sprint(p.source(cell, pairs), rope, s.D)
	return p.Posteriors.cached(key, func() stats.BayesResult {
		ropeInSteps := stats.RoundedSteps(rope) // the unit of s.D
		return stats.BayesSignedRank(s.D, ropeInSteps, stats.BayesDraws, s.Rng)
	}), nil
}
