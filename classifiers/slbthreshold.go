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
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
)

// A foldFeatures returns the log densities of fold f's machine at the given training
// rows and, among the rows of t, where they are: all of them in memory, which is large
// enough, or elsewhere.
type foldFeatures func(memory []float64, f int, rows []int) (t *mat.Dense, at []int, err error)

// crossNumbers bounds the log densities of all folds that are held at a time,
// about 256 MB. Where there are more, each fold's are estimated when it is its turn.
const crossNumbers = 1 << 25

// keptSums bounds the kernel sums that are kept from one fold to the next then, about
// 130 MB.
const keptSums = 1 << 24

// selectSize chooses, by cross-validation, how many of the densities to keep: one
// of sizes, which ascend. It also returns the log densities of all training rows
// at the training rows, or nil where these would be too many, and memory that holds as
// many, or nil where that is not needed.
func (s *SLB) selectSize(ctx context.Context, train *dataset.Set, densities *logdensity.Map, sizes []int, rng *rand.Rand) (size int, t *mat.Dense, memory []float64, err error) {
	if len(sizes) == 1 {
		return sizes[0], nil, nil, nil
	}
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, rng)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	dealt := *s
	dealt.Folds = folds
	var errors []int
	if n, p := train.N(), len(densities.Entries); wide(n, p, folds*len(sizes)) {
		errors, err = dealt.wideErrors(ctx, densities, train.Y, fold, sizes)
	} else {
		memory = make([]float64, n*p)
		t, errors, err = dealt.narrowErrors(ctx, train, densities, memory, fold, sizes)
	}
	if err != nil {
		return 0, nil, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	best := slices.Index(errors, slices.Min(errors)) // ties go to the sparser one
	return sizes[best], t, memory, nil
}

// narrowErrors returns how many held-out rows each size misclassifies, from log
// densities that fit into the memory, and those of all rows where all folds' fit, too.
func (s *SLB) narrowErrors(ctx context.Context, train *dataset.Set, densities *logdensity.Map, memory []float64, fold, sizes []int) (t *mat.Dense, errors []int, err error) {
	var features foldFeatures
	switch {
	case s.Select == inSample:
		t, err = densities.TrainingFeatures(ctx)
		features = func(_ []float64, _ int, rows []int) (*mat.Dense, []int, error) { return t, rows, nil }
	case (s.Folds+1)*train.N()*len(densities.Entries) <= crossNumbers:
		var without []*mat.Dense
		t, without, err = densities.CrossFeatures(ctx, fold, s.Folds)
		features = func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) { return without[f], rows, nil }
	default:
		rotation := densities.Rotate(fold, s.Folds, keptSums)
		features = func(memory []float64, f int, rows []int) (*mat.Dense, []int, error) {
			t, err := rotation.FeaturesIn(ctx, memory, f, rows)
			return t, columns.Head(len(rows)), err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	errors, err = s.crossErrors(ctx, features, memory, train.Y, fold, sizes)
	return t, errors, err
}

// crossErrors returns how many held-out rows each size misclassifies, over all
// folds; fewer for the sizes whose machine of the last fold makes no difference.
// Within a fold the log densities are standardised once, and the solution for fewer
// of them is the start for more.
func (s *SLB) crossErrors(ctx context.Context, features foldFeatures, memory []float64, y, fold, sizes []int) ([]int, error) {
	errors := make([]int, len(sizes))
	var solver svm.LinearSolver
	for f := range s.Folds {
		outside, inside := dataset.SplitFold(fold, f)
		t, at, err := features(memory, f, outside)
		if err != nil {
			return nil, err
		}
		scale := columns.StandardScaling(t, at)
		z := scale.ApplyIn(memory, t, at)
		rest := memory[len(z.RawMatrix().Data):]
		if t, at, err = features(rest, f, inside); err != nil {
			return nil, err
		}
		held := scale.ApplyIn(rest, t, at)
		signsOutside, signsInside := signs(y, outside), signs(y, inside)
		var machine *svm.Solution
		for i, size := range sizes {
			if s.decided(errors, f, i) {
				break
			}
			kept := z.Slice(0, len(outside), 0, size).(*mat.Dense)
			if machine, err = solver.Solve(ctx, kept, signsOutside, s.C, s.Tolerance, machine); err != nil {
				return nil, fmt.Errorf("fold %d: %w", f+1, err)
			}
			for r, sign := range signsInside {
				positive := floats.Dot(held.RawRowView(r)[:size], machine.W)+machine.Bias > 0
				if positive != (sign > 0) {
					errors[i]++
				}
			}
		}
	}
	return errors, nil
}

// decided tells whether the errors of the sizes from i on, which only grow, are no
// fewer in the last fold than the least of the sizes before, which are complete.
func (s *SLB) decided(errors []int, f, i int) bool {
	return f == s.Folds-1 && i > 0 && slices.Min(errors[i:]) >= slices.Min(errors[:i])
}
