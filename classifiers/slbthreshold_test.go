package classifiers

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
)

// One column that tells the classes apart, then noise: the larger sizes are not
// solved for in the last fold, and the choice is that of all errors.
func TestDecidedSizesAreLeftOut(t *testing.T) {
	const n, d = 100, 60
	rng := newRand(1)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, 0, x.At(i, 0)+3*float64(y[i]))
	}
	s := NewSLB()
	s.Tolerance = 1e-9
	fold, err := dataset.StratifiedFolds(y, 2, s.Folds, rng)
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{1, 2, 40, 50, 60}
	got, err := s.crossErrors(context.Background(), func(_ []float64, _ int, rows []int) (*mat.Dense, []int, error) {
		return x, rows, nil
	}, make([]float64, n*d), y, fold, sizes)
	if err != nil {
		t.Fatal(err)
	}
	all, last := make([]int, len(sizes)), make([]int, len(sizes))
	for f := range s.Folds {
		for i, size := range sizes {
			last[i] = foldErrors(t, s, x.Slice(0, n, 0, size).(*mat.Dense), y, fold, f)
			all[i] += last[i]
		}
	}
	want := slices.Clone(all)
	for i := 1; i < len(sizes); i++ {
		want[i] -= last[i]
	}
	if !slices.Equal(got, want) || slices.Equal(want, all) {
		t.Errorf("errors %v, want %v of %v", got, want, all)
	}
	if slices.Index(got, slices.Min(got)) != slices.Index(all, slices.Min(all)) {
		t.Errorf("errors %v choose another size than %v", got, all)
	}
}

// foldErrors trains on the rows outside fold f from nothing and counts the errors inside.
func foldErrors(t *testing.T, s *SLB, x *mat.Dense, y, fold []int, f int) (wrong int) {
	outside, inside := dataset.SplitFold(fold, f)
	z := columns.StandardScaling(x, outside).Apply(x, slices.Concat(outside, inside))
	_, d := x.Dims()
	machine, err := new(svm.LinearSolver).Solve(context.Background(), z.Slice(0, len(outside), 0, d).(*mat.Dense), signs(y, outside), s.C, s.Tolerance, nil)
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
		errors []int
		f, i   int
		want   bool
	}{
		{[]int{5, 9, 9}, 3, 1, false}, // errors before may still grow
		{[]int{5, 9, 9}, 4, 0, false},
		{[]int{5, 9, 9}, 4, 1, true},
		{[]int{5, 9, 4}, 4, 1, false}, // the last may win
		{[]int{5, 9, 5}, 4, 1, true},  // of equals the smaller wins
		{[]int{5, 3, 4}, 4, 2, true},
	} {
		if got := s.decided(c.errors, c.f, c.i); got != c.want {
			t.Errorf("errors %v, fold %d, size %d: %t", c.errors, c.f, c.i, got)
		}
	}
}
