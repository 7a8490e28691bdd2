// Package tuning chooses a setting of a classifier by cross-validation on a training set.
package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/crossval"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// A Search defines how candidates are compared.
type Search struct {
	Metric *metrics.Metric
	Folds  int // number of folds, stratified by class; leave-one-out if there are fewer rows
	// Halving selects successive halving (Jamieson and Talwalkar 2016, Algorithm 1). Each round
	// keeps the better half of the candidates. Later rounds use more rows (see roundSizes). Without
	// halving, a single round uses all rows.
	Halving bool
}

// A Fit fits candidate k to a training set and predicts a test set.
type Fit func(ctx context.Context, k int, train, test *dataset.Set) (metrics.Predictions, error)

// A Result is the outcome of a search, with a score and an error for each candidate.
type Result struct {
	Best   int       // candidate with the best score; the first one if several tie
	Scores []float64 // mean metric over the folds of the candidate's last round; NaN if a fit failed
	Failed []error   // error of the candidate's failed fit; nil if all fits succeeded
}

// Choose compares the candidates 0..candidates-1 by cross-validation on train. In each round, all
// candidates share the same folds and training sets. Choose returns an error if all candidates
// fail.
func (s Search) Choose(
	ctx context.Context, candidates int, train *dataset.Set, rng *rand.Rand, fit Fit,
) (*Result, error) {
	metric, err := s.Metric.InClasses(train.Classes)
	if err != nil {
		return nil, err
	}
	result := &Result{Scores: make([]float64, candidates), Failed: make([]error, candidates)}
	c := comparison{metric: metric, fit: fit, Result: result}
	left := stats.Indices(candidates) // candidates still in the search; after a round, best first
	sizes := s.roundSizes(candidates, train)
	for round, size := range sizes {
		rows, err := roundRows(train, size, rng)
		if err != nil {
			return nil, err
		}
		fold, folds, err := crossval.Folds(rows, s.Folds, crossval.ClassesByFirstRow, rng)
		if err != nil {
			return nil, err
		}
		if err := c.crossValidate(ctx, left, rows, fold, folds); err != nil { // sets scores and failures
			return nil, err
		}
		left = c.ranked(left)
		if len(left) == 0 {
			return nil, fmt.Errorf("all %d candidates failed; error of the first one: %w", candidates, c.Failed[0])
		}
		if round < len(sizes)-1 {
			left = left[:(len(left)+1)/2] // the better half
		}
	}
	result.Best = left[0]
	return result, nil
}

// roundSizes returns the number of rows of each round. Without halving, a single round uses all
// rows.
//
// With halving, the last round uses all rows, and each earlier round uses half as many rows as the
// next. If half are too few for small classes, the round uses more.
func (s Search) roundSizes(candidates int, train *dataset.Set) []int {
	n := train.N()
	if !s.Halving {
		return []int{n}
	}
	rounds := max(1, bits.Len(uint(candidates-1))) // log2(candidates), rounded up, but at least 1
	present := slices.DeleteFunc(train.Counts(), func(rows int) bool { return rows == 0 })
	smallest := slices.Min(present) // number of rows of the smallest class
	// A round needs at least 2*Folds rows of the smallest class. A stratified sample with this
	// number has minRows rows in total. If the training set has fewer rows of this class, minRows
	// exceeds n, and all rounds use all n rows.
	minRows := (2*s.Folds*n + smallest - 1) / smallest // 2*Folds*n/smallest, rounded up
	sizes := make([]int, rounds)
	for i := range sizes {
		halvings := rounds - 1 - i
		sizes[i] = min(n, max(minRows, n>>halvings))
	}
	return sizes
}

// roundRows returns a random subset of the training set with size rows, stratified by class. If
// size is the number of all rows, it returns train.
func roundRows(train *dataset.Set, size int, rng *rand.Rand) (*dataset.Set, error) {
	if size == train.N() {
		return train, nil
	}
	rows, err := dataset.Subsample(crossval.Strata(train.Y, crossval.ClassesByFirstRow), size, rng)
	if err != nil {
		return nil, err
	}
	return train.Subset(rows), nil
}

// A comparison cross-validates candidates and collects their scores and errors in Result.
type comparison struct {
	metric *metrics.Metric
	fit    Fit
	*Result
}

// crossValidate sets c.Scores[k] to the mean of the metric over the folds for each candidate k. If
// a candidate fails, its score is NaN and c.Failed[k] is the error. fold[i] is the fold of row i.
func (c *comparison) crossValidate(
	ctx context.Context, candidates []int, rows *dataset.Set, fold []int, folds int,
) error {
	for _, k := range candidates {
		c.Scores[k] = 0
	}
	for f := range folds {
		trainRows, testRows := dataset.SplitFold(fold, f)
		train, test := rows.Subset(trainRows), rows.Subset(testRows)
		for _, k := range candidates {
			if c.Failed[k] != nil {
				continue // the candidate failed in an earlier fold or round
			}
			score, err := c.score(ctx, k, train, test)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				c.Failed[k] = fmt.Errorf("fold %d of %d: %w", f+1, folds, err)
			}
			c.Scores[k] += score // NaN if err is not nil
		}
	}
	for _, k := range candidates {
		c.Scores[k] /= float64(folds)
	}
	return nil
}

// score fits candidate k to train and returns its metric on test. If the fit fails or the metric
// has no value, it returns NaN and an error.
func (c *comparison) score(ctx context.Context, k int, train, test *dataset.Set) (float64, error) {
	p, err := c.fit(ctx, k, train, test)
	if err != nil {
		return math.NaN(), err
	}
	value := c.metric.Value(&p, test.C())
	if math.IsNaN(value) {
		return math.NaN(), fmt.Errorf("the metric %s has no value: %s", c.metric.Name, c.metric.WhyUndefined(&p))
	}
	return value, nil
}

// lossResolution is the unit to which losses are rounded, so that rounding errors do not break
// ties.
const lossResolution = 1e-12

// ranked returns the candidates that have not failed, the best first. Tied candidates keep their
// order. ranked overwrites its argument.
func (c *comparison) ranked(candidates []int) []int {
	succeeded := slices.DeleteFunc(candidates, func(k int) bool { return c.Failed[k] != nil })
	rounded := func(k int) float64 { return math.Round(c.metric.Loss(c.Scores[k]) / lossResolution) }
	slices.SortStableFunc(succeeded, func(a, b int) int { return cmp.Compare(rounded(a), rounded(b)) })
	return succeeded
}
