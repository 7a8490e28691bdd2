package classifiers

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
)

// A foldFeatures returns the log densities of fold f's machine, and which rows of
// them are outside the fold, then inside: all of them in memory, which is large
// enough, or elsewhere.
type foldFeatures func(memory []float64, f int, outside, inside []int) (t *mat.Dense, rows []int, err error)

// crossNumbers bounds the log densities of all folds that are held at a time,
// about 256 MB. Where there are more, each fold's are estimated when it is its turn.
const crossNumbers = 1 << 25

// selectSize chooses, by cross-validation, how many of the densities to keep: one
// of sizes, which ascend. It also returns the log densities of all training rows
// at the training rows, or nil where these would be too many.
func (s *SLB) selectSize(ctx context.Context, train *dataset.Set, densities *logdensity.Map, sizes []int, rng *rand.Rand) (size int, t *mat.Dense, err error) {
	if len(sizes) == 1 {
		return sizes[0], nil, nil
	}
	fold, err := dataset.StratifiedFolds(train.Y, train.C(), s.Folds, rng)
	if err != nil {
		return 0, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	var errors []int
	if wide(train.N(), len(densities.Entries), s.Folds*len(sizes)) {
		errors, err = s.wideErrors(ctx, densities, train.Y, fold, sizes)
	} else {
		t, errors, err = s.narrowErrors(ctx, train, densities, fold, sizes)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	best := slices.Index(errors, slices.Min(errors)) // ties go to the sparser one
	return sizes[best], t, nil
}

// narrowErrors returns how many held-out rows each size misclassifies, from log
// densities that fit into memory, and those of all rows where all folds' do.
func (s *SLB) narrowErrors(ctx context.Context, train *dataset.Set, densities *logdensity.Map, fold, sizes []int) (t *mat.Dense, errors []int, err error) {
	var features foldFeatures
	switch {
	case s.Select == inSample:
		t, err = densities.TrainingFeatures(ctx)
		features = func(_ []float64, _ int, outside, inside []int) (*mat.Dense, []int, error) {
			return t, slices.Concat(outside, inside), nil
		}
	case (s.Folds+1)*train.N()*len(densities.Entries) <= crossNumbers:
		var without []*mat.Dense
		t, without, err = densities.CrossFeatures(ctx, fold, s.Folds)
		features = func(_ []float64, f int, outside, inside []int) (*mat.Dense, []int, error) {
			return without[f], slices.Concat(outside, inside), nil
		}
	default:
		features = func(memory []float64, f int, outside, inside []int) (*mat.Dense, []int, error) {
			part, err := densities.Without(fold, f)
			if err != nil {
				return nil, nil, err
			}
			rows := slices.Concat(outside, inside)
			x := columns.Unscaled(train.D()).Apply(train.X, rows)
			t, err := part.FeaturesIn(ctx, memory, x)
			return t, columns.Head(len(rows)), err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	errors, err = s.crossErrors(ctx, features, train.Y, fold, sizes)
	return t, errors, err
}

// crossErrors returns how many held-out rows each size misclassifies, over all
// folds. Within a fold the log densities are standardised once, and the solution
// for fewer of them is the start for more.
func (s *SLB) crossErrors(ctx context.Context, features foldFeatures, y, fold, sizes []int) ([]int, error) {
	errors := make([]int, len(sizes))
	var solver svm.LinearSolver
	memory := make([]float64, len(y)*slices.Max(sizes)) // of all folds
	for f := range s.Folds {
		outside, inside := dataset.SplitFold(fold, f)
		t, rows, err := features(memory, f, outside, inside)
		if err != nil {
			return nil, err
		}
		n := len(outside)
		z := columns.StandardScaling(t, rows[:n]).ApplyIn(memory, t, rows)
		signsOutside, signsInside := signs(y, outside), signs(y, inside)
		var machine *svm.Solution
		for i, size := range sizes {
			kept := z.Slice(0, n, 0, size).(*mat.Dense)
			if machine, err = solver.Solve(ctx, kept, signsOutside, s.C, s.Tolerance, machine); err != nil {
				return nil, fmt.Errorf("fold %d: %w", f+1, err)
			}
			for r, sign := range signsInside {
				positive := floats.Dot(z.RawRowView(n + r)[:size], machine.W)+machine.Bias > 0
				if positive != (sign > 0) {
					errors[i]++
				}
			}
		}
	}
	return errors, nil
}
