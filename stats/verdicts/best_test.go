package verdicts

import (
	"slices"
	"strings"
	"testing"

	"copse/internal/golden"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// 20 replicates: slb best; near differs by +-1 around it, far is 30 worse
// everywhere, oracle is better than all but outside the family.
func bestFixture() *records.Records {
	slb := recordstest.Series(20, func(i int) int { return 100 + 3*i })
	return recordstest.Fixture([]string{"200"}, []string{"near", "slb", "far", "oracle"}, [][][]int{{
		recordstest.Series(20, func(i int) int { return slb[i] + 1 - 2*(i%2) + i/19 }),
		slb,
		recordstest.Series(20, func(i int) int { return slb[i] + 30 + i }),
		recordstest.Series(20, func(i int) int { return slb[i] - 50 }),
	}})
}

func TestBest(t *testing.T) {
	c := bestFixture().Cells()[0]
	for _, correction := range []stats.Correction{stats.Bonferroni, stats.Holm} {
		o := DefaultBestOptions([]string{"far", "slb", "near"})
		o.Correction = correction
		set, err := Best(&c, o)
		if err != nil {
			t.Fatal(err)
		}
		if set.Best != "slb" || !slices.Equal(set.Members, []string{"slb", "near"}) || !golden.Near(set.Level, 0.025) ||
			!set.Attainable || len(set.Warnings) != 0 || set.Contains("oracle") || set.Contains("far") {
			t.Errorf("%v: %+v", correction, set)
		}
		for _, q := range set.Comparisons {
			if want := q.Other == "far"; q.Worse != want || len(q.Pairs.X) != 20 {
				t.Errorf("%v: %+v", correction, q)
			}
			if q.Other == "far" && (q.Effect != -1 || !(q.Shift.High < 0) || !(q.Adjusted >= q.Test.P)) {
				t.Errorf("%v: effect %v, shift %+v, p %v", correction, q.Effect, q.Shift, q.Adjusted)
			}
		}
	}
}

// Table 4 of Tenzer et al. (2020) has 5 folds and 7 classifiers: the smallest
// two-sided p-value, 1/16, exceeds 0.05/6, so all are bold whatever the data.
func TestBestUnattainable(t *testing.T) {
	classifiers := []string{"a", "b", "c", "d", "e", "f", "g"}
	var errors [][]int
	for k := range classifiers {
		errors = append(errors, recordstest.Series(5, func(i int) int { return 100*k + 7*i + k*i*i }))
	}
	c := recordstest.Fixture([]string{"1"}, classifiers, [][][]int{errors}).Cells()[0]
	set, err := Best(&c, DefaultBestOptions(classifiers))
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Members) != 7 || set.Attainable || set.MinP != 0.0625 || len(set.Warnings) != 1 ||
		!strings.Contains(set.Warnings[0], "at least 8 replicates") {
		t.Errorf("%+v", set)
	}
}

func TestPairsNeeded(t *testing.T) {
	for _, c := range []struct {
		level float64
		a     stats.Alternative
		want  int
	}{{0.05, stats.TwoSided, 6}, {0.05, stats.Less, 5}, {0.05 / 6, stats.TwoSided, 8}, {0.0625, stats.TwoSided, 5}} {
		if got := PairsNeeded(c.level, c.a); got != c.want {
			t.Errorf("%v %v: %d, want %d", c.level, c.a, got, c.want)
		}
	}
	// The tests do attain it.
	x, y := []float64{1, 2, 3, 4, 5, 6}, make([]float64, 6)
	if got, _ := stats.SignedRank(x, y, stats.TwoSided); got.P != MinSignedRankP(6, stats.TwoSided) {
		t.Errorf("six positive differences: p = %v", got.P)
	}
}

func TestBestFailures(t *testing.T) {
	r := recordstest.Fixture([]string{"1"}, []string{"a", "b", "dead"}, [][][]int{{
		recordstest.Series(12, func(i int) int { return 100 + i }),
		recordstest.Series(12, func(i int) int { return 90 + i*i/3 - 200*btoi(i == 4) }), // replicate 5 failed
		recordstest.Series(12, func(int) int { return -1 }),
	}})
	c := r.Cells()[0]
	set, err := Best(&c, DefaultBestOptions([]string{"a", "b", "dead"}))
	if err != nil {
		t.Fatal(err)
	}
	if set.Contains("dead") || len(set.Comparisons) != 1 || len(set.Comparisons[0].Pairs.X) != 11 ||
		set.Comparisons[0].Pairs.Dropped != 1 || set.Level != 0.025 {
		t.Errorf("%+v", set)
	}
	if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "b 1 of 12, dead 12 of 12") {
		t.Errorf("warnings %q", set.Warnings)
	}
	r = recordstest.Fixture([]string{"1"}, []string{"a", "b"}, [][][]int{{{-1}, {-1}}})
	c = r.Cells()[0]
	if set, err := Best(&c, DefaultBestOptions([]string{"a", "b"})); err != nil || set.Best != "" || len(set.Members) != 0 || len(set.Warnings) != 2 {
		t.Errorf("all failed: %+v, %v", set, err)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestBestRefuses(t *testing.T) {
	c := bestFixture().Cells()[0]
	for want, o := range map[string]BestOptions{
		"at least two":  {Family: []string{"slb"}, Alpha: 0.05},
		"alpha is 0":    {Family: []string{"slb", "far"}},
		`no classifier`: {Family: []string{"slb", "lsb"}, Alpha: 0.05},
		"twice":         {Family: []string{"slb", "slb"}, Alpha: 0.05},
	} {
		if _, err := Best(&c, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

func TestCountWins(t *testing.T) {
	better := func(by int) [][]int {
		base := recordstest.Series(10, func(i int) int { return 200 + 7*i })
		return [][]int{base, recordstest.Series(10, func(i int) int { return base[i] + by*(i+1) })}
	}
	cells := recordstest.Fixture([]string{"1", "2", "3", "4"}, []string{"forest", "nb"},
		[][][]int{better(2), better(-2), better(5), {better(1)[0], better(0)[1]}}).Cells()
	wins, err := CountWins(cells, "forest", []string{"nb"}, WinOptions{Alpha: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	w := wins[0]
	if w.Won != 2 || w.Proportion != 0.5 || !golden.Near(w.Level, 0.0125) || !w.Tests[0].Won || w.Tests[1].Won || w.Tests[3].Test.P != 1 {
		t.Errorf("%+v", w)
	}
	if w.Tests[0].Test.P != 1./1024 || w.Tests[1].Test.P != 1 { // all ten one-sided: 2^-10
		t.Errorf("p = %v, %v", w.Tests[0].Test.P, w.Tests[1].Test.P)
	}
	both, _ := CountWins(cells, "nb", []string{"forest", "nb"}, WinOptions{Alpha: 0.05, Family: AllComparisons})
	if both[0].Won != 1 || !golden.Near(both[0].Level, 0.05/8) || both[1].Won != 0 {
		t.Errorf("%+v", both)
	}
	if _, err := CountWins(cells, "forest", []string{"nb"}, WinOptions{}); err == nil {
		t.Error("alpha 0: no error")
	}
}

func TestRankTable(t *testing.T) {
	cells := recordstest.Fixture([]string{"1", "2"}, []string{"a", "b"}, [][][]int{{{10, 20}, {30, 50}}, {{1}, {-1}}}).Cells()
	values, left := RankTable(cells, records.ErrorRate, []string{"b", "a"})
	if left != 1 || len(values) != 1 || !golden.Near(values[0][0], 0.04) || !golden.Near(values[0][1], 0.015) {
		t.Errorf("%v, %d left out", values, left)
	}
}
