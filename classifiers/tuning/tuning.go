// Package tuning chooses among candidate settings of a classifier by cross-validation of
// a training set.
package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// A Search states how candidates are compared.
type Search struct {
	Metric *metrics.Metric
	Folds  int // stratified by class; each row is a fold where there are fewer rows
	// Halving compares all candidates on few rows, keeps the better half, doubles the rows
	// and so on (Jamieson and Talwalkar 2016, Algorithm 1); the last round has all rows.
	// false: one round on all rows.
	Halving bool
}

// A Fit fits candidate k to a training set and returns its predictions for a test set.
type Fit func(ctx context.Context, k int, train, test *dataset.Set) (metrics.Predictions, error)

// A Result is the outcome of a search.
type Result struct {
	Best   int       // the candidate with the best score, the first of equal ones
	Scores []float64 // by candidate: the mean over the folds of its last round; NaN where Failed
	Failed []error   // by candidate: why it has no score; nil: it has one
}

// Choose runs the search over candidates 0..candidates-1 and fails if none of them has a
// score. All candidates see the same folds, so that the training set of a fold and what
// is derived from it are made once. rng deals the folds and draws the rows of halving.
func (s Search) Choose(
	ctx context.Context, candidates int, train *dataset.Set, rng *rand.Rand, fit Fit,
) (*Result, error) {
	metric, err := s.Metric.InClasses(train.Classes)
	if err != nil {
		return nil, err
	}
	c := comparison{metric, fit, &Result{Scores: make([]float64, candidates), Failed: make([]error, candidates)}}
	left := columns.Head(candidates)
	sizes := s.roundSizes(candidates, train)
	for round, size := range sizes {
		rows, err := roundRows(train, size, rng)
		if err != nil {
			return nil, err
		}
		fold, folds, err := modelsel.Deal(rows.Y, rows.C(), s.Folds, false, rng)
		if err != nil {
			return nil, err
		}
		if err := c.crossValidate(ctx, left, rows, fold, folds); err != nil {
			return nil, err
		}
		if left = c.ranked(left); len(left) == 0 {
			return nil, fmt.Errorf("all %d candidates failed; the first: %w", candidates, c.Failed[0])
		}
		if round < len(sizes)-1 {
			left = left[:(len(left)+1)/2]
		}
	}
	c.Best = left[0]
	return c.Result, nil
}

// roundSizes returns the rows of each round, the last of which has all. Halving begins
// with as many rows as let each fold test two of each class.
func (s Search) roundSizes(candidates int, train *dataset.Set) []int {
	n := train.N()
	if !s.Halving {
		return []int{n}
	}
	rounds := max(1, bits.Len(uint(candidates-1)))
	least := 2 * s.Folds * train.C()
	sizes := make([]int, rounds)
	for i := range sizes {
		sizes[i] = min(n, max(least, n>>(rounds-1-i)))
	}
	return sizes
}

// roundRows draws the rows of a round, stratified by class.
func roundRows(train *dataset.Set, size int, rng *rand.Rand) (*dataset.Set, error) {
	if size == train.N() {
		return train, nil
	}
	rows, err := dataset.Subsample(modelsel.Strata(train.Y, false), train.C(), size, rng)
	if err != nil {
		return nil, err
	}
	return train.Subset(rows), nil
}

// A comparison adds up the scores of candidates.
type comparison struct {
	metric *metrics.Metric
	fit    Fit
	*Result
}

// crossValidate sets the scores of the given candidates to their means over the folds of
// rows. It fails only when ctx is done.
func (c *comparison) crossValidate(
	ctx context.Context, candidates []int, rows *dataset.Set, fold []int, folds int,
) error {
	for _, k := range candidates {
		c.Scores[k] = 0
	}
	for f := range folds {
		in, out := dataset.SplitFold(fold, f)
		train, test := rows.Subset(in), rows.Subset(out)
		for _, k := range candidates {
			if c.Failed[k] != nil {
				continue
			}
			score, err := c.score(ctx, k, train, test)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				c.Scores[k], c.Failed[k] = math.NaN(), fmt.Errorf("fold %d of %d: %w", f+1, folds, err)
				continue
			}
			c.Scores[k] += score
		}
	}
	for _, k := range candidates {
		c.Scores[k] /= float64(folds)
	}
	return nil
}

// score returns the metric of one candidate in one fold.
func (c *comparison) score(ctx context.Context, k int, train, test *dataset.Set) (float64, error) {
	p, err := c.fit(ctx, k, train, test)
	if err != nil {
		return 0, err
	}
	value := c.metric.Of(&p, test.C())
	if math.IsNaN(value) {
		return 0, fmt.Errorf("%s has no value: it needs the %s of rows of every class", c.metric.Name, c.metric.Needs)
	}
	return value, nil
}

// equal is the resolution of losses: the order in which folds are added breaks no tie.
const equal = 1e-12

// ranked returns those of the candidates that have a score, the best first, equal ones in
// their order.
func (c *comparison) ranked(candidates []int) []int {
	list := slices.DeleteFunc(candidates, func(k int) bool { return c.Failed[k] != nil })
	loss := func(k int) float64 { return math.Round(c.metric.Loss(c.Scores[k]) / equal) }
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(loss(a), loss(b)) })
	return list
}
