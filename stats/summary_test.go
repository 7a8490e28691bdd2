package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/internal/golden"
)

func TestSummaryAndBoxGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/box.csv") {
		values := row.List("values")
		s, b := Summarize(values), NewBox(values)
		if s.N != int(row.Num("n")) || !golden.Near(s.Mean, row.Num("mean")) || !golden.Near(s.SD, row.Num("sd")) ||
			!golden.Near(s.MCSE, row.Num("sd")/math.Sqrt(row.Num("n"))) {
			t.Errorf("%v: summary %+v, R gives %v", values, s, row.Value)
		}
		for column, got := range map[string]float64{"low": b.Low, "q1": b.Q1, "median": b.Median, "q3": b.Q3,
			"high": b.High, "mean": b.Mean} {
			if !golden.Near(got, row.Num(column)) {
				t.Errorf("%v: %s %v, ggplot2 gives %v", values, column, got, row.Num(column))
			}
		}
		if !slices.EqualFunc(b.Outliers, row.List("outliers"), golden.Near) {
			t.Errorf("%v: outliers %v, ggplot2 gives %v", values, b.Outliers, row.Value["outliers"])
		}
		slices.Sort(values)
		if !golden.Near(Quantile(values, 0.1), row.Num("p10")) || !golden.Near(Quantile(values, 0.95), row.Num("p95")) {
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

// R 4.2.2 with x <- c(12, 15, 9, 14, 11), y <- c(22, 30, 19, 41) and z <- c(5, 9): t.test(x, y) gives
// the interval of a difference. For weights w and v <- w^2 * c(var(x)/5, var(y)/4, var(z)/2), sqrt(sum(v)) and
// sum(v)^2 / sum(v^2 / c(4, 3, 1)) give the standard error and the degrees of freedom of a stratified mean.
func TestWeightedSumGolden(t *testing.T) {
	x, y, z := Summarize([]float64{12, 15, 9, 14, 11}), Summarize([]float64{22, 30, 19, 41}), Summarize([]float64{5, 9})
	const relative = 1e-9
	near := func(got, want float64) bool { return math.Abs(got/want-1) < relative }
	d := WeightedSum([]Summary{x, y}, []float64{1, -1})
	half := StudentQuantile(0.975, d.DF) * d.MCSE
	if d.N != 4 || !near(d.DF, 3.28422905255) || !near(d.Mean-half, -31.053549112226) ||
		!near(d.Mean+half, -0.546450887774) {
		t.Errorf("difference: %+v ± %v", d, half)
	}
	s := WeightedSum([]Summary{x, y, z}, []float64{0.5, 0.3, 0.2})
	if s.N != 2 || !near(s.Mean, 15.9) || !near(s.MCSE, 1.61864140562) || !near(s.DF, 4.23002176048) {
		t.Errorf("stratified mean: %+v", s)
	}
	constant := Summarize([]float64{3, 3})
	if c := WeightedSum([]Summary{constant, constant}, []float64{1, 1}); c.MCSE != 0 || c.DF != 1 {
		t.Errorf("means that do not vary: %+v", c)
	}
}

// Error rates and percentages have the same outliers as their counts, for which quartiles and whisker limits
// are exact in float64: a value at the limit is not an outlier.
func TestNewBoxOfRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	at := 0
	for range 200 {
		counts := make([]float64, 30)
		for i := range counts {
			counts[i] = math.Round(20 + 5*rng.NormFloat64())
		}
		want := NewBox(counts)
		if reach := 1.5 * (want.Q3 - want.Q1); want.Low == want.Q1-reach || want.High == want.Q3+reach {
			at++
		}
		for _, scale := range []float64{1. / 1000, 100. / 1000} {
			rates := make([]float64, len(counts))
			for i, c := range counts {
				rates[i] = c * scale
			}
			if got := NewBox(rates); len(got.Outliers) != len(want.Outliers) ||
				!golden.Near(got.Low, want.Low*scale) || !golden.Near(got.High, want.High*scale) {
				t.Errorf("%v times %v: %+v, want %+v", counts, scale, got, want)
			}
		}
	}
	if at < 5 {
		t.Errorf("%d samples with a value at the limit, so the test has no power", at)
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
	for _, row := range golden.Read(t, "testdata/adjust.csv") {
		method := map[string]Correction{"bonferroni": Bonferroni, "holm": Holm}[row.Value["method"]]
		if got := method.Adjust(row.List("p"), int(row.Num("family"))); !slices.EqualFunc(got, row.List("adjusted"),
			golden.Near) {
			t.Errorf("got %v, R gives %v", got, row.Value)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a family smaller than its tests: no panic")
		}
	}()
	Holm.Adjust([]float64{.1, .2}, 1)
}
