package classifiers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/densities"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/networks"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// alike are recipes that share parts of their work in every possible way, and recipes that must not share it
// although they are similar.
func alike() []Classifier {
	sampled := func(dependence string, floor float64) *densities.SLB {
		s := densities.NewSLB()
		s.Bandwidth, s.Select, s.Dependence, s.Floor = string(kde.PlugIn), "in-sample", dependence, floor
		return s
	}
	minus, forest := densities.NewSLBMinus(), densities.NewForestDens()
	minus.Bandwidth, forest.Bandwidth = string(kde.PlugIn), string(kde.PlugIn)
	return []Classifier{
		sampled("hsic", 1e-10), sampled("pearson", 1e-10), sampled("hsic", 1e-3),
		densities.NewSLB(), densities.NewSLBMinus(), minus, densities.NewForestDens(), forest, densities.NewLU(),
		networks.NewNB(), networks.NewTAN(),
	}
}

func newAlike() *dataset.Set { return methodtest.CorrelatedSet(140, 4, 2, 1) }

// aloneAndTogether fits each of alike to its own copy of the set. It returns a function that fits one of them
// to a set that other recipes have used, and compares all bits.
func aloneAndTogether(t *testing.T) func(k int, train *dataset.Set) {
	recipes, test := alike(), methodtest.CorrelatedSet(40, 4, 2, 2)
	var want []*mat.Dense
	for _, c := range recipes {
		want = append(want, methodtest.Fit(t, c, newAlike()).Scores(test.X))
	}
	return func(k int, train *dataset.Set) {
		rule, err := alike()[k].Fit(t.Context(), train, randtest.New(1))
		if err != nil {
			t.Error(err)
		} else if got := rule.Scores(test.X); !mat.Equal(got, want[k]) {
			t.Errorf("recipe %d, %T: other scores than alone", k, recipes[k])
		}
	}
}

func TestSharingKeepsBits(t *testing.T) {
	same := aloneAndTogether(t)
	forth := stats.Indices(len(alike()))
	back := slices.Clone(forth)
	slices.Reverse(back)
	for _, order := range [][]int{forth, back} {
		train := newAlike()
		for _, k := range order {
			same(k, train)
		}
	}
}

func TestSharingUnderConcurrency(t *testing.T) {
	same, train := aloneAndTogether(t), newAlike()
	var wg sync.WaitGroup
	for k := range alike() {
		wg.Go(func() { same(k, train) })
		wg.Go(func() { same(k, train) })
	}
	wg.Wait()
}

// A fit that was cancelled halfway does not affect the next one.
func TestSharingAfterCancelledFits(t *testing.T) {
	same, train := aloneAndTogether(t), newAlike()
	for k, c := range alike() {
		for _, n := range []int{1, 4, 16, 64} {
			_, err := c.Fit(&countdown{Context: t.Context(), n: n}, train, randtest.New(1))
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("recipe %d, done at question %d: %v", k, n, err)
			}
		}
		same(k, train)
	}
}

// PredictSet returns the labels of Predict.
func TestPredictSet(t *testing.T) {
	train, test := newAlike(), methodtest.CorrelatedSet(90, 4, 2, 2)
	for _, c := range alike() {
		rule := methodtest.Fit(t, c, train)
		got, scores := rule.PredictSet(test)
		if want := rule.Predict(test.X); !slices.Equal(got, want) {
			t.Errorf("%T: labels %v, want %v", c, got, want)
		}
		if scores != nil && !mat.Equal(scores, rule.Scores(test.X)) {
			t.Errorf("%T: other scores of a set than of its rows", c)
		}
		if rule.SetScores != nil && !mat.Equal(rule.SetScores(test), rule.Scores(test.X)) {
			t.Errorf("%T: other log densities of a set than of its rows", c)
		}
	}
}
