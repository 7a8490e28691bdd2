package logdensity

import (
	"fmt"
	"math"
	"testing"

	"copse/classifiers/internal/methodtest"
	"copse/stats/dataset/datasettest"
	"copse/stats/kde"
)

// The features of single pairs, with and without folds, equal the formula with the same bandwidths, for small
// classes (direct sums) and larger ones (grids).
func TestPairwiseFeaturesAgainstFormula(t *testing.T) {
	for _, c := range []struct {
		n    int
		rule kde.Rule
	}{{60, kde.PlugIn}, {1200, kde.PlugIn}, {2*productRows + 2, kde.NormalReference}} {
		for _, floor := range []float64{0, 1e-10} {
			t.Run(fmt.Sprint(c.rule, "/", c.n, "/", floor),
				func(t *testing.T) { testPairwiseFeatures(t, c.n, c.rule, floor) })
		}
	}
}

func testPairwiseFeatures(t *testing.T, n int, rule kde.Rule, floor float64) {
	const d, folds = 2, 3
	train := methodtest.CorrelatedSet(n, d, 2, 3)
	fold := datasettest.Folds(t, train.Y, folds, nil)
	ctx := t.Context()
	features := fit(t, train, Options{Rule: rule, Floor: floor}, Pairs(2, d))
	all, without, err := features.CrossFeatures(ctx, fold, folds)
	if err != nil {
		t.Fatal(err)
	}
	again, err := features.FeaturesIn(ctx, nil, train.X)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range features.Entries {
		rows := train.ClassRows(e.Class)
		columns := train.Columns(rows)
		h := features.classes[e.Class].pairs[0].h
		if rule.Product() {
			h, _ = rule.Bandwidth2(columns[e.I], columns[e.J])
		}
		for r := 0; r < n; r += 1 + n/300 {
			var sums, counts [folds]float64
			for i, row := range rows {
				a, b := train.X.At(r, e.I)-columns[e.I][i], train.X.At(r, e.J)-columns[e.J][i]
				sums[fold[row]] += math.Exp(-0.5 * (h.YY*a*a - 2*h.XY*a*b + h.XX*b*b) / h.Det())
				counts[fold[row]]++
			}
			check := func(what string, got float64, left int) {
				sum, count := 0.0, 0.0
				for f := range folds {
					if f != left {
						sum, count = sum+sums[f], count+counts[f]
					}
				}
				least := floor / kde.StdDev(columns[e.I]) / kde.StdDev(columns[e.J])
				want := math.Log(max(sum/count/(2*math.Pi*math.Sqrt(h.Det())), least))
				if !(math.Abs(got-want) <= kde.LogError) {
					t.Fatalf("entry %v, row %d, %s: %v, want %v", e, r, what, got, want)
				}
			}
			check("all rows", all.At(r, k), -1)
			check("all rows", again.At(r, k), -1)
			for f := range folds {
				check(fmt.Sprint("without fold ", f), without[f].At(r, k), f)
			}
		}
	}
}

// Time grows linearly in n: d = 20, all pairs.
func BenchmarkPairwiseFeatures(b *testing.B) {
	for _, n := range []int{1000, 10000, 20000, 40000} {
		train, test := methodtest.CorrelatedSet(n, 20, 2, 1), methodtest.CorrelatedSet(1000, 20, 2, 2)
		for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
			b.Run(fmt.Sprint(rule, "/", n), func(b *testing.B) {
				for b.Loop() {
					o := Options{Rule: rule, Floor: 1e-10}
					features, err := Fit(b.Context(), train.WithoutDerived(), o, Pairs(2, 20))
					if err != nil {
						b.Fatal(err)
					}
					features.FeaturesIn(b.Context(), nil, train.X)
					features.FeaturesIn(b.Context(), nil, test.X)
				}
			})
		}
	}
}
