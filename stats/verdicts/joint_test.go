package verdicts

import (
	"math"
	"slices"
	"testing"

	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// jointOptions compares by the max-type test over all pairs.
func jointOptions(family []string) BestOptions {
	o := DefaultBestOptions(family)
	o.Joint = true
	o.Random = randtest.Same
	return o
}

// A comparison has the numbers of the test over all pairs, in the unit of the losses.
func TestBestJointly(t *testing.T) {
	c := bestFixture().Cells()[0]
	o := jointOptions([]string{"far", "slb", "near"})
	o.Margin = 0.01
	set := best(t, &c, o)
	if set.Best != "slb" || !slices.Equal(set.Members, []string{"slb", "near"}) || set.Level != 0.05 ||
		!set.Attainable {
		t.Errorf("%+v", set)
	}
	losses, err := c.Common(o.Metric, []string{"far", "slb", "near"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := stats.FlipAllPairs(losses, randtest.New(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range set.Comparisons {
		other := slices.Index([]string{"far", "slb", "near"}, q.Other)
		p, adjusted := all.PValues(1, other)
		interval := all.Interval(1, other, 0.95)
		var d []float64
		for _, row := range losses {
			d = append(d, row[1]-row[other])
		}
		want := stats.Summarize(d)
		for name, pair := range map[string][2]float64{
			"adjusted":    {q.Adjusted, adjusted},
			"p":           {q.P, p},
			"estimate":    {q.Shift.Estimate, want.Mean},
			"low":         {q.Shift.Low, interval.Low},
			"high":        {q.Shift.High, interval.High},
			"mean":        {q.Mean.Mean, want.Mean},
			"mcse":        {q.Mean.MCSE, want.MCSE},
			"detectable":  {q.Detectable, all.Detectable(1, other, 0.05, 0.8)},
			"equivalence": {q.Equivalence, all.Equivalence(1, other, 0.01)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", q.Other, name, pair[0], pair[1])
			}
		}
		if q.Worse != (q.Other == "far") || q.Pairs != 20 {
			t.Errorf("%+v", q)
		}
	}
}

// Classifiers are compared on the replicates in which all succeeded; one that never succeeded has no
// comparisons and is not in the set.
func TestBestJointlyOnCommonReplicates(t *testing.T) {
	rows := recordstest.Fixture([]string{"200"}, []string{"a", "b", "c", "never"}, [][][]int{{
		recordstest.Series(20, func(i int) int { return 100 + i }),
		recordstest.Series(20, func(i int) int { return 130 + i + i%3 }),
		recordstest.Series(20, func(i int) int { return 100 + i + 1 - 2*(i%2) }),
		recordstest.Series(20, func(i int) int { return 0 }),
	}})
	for r := range recordstest.Each(rows) {
		if r.Classifier == "never" || r.Classifier == "b" && r.Replicate > 15 {
			r.Status = records.Failed
		}
	}
	c := rows.Cells()[0]
	set := best(t, &c, jointOptions([]string{"a", "b", "c", "never"}))
	if len(set.Comparisons) != 2 || !slices.Equal(set.Members, []string{"a", "c"}) {
		t.Errorf("%+v", set)
	}
	for _, q := range set.Comparisons {
		if q.Pairs != 15 {
			t.Errorf("%s: %d pairs, want 15", q.Other, q.Pairs)
		}
	}
}

func TestBestJointlyOverFolds(t *testing.T) {
	c := bestFixture().Cells()[0]
	o := jointOptions([]string{"far", "slb", "near"})
	o.Design, o.Share = stats.Resampled, 0.25
	set := best(t, &c, o)
	for _, q := range set.Comparisons {
		pairs, err := c.Pairs(o.Metric, "slb", q.Other)
		if err != nil {
			t.Fatal(err)
		}
		want, err := stats.CorrectedT(pairs.Differences(), 0.25, stats.TwoSided)
		if err != nil {
			t.Fatal(err)
		}
		if !golden.Near(q.P, want.P) || !golden.Near(q.Adjusted, min(1, 3*want.P)) {
			t.Errorf("%s: p %v, adjusted %v, want %v and three times that", q.Other, q.P, q.Adjusted, want.P)
		}
	}
}

// Because of rare large errors, a test of ranks may favour the classifier with the larger mean. The
// comparison is then doubtful.
func TestDoubtfulComparisons(t *testing.T) {
	c := recordstest.Fixture([]string{"200"}, []string{"steady", "catastrophe"}, [][][]int{{
		recordstest.Series(30, func(i int) int { return 100 + i }),
		recordstest.Series(30, func(i int) int {
			if i%10 == 0 {
				return 150 + i
			}
			return 98 + i - i%2
		}),
	}}).Cells()[0]
	set := best(t, &c, DefaultBestOptions([]string{"steady", "catastrophe"}))
	q := set.Comparisons[0]
	if !q.Doubtful() || !(q.Mean.Mean < 0) || !(q.Shift.Estimate > 0) || !(math.Abs(q.Skewness) > skewed) {
		t.Errorf("doubtful %t, mean %v, estimate %v, skewness %v", q.Doubtful(), q.Mean.Mean, q.Shift.Estimate,
			q.Skewness)
	}
	fine := bestFixture().Cells()[0]
	set = best(t, &fine, DefaultBestOptions([]string{"far", "slb", "near"}))
	for _, q := range set.Comparisons {
		if q.Doubtful() {
			t.Errorf("%s is doubtful: %+v", q.Other, q)
		}
	}
}

// With a single replicate, the joint test shows nothing but has comparisons, so that tables state the reason.
func TestJointTestOfOneReplicate(t *testing.T) {
	ids := []string{"a", "b", "c"}
	cell := recordstest.Fixture([]string{"200"}, ids, [][][]int{{{10}, {20}, {30}}}).Cells()[0]
	o := DefaultBestOptions(ids)
	o.AllPairs, o.Joint, o.Margin = true, true, 0.5
	set, err := Best(&cell, o)
	if err != nil || set.Attainable || len(set.Comparisons) != 2 {
		t.Fatalf("%+v, %v", set, err)
	}
	for _, q := range set.Comparisons {
		if q.P != 1 || q.Adjusted != 1 || q.Equivalence != 1 || q.Pairs != 1 || q.Shift.Level != 0 ||
			!(q.Shift.Estimate < 0) || !math.IsNaN(q.Detectable) {
			t.Errorf("%+v", q)
		}
	}
}
