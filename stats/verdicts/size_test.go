package verdicts

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// Families of equally good classifiers: how often any is shown to be worse than the
// best, which is chosen on the same data, or than a champion named before. Counting
// the comparisons that are made, as the papers do, the level is that of two
// classifiers, and exceeded by more; counting all pairs it holds.
func TestSizeOfBest(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the size of tests by simulation: run without -short")
	}
	const sets, replicates, alpha = 1000, 50, 0.05
	for _, k := range []int{2, 5, 10} {
		rng := rand.New(rand.NewSource(31))
		rejected := map[string]int{}
		var ids []string
		for i := range k {
			ids = append(ids, fmt.Sprint("c", i))
		}
		for range sets {
			errors := make([][]int, k)
			for i := range errors {
				errors[i] = recordstest.Series(replicates, func(int) int { return 200 + int(math.Round(30*rng.NormFloat64())) })
			}
			c := recordstest.Fixture([]string{"200"}, ids, [][][]int{errors}).Cells()[0]
			for name, change := range map[string]func(*BestOptions){
				"bonferroni": func(*BestOptions) {},
				"holm":       func(o *BestOptions) { o.Correction = stats.Holm },
				"pairs":      func(o *BestOptions) { o.AllPairs = true },
				"champion":   func(o *BestOptions) { o.Alternative, o.Champion = stats.Less, "c0" },
			} {
				o := DefaultBestOptions(ids)
				change(&o)
				if anyWorse(t, &c, o) {
					rejected[name]++
				}
			}
		}
		se := math.Sqrt(alpha * (1 - alpha) / sets)
		for _, name := range []string{"bonferroni", "holm", "pairs", "champion"} {
			size := float64(rejected[name]) / sets
			t.Logf("%d classifiers, %s: some is shown to be worse in %.1f%%", k, name, 100*size)
			if holds := name == "pairs" || name == "champion" || k == 2; holds && size > alpha+3*se {
				t.Errorf("%d classifiers, %s: some of equal ones is shown to be worse in %.1f%%", k, name, 100*size)
			}
		}
		if k == 10 && float64(rejected["bonferroni"])/sets < alpha+3*se {
			t.Errorf("the paper's count holds the level with %d classifiers: %d of %d; say so in the guide", k, rejected["bonferroni"], sets)
		}
	}
}

func anyWorse(t *testing.T, c *records.Cell, o BestOptions) bool {
	t.Helper()
	best, err := Best(c, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range best.Comparisons {
		if q.Worse {
			return true
		}
	}
	return false
}

// A one-sided test of what is best on the same data is refused.
func TestBestNeedsAChampion(t *testing.T) {
	c := bestFixture().Cells()[0]
	o := DefaultBestOptions([]string{"far", "slb", "near"})
	o.Alternative = stats.Less
	if _, err := Best(&c, o); err == nil {
		t.Error("one-sided tests without a champion")
	}
	o.Champion = "other"
	if _, err := Best(&c, o); err == nil {
		t.Error("a champion outside the family")
	}
	o.Champion = "far"
	set, err := Best(&c, o)
	if err != nil || set.Best != "slb" || set.Against != "far" || len(set.Members) != 3 {
		t.Errorf("%+v, %v", set, err)
	}
	for _, q := range set.Comparisons {
		if q.Worse || q.Shift.Estimate <= 0 {
			t.Errorf("far is worse than %s: %+v", q.Other, q)
		}
	}
}
