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

// crossNumbers is the largest number of log densities of all folds together, 256 MB. Above it, the
// folds compute their log densities in turn.
const crossNumbers = 1 << 25

// sparseShare is 1 over the share of the densities up to which sizes are tried first, in all folds.
// They take a few percent of the time. With many variables few pairs may leave no error, and then
// no larger size can win.
const sparseShare = 20

// A sizeSearch chooses by cross-validation how many densities to keep. A size keeps so many from
// the head of the list.
type sizeSearch struct {
	*SLB
	densities *logdensity.Map
	y, fold   []int // the class and the fold of each row
	folds     int
	sizes     []int // candidates, ascending

	errors   []int           // misclassified held-out rows by size, so far
	done     int             // the number of sizes, from the first on, that all folds have tried
	machines []*svm.Solution // by fold: for the last size that it has tried
	solver   svm.LinearSolver
	memory   []float64  // for the log densities of all rows and the largest size; nil: none
	t        *mat.Dense // the log densities of all rows, estimated from all rows; nil: not computed
}

// newSizeSearch returns a search that has tried no size.
func (s *SLB) newSizeSearch(densities *logdensity.Map, y, fold []int, folds int, sizes []int) *sizeSearch {
	return &sizeSearch{
		SLB:       s,
		densities: densities,
		y:         y,
		fold:      fold,
		folds:     folds,
		sizes:     sizes,
		errors:    make([]int, len(sizes)),
		machines:  make([]*svm.Solution, folds),
	}
}

// search deals rows of classes y to folds and tries the sizes, unless there is only one.
func (s *SLB) search(
	ctx context.Context, densities *logdensity.Map, y, sizes []int, rng *rand.Rand,
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

// chosen returns the densities of the best size and, if the search has the means, their logarithms
// at the training rows x; else nil.
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

// best returns the size with the fewest errors, the smallest of equal ones.
func (s *sizeSearch) best() int {
	return s.sizes[slices.Index(s.errors, slices.Min(s.errors))]
}

// run tries the sizes until no other can win. It computes the log densities of all folds together if
// they fit in memory, else of one fold after the other, or in tiles if even those do not fit.
func (s *sizeSearch) run(ctx context.Context) error {
	n, p := len(s.y), len(s.densities.Entries)
	oneByOne := s.Select == refit && (s.folds+1)*n*p > crossNumbers
	if oneByOne {
		// First the few sizes that keep a small share of the densities.
		small, _ := slices.BinarySearch(s.sizes, p/sparseShare+1)
		if err := s.rotate(ctx, small); err != nil {
			return err
		}
		if s.decided(0, small) {
			return nil // no larger size can have fewer errors
		}
	}
	switch {
	case wide(n, p, s.folds*len(s.sizes)):
		return s.tryTiles(ctx)
	case oneByOne:
		return s.rotate(ctx, len(s.sizes))
	}
	return s.atOnce(ctx)
}

// foldFeatures returns the log densities that the machine of fold f has at the given training rows,
// as the rows at of t. It may use memory, which is large enough, for t.
type foldFeatures func(memory []float64, f int, rows []int) (t *mat.Dense, at []int, err error)

// atOnce tries all sizes with the log densities of all folds together.
func (s *sizeSearch) atOnce(ctx context.Context) (err error) {
	var without []*mat.Dense // by fold: the log densities of all rows, estimated without the fold
	if s.Select == inSample {
		s.t, err = s.densities.TrainingFeatures(ctx)
		without = slices.Repeat([]*mat.Dense{s.t}, s.folds)
	} else {
		s.t, without, err = s.densities.CrossFeatures(ctx, s.fold, s.folds)
	}
	if err != nil {
		return err
	}
	features := func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) { return without[f], rows, nil }
	return s.try(ctx, len(s.sizes), features)
}

// rotate tries the sizes before place to, with the log densities of one fold at a time.
func (s *sizeSearch) rotate(ctx context.Context, to int) error {
	if to == s.done {
		return nil
	}
	densities := s.densities
	if to < len(s.sizes) {
		densities = densities.Select(columns.Head(s.sizes[to-1]))
	}
	rotation := densities.Rotate(s.fold, s.folds)
	features := func(memory []float64, f int, rows []int) (*mat.Dense, []int, error) {
		t, err := rotation.FeaturesIn(ctx, memory, f, rows)
		return t, columns.Head(len(rows)), err
	}
	return s.try(ctx, to, features)
}

// try counts the errors, in all folds, of the sizes before place to that are not done.
func (s *sizeSearch) try(ctx context.Context, to int, features foldFeatures) error {
	s.memory = make([]float64, len(s.y)*s.sizes[to-1])
	for f := range s.folds {
		if s.decided(f, s.done) {
			break // none of these sizes can win
		}
		outside, inside := dataset.SplitFold(s.fold, f)
		machine, err := s.newDenseMachine(f, outside, inside, features)
		if err != nil {
			return err
		}
		if s.t == nil { // the folds come in turn: the solver drops its products of the last one
			s.solver.NextRows()
		}
		if err := s.count(ctx, to, f, signs(s.y, inside), machine); err != nil {
			return err
		}
	}
	s.done = to
	return nil
}

// newDenseMachine returns the machine of fold f, with its training rows outside and its held-out
// rows inside. Their log densities, standardised by the training rows, fill the memory of the
// search: first the training rows, then the held-out rows.
func (s *sizeSearch) newDenseMachine(f int, outside, inside []int, features foldFeatures) (*denseMachine, error) {
	t, at, err := features(s.memory, f, outside)
	if err != nil {
		return nil, err
	}
	scale := columns.StandardScaling(t, at)
	m := &denseMachine{sizeSearch: s, f: f, outside: scale.ApplyIn(s.memory, t, at), y: signs(s.y, outside)}
	rest := s.memory[len(m.outside.RawMatrix().Data):]
	if t, at, err = features(rest, f, inside); err != nil {
		return nil, err
	}
	m.inside = scale.ApplyIn(rest, t, at)
	return m, nil
}

// A foldMachine is the machine of one fold. Its solution for one size is the start for the next.
type foldMachine interface {
	train(ctx context.Context, size int) error // size is a place among the sizes
	decision(inside int) float64               // of a held-out row: positive for class 1
}

// count trains the machine of fold f for the sizes before place to that are not done, as long as
// one of them can win. It adds the held-out rows that each misclassifies to the errors; inside has
// their classes as -1 and 1.
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

// A denseMachine is a foldMachine on standardised log densities in memory.
type denseMachine struct {
	*sizeSearch
	f       int
	outside *mat.Dense // the rows that it is trained on
	inside  *mat.Dense // the held-out rows
	y       []float64  // the classes of outside, -1 or 1
}

// train solves the machine on the first densities, as many as the size at this place, from its last
// solution.
func (m *denseMachine) train(ctx context.Context, size int) (err error) {
	n, _ := m.outside.Dims()
	kept := m.outside.Slice(0, n, 0, m.sizes[size]).(*mat.Dense)
	m.machines[m.f], err = m.solver.Solve(ctx, kept, m.y, m.C, m.Tolerance, m.machines[m.f])
	return err
}

// decision returns the decision value of a held-out row, positive for class 1.
func (m *denseMachine) decision(inside int) float64 {
	machine := m.machines[m.f]
	return floats.Dot(m.inside.RawRowView(inside)[:len(machine.W)], machine.W) + machine.Bias
}

// decided reports whether no size from place i on can win when fold f comes to size i. Errors only
// grow, so that is so if all these sizes have at least as many as the best size that is complete.
func (s *sizeSearch) decided(f, i int) bool {
	complete := s.done
	if f == s.folds-1 { // in the last fold the sizes before i are complete, too
		complete = i
	}
	return complete > 0 && slices.Min(s.errors[i:]) >= slices.Min(s.errors[:complete])
}
