package verdicts

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// familyProcedures are ways to find the best of a family, and whether each holds its family-wise level for
// the given number of classifiers.
var familyProcedures = []struct {
	name   string
	change func(*BestOptions)
	holds  func(k int) bool
}{
	{"bonferroni", func(*BestOptions) {}, func(k int) bool { return k == 2 }},
	{"holm", func(o *BestOptions) { o.Correction = stats.Holm }, func(k int) bool { return k == 2 }},
	{"pairs", func(o *BestOptions) { o.AllPairs = true }, always},
	{"best", func(o *BestOptions) { o.Joint = true }, always},
	{"champion", func(o *BestOptions) { o.Alternative, o.Champion = stats.Less, "c0" }, always},
}

func always(int) bool { return true }

// The test counts how often any of several equally good classifiers is shown to be worse than the best,
// selected from the same data, or than a given champion. The papers' correction counts the comparisons with
// the best and exceeds its level for more than two classifiers. The guide states the figures of 10,000
// studies.
func TestSizeOfBest(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the size of tests by simulation: run without -short")
	}
	long := os.Getenv("COPSE_LONG") != ""
	sizes, studies := []int{2, 5, 10}, 100
	if long {
		sizes, studies = []int{2, 3, 5, 10, 20}, 10_000
	}
	const alpha = 0.05
	for _, k := range sizes {
		rejected := rejections(t, k, studies)
		se := math.Sqrt(alpha * (1 - alpha) / float64(studies))
		for _, p := range familyProcedures {
			level := float64(rejected[p.name]) / float64(studies)
			t.Logf("%d classifiers, %s: some is shown to be worse in %.1f%% of %d studies", k, p.name, 100*level,
				studies)
			if p.holds(k) && level > alpha+3*se {
				t.Errorf("%d classifiers, %s: some of equal ones is shown to be worse in %.1f%%", k, p.name, 100*level)
			}
		}
		if long && k == 10 && float64(rejected["bonferroni"])/float64(studies) < alpha+3*se {
			t.Errorf("the papers' correction holds the level with %d classifiers: correct the guide", k)
		}
	}
}

// rejections counts the studies of k equal classifiers in which each procedure shows one
// to be worse.
func rejections(t *testing.T, k, studies int) map[string]int {
	t.Helper()
	const replicates = 50
	rng := randtest.New(31)
	signs := randtest.New(32)
	rejected := map[string]int{}
	var ids []string
	for i := range k {
		ids = append(ids, fmt.Sprint("c", i))
	}
	for range studies {
		errors := make([][]int, k)
		for i := range errors {
			errors[i] = recordstest.Series(replicates,
				func(int) int { return 200 + int(math.Round(30*rng.NormFloat64())) })
		}
		c := recordstest.Fixture([]string{"200"}, ids, [][][]int{errors}).Cells()[0]
		for _, p := range familyProcedures {
			o := DefaultBestOptions(ids)
			o.Random = func(string) *rand.Rand { return signs }
			p.change(&o)
			if anyWorse(t, &c, o) {
				rejected[p.name]++
			}
		}
	}
	return rejected
}

func anyWorse(t *testing.T, c *records.Cell, o BestOptions) bool {
	t.Helper()
	for _, q := range best(t, c, o).Comparisons {
		if q.Worse {
			return true
		}
	}
	return false
}

// One-sided tests compare the champion with all others, even if it has not the smallest mean.
func TestBestAgainstChampion(t *testing.T) {
	c := bestFixture().Cells()[0]
	o := DefaultBestOptions([]string{"far", "slb", "near"})
	o.Alternative, o.Champion = stats.Less, "far"
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

// A paper's results vary as ours do. Verdicts keep their family-wise level even if the paper gives no
// standard deviations: of 20 equal means, some differs in at most 5 percent of the studies. Of 20 means
// that differ by the margin, some agrees in at most 5 percent.
func TestSizeWithoutPublishedDeviations(t *testing.T) {
	const studies, numbers, sd = 400, 20, 0.03
	rng := randtest.New(33)
	draw := func(n int, mean float64) stats.Summary {
		values := make([]float64, n)
		for i := range values {
			values[i] = mean + sd*rng.NormFloat64()
		}
		return stats.Summarize(values)
	}
	o := DefaultAgreementOptions()
	limit := o.Alpha + 3*math.Sqrt(o.Alpha*(1-o.Alpha)/studies)
	for _, c := range []struct {
		ours, theirs int // results of a mean
		difference   float64
		wrong        Verdict
	}{{50, 50, 0, Differs}, {100, 10, 0, Differs}, {5, 5, 0, Differs}, {50, 50, o.Margin, Agrees},
		{200, 10, o.Margin, Agrees}} {
		withWrong := 0 // studies with a wrong verdict
		for range studies {
			var pairs []Counterpart
			for range numbers {
				pairs = append(pairs, Counterpart{Ours: draw(c.ours, 0.3+c.difference),
					Published: Reported{Mean: draw(c.theirs, 0.3).Mean, SD: math.NaN(), N: c.theirs}})
			}
			isWrong := func(a Agreement) bool { return a.Verdict == c.wrong }
			if slices.ContainsFunc(CompareWithPublished(pairs, o).Items, isWrong) {
				withWrong++
			}
		}
		level := float64(withWrong) / studies
		t.Logf("%d results against %d, true difference %v: some number %s in %.1f%% of %d studies", c.ours, c.theirs,
			c.difference, c.wrong, 100*level, studies)
		if level > limit {
			t.Error("this exceeds the family-wise level")
		}
	}
}
