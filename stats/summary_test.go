package stats

import (
	"math"
	"slices"
	"testing"
)

func TestSummaryAndBoxGolden(t *testing.T) {
	for _, row := range golden(t, "box.csv") {
		values := row.list("values")
		s, b := Summarize(values), NewBox(values)
		if s.N != int(row.num("n")) || !near(s.Mean, row.num("mean")) || !near(s.SD, row.num("sd")) ||
			!near(s.MCSE, row.num("sd")/math.Sqrt(row.num("n"))) {
			t.Errorf("%v: summary %+v, R says %v", values, s, row.value)
		}
		for column, got := range map[string]float64{"low": b.Low, "q1": b.Q1, "median": b.Median, "q3": b.Q3, "high": b.High, "mean": b.Mean} {
			if !near(got, row.num(column)) {
				t.Errorf("%v: %s %v, ggplot2 says %v", values, column, got, row.num(column))
			}
		}
		if !slices.EqualFunc(b.Outliers, row.list("outliers"), near) {
			t.Errorf("%v: outliers %v, ggplot2 says %v", values, b.Outliers, row.value["outliers"])
		}
		slices.Sort(values)
		if !near(Quantile(values, 0.1), row.num("p10")) || !near(Quantile(values, 0.95), row.num("p95")) {
			t.Errorf("%v: quantiles %v %v", values, Quantile(values, 0.1), Quantile(values, 0.95))
		}
	}
}

func TestSummaryOfNothing(t *testing.T) {
	s := Summarize(nil)
	if s.N != 0 || !math.IsNaN(s.Mean) || !math.IsNaN(s.SD) || !math.IsNaN(s.MCSE) {
		t.Errorf("%+v", s)
	}
	if s := Summarize([]float64{4}); s.Mean != 4 || !math.IsNaN(s.SD) {
		t.Errorf("%+v", s)
	}
}

func TestNewBoxLeavesItsInput(t *testing.T) {
	values := []float64{3, 1, 2}
	NewBox(values)
	if !slices.Equal(values, []float64{3, 1, 2}) {
		t.Errorf("reordered to %v", values)
	}
}

func TestAdjustGolden(t *testing.T) {
	for _, row := range golden(t, "adjust.csv") {
		method := map[string]Correction{"bonferroni": Bonferroni, "holm": Holm}[row.value["method"]]
		if got := method.Adjust(row.list("p"), int(row.num("family"))); !slices.EqualFunc(got, row.list("adjusted"), near) {
			t.Errorf("got %v, R says %v", got, row.value)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a family smaller than its tests: no panic")
		}
	}()
	Holm.Adjust([]float64{.1, .2}, 1)
}
