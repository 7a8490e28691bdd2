package densities

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats"
	"copse/stats/dataset"
)

// crossNumbers is the largest number of log densities (256 MB) that a search keeps in memory for
// all folds together. If this is not enough, the search computes one fold at a time.
const crossNumbers = 1 << 25

// sparseShare limits the sizes (numbers of densities) that a large search tries first. They are at
// most 1/sparseShare of the number of all densities.
//
// These sizes take a few percent of the time. With many variables, a machine of such a size often
// makes no errors on held-out rows, and the search ends.
const sparseShare = 20

// A sizeSearch chooses by cross-validation how many densities a machine uses. A machine of size k
// uses the first k densities. Variables come first, then pairs by descending dependence.
type sizeSearch struct {
	*SLB
	densities *logdensity.Map
	y, fold   []int // class and fold of each row
	folds     int
	sizes     []int // candidate sizes in ascending order

	errors   []int           // errors[i]: held-out rows misclassified with sizes[i] so far
	decided  int             // sizes[:decided] have been tried in all folds, or stopped early because they cannot win
	machines []*svm.Solution // machines[f]: solution of fold f for the last size tried
	solver   svm.LinearSolver
	memory   []float64  // reused for the log densities of each fold; nil if not allocated
	allLogs  *mat.Dense // log densities of all rows, estimated from all rows; set only by tryTogether
}

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

// search compares the candidate sizes of a machine by cross-validation, unless there is only one.
func (s *SLB) search(
	ctx context.Context, densities *logdensity.Map, train *dataset.Set, sizes []int, rng *rand.Rand,
) (*sizeSearch, error) {
	if len(sizes) == 1 {
		return s.newSizeSearch(densities, train.Y, nil, 0, sizes), nil
	}
	fold, folds, err := crossval.Folds(train, s.Folds, crossval.ClassesByCodeIf(s.BeforeVersion(4)), rng)
	if err != nil {
		return nil, err
	}
	search := s.newSizeSearch(densities, train.Y, fold, folds, sizes)
	return search, search.run(ctx)
}

// bestDensities returns the densities for the best size and the matrix of their logarithms at the training
// rows x. The matrix is nil if s.memory is nil or if dot products should replace it (see
// prefersProducts).
func (s *sizeSearch) bestDensities(ctx context.Context, x *mat.Dense) (*logdensity.Map, *mat.Dense, error) {
	n, size := len(s.y), s.bestSize()
	densities := s.densities.Select(stats.Indices(size))
	switch {
	case s.allLogs != nil:
		logs := mat.NewDense(n, size, s.memory[:n*size])
		logs.Copy(s.allLogs) // copies the first columns
		return densities, logs, nil
	case s.memory != nil && !prefersProducts(n, size, oneMatrix):
		logs, err := densities.FeaturesIn(ctx, s.memory, x)
		return densities, logs, err
	}
	return densities, nil, nil
}

// bestSize returns the smallest size with the fewest errors.
func (s *sizeSearch) bestSize() int {
	return s.sizes[crossval.Best(s.errors)]
}

// run cross-validates the candidate sizes of a machine and counts their errors. A large search
// (refit with more than crossNumbers log densities) tries small sizes first. All other sizes are
// tried in one of three ways:
//   - If dot products between rows save memory (see prefersProducts), tryInTiles keeps only the products.
//   - In other large searches, tryFoldByFold keeps the log densities of one fold at a time.
//   - In small searches, tryTogether keeps the log densities of all folds.
func (s *sizeSearch) run(ctx context.Context) error {
	n, p := len(s.y), len(s.densities.Entries)
	logsOfAllFolds := (s.folds + 1) * n * p // a matrix for each fold, and one estimated from all rows
	isLarge := s.Select == refit && logsOfAllFolds > crossNumbers
	if isLarge {
		smallIsBest, err := s.trySmallSizes(ctx)
		if err != nil || smallIsBest {
			return err
		}
	}
	productMatrices := s.folds * len(s.sizes) // one for each fold and size
	switch {
	case prefersProducts(n, p, productMatrices):
		return s.tryInTiles(ctx)
	case isLarge:
		return s.tryFoldByFold(ctx, len(s.sizes))
	default:
		return s.tryTogether(ctx)
	}
}

// trySmallSizes tries sizes up to 1/sparseShare of the number of densities. It returns true if no
// larger size can win.
func (s *sizeSearch) trySmallSizes(ctx context.Context) (isBest bool, err error) {
	largest := len(s.densities.Entries) / sparseShare
	small, _ := slices.BinarySearch(s.sizes, largest+1) // sizes[:small] do not exceed largest
	if err := s.tryFoldByFold(ctx, small); err != nil {
		return false, err
	}
	return s.noneCanWin(0, small), nil
}

// A foldFeatures function returns a matrix t that contains the log densities of fold f at the given
// training rows. Row at[i] of t belongs to training row rows[i]. The function may use the slice
// memory for t.
type foldFeatures func(memory []float64, f int, rows []int) (t *mat.Dense, at []int, err error)

func (s *sizeSearch) tryTogether(ctx context.Context) error {
	logsOfFold, err := s.logsOfFolds(ctx)
	if err != nil {
		return err
	}
	features := func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) {
		return logsOfFold[f], rows, nil
	}
	return s.trySizes(ctx, len(s.sizes), features)
}

// logsOfFolds returns the log densities at all rows, in one matrix for each fold (see SLB.Select).
//
// It also sets s.allLogs to the log densities that are estimated from all rows.
func (s *sizeSearch) logsOfFolds(ctx context.Context) (logs []*mat.Dense, err error) {
	if s.Select == inSample {
		s.allLogs, err = s.densities.TrainingFeatures(ctx)
		return slices.Repeat([]*mat.Dense{s.allLogs}, s.folds), err
	}
	s.allLogs, logs, err = s.densities.CrossFeatures(ctx, s.fold, s.folds)
	return logs, err
}

// tryFoldByFold cross-validates the candidate sizes s.sizes[s.decided:to]. It computes the log
// densities of one fold at a time.
func (s *sizeSearch) tryFoldByFold(ctx context.Context, to int) error {
	if to == s.decided {
		return nil
	}
	densities := s.densities
	if to < len(s.sizes) {
		densities = densities.Select(stats.Indices(s.sizes[to-1]))
	}
	rotation := densities.Rotate(s.fold, s.folds)
	features := func(memory []float64, f int, rows []int) (*mat.Dense, []int, error) {
		t, err := rotation.FeaturesIn(ctx, memory, f, rows)
		return t, stats.Indices(len(rows)), err
	}
	return s.trySizes(ctx, to, features)
}

// trySizes cross-validates the sizes s.sizes[s.decided:to] and adds their errors to s.errors. A size
// is the number of densities that a machine uses. The sizes before s.decided were tried earlier.
// trySizes skips the remaining folds once none of the sizes can have the fewest errors. Afterwards,
// s.decided is to.
func (s *sizeSearch) trySizes(ctx context.Context, to int, features foldFeatures) error {
	largest := s.sizes[to-1]
	s.memory = make([]float64, len(s.y)*largest) // for the log densities of one fold
	for f := range s.folds {
		if s.noneCanWin(f, s.decided) { // none of the sizes s.sizes[s.decided:]
			break
		}
		training, heldOut := dataset.SplitFold(s.fold, f) // row numbers
		machine, err := s.newDenseMachine(f, training, heldOut, features)
		if err != nil {
			return err
		}
		s.prepareSolver()
		if err := s.trainAndCountErrors(ctx, to, f, signs(s.y, heldOut), machine); err != nil {
			return err
		}
	}
	s.decided = to
	return nil
}

// prepareSolver prepares s.solver for the rows of the next fold.
func (s *sizeSearch) prepareSolver() {
	isTogether := s.allLogs != nil // called by tryTogether
	if isTogether {
		return // the rounding of reused products would change the stored results of small studies
	}
	// Each larger size adds columns, so the solver reuses the dot products of the previous size.
	s.solver.NextRows()
}

// newDenseMachine returns the machine of fold f. It standardises the log densities of training and
// held-out rows like the training rows, and stores them in s.memory.
func (s *sizeSearch) newDenseMachine(f int, training, heldOut []int, features foldFeatures) (*denseMachine, error) {
	t, at, err := features(s.memory, f, training)
	if err != nil {
		return nil, err
	}
	scale := columns.StandardScaling(t, at)
	m := &denseMachine{sizeSearch: s, f: f, training: scale.ApplyIn(s.memory, t, at), y: signs(s.y, training)}
	rest := s.memory[len(m.training.RawMatrix().Data):] // memory for the held-out rows
	if t, at, err = features(rest, f, heldOut); err != nil {
		return nil, err
	}
	m.heldOut = scale.ApplyIn(rest, t, at)
	return m, nil
}

// A foldMachine is the support vector machine of one fold, trained once for each candidate size, in
// ascending order.
type foldMachine interface {
	// train fits the machine of size sizes[i]. It starts from the solution for the previous size.
	train(ctx context.Context, i int) error
	// decision returns the decision value of a held-out row, positive for class 1.
	decision(row int) float64
}

// trainAndCountErrors trains the machine of fold f with the sizes s.sizes[s.decided:to], until no
// remaining size can win. It adds the errors on held-out rows to s.errors. classes[r] is the class of
// held-out row r, -1 or 1.
func (s *sizeSearch) trainAndCountErrors(
	ctx context.Context, to, f int, classes []float64, machine foldMachine,
) error {
	for i := s.decided; i < to && !s.noneCanWin(f, i); i++ {
		if err := machine.train(ctx, i); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		for r, class := range classes {
			if positive := machine.decision(r) > 0; positive != (class > 0) {
				s.errors[i]++
			}
		}
	}
	return nil
}

// A denseMachine implements foldMachine with the standardised log densities of fold f in memory.
type denseMachine struct {
	*sizeSearch
	f        int
	training *mat.Dense // log densities of the training rows
	heldOut  *mat.Dense // log densities of the held-out rows
	y        []float64  // classes of the training rows, -1 or 1
}

// train implements foldMachine.
func (m *denseMachine) train(ctx context.Context, i int) (err error) {
	n, _ := m.training.Dims()
	kept := m.training.Slice(0, n, 0, m.sizes[i]).(*mat.Dense)
	m.machines[m.f], err = m.solver.Solve(ctx, kept, m.y, m.C, m.Tolerance, m.machines[m.f])
	return err
}

func (m *denseMachine) decision(row int) float64 {
	machine := m.machines[m.f]
	return floats.Dot(m.heldOut.RawRowView(row)[:len(machine.W)], machine.W) + machine.Bias
}

// undecided returns the sizes that may still have to be tried.
func (s *sizeSearch) undecided() []int { return s.sizes[s.decided:] }

// noneCanWin reports whether no candidate size from index i on can become the best one. The sizes
// before index i must have been tried in folds 0 to f.
func (s *sizeSearch) noneCanWin(f, i int) bool {
	final := s.decided // the errors of sizes[:final] are final
	if f == s.folds-1 {
		final = i
	}
	// The error count of a size never decreases from fold to fold. A size cannot win once its count
	// reaches the final count of a smaller size.
	return final > 0 && slices.Min(s.errors[i:]) >= slices.Min(s.errors[:final])
}
