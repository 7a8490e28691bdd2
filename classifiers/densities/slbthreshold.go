package densities

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

// sparseShare is how small a share of the densities, one of so many, those sizes keep
// that are tried in all folds before the others then: a few percent of the time. With
// many variables few pairs may leave no error, and then no size is left that could win.
const sparseShare = 20

// A sizeSearch chooses, by cross-validation, how many of the densities to keep.
type sizeSearch struct {
	*SLB
	densities *logdensity.Map
	y, fold   []int // of the rows
	folds     int
	sizes     []int // candidates, ascending

	errors   []int           // held-out rows that each size misclassifies, so far
	done     int             // sizes, the first ones, that are through all folds
	machines []*svm.Solution // [fold], of the last of these sizes
	solver   svm.LinearSolver
	memory   []float64  // room for the largest size's log densities of the rows, or nil
	t        *mat.Dense // the log densities of all rows, all rows in them, or nil
}

func (s *SLB) newSizeSearch(densities *logdensity.Map, y, fold []int, folds int, sizes []int) *sizeSearch {
	return &sizeSearch{
		SLB: s, densities: densities, y: y, fold: fold, folds: folds, sizes: sizes,
		errors: make([]int, len(sizes)), machines: make([]*svm.Solution, folds),
	}
}

// selectSize chooses, by cross-validation, how many of the densities to keep: one
// of sizes, which ascend. It also returns the log densities of all training rows
// at the training rows, or nil where these would be too many, and memory that holds
// those of the chosen size, or nil where that is not needed.
func (s *SLB) selectSize(
	ctx context.Context,
	train *dataset.Set,
	densities *logdensity.Map,
	sizes []int,
	rng *rand.Rand,
) (size int, t *mat.Dense, memory []float64, err error) {
	if len(sizes) == 1 {
		return sizes[0], nil, nil, nil
	}
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, s.Before(4), rng)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	search := s.newSizeSearch(densities, train.Y, fold, folds, sizes)
	if err := search.run(ctx); err != nil {
		return 0, nil, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	return search.best(), search.t, search.memory, nil
}

// best returns the size with the fewest errors, of equals the smaller.
func (s *sizeSearch) best() int {
	return s.sizes[slices.Index(s.errors, slices.Min(s.errors))]
}

// run tries the sizes until none is left that could win.
func (s *sizeSearch) run(ctx context.Context) error {
	n, p := len(s.y), len(s.densities.Entries)
	held := (s.folds+1)*n*p <= crossNumbers
	if s.Select == refit && !held {
		sparse, _ := slices.BinarySearch(s.sizes, p/sparseShare+1)
		if err := s.rotate(ctx, sparse); err != nil || s.decided(0, sparse) {
			return err
		}
	}
	switch {
	case wide(n, p, s.folds*len(s.sizes)):
		return s.tryTiles(ctx)
	case s.Select == refit && !held:
		return s.rotate(ctx, len(s.sizes))
	}
	return s.atOnce(ctx)
}

// atOnce tries all sizes where the log densities of all folds are held together.
func (s *sizeSearch) atOnce(ctx context.Context) (err error) {
	var without []*mat.Dense
	if s.Select == inSample {
		s.t, err = s.densities.TrainingFeatures(ctx)
		without = slices.Repeat([]*mat.Dense{s.t}, s.folds)
	} else {
		s.t, without, err = s.densities.CrossFeatures(ctx, s.fold, s.folds)
	}
	if err != nil {
		return err
	}
	return s.try(
		ctx,
		len(s.sizes),
		func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) { return without[f], rows, nil },
	)
}

// rotate tries the sizes up to the given number of them where each fold's log
// densities are held alone.
func (s *sizeSearch) rotate(ctx context.Context, to int) error {
	if to == s.done {
		return nil
	}
	densities := s.densities
	if to < len(s.sizes) {
		densities = densities.Select(columns.Head(s.sizes[to-1]))
	}
	rotation := densities.Rotate(s.fold, s.folds, keptSums)
	return s.try(ctx, to, func(memory []float64, f int, rows []int) (*mat.Dense, []int, error) {
		t, err := rotation.FeaturesIn(ctx, memory, f, rows)
		return t, columns.Head(len(rows)), err
	})
}

// try counts the errors of the sizes that are not done, up to the given number of
// sizes, in all folds; fewer for sizes that cannot win any more. Within a fold the log
// densities are standardised once, and the solution for fewer of them is the start for
// more.
func (s *sizeSearch) try(ctx context.Context, to int, features foldFeatures) error {
	s.memory = make([]float64, len(s.y)*s.sizes[to-1])
	for f := range s.folds {
		if s.decided(f, s.done) {
			break
		}
		outside, inside := dataset.SplitFold(s.fold, f)
		t, at, err := features(s.memory, f, outside)
		if err != nil {
			return err
		}
		scale := columns.StandardScaling(t, at)
		z := scale.ApplyIn(s.memory, t, at)
		rest := s.memory[len(z.RawMatrix().Data):]
		if t, at, err = features(rest, f, inside); err != nil {
			return err
		}
		held := scale.ApplyIn(rest, t, at)
		signsOutside, signsInside := signs(s.y, outside), signs(s.y, inside)
		if s.t == nil { // many columns
			s.solver.NextRows()
		}
		for i := s.done; i < to && !s.decided(f, i); i++ {
			kept := z.Slice(0, len(outside), 0, s.sizes[i]).(*mat.Dense)
			machine, err := s.solver.Solve(ctx, kept, signsOutside, s.C, s.Tolerance, s.machines[f])
			if err != nil {
				return fmt.Errorf("fold %d: %w", f+1, err)
			}
			s.machines[f] = machine
			for r, sign := range signsInside {
				positive := floats.Dot(held.RawRowView(r)[:s.sizes[i]], machine.W)+machine.Bias > 0
				if positive != (sign > 0) {
					s.errors[i]++
				}
			}
		}
	}
	s.done = to
	return nil
}

// decided tells whether none of the sizes from i on can win, as fold f is at size i:
// their errors, which only grow, are no fewer than the least of the sizes before that
// are complete.
func (s *sizeSearch) decided(f, i int) bool {
	complete := s.done
	if f == s.folds-1 {
		complete = i
	}
	return complete > 0 && slices.Min(s.errors[i:]) >= slices.Min(s.errors[:complete])
}
