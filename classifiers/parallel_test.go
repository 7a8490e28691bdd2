package classifiers

import (
	"context"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/logdensity"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/parallel"
)

// Ways to share work: the last piece first, and by goroutines.
var sharings = map[string]parallel.Do{
	"backwards": func(n int, work func() func(int)) {
		first, second := work(), work()
		for i := n - 1; i >= 0; i-- {
			if i%3 > 0 {
				first(i)
			} else {
				second(i)
			}
		}
	},
	"at once": func(n int, work func() func(int)) {
		var all sync.WaitGroup
		for helper := range 3 {
			all.Add(1)
			go func() {
				defer all.Done()
				f := work()
				for i := helper; i < n; i += 3 {
					f(i)
				}
			}()
		}
		all.Wait()
	},
}

// A law of the registry: who shares the work of a fit, and in which order, changes
// no bit of its scores.
func TestSharedWorkHasTheSameBits(t *testing.T) {
	train, test := twoTrees(150, 6, 1, 2), twoTrees(90, 6, 1, 3)
	for _, spec := range Registry {
		t.Run(spec.Name, func(t *testing.T) {
			fit := func(ctx context.Context) (labels []int, scores *mat.Dense) {
				train := train.WithoutDerived()
				rule, err := Fit(ctx, spec.New(), train, newRand(1))
				if err != nil {
					t.Fatal(err)
				}
				if scorer := rule; scorer.Scores != nil {
					scores = scorer.Scores(test.X)
				}
				return rule.Predict(test.X), scores
			}
			labels, scores := fit(context.Background())
			for name, do := range sharings {
				gotLabels, gotScores := fit(parallel.With(context.Background(), do))
				if !slices.Equal(gotLabels, labels) || scores != nil && !mat.Equal(gotScores, scores) {
					t.Errorf("%s: another rule", name)
				}
			}
		})
	}
}

// The same of thresholds and machines on log densities too many to be held.
func TestSharedTilesHaveTheSameBits(t *testing.T) {
	train := twoTrees(150, 30, 1, 2)
	s := NewSLB()
	entries := logdensity.All(2, train.D())
	sizes := []int{100, 400, len(entries)}
	fold, err := dataset.StratifiedFolds(train.Y, 2, s.Folds, newRand(3))
	if err != nil {
		t.Fatal(err)
	}
	fit := func(ctx context.Context) ([]int, *Rule) {
		densities, err := logdensity.Fit(ctx, train, kde.Rule(s.Bandwidth), logdensity.Floor{Density: s.Floor}, entries)
		if err != nil {
			t.Fatal(err)
		}
		search := s.newSizeSearch(densities, train.Y, fold, s.Folds, sizes)
		if err := search.tryTiles(ctx); err != nil {
			t.Fatal(err)
		}
		rule, err := densityMachine{kde.Rule(s.Bandwidth), s.Floor, s.C, s.Tolerance, true}.separateWide(ctx, train, densities)
		if err != nil {
			t.Fatal(err)
		}
		return search.errors, rule
	}
	errors, rule := fit(context.Background())
	for name, do := range sharings {
		gotErrors, got := fit(parallel.With(context.Background(), do))
		if !slices.Equal(gotErrors, errors) || !slices.Equal(got.model.([]float64), rule.model.([]float64)) {
			t.Errorf("%s: another rule", name)
		}
	}
}
