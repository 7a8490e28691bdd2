package verdicts

import (
	"math"
	"slices"
	"strings"
	"testing"

	"copse/internal/golden"
	"copse/stats"
	"copse/stats/records"
)

func TestCompareWithPublishedGolden(t *testing.T) {
	rows := golden.Read(t, "../testdata/welch.csv")
	var pairs []Counterpart
	for _, r := range rows {
		pairs = append(pairs, Counterpart{Cell: "c", Classifier: "a",
			Ours:      stats.Summary{N: int(r.Num("n1")), Mean: r.Num("m1"), SD: r.Num("s1")},
			Published: Reported{r.Num("m2"), r.Num("s2"), int(r.Num("n2"))}})
	}
	got, err := CompareWithPublished(pairs, AgreementOptions{Alpha: 0.05})
	if err != nil || got.Family != len(rows) {
		t.Fatal(got, err)
	}
	for i, r := range rows {
		a := got.Items[i]
		if !golden.Near(a.Z, r.Num("t")) || !golden.Near(a.SE, r.Num("se")) || !golden.Near(a.P, r.Num("p")) || !golden.Near(a.Adjusted, min(1, r.Num("p")*float64(len(rows)))) {
			t.Errorf("%+v\nR says %v", a, r.Value)
		}
		if want := map[bool]Verdict{true: Differs, false: Agrees}[a.Adjusted <= 0.05]; a.Verdict != want {
			t.Errorf("p %v: %s", a.Adjusted, a.Verdict)
		}
	}
	if got.Items[2].Verdict != Differs || got.Items[0].Verdict != Agrees {
		t.Errorf("verdicts %v, %v", got.Items[0].Verdict, got.Items[2].Verdict)
	}
}

func TestCompareWithPublishedVerdicts(t *testing.T) {
	nan := math.NaN()
	ours := stats.Summary{N: 100, Mean: 0.15, SD: 0.03}
	full := Reported{0.12, 0.03, 100} // 7 standard errors away
	pairs := []Counterpart{
		{"1", "a", records.ErrorRate, ours, full, nil},
		{"1", "b", records.ErrorRate, ours, Reported{0.15, 0.02, 100}, nil},
		{"1", "c", records.ErrorRate, ours, Reported{nan, nan, 100}, nil},
		{"2", "a", records.ErrorRate, ours, Reported{0.18, nan, 100}, nil},
		{"2", "b", records.ErrorRate, ours, Reported{0.18, 0.03, 0}, nil},
		{"2", "c", records.ErrorRate, stats.Summary{Failed: 3, Mean: nan, SD: nan}, full, nil},
		{"3", "a", records.ErrorRate, stats.Summary{N: 1, Mean: 0.15, SD: nan}, full, nil},
		{"3", "b", records.ErrorRate, stats.Summary{N: 9, Mean: 0.15}, Reported{0.12, 0, 9}, nil},
	}
	got, err := CompareWithPublished(pairs, AgreementOptions{Alpha: 0.05, Correction: stats.Holm})
	if err != nil || got.Family != 2 {
		t.Fatal(got, err)
	}
	for i, want := range []struct {
		verdict Verdict
		reason  string
	}{{Differs, ""}, {Agrees, ""}, {NotComparable, "no number"}, {NotComparable, "no standard deviation"},
		{NotComparable, "number of replicates"}, {NotComparable, "no replicate of ours"}, {NotComparable, "single replicate"}, {NotComparable, "neither side varies"}} {
		a := got.Items[i]
		if a.Verdict != want.verdict || !strings.Contains(a.Reason, want.reason) || (a.Reason == "") != (want.reason == "") ||
			math.IsNaN(a.Z) != (want.verdict == NotComparable) {
			t.Errorf("%d: %+v", i, a)
		}
	}
	tallies := got.TallyBy(func(a *Agreement) string { return a.Classifier })
	if len(tallies) != 3 || tallies[0].Key != "a" || tallies[0].Differ != 1 || tallies[0].Incomparable != 2 || tallies[0].Share != 0 ||
		!golden.Near(tallies[0].MeanDifference, 0.01) || tallies[1].Agree != 1 || tallies[1].Share != 1 ||
		!math.IsNaN(tallies[2].Share) || !math.IsNaN(tallies[2].MeanDifference) {
		t.Errorf("%+v", tallies)
	}
	// Half a printed unit of 0.03 explains the whole difference.
	rounded, _ := CompareWithPublished(pairs[:1], AgreementOptions{Alpha: 0.05, Rounding: 0.03})
	if a := rounded.Items[0]; a.Verdict != Agrees || a.P < 0.999 || !golden.Near(a.Z, 0.03/math.Sqrt(2*0.03*0.03/100)) {
		t.Errorf("rounded: %+v", a)
	}
	for _, o := range []AgreementOptions{{}, {Alpha: 1}, {Alpha: 0.05, Rounding: -1}, {Alpha: 0.05, Rounding: nan}} {
		if _, err := CompareWithPublished(pairs, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func TestKendallTauGolden(t *testing.T) {
	for _, r := range golden.Read(t, "../testdata/kendall.csv") {
		if got := KendallTau(r.List("x"), r.List("y")); !golden.Near(got, r.Num("tau")) {
			t.Errorf("%v, R says %v", got, r.Value)
		}
	}
	if !math.IsNaN(KendallTau([]float64{1, 1}, []float64{1, 2})) || !math.IsNaN(KendallTau(nil, nil)) {
		t.Error("an undefined tau is not NaN")
	}
}

func TestCompareRanks(t *testing.T) {
	cell := func(id string, ours, published []float64) []Counterpart {
		var pairs []Counterpart
		for k, name := range []string{"a", "b", "c"} {
			pairs = append(pairs, Counterpart{id, name, records.ErrorRate, stats.Summary{N: 100, Mean: ours[k], SD: 0.02}, Reported{published[k], 0.02, 100}, nil})
		}
		return pairs
	}
	nan := math.NaN()
	pairs := slices.Concat(
		cell("same", []float64{.10, .101, .2}, []float64{.12, .121, .3}),
		cell("reversed", []float64{.10, .15, .2}, []float64{.2, .15, .1}),
		cell("tied", []float64{.10, .15, .2}, []float64{.1, .1, .2}),
		cell("partly", []float64{.10, .15, .2}, []float64{.1, nan, .05}),
		cell("missing", []float64{.10, .15, .2}, []float64{nan, nan, nan}))
	got := CompareRanks(pairs, 0.05)
	for i, want := range []struct {
		cell              string
		n                 int
		tau               float64
		ours, published   string
		sameBest, sameSet bool
	}{
		{"same", 3, 1, "a b", "a b", true, true},
		{"reversed", 3, -1, "a", "c", false, false},
		{"tied", 3, 2 / math.Sqrt(6), "a", "a b", true, false},
		{"partly", 2, -1, "a", "c", false, false},
		{"missing", 0, nan, "", "", false, false},
	} {
		g := got[i]
		if g.Cell != want.cell || g.Classifiers != want.n || !golden.Near(g.Tau, want.tau) || strings.Join(g.Ours, " ") != want.ours ||
			strings.Join(g.Published, " ") != want.published || g.SameBest != want.sameBest || g.SameSet != want.sameSet {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
	// Without spreads only the best itself is compatible.
	pairs = cell("x", []float64{.1, .101, .2}, []float64{.1, .101, .2})
	for i := range pairs {
		pairs[i].Published.SD, pairs[i].Ours.SD = nan, nan
	}
	if g := CompareRanks(pairs, 0.05)[0]; strings.Join(g.Ours, " ") != "a" || !g.SameSet || !g.SameBest {
		t.Errorf("%+v", g)
	}
}
