package classifiers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// alike are recipes that begin alike, in each of the ways in which two can, and
// differ in each of the ways that must keep them apart.
func alike() []Classifier {
	inSample := func(dependence string, floor float64) *SLB {
		s := NewSLB()
		s.Bandwidth, s.Select, s.Dependence, s.Floor = string(kde.PlugIn), inSample, dependence, floor
		return s
	}
	minus, forest := NewSLBMinus(), NewForestDens()
	minus.Bandwidth, forest.Bandwidth = string(kde.PlugIn), string(kde.PlugIn)
	return []Classifier{
		inSample(hsicDependence, 1e-10), inSample(pearsonDependence, 1e-10), inSample(hsicDependence, 1e-3),
		NewSLB(), NewSLBMinus(), minus, NewForestDens(), forest, NewLU(), NewNB(), NewTAN(),
	}
}

func newAlike() *dataset.Set { return correlatedSet(140, 4, 2, 1) }

// aloneAndTogether fits each of alike to a set of its own and returns a function
// that fits one of them to a set that others have used and compares all bits.
func aloneAndTogether(t *testing.T) func(k int, train *dataset.Set) {
	recipes, test := alike(), correlatedSet(40, 4, 2, 2)
	var want []*mat.Dense
	for _, c := range recipes {
		want = append(want, mustFit(t, c, newAlike()).Scores(test.X))
	}
	return func(k int, train *dataset.Set) {
		rule, err := alike()[k].Fit(context.Background(), train, newRand(1))
		if err != nil {
			t.Error(err)
		} else if got := rule.(Scorer).Scores(test.X); !mat.Equal(got, want[k]) {
			t.Errorf("recipe %d, %T: other scores than alone", k, recipes[k])
		}
	}
}

func TestSharingKeepsBits(t *testing.T) {
	same := aloneAndTogether(t)
	forth := head(len(alike()))
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

// A fit that was cancelled half way leaves nothing behind that changes the next
// one.
func TestSharingAfterCancelledFits(t *testing.T) {
	same, train := aloneAndTogether(t), newAlike()
	for k, c := range alike() {
		for _, n := range []int{1, 4, 16, 64} {
			_, err := c.Fit(&countdown{Context: context.Background(), n: n}, train, newRand(1))
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("recipe %d, done at question %d: %v", k, n, err)
			}
		}
		same(k, train)
	}
}

// What has been shared at the training rows has the bits of a plain evaluation.
func TestTrainingFeatures(t *testing.T) {
	ctx := context.Background()
	for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference, kde.Matlab} {
		train := newAlike()
		entries := allEntries(2, 4)
		for range 3 {
			densities, err := fitLogDensities(ctx, train, rule, 1e-10, entries)
			if err != nil {
				t.Fatal(err)
			}
			got, err := densities.trainingFeatures(ctx, train)
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := densities.Features(ctx, train.X); !mat.Equal(got, want) {
				t.Errorf("%s: other features than without sharing", rule)
			}
			newRand(3).Shuffle(len(entries), func(a, b int) { entries[a], entries[b] = entries[b], entries[a] })
		}
		if _, err := derived(ctx, train, featuresKey{rule, 1e-10}, func() (features, error) {
			return features{}, errors.New("the features were not kept")
		}); err != nil {
			t.Error(err)
		}
	}
}

// What rules share at a test set has the bits of a plain evaluation, whoever
// asks first, with sums and with grids, and belongs to one training set.
func TestTestFeatures(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{70, 600} {
		test := correlatedSet(90, 4, 2, 2)
		for seed := range uint64(2) {
			train := correlatedSet(n, 4, 2, seed)
			for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference} {
				entries := allEntries(2, 4)
				for keep := 5; keep <= len(entries); keep += 5 {
					newRand(uint64(keep)).Shuffle(len(entries), func(a, b int) { entries[a], entries[b] = entries[b], entries[a] })
					densities, err := fitLogDensities(ctx, train, rule, 1e-10, entries[:keep])
					if err != nil {
						t.Fatal(err)
					}
					if want, _ := densities.Features(ctx, test.X); !mat.Equal(densities.featuresOf(test), want) {
						t.Errorf("%d rows, %s, %d entries: other features than without sharing", n, rule, keep)
					}
				}
			}
		}
	}
}

// PredictSet gives the labels of Predict and evaluates a density once.
func TestPredictSet(t *testing.T) {
	train, test := newAlike(), correlatedSet(90, 4, 2, 2)
	for _, c := range alike() {
		rule := mustFit(t, c, train)
		if got, want := PredictSet(rule, test), rule.Predict(test.X); !slices.Equal(got, want) {
			t.Errorf("%T: labels %v, want %v", c, got, want)
		}
	}
	for _, e := range allEntries(2, 4) {
		key := columnKey{train, kde.PlugIn, 1e-10, e}
		if _, err := derived(context.Background(), test, key, func() ([]float64, error) {
			return nil, errors.New("the column was not kept")
		}); err != nil {
			t.Errorf("%v: %v", e, err)
		}
	}
}

// A hundred columns at ten thousand rows are not kept.
func TestLargeSetsKeepNothing(t *testing.T) {
	small, large := newAlike(), dataset.New(mat.NewDense(10_000, 100, nil), make([]int, 10_000), 2)
	for _, set := range []struct {
		train *dataset.Set
		times int
	}{{small, 1}, {large, 3}} {
		times := 0
		for range 3 {
			_, _ = derived(context.Background(), set.train, featuresKey{}, func() (int, error) { times++; return 0, nil })
		}
		if times != set.times {
			t.Errorf("%d rows, %d columns: computed %d times, want %d", set.train.N(), set.train.D(), times, set.times)
		}
	}
}
