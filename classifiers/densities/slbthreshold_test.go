package densities

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/svm"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

// One column separates the classes; the others are noise. The larger sizes are then not solved in the last
// fold, and the choice is the same as from all errors.
func TestDecidedSizesAreLeftOut(t *testing.T) {
	const n, d = 100, 60
	rng := randtest.New(1)
	x, y := mat.NewDense(n, d, randtest.Normals(rng, n*d)), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.Set(i, 0, x.At(i, 0)+3*float64(y[i]))
	}
	s := NewSLB()
	s.Tolerance = 1e-9
	fold := datasettest.Folds(t, y, s.Folds, rng)
	sizes := []int{1, 2, 40, 50, 60}
	try := func(ends ...int) *sizeSearch {
		search := s.newSizeSearch(nil, y, fold, s.Folds, sizes)
		for _, to := range ends {
			columns := func(_ []float64, _ int, rows []int) (*mat.Dense, []int, error) {
				return x.Slice(0, n, 0, sizes[to-1]).(*mat.Dense), rows, nil
			}
			if err := search.trySizes(t.Context(), to, columns); err != nil {
				t.Fatal(err)
			}
		}
		return search
	}
	all, last := make([]int, len(sizes)), make([]int, len(sizes))
	for f := range s.Folds {
		for i, size := range sizes {
			last[i] = foldErrors(t, s, x.Slice(0, n, 0, size).(*mat.Dense), y, fold, f)
			all[i] += last[i]
		}
	}
	best := sizes[slices.Index(all, slices.Min(all))]
	want := slices.Clone(all)
	for i := 1; i < len(sizes); i++ {
		want[i] -= last[i]
	}
	once := try(len(sizes))
	if !slices.Equal(once.errors, want) || slices.Equal(want, all) || once.bestSize() != best {
		t.Errorf("errors %v, want %v of %v", once.errors, want, all)
	}
	twice := try(2, len(sizes)) // fewer folds when the first sizes are complete before the others
	if got := twice.errors; !slices.Equal(got[:2], all[:2]) || slices.Max(got[2:]) >= slices.Max(want[2:]) ||
		twice.bestSize() != best {
		t.Errorf("errors %v in two calls, want fewer than %v", got, want)
	}
}

// If sparse sizes make no error, no other sizes are tried. Sparse sizes with errors change neither the choice
// nor the machines of the other sizes.
func TestSparseSizesFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: fits SLB to 140 attributes")
	}
	ctx := t.Context()
	for _, noisy := range []bool{false, true} {
		train := methodtest.TwoTrees(300, 140, 1, 2)
		for i := 0; noisy && i < train.N(); i += 30 {
			train.Y[i] = 1 - train.Y[i]
		}
		s := NewSLB()
		densities := rankedDensities(t, s, train)
		fold := datasettest.Folds(t, train.Y, s.Folds, randtest.New(3))
		sizes := []int{280, 700, 8000, len(densities.Entries)}
		search := func() *sizeSearch { return s.newSizeSearch(densities, train.Y, fold, s.Folds, sizes) }
		got, want, to := search(), search(), 2
		if noisy {
			to = len(sizes)
		}
		if err := got.run(ctx); err != nil {
			t.Fatal(err)
		}
		if err := want.tryFoldByFold(ctx, to); err != nil {
			t.Fatal(err)
		}
		if got.decided != to || got.bestSize() != want.bestSize() || slices.Min(got.errors) > 0 != noisy {
			t.Errorf("noisy %t: size %d after %d sizes, want %d; errors %v, want %v",
				noisy, got.bestSize(), got.decided, want.bestSize(), got.errors, want.errors)
		}
		if !slices.EqualFunc(got.machines[:s.Folds-1], want.machines[:s.Folds-1], sameMachine) {
			t.Errorf("noisy %t: other machines", noisy)
		}
	}
}

// rankedDensities estimates the log densities of two classes: first of all attributes, then of the ranked pairs.
func rankedDensities(t *testing.T, s *SLB, train *dataset.Set) *logdensity.Map {
	t.Helper()
	pairs, err := s.rankPairs(t.Context(), train, nil)
	if err != nil {
		t.Fatal(err)
	}
	return estimated(t, s, train, append(logdensity.Univariate(2, train.D()), pairs...))
}

// estimated returns the estimated log densities of the given entries.
func estimated(t *testing.T, s *SLB, train *dataset.Set, entries []logdensity.Entry) *logdensity.Map {
	t.Helper()
	densities, err := s.machine(s.Bandwidth, true).estimate(t.Context(), train, entries)
	if err != nil {
		t.Fatal(err)
	}
	return densities
}

func sameMachine(a, b *svm.Solution) bool {
	return slices.Equal(a.W, b.W) && slices.Equal(a.Alpha, b.Alpha) && a.Bias == b.Bias
}

// foldErrors trains a new machine on the rows outside fold f and counts the errors in it.
func foldErrors(t *testing.T, s *SLB, x *mat.Dense, y, fold []int, f int) (wrong int) {
	outside, inside := dataset.SplitFold(fold, f)
	z := columns.StandardScaling(x, outside).ApplyIn(nil, x, slices.Concat(outside, inside))
	_, d := x.Dims()
	machine, err := new(svm.LinearSolver).Solve(t.Context(), z.Slice(0, len(outside), 0, d).(*mat.Dense),
		signs(y, outside), s.C, s.Tolerance, nil)
	if err != nil {
		t.Fatal(err)
	}
	for r, i := range inside {
		if floats.Dot(z.RawRowView(len(outside)+r), machine.W)+machine.Bias > 0 != (y[i] == 1) {
			wrong++
		}
	}
	return wrong
}

func TestDecided(t *testing.T) {
	s := NewSLB()
	for _, c := range []struct {
		errors     []int
		done, f, i int
		want       bool
	}{
		{[]int{5, 9, 9}, 0, 3, 1, false}, // errors before may still grow
		{[]int{5, 9, 9}, 0, 4, 0, false},
		{[]int{5, 9, 9}, 0, 4, 1, true},
		{[]int{5, 9, 4}, 0, 4, 1, false}, // the last may win
		{[]int{5, 9, 5}, 0, 4, 1, true},  // of equals the smaller wins
		{[]int{5, 3, 4}, 0, 4, 2, true},
		{[]int{5, 9, 9}, 1, 3, 1, true}, // the first is complete
		{[]int{5, 9, 3}, 1, 3, 1, false},
		{[]int{5, 4, 4}, 1, 3, 2, false}, // the second is not
		{[]int{0, 0, 0}, 1, 0, 1, true},
	} {
		search := s.newSizeSearch(nil, nil, nil, s.Folds, []int{1, 2, 3})
		search.errors, search.decided = c.errors, c.done
		if got := search.noneCanWin(c.f, c.i); got != c.want {
			t.Errorf("errors %v, %d done, fold %d, size %d: %t", c.errors, c.done, c.f, c.i, got)
		}
	}
}
