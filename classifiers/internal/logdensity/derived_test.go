package logdensity

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// Shared values at the training rows are identical to those of a separate evaluation.
func TestTrainingFeatures(t *testing.T) {
	ctx := t.Context()
	for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference, kde.Matlab} {
		train := methodtest.CorrelatedSet(140, 4, 2, 1)
		entries := All(2, 4)
		for range 3 {
			densities := fit(t, train, Options{Rule: rule}, entries)
			got, err := densities.TrainingFeatures(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := unshared(densities).FeaturesIn(ctx, nil, train.X); !mat.Equal(got, want) {
				t.Errorf("%s: other features than without sharing", rule)
			}
			randtest.New(3).Shuffle(len(entries),
				func(a, b int) { entries[a], entries[b] = entries[b], entries[a] })
		}
		if _, err := Derived(ctx, train, featuresKey{Rule: rule}, func() (cachedFeatures, error) {
			return cachedFeatures{}, errors.New("the features were not kept")
		}); err != nil {
			t.Error(err)
		}
	}
}

// Values that rules share at a test set are identical to those of a separate evaluation, whichever rule is
// first, with sums and with grids. They belong to one training set.
func TestTestFeatures(t *testing.T) {
	ctx := t.Context()
	for n, floor := range map[int]float64{70: 0, 600: 1e-10, 601: 0} {
		test := methodtest.CorrelatedSet(90, 4, 2, 2)
		test.X.SetRow(7, []float64{1e3, -1e5, 1e300, 0}) // far from all
		for seed := range uint64(2) {
			train := methodtest.CorrelatedSet(n, 4, 2, seed)
			for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference} {
				entries := All(2, 4)
				for keep := 5; keep <= len(entries); keep += 5 {
					randtest.New(uint64(keep)).Shuffle(len(entries),
						func(a, b int) { entries[a], entries[b] = entries[b], entries[a] })
					for _, floor := range []float64{floor, 1e-3} { // the two fits share cached densities
						densities := fit(t, train, Options{Rule: rule, Floor: floor}, entries[:keep])
						want, _ := unshared(densities).FeaturesIn(ctx, nil, test.X)
						if !mat.Equal(densities.FeaturesAt(test), want) {
							t.Errorf("%d rows, %s, %d entries, %v: other features than without sharing",
								n, rule, keep, floor)
						}
						if !keepsColumns(t, densities, test) {
							t.Errorf("%d rows, %s: columns of pairs that are summed one by one were not kept", n, rule)
						}
					}
				}
			}
		}
	}
}

// unshared returns the map without the values that its training set caches.
func unshared(m *Map) *Map {
	m = m.Select(stats.Indices(len(m.Entries)))
	for c := range m.classes {
		m.classes[c].train = nil
	}
	return m
}

// keepsColumns reports whether the set caches the map's columns if they are evaluated one by one.
func keepsColumns(t *testing.T, m *Map, set *dataset.Set) bool {
	t.Helper()
	for c := range m.classes {
		if len(m.classes[c].pairs) > 0 && !m.classes[c].worksPairByPair() {
			return true
		}
	}
	for _, e := range m.Entries {
		key := columnKey{m.train, m.options, e}
		if _, err := Derived(t.Context(), set, key, func() ([]float64, error) {
			return nil, errors.New("the column was not kept")
		}); err != nil {
			return false
		}
	}
	return true
}

// The training set caches the kernel sums of a pair unless they are large.
func TestPairSumsAreKept(t *testing.T) {
	const d = 20
	ctx, train := t.Context(), methodtest.CorrelatedSet(600, d, 2, 1)
	for r := range 20 { // outliers, which widen the lattice of the first two columns
		train.X.Set(r, 0, 1.2*float64(r-10))
		train.X.Set(r, 1, 1.2*float64(r*7%20-10))
	}
	densities := fit(t, train, Options{Rule: kde.PlugIn}, []Entry{{0, 0, 1}, {0, 2, 3}})
	class := &densities.classes[0]
	for q, kept := range []bool{false, true} {
		first := class.pairSums(ctx, new(kde.MatrixMemory), class.pairs[q])
		if size := first.Numbers(); size > KeptGrids(600, 2, d)/Count(2, d) == kept {
			t.Errorf("pair %d: sums of %d numbers are none to try this with", q, size)
		}
		if again := class.pairSums(ctx, new(kde.MatrixMemory), class.pairs[q]); (again == first) != kept {
			t.Errorf("pair %d: sums of %d numbers were kept: %v", q, first.Numbers(), !kept)
		}
	}
}

// A hundred columns at ten thousand rows are not cached.
func TestLargeSetsKeepNothing(t *testing.T) {
	small := methodtest.CorrelatedSet(140, 4, 2, 1)
	large := dataset.New(mat.NewDense(10_000, 100, nil), make([]int, 10_000), 2)
	for _, set := range []struct {
		train *dataset.Set
		times int
	}{{small, 1}, {large, 3}} {
		times := 0
		for range 3 {
			_, _ = Derived(t.Context(), set.train, featuresKey{},
				func() (int, error) { times++; return 0, nil })
		}
		if times != set.times {
			t.Errorf("%d rows, %d columns: computed %d times, want %d", set.train.N(), set.train.D(), times, set.times)
		}
	}
}
