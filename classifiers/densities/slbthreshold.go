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

// search deals rows of classes y to folds and tries the sizes, unless there is one only.
func (s *SLB) search(
	ctx context.Context,
	densities *logdensity.Map,
	y, sizes []int,
	rng *rand.Rand,
) (*sizeSearch, error) {
	if len(sizes) == 1 {
		return s.newSizeSearch(densities, y, nil, 0, sizes), nil
	}
	fold, folds, err := modelsel.Deal(y, 2, s.Folds, s.Before(4), rng)
	if err != nil {
		return nil, err
	}
	search := s.newSizeSearch(densities, y, fold, folds, sizes)
	return search, search.run(ctx)
}

// chosen returns the densities of the best size and their logarithms at the training rows
// x, nil where they are too many or the search had no need of them.
func (s *sizeSearch) chosen(ctx context.Context, x *mat.Dense) (*logdensity.Map, *mat.Dense, error) {
	n, size := len(s.y), s.best()
	densities := s.densities.Select(columns.Head(size))
	switch {
	case s.t != nil:
		logs := mat.NewDense(n, size, s.memory[:n*size])
		logs.Copy(s.t)
		return densities, logs, nil
	case s.memory != nil && !wide(n, size, 1):
		logs, err := densities.FeaturesIn(ctx, s.memory, x)
		return densities, logs, err
	}
	return densities, nil, nil
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
	rotation := densities.Rotate(s.fold, s.folds)
	return s.try(ctx, to, func(memory []float64, f int, rows []int) (*mat.Dense, []int, error) {
		t, err := rotation.FeaturesIn(ctx, memory, f, rows)
		return t, columns.Head(len(rows)), err
	})
}

// try counts the errors of the sizes that are not done, up to the given number of
// sizes, in all folds. Within a fold the log densities are standardised once.
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
		if s.t == nil { // many columns
			s.solver.NextRows()
		}
		part := heldFold{s, f, z, scale.ApplyIn(rest, t, at), signs(s.y, outside)}
		if err := s.count(ctx, to, f, signs(s.y, inside), &part); err != nil {
			return err
		}
	}
	s.done = to
	return nil
}

// A foldMachine is the machine of one fold, whose solution for some densities is the start
// for more.
type foldMachine interface {
	train(ctx context.Context, size int) error // size is a place among the sizes
	decision(inside int) float64               // of a held-out row, above 0 for class 1
}

// count trains the machine of fold f for the sizes that are not done, up to the given number
// of sizes, while one of them could win, and counts the held-out rows, of classes -1 and 1,
// that it misclassifies.
func (s *sizeSearch) count(ctx context.Context, to, f int, inside []float64, machine foldMachine) error {
	for i := s.done; i < to && !s.decided(f, i); i++ {
		if err := machine.train(ctx, i); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		for r, sign := range inside {
			if positive := machine.decision(r) > 0; positive != (sign > 0) {
				s.errors[i]++
			}
		}
	}
	return nil
}

// A heldFold is a foldMachine whose standardised log densities are held.
type heldFold struct {
	*sizeSearch
	f               int
	outside, inside *mat.Dense
	y               []float64 // outside
}

func (h *heldFold) train(ctx context.Context, size int) (err error) {
	n, _ := h.outside.Dims()
	kept := h.outside.Slice(0, n, 0, h.sizes[size]).(*mat.Dense)
	h.machines[h.f], err = h.solver.Solve(ctx, kept, h.y, h.C, h.Tolerance, h.machines[h.f])
	return err
}

func (h *heldFold) decision(inside int) float64 {
	machine := h.machines[h.f]
	return floats.Dot(h.inside.RawRowView(inside)[:len(machine.W)], machine.W) + machine.Bias
}

// decided reports whether none of the sizes from i on can win, as fold f is at size i:
// their errors, which only grow, are no fewer than the least of the sizes before that
// are complete.
func (s *sizeSearch) decided(f, i int) bool {
	complete := s.done
	if f == s.folds-1 {
		complete = i
	}
	return complete > 0 && slices.Min(s.errors[i:]) >= slices.Min(s.errors[:complete])
}
