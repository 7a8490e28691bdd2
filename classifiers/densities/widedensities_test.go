package densities

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/dataset/datasettest"
	"copse/stats/parallel"
)

// Dot products that are computed column by column give the same errors of every threshold, and the same
// machine, as the log densities themselves.
func TestWideIsNarrow(t *testing.T) {
	ctx := t.Context()
	train := methodtest.TwoTrees(120, 70, 1, 2)
	for _, choice := range []string{refit, inSample} {
		s := NewSLB()
		s.Select, s.Tolerance = choice, 1e-9
		densities := rankedDensities(t, s, train)
		sizes := s.candidateSizes(len(densities.Entries), len(densities.Entries)-2*train.D())
		fold := datasettest.Folds(t, train.Y, s.Folds, randtest.New(3))
		narrow := s.newSizeSearch(densities, train.Y, fold, s.Folds, sizes)
		if err := narrow.tryTogether(ctx); err != nil {
			t.Fatal(err)
		}
		wide := s.newSizeSearch(densities, train.Y, fold, s.Folds, sizes)
		if err := wide.tryInTiles(ctx); err != nil {
			t.Fatal(err)
		}
		if got, want := wide.errors, narrow.errors; !slices.Equal(got, want) || slices.Min(want) == slices.Max(want) {
			t.Errorf("%s: errors %v, want %v", choice, got, want)
		}

		for _, standardised := range []bool{true, false} {
			machine := s.machine(s.Bandwidth, standardised)
			narrow, err := machine.fit(ctx, train, densities, nil)
			if err != nil {
				t.Fatal(err)
			}
			wide, err := machine.fitWide(ctx, train, densities)
			if err != nil {
				t.Fatal(err)
			}
			nw, ww := narrow.w, wide.w
			norm := mat.Norm(mat.NewVecDense(len(nw), nw), 2)
			for k := range nw {
				if math.Abs(ww[k]-nw[k]) > 1e-6*norm {
					t.Fatalf("standardised %t: weight %d is %g, want %g", standardised, k, ww[k], nw[k])
				}
			}
			if a, b := wide.scores(train.X), narrow.scores(train.X); !mat.EqualApprox(a, b, 1e-6) {
				t.Errorf("standardised %t: other scores", standardised)
			}
		}
	}
}

// The log densities of the papers' tables fit into memory; those of 500 variables do not.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		n, d, matrices int
		want           bool
	}{
		{1000, 40, 45, false}, {1000, 200, 45, false}, {1000, 200, 1, false},
		{20000, 20, 45, false}, {100000, 20, 1, false},
		{1000, 500, 45, true}, {1000, 500, 1, true},
	} {
		if got := prefersProducts(c.n, logdensity.Count(2, c.d), c.matrices); got != c.want {
			t.Errorf("n = %d, d = %d, %d matrices: %t", c.n, c.d, c.matrices, got)
		}
	}
}

// The same holds for thresholds and machines if the log densities do not fit into memory.
func TestSharedTilesHaveTheSameBits(t *testing.T) {
	train := methodtest.TwoTrees(150, 30, 1, 2)
	s := NewSLB()
	entries := logdensity.All(2, train.D())
	sizes := []int{100, 400, len(entries)}
	fold := datasettest.Folds(t, train.Y, s.Folds, randtest.New(3))
	fit := func(ctx context.Context) ([]int, *densitySVM) {
		densities, err := s.machine(s.Bandwidth, true).estimate(ctx, train, entries)
		if err != nil {
			t.Fatal(err)
		}
		search := s.newSizeSearch(densities, train.Y, fold, s.Folds, sizes)
		if err := search.tryInTiles(ctx); err != nil {
			t.Fatal(err)
		}
		rule, err := s.machine(s.Bandwidth, true).fitWide(ctx, train, densities)
		if err != nil {
			t.Fatal(err)
		}
		return search.errors, rule
	}
	errors, rule := fit(t.Context())
	for name, do := range methodtest.Schedules {
		gotErrors, got := fit(parallel.With(t.Context(), do))
		if !slices.Equal(gotErrors, errors) || !slices.Equal(got.w, rule.w) || got.b != rule.b {
			t.Errorf("%s: another rule", name)
		}
	}
}
