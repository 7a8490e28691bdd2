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

// crossNumbers is the largest number of log densities of all folds in memory at the same time (256 MB).
// If there are more, the search computes the log densities of one fold at a time.
const crossNumbers = 1 << 25

// sparseShare defines the small sizes, which the search tries first: at most 1/sparseShare of all
// densities. They take a few percent of the time. If a small size makes no error, which happens with
// many variables, larger sizes cannot win and need not be tried.
const sparseShare = 20

// A sizeSearch chooses by cross-validation how many densities a machine uses. A machine of size k uses
// the first k densities of the list.
type sizeSearch struct {
	*SLB
	densities *logdensity.Map
	y, fold   []int // class and fold of each row
	folds     int
	sizes     []int // candidate sizes in ascending order

	errors   []int           // errors[i]: misclassified held-out rows of sizes[i] so far
	done     int             // sizes[:done] have been tried in all folds
	machines []*svm.Solution // machines[f]: solution of fold f for the last size tried
	solver   svm.LinearSolver
	memory   []float64  // reused for the log densities of all rows; nil: not allocated
	t        *mat.Dense // log densities of all rows, estimated from all rows; nil: not computed
}

// newSizeSearch returns a search that has not yet tried any size.
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

// search divides the rows with classes y into folds and compares the sizes by cross-validation. If
// there is only one size, search skips the cross-validation.
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

// chosen returns the densities of the best size, and the matrix of their logarithms at the training
// rows x. The matrix is nil if the search has neither these log densities nor memory for them.
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

// best returns the size with the fewest errors, or the smallest of several such sizes.
func (s *sizeSearch) best() int {
	return s.sizes[slices.Index(s.errors, slices.Min(s.errors))]
}

// run tries the sizes until no further size can win. It chooses the fastest way that fits into memory:
// log densities of all folds together (atOnce), of one fold at a time (rotate), or in batches of
// columns (tryTiles).
func (s *sizeSearch) run(ctx context.Context) error {
	n, p := len(s.y), len(s.densities.Entries)
	oneByOne := s.Select == refit && (s.folds+1)*n*p > crossNumbers
	if oneByOne {
		// Try the small sizes first, because they are fast and may already win.
		small, _ := slices.BinarySearch(s.sizes, p/sparseShare+1)
		if err := s.rotate(ctx, small); err != nil {
			return err
		}
		if s.decided(0, small) {
			return nil // larger sizes cannot have fewer errors
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

// foldFeatures returns the log densities at the given rows from the densities of fold f. Row at[i] of t
// belongs to rows[i]. The function may store t in memory, which is large enough.
type foldFeatures func(memory []float64, f int, rows []int) (t *mat.Dense, at []int, err error)

// atOnce tries all sizes with the log densities of all folds together.
func (s *sizeSearch) atOnce(ctx context.Context) (err error) {
	var without []*mat.Dense // without[f]: log densities of all rows, from the densities of fold f
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

// rotate tries sizes[:to] with the log densities of one fold at a time.
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

// try counts the errors of sizes[s.done:to] in all folds. features returns the log densities of a fold.
func (s *sizeSearch) try(ctx context.Context, to int, features foldFeatures) error {
	s.memory = make([]float64, len(s.y)*s.sizes[to-1])
	for f := range s.folds {
		if s.decided(f, s.done) {
			break // these sizes cannot win
		}
		outside, inside := dataset.SplitFold(s.fold, f)
		machine, err := s.newDenseMachine(f, outside, inside, features)
		if err != nil {
			return err
		}
		if s.t == nil { // log densities differ between folds, so the solver must drop its products
			s.solver.NextRows()
		}
		if err := s.count(ctx, to, f, signs(s.y, inside), machine); err != nil {
			return err
		}
	}
	s.done = to
	return nil
}

// newDenseMachine returns the machine of fold f. outside lists its training rows, inside its held-out
// rows. s.memory then holds the log densities of the training rows, followed by the log densities of
// the held-out rows, all standardised by the means and standard deviations of the training rows.
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

// A foldMachine is the machine of one fold. Callers train it for one size after the other; each
// solution is the starting point for the next size.
type foldMachine interface {
	train(ctx context.Context, size int) error // trains the machine for sizes[size]
	decision(inside int) float64               // decision value of a held-out row; positive: class 1
}

// count trains the machine of fold f for sizes[s.done:to], and adds the misclassified held-out rows to
// s.errors. It stops when the remaining sizes cannot win. inside has the class of each held-out row
// as -1 or 1.
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

// A denseMachine implements foldMachine with the standardised log densities of fold f in memory.
type denseMachine struct {
	*sizeSearch
	f       int
	outside *mat.Dense // log densities of the training rows
	inside  *mat.Dense // log densities of the held-out rows
	y       []float64  // classes of the training rows, -1 or 1
}

// train fits the machine to the first sizes[size] log densities. It starts from the last solution.
func (m *denseMachine) train(ctx context.Context, size int) (err error) {
	n, _ := m.outside.Dims()
	kept := m.outside.Slice(0, n, 0, m.sizes[size]).(*mat.Dense)
	m.machines[m.f], err = m.solver.Solve(ctx, kept, m.y, m.C, m.Tolerance, m.machines[m.f])
	return err
}

// decision returns the decision value of a held-out row. A positive value means class 1.
func (m *denseMachine) decision(inside int) float64 {
	machine := m.machines[m.f]
	return floats.Dot(m.inside.RawRowView(inside)[:len(machine.W)], machine.W) + machine.Bias
}

// decided reports whether the search can skip sizes[i:] in fold f, before it tries sizes[i]. Errors can
// only increase during the search. The search can therefore skip these sizes if each of them already
// has at least as many errors as the best size that has been tried in all folds.
func (s *sizeSearch) decided(f, i int) bool {
	complete := s.done  // sizes[:complete] have been tried in all folds
	if f == s.folds-1 { // sizes[:i] have also been tried in the last fold
		complete = i
	}
	return complete > 0 && slices.Min(s.errors[i:]) >= slices.Min(s.errors[:complete])
}
