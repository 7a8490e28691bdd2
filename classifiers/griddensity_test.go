package classifiers

import (
	"context"
	"fmt"
	"math"
	"testing"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// Large classes: features from grids, with and without folds, against exact
// pair sums with the same bandwidths.
func TestGridFeaturesAgainstExactOnes(t *testing.T) {
	const d, folds = 2, 3
	n := 2*kde.GridRows + 2
	train := correlatedSet(n, d, 2, 3)
	fold, err := dataset.StratifiedFolds(train.Y, 2, folds, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		features, err := fitLogDensities(ctx, train, rule, 1e-4, pairEntries(2, d))
		if err != nil {
			t.Fatal(err)
		}
		all, without, err := features.CrossFeatures(ctx, train, fold, folds)
		if err != nil {
			t.Fatal(err)
		}
		again, err := features.Features(ctx, train.X)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range features.entries {
			rows := train.ClassRows(e.class)
			columns, part := train.Columns(rows), make([]int, len(rows))
			for i, r := range rows {
				part[i] = fold[r]
			}
			h := features.classes[e.class].pairs[0].h
			if rule.Product() {
				h, _ = rule.Bandwidth2(columns[e.i], columns[e.j])
			}
			p := kde.NewPartition(part, folds)
			exact := kde.FullPairs(columns, []kde.H2{h}, []kde.Pair{{I: e.i, J: e.j}}, p)
			for r := 0; r < n; r += 7 {
				sums := make([]float64, folds)
				exact.Sums([][]float64{train.X.RawRowView(r)}, [][]float64{sums})
				total := sums[0] + sums[1] + sums[2]
				check := func(what string, got, sum float64, count int) {
					want := math.Log(max(sum*exact.Norm(0)/float64(count), 1e-4))
					// the error of the density, relative to the floor at worst
					if tolerance := kde.GridError * exact.Norm(0) / 1e-4; !(math.Abs(got-want) <= tolerance) {
						t.Fatalf("%s, entry %v, row %d, %s: %v, want %v", rule, e, r, what, got, want)
					}
				}
				check("all rows", all.At(r, k), total, len(rows))
				check("all rows", again.At(r, k), total, len(rows))
				for f := range folds {
					check(fmt.Sprint("without fold ", f), without[f].At(r, k), total-sums[f], len(rows)-p.Count(f))
				}
			}
		}
	}
}

// Time grows linearly in n: d = 20, all pairs.
func BenchmarkGridFeatures(b *testing.B) {
	for _, n := range []int{10000, 20000, 40000} {
		train, test := correlatedSet(n, 20, 2, 1), correlatedSet(1000, 20, 2, 2)
		for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
			b.Run(fmt.Sprint(rule, "/", n), func(b *testing.B) {
				for b.Loop() {
					features, err := fitLogDensities(context.Background(), train.Anew(), rule, 1e-10, pairEntries(2, 20))
					if err != nil {
						b.Fatal(err)
					}
					features.Features(context.Background(), train.X)
					features.Features(context.Background(), test.X)
				}
			})
		}
	}
}
