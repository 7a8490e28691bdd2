package verdicts

import (
	"math"
	"slices"
	"strings"
	"testing"

	"copse/internal/golden"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

func TestCompareWithPublishedGolden(t *testing.T) {
	rows := golden.Read(t, "../testdata/welch.csv")
	var pairs []Counterpart
	var p []float64
	for _, r := range rows {
		p = append(p, r.Num("p"))
		pairs = append(pairs, Counterpart{Cell: "c", Classifier: "a",
			Ours:      stats.Summary{N: int(r.Num("n1")), Mean: r.Num("m1"), SD: r.Num("s1")},
			Published: Reported{Mean: r.Num("m2"), SD: r.Num("s2"), N: int(r.Num("n2"))}})
	}
	got := CompareWithPublished(pairs, AgreementOptions{Alpha: 0.05, Margin: 1e-6})
	if got.Family != len(rows) {
		t.Fatal(got)
	}
	adjusted := stats.Holm.Adjust(p, len(p))
	for i, r := range rows {
		a := got.Items[i]
		if !golden.Near(a.Z, r.Num("t")) || !golden.Near(a.SE, r.Num("se")) || !golden.Near(a.P, p[i]) ||
			!golden.Near(a.Adjusted, adjusted[i]) {
			t.Errorf("%+v\nR gives %v", a, r.Value)
		}
		if want := map[bool]Verdict{true: Differs, false: Undecided}[a.Adjusted <= 0.05]; a.Verdict != want {
			t.Errorf("p %v: %s", a.Adjusted, a.Verdict)
		}
	}
	if got.Items[2].Verdict != Differs || got.Items[0].Verdict != Undecided {
		t.Errorf("verdicts %v, %v", got.Items[0].Verdict, got.Items[2].Verdict)
	}
}

func TestCompareWithPublishedVerdicts(t *testing.T) {
	nan := math.NaN()
	ours := stats.Summary{N: 100, Mean: 0.15, SD: 0.03}
	full := Reported{Mean: 0.12, SD: 0.03, N: 100} // 7 standard errors away
	pair := func(cell, classifier string, ours stats.Summary, published Reported) Counterpart {
		return Counterpart{Cell: cell, Classifier: classifier, Metric: metrics.ErrorRate, Ours: ours,
			Published: published}
	}
	pairs := []Counterpart{
		pair("1", "a", ours, full),
		pair("1", "b", ours, Reported{Mean: 0.15, SD: 0.02, N: 100}),
		pair("1", "c", ours, Reported{Mean: nan, SD: nan, N: 100}),
		pair("2", "a", ours, Reported{Mean: 0.18, SD: nan, N: 100}),
		pair("2", "b", ours, Reported{Mean: 0.151, SD: 0.03, N: 0, Rounding: 0.005}),
		pair("2", "c", stats.Summary{Failed: 3, Mean: nan, SD: nan}, full),
		pair("3", "a", stats.Summary{N: 1, Mean: 0.15, SD: nan}, full),
		pair("3", "b", stats.Summary{N: 9, Mean: 0.15}, Reported{Mean: 0.12, SD: 0, N: 9}),
		pair("3", "c", stats.Summary{N: 5, Mean: 0.15, SD: 0.05}, Reported{Mean: 0.33, SD: 0.2, N: 5}),
		pair("4", "c", stats.Summary{Mean: nan, SD: nan}, full),
	}
	got := CompareWithPublished(pairs, DefaultAgreementOptions())
	if got.Family != 4 {
		t.Fatal(got)
	}
	for i, want := range []struct {
		verdict       Verdict
		basis, reason string
	}{{Differs, "", ""}, {Agrees, "", ""}, {NotComparable, "", "no value"}, {Differs, "assumes our standard " +
		"deviation", ""}, {NotComparable, "", "number of replicates is unknown"},
		{NotComparable, "", "too many of our fits failed"}, {NotComparable, "", "single replicate"}, {NotComparable, "",
			"neither our results nor"},
		// a difference of 18 points that is not significant is not an agreement
		{Undecided, "", ""}, {NotComparable, "", "our study has no result"}} {
		a := got.Items[i]
		if a.Verdict != want.verdict || !strings.Contains(a.Reason, want.reason) ||
			(a.Reason == "") != (want.reason == "") ||
			!strings.Contains(a.Basis, want.basis) || (a.Basis == "") != (want.basis == "") ||
			math.IsNaN(a.Z) != (want.verdict == NotComparable) {
			t.Errorf("%d: %+v", i, a)
		}
	}
	items := map[string][]*Agreement{} // by classifier
	for i := range got.Items {
		a := &got.Items[i]
		items[a.Classifier] = append(items[a.Classifier], a)
	}
	if a, b, c := NewTally(items["a"]), NewTally(items["b"]), NewTally(items["c"]); len(items) != 3 || a.Differ != 2 ||
		a.Incomparable != 1 || !golden.Near(a.MeanDifference, 0.01) || b.Agree != 1 || c.Undecided != 1 {
		t.Errorf("%+v, %+v, %+v", a, b, c)
	}
	if a := got.Items[3]; !golden.Near(a.SE, 0.03*math.Sqrt(1./100+1./100)) {
		t.Errorf("without a printed standard deviation: %+v", a)
	}
	// Half a printed unit of 0.03 explains the whole difference, and hides it.
	pairs[0].Published.Rounding = 0.03
	rounded := CompareWithPublished(pairs[:1], DefaultAgreementOptions())
	if a := rounded.Items[0]; a.Verdict != Undecided || a.P < 0.999 ||
		!golden.Near(a.Z, 0.03/math.Sqrt(2*0.03*0.03/100)) {
		t.Errorf("rounded: %+v", a)
	}
	// For ten repeats of ten folds of one data set, the means of the repeats give both variances: for our ten
	// repeats and for the 50 folds of the paper.
	pairs[0].Published.Rounding, pairs[0].Published.N, pairs[0].Share = 0, 50, 1./9
	pairs[0].Repeats = Repeats{Summary: stats.Summary{N: 10, Mean: 0.15, SD: 0.004}, Folds: 10}
	folds := CompareWithPublished(pairs[:1], DefaultAgreementOptions())
	want := 0.004 * math.Sqrt(1./10+10./50)
	if a := folds.Items[0]; a.Verdict != Differs || !golden.Near(a.SE, want) || a.Basis != "" {
		t.Errorf("folds: %+v, want a standard error of %v", a, want)
	}
}

// Among our 10 and their 5 replicates of the same distribution, the three smallest are ours with probability
// (10 9 8)/(15 14 13), and the smallest is theirs with probability 5/15.
func TestPrecedence(t *testing.T) {
	ours := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, c := range []struct {
		e    Extreme
		r    Reported
		want float64
	}{
		{Extreme{Ours: ours}, Reported{Mean: 3.5, N: 5}, 2 * 720. / 2730},
		{Extreme{Ours: ours}, Reported{Mean: 0.5, N: 5}, 2 * 5. / 15},
		{Extreme{Ours: ours, Largest: true}, Reported{Mean: 10.5, N: 5}, 2 * 5. / 15},
		{Extreme{Ours: ours, Largest: true}, Reported{Mean: 3.5, N: 5},
			2 * (10. * 9 * 8 * 7 * 6 * 5 * 4) / (15 * 14 * 13 * 12 * 11 * 10 * 9)},
		{Extreme{Ours: ours}, Reported{Mean: 3.5, N: 5, Rounding: 3}, 1}, // from 0.5 to 6.5
	} {
		if got := c.e.precedence(c.r); !golden.Near(got, min(1, c.want)) {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
	pair := Counterpart{Ours: stats.Summarize(ours), Extreme: &Extreme{Ours: ours, Largest: true},
		Published: Reported{Mean: 3.5, SD: math.NaN(), N: 50}}
	got := CompareWithPublished([]Counterpart{pair}, DefaultAgreementOptions())
	if got.Items[0].Verdict != Differs || got.Items[0].Difference != 6.5 ||
		got.Items[0].Basis != onOurExtremes {
		t.Errorf("%+v", got)
	}
}

// For R and N results, the smallest possible p-value is 2 R! N! / (R+N)!. For five and five it is 2 /
// choose(10, 5), less than 0.05 / 6 but more than 0.05 / 7.
func TestFewExtremesAreNotSignificant(t *testing.T) {
	extremes := func(n int) (basis string, p float64) {
		var pairs []Counterpart
		for range n {
			pairs = append(pairs, Counterpart{Cell: "c", Classifier: "a", Ours: stats.Summary{N: 5, Mean: .1, SD: .01},
				Published: Reported{Mean: .3, SD: math.NaN(),
					N: 5}, Extreme: &Extreme{Ours: []float64{.1, .09, .11, .12, .08}}})
		}
		got := CompareWithPublished(pairs, DefaultAgreementOptions())
		return got.Items[0].Basis, got.Items[0].P
	}
	if basis, p := extremes(6); basis != onOurExtremes || !golden.Near(p, 2./252) {
		t.Errorf("six: %q, p %v", basis, p)
	}
	if basis, _ := extremes(7); basis != onFewExtremes {
		t.Errorf("seven: %q", basis)
	}
}

func TestKendallTauGolden(t *testing.T) {
	for _, r := range golden.Read(t, "../testdata/kendall.csv") {
		if got := kendallTau(r.List("x"), r.List("y")); !golden.Near(got, r.Num("tau")) {
			t.Errorf("%v, R gives %v", got, r.Value)
		}
	}
	if !math.IsNaN(kendallTau([]float64{1, 1}, []float64{1, 2})) || !math.IsNaN(kendallTau(nil, nil)) {
		t.Error("an undefined tau is not NaN")
	}
}

func TestCompareRanks(t *testing.T) {
	cell := func(id string, ours, published []float64) []Counterpart {
		var pairs []Counterpart
		levels := records.LevelsOf(map[string]string{"cell": id})
		for k, name := range []string{"a", "b", "c"} {
			pairs = append(pairs, Counterpart{Levels: levels, Classifier: name, Metric: metrics.ErrorRate,
				Ours: stats.Summary{N: 100, Mean: ours[k], SD: 0.02}, Published: Reported{Mean: published[k],
					SD: 0.02, N: 100}})
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
		if g.Levels.Of("cell") != want.cell || g.Classifiers != want.n || !golden.Near(g.Tau, want.tau) ||
			strings.Join(g.Ours, " ") != want.ours ||
			strings.Join(g.Published, " ") != want.published || g.SameBest != want.sameBest ||
			g.SameSet != want.sameSet {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
	if !got[0].Tested || !got[3].Tested {
		t.Error("sets with spreads count as untested")
	}
	// Without standard deviations, only the best itself is compatible.
	pairs = cell("x", []float64{.1, .101, .2}, []float64{.1, .101, .2})
	for i := range pairs {
		pairs[i].Published.SD = nan
	}
	if g := CompareRanks(pairs, 0.05)[0]; strings.Join(g.Ours, " ") != "a b" ||
		strings.Join(g.Published, " ") != "a" || g.Tested || !g.SameBest {
		t.Errorf("%+v", g)
	}
}

// The test of means over folds that share rows uses the variance of such means. Golden values by R 4.2.2:
//
//	make <- function(m, s, n) { v <- seq_len(n)^1.5; m + s * (v - mean(v)) / sd(v) }
//	f <- sqrt(1 + 50 * .25); t.test(make(.30, .05 * f, 50), make(.33, .04 * f, 50))$p.value
//	f <- sqrt(1 + 5 * .25); t.test(make(.30, .05 * f, 5), make(.42, .04 * f, 5))$p.value
func TestCompareRanksOverSharedRows(t *testing.T) {
	const ours, printed = 0.3695493374, 0.02453476766
	pairs := []Counterpart{
		{Cell: "c", Classifier: "a", Ours: stats.Summary{N: 50, Mean: .30, SD: .05},
			Published: Reported{N: 5, Mean: .30, SD: .05}, Share: .25},
		{Cell: "c", Classifier: "b", Ours: stats.Summary{N: 50, Mean: .33, SD: .04},
			Published: Reported{N: 5, Mean: .42, SD: .04}, Share: .25},
	}
	for _, c := range []struct {
		alpha           float64
		ours, published string
	}{
		{0.999 * printed, "a b", "a b"}, {1.001 * printed, "a b", "a"}, {0.999 * ours, "a b", "a"}, {1.001 * ours,
			"a", "a"},
	} {
		if g := CompareRanks(pairs, c.alpha)[0]; strings.Join(g.Ours, " ") != c.ours ||
			strings.Join(g.Published, " ") != c.published {
			t.Errorf("at level %v: %+v", c.alpha, g)
		}
	}
}

// The paper's results may vary even if it gives no standard deviation.
func TestUnknownSpreadsMayVary(t *testing.T) {
	for sd, want := range map[float64]string{
		0:          "neither our results nor the paper's vary between replicates",
		math.NaN(): "our results do not vary between replicates, and the paper gives no standard deviation",
	} {
		c := Counterpart{Ours: stats.Summary{N: 5, Mean: 0}, Published: Reported{Mean: 0, SD: sd, N: 5}}
		if got := whyIncomparable(&c); got != want {
			t.Errorf("standard deviation %v: %s", sd, got)
		}
	}
}
