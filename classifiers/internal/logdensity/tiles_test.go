package logdensity

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/stats/dataset/datasettest"
	"copse/stats/kde"
)

// Tile by tile, in any order of the entries, every column comes once and is identical to the column of the
// full table.
func TestTilesAreTheColumns(t *testing.T) {
	ctx := t.Context()
	const folds = 3
	for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		n, d := 40, tileVariables+7
		if !rule.Product() {
			n, d = 14, tileVariables+1
		}
		train := methodtest.CorrelatedSet(n, d, 2, 5)
		entries := All(2, d)
		if !rule.Product() { // of which each costs a bandwidth matrix
			entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.I > 1 })
		}
		pairs := entries[2*d:]
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(pairs), func(a, b int) { pairs[a], pairs[b] = pairs[b], pairs[a] })
		m := fit(t, train, Options{Rule: rule, Floor: 1e-10}, entries)
		fold := datasettest.Folds(t, train.Y, folds, nil)
		all, without, err := m.CrossFeatures(ctx, fold, folds)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.FeaturesIn(ctx, nil, train.X)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{folds, 0} {
			want := append([]*mat.Dense{all}, without...)
			if k == 0 {
				want = []*mat.Dense{whole}
			}
			seen, tiles := make([]int, len(entries)), 0
			err := m.EachTile(ctx, fold, k, func(tile Tile) error {
				if !slices.IsSorted(tile.Entries) {
					t.Error("a tile's entries do not ascend")
				}
				tiles++
				for f, got := range append([]*mat.Dense{tile.All}, tile.Without...) {
					for c, entry := range tile.Entries {
						if f == 0 {
							seen[entry]++
						}
						if !slices.Equal(mat.Col(nil, c, got), mat.Col(nil, entry, want[f])) {
							t.Fatalf("%s, %d folds: other bits of entry %v in a tile", rule, k, entries[entry])
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if slices.Max(seen) != 1 || slices.Min(seen) != 1 || tiles < 4 {
				t.Errorf("%s: %d tiles, an entry between %d and %d times",
					rule, tiles, slices.Min(seen), slices.Max(seen))
			}
		}
	}
}
