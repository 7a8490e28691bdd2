package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
)

// selectSize chooses, by cross-validation, how many of the densities to keep:
// one of sizes, which ascend. It also returns the log densities of all training
// rows at the training rows.
func (s *SLB) selectSize(ctx context.Context, train *dataset.Set, densities *logdensity.Map, sizes []int, rng *rand.Rand) (size int, t *mat.Dense, err error) {
	if len(sizes) == 1 {
		t, err = densities.TrainingFeatures(ctx)
		return sizes[0], t, err
	}
	fold, err := dataset.StratifiedFolds(train.Y, train.C(), s.Folds, rng)
	if err != nil {
		return 0, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	features := make([]*mat.Dense, s.Folds) // those of fold f's machine and held-out rows
	if s.Select == refit {
		t, features, err = densities.CrossFeatures(ctx, fold, s.Folds)
	} else {
		t, err = densities.TrainingFeatures(ctx)
		for f := range features {
			features[f] = t
		}
	}
	if err != nil {
		return 0, nil, err
	}
	errors, err := s.crossErrors(ctx, features, train.Y, fold, sizes)
	if err != nil {
		return 0, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	best := 0
	for i, e := range errors {
		if e < errors[best] { // ties go to the sparser one
			best = i
		}
	}
	return sizes[best], t, nil
}

// crossErrors returns how many held-out rows each size misclassifies, over all
// folds. Within a fold the log densities are standardised once, and the solution
// for fewer of them is the start for more.
func (s *SLB) crossErrors(ctx context.Context, features []*mat.Dense, y, fold, sizes []int) ([]int, error) {
	errors := make([]int, len(sizes))
	var solver svm.LinearSolver
	var inMemory, outMemory []float64 // of all folds
	for f, t := range features {
		in, out := dataset.SplitFold(fold, f)
		scale := columns.StandardScaling(t, in)
		z, held := scale.ApplyIn(inMemory, t, in), scale.ApplyIn(outMemory, t, out)
		inMemory, outMemory = z.RawMatrix().Data, held.RawMatrix().Data
		signsIn, signsOut := signs(y, in), signs(y, out)
		var alpha []float64
		for i, size := range sizes {
			kept := z.Slice(0, len(in), 0, size).(*mat.Dense)
			w, solution, bias, err := solver.Solve(ctx, kept, signsIn, s.C, s.Tolerance, alpha)
			if err != nil {
				return nil, fmt.Errorf("fold %d: %w", f+1, err)
			}
			alpha = solution
			for r, sign := range signsOut {
				positive := floats.Dot(held.RawRowView(r)[:size], w)+bias > 0
				if positive != (sign > 0) {
					errors[i]++
				}
			}
		}
	}
	return errors, nil
}
