package records_test

import (
	"slices"
	"strings"
	"testing"

	"copse/internal/golden"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

func TestCells(t *testing.T) {
	r := recordstest.Fixture([]string{"200", "400"}, []string{"a", "b"}, [][][]int{
		{{10, 20, 30}, {30, -1, 20}},
		{{1, 2}, {3, 4}},
	})
	cells := r.Cells()
	if len(cells) != 2 || cells[0].ID != "cell-200" || !slices.Equal(cells[1].Replicates, []int{1, 2}) {
		t.Fatalf("%+v", cells)
	}
	c := &cells[0]
	values, failed := c.Values(metrics.ErrorRate, "b")
	if !slices.Equal(values, []float64{.03, .02}) || failed != 1 {
		t.Errorf("values %v, %d failed", values, failed)
	}
	s := c.Summary(metrics.BalancedError, "a")
	if s.N != 3 || s.Failed != 0 || !golden.Near(s.Mean, 0.01) || !golden.Near(s.SD, 0.005) {
		t.Errorf("summary %+v", s)
	}
	p, err := c.Pairs(metrics.ErrorRate, "a", "b")
	if err != nil || !slices.Equal(p.X, []float64{.01, .03}) ||
		!slices.Equal(p.Y, []float64{.03, .02}) {
		t.Errorf("pairs %+v, %v", p, err)
	}
	c.Rows = nil
	r.Rows = r.Rows[1:] // replicate 1 of a is gone
	if p, err := r.Cells()[0].Pairs(metrics.ErrorRate, "a", "b"); err != nil || !slices.Equal(p.X, []float64{.03}) {
		t.Errorf("pairs %+v, %v", p, err)
	}
	if _, err := r.Cells()[0].Pairs(metrics.ErrorRate, "a", "zz"); err == nil {
		t.Error("unknown classifier: no error")
	}
}

func TestCellsRefuseScatteredRows(t *testing.T) {
	r := recordstest.Fixture([]string{"1", "2"}, []string{"a"}, [][][]int{{{1}}, {{1}}})
	r.Rows = append(r.Rows, r.Rows[0])
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	r.Cells()
}

func TestPairsRefuseDifferentData(t *testing.T) {
	r := recordstest.Fixture([]string{"200"}, []string{"slb", "nb"}, [][][]int{{{1, 2}, {3, 4}}})
	r.Rows[3].Data = "other"
	c := r.Cells()[0]
	_, err := c.Pairs(metrics.ErrorRate, "slb", "nb")
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"cell-200", "replicate 2", "slb", "nb", "200/2", "other"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
	isPairing := func(err error) bool { return err != nil && strings.Contains(err.Error(), "cannot be paired") }
	if _, err := verdicts.Best(&c, verdicts.DefaultBestOptions([]string{"slb", "nb"})); !isPairing(err) {
		t.Errorf("best set: %v", err)
	}
	o := verdicts.WinOptions{Metric: metrics.ErrorRate, Alpha: 0.05}
	if _, err := verdicts.CountWins([]records.Cell{c}, "slb", []string{"nb"}, o); !isPairing(err) {
		t.Errorf("wins: %v", err)
	}
}

// 0.3 - 0.1 and 0.2 - 0 differ in float64, but as counts 300-100 and 0-200 tie in size, and this tie affects
// the ranks.
func TestPairsTieAsCounts(t *testing.T) {
	x, y := []int{300, 0, 701, 112, 613}, []int{100, 200, 600, 12, 500}
	r := recordstest.Fixture([]string{"1"}, []string{"a", "b"}, [][][]int{{x, y}})
	c := r.Cells()[0]
	p, err := c.Pairs(metrics.ErrorRate, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]float64, 5)
	for i := range x {
		counts[i] = float64(x[i]) - float64(y[i])
	}
	for _, a := range []stats.Alternative{stats.TwoSided, stats.Greater, stats.Less} {
		got, _ := stats.SignedRankOf(p.Differences(), a, false)
		want, _ := stats.SignedRankOf(counts, a, false)
		if got != want || got.V != 10.5 {
			t.Errorf("%v: %+v on rates, %+v on counts", a, got, want)
		}
		exact, _ := stats.SignedRankOf(p.Differences(), a, true)
		if wantExact, _ := stats.SignedRankOf(counts, a, true); exact != wantExact {
			t.Errorf("%v exact: %+v on rates, %+v on counts", a, exact, wantExact)
		}
	}
	s := stats.HodgesLehmannOf(counts, 0.9)
	const step = stats.Grid / recordstest.Rows
	shift := stats.HodgesLehmannOf(p.Differences(), 0.9)
	if !golden.Near(shift.Estimate, s.Estimate*step) ||
		!golden.Near(shift.Low, s.Low*step) ||
		!golden.Near(shift.High, s.High*step) {
		t.Errorf("shift %+v on rates, %+v on counts", shift, s)
	}
	if got := stats.RankBiserialOf(p.Differences()); !golden.Near(got, 0.4) {
		t.Errorf("effect %v, want 0.4", got)
	}
}
