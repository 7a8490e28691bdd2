package view_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// sampled returns the view of twelve replicates of the sample study: with two densities, three sizes, three
// classifiers and the oracle.
func sampled(change func(*view.Study, *records.Records, *view.Inference)) *view.View {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	inference := view.DefaultInference()
	if change != nil {
		change(&study, rows, &inference)
	}
	return view.New(study, rows, inference)
}

func measureOf(t *testing.T, v *view.View, metric string) *view.Measure {
	t.Helper()
	m, err := v.Measure(metric, "percent", v.Cells)
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

// mustEqual compares named strings and numbers.
func mustEqual[T comparable](t *testing.T, pairs map[string][2]T) {
	t.Helper()
	for name, pair := range pairs {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", name, pair[0], pair[1])
		}
	}
}

func TestWordsForReaders(t *testing.T) {
	v := sampled(func(s *view.Study, _ *records.Records, _ *view.Inference) {
		s.Factors[1].Levels = map[string]string{"200": "few", "1000": "large n"}
	})
	levels := v.Cells[0].Levels
	mustEqual(t, map[string][2]string{
		"label":            {v.Label("5nn"), "5-NN"},
		"unknown label":    {v.Label("other"), "other"},
		"labels":           {v.Labels([]string{"slb", "nb"}), "SLB, NB"},
		"label with comma": {v.Labels([]string{"slb", "a, b"}), `SLB, "a, b"`},
		"factor":           {v.FactorLabel("cpd"), "densities"},
		"factor by name":   {v.FactorLabel("common_structure"), "common structure"},
		"level":            {v.LevelLabel("n", "200"), "few"},
		"absent level":     {v.LevelLabel("n", ""), "–"},
		"levels":           {strings.Join(v.LevelLabels([]string{"cpd", "n"}, levels), "|"), "gaussian|few"},
		"in words":         {v.InWords([]string{"cpd", "n"}, v.Cells[1].Levels), "gaussian, n = 400"},
		"labelled number":  {v.InWords([]string{"cpd", "n"}, levels), "gaussian, n = few"},
		"names its factor": {v.InWords([]string{"cpd", "n"}, v.Cells[2].Levels), "gaussian, large n"},
		"capital":          {view.Capital("density"), "Density"},
		"capital of none":  {view.Capital(""), ""},
		"number":           {view.Number(0.1 + 0.2), "0.3"},
		"one":              {view.Plural(1, "cell", "cells"), "1 cell"},
		"several":          {view.Plural(3, "cell", "cells"), "3 cells"},
		"and":              {view.And([]string{"a", "b", "c"}), "a, b and c"},
		"and of one":       {view.And([]string{"a"}), "a"},
		"caption":          {view.Caption("Own words", "Generated.", ""), "Own words. Generated."},
		"replicated":       {(view.Range{Least: 98, Most: 100}).Replicated("replicates"), "R = 98 to 100 replicates"},
		"replicated once":  {(view.Range{Least: 1, Most: 1}).Replicated("replicates"), "R = 1 replicate"},
		"replicated alike": {(view.Range{Least: 5, Most: 5}).Replicated("folds"), "R = 5 folds"},
		"left out":         {view.LeftOutSentence(nil, "block"), ""},
		"alternatives": {v.CellsSentence(records.Condition{"n": {"400", "200", "1000"}}),
			"Cells: n = 400 or few or large n."},
	})
	if words := view.LeftOutSentence([]string{"a", "b", "c", "d", "e", "f"}, "block"); !strings.HasPrefix(words,
		" 6 blocks are left out") ||
		!strings.HasSuffix(words, "a; b; c; d; e; and 1 more.") {
		t.Error(words)
	}
	if words := v.MissingSentence(nil); words != "" {
		t.Error(words)
	}
	for _, n := range []string{"200", "400", "1000"} {
		v.Missing = append(v.Missing, view.Missing{records.Align([]string{"cpd", "n"}, []string{"gaussian", n}), 2})
	}
	want := "The study is not complete: 4 results are missing (gaussian, n = few: 2; " +
		"gaussian, large n: 2)."
	if words := v.MissingSentence(records.Condition{"n": {"200", "1000"}}); words != want {
		t.Error(words)
	}
	v.Missing = append(v.Missing, v.Missing...)
	if words := v.MissingSentence(nil); !strings.HasSuffix(words, "; and 1 more).") {
		t.Error(words)
	}
}

// Cells are grouped by factors in the order of levels, and selected by conditions. Errors name the possible
// values.
func TestGroupsOfCells(t *testing.T) {
	v := sampled(nil)
	groups, err := v.Groups(v.Cells, []string{"n"})
	if err != nil || len(groups) != 3 || len(groups[0].Cells) != 2 || groups[2].Levels.Of("n") != "1000" {
		t.Fatalf("%d groups, %v", len(groups), err)
	}
	m, ids := measureOf(t, v, "error"), []string{"slb"}
	words := v.PoolingSentence("A row", groups, m, ids)
	if words != "A row pools 2 cells of the design, which differ in densities." {
		t.Error(words)
	}
	uneven := []view.Group{{Cells: v.Cells[:1]}, groups[0]}
	if words := v.PoolingSentence("A row", uneven, m, ids); words != "A row pools up to 2 cells of the design, "+
		"which differ in densities. These pool different cells from the rest: gaussian, n = 200 (1). Their "+
		"differences from the rest may be due to the cells." {
		t.Error(words)
	}
	isOutside := func(c records.Cell) bool { return c.ID == "c02" || c.ID == "c10" }
	fraction, err := v.Groups(view.Without(v.Cells, isOutside), []string{"cpd"}) // n = 200, 400 and n = 400, 1000
	if words := v.PooledCellsSentence("A row", fraction); err != nil || words != "A row pools 2 cells of the design, "+
		"which differ in n. These pool different cells from the rest: complex. Their differences from the rest may be "+
		"due to the cells." {
		t.Errorf("%s, %v", words, err)
	}
	if words := v.PoolingSentence("A row", view.SingleCellGroups(v.Cells), m, ids); words != "" {
		t.Errorf("single cells pool: %s", words)
	}
	if words := v.Replication(groups, m, ids); words != "R = 24 replicates" {
		t.Error(words)
	}
	if cells, err := v.SelectCells(records.Condition{"n": {"200"}}); err != nil || len(cells) != 2 {
		t.Errorf("%d cells, %v", len(cells), err)
	}
	for factor, want := range map[string]string{"n": `no level "7"; it has 200, 400, 1000`,
		"m": `no factor "m"; the records have cpd, n`} {
		_, err := v.SelectCells(records.Condition{factor: {"7"}})
		if _, ok := errors.AsType[*view.BadOption](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", factor, err)
		}
	}
	_, err = v.Groups(v.Cells, []string{"m"})
	errtest.Contains(t, err, `no factor "m"`)
	_, err = v.ClassifiersOrAll([]string{"svm"})
	errtest.Contains(t, err, `no classifier "svm"`)
	if ids, err := v.ClassifiersOrAll(nil); err != nil || len(ids) != 4 {
		t.Errorf("%q, %v", ids, err)
	}
}

// The oracle is compared only by a family that names it; its own test replaces that of the inference.
func TestFamiliesOfTests(t *testing.T) {
	v := sampled(nil)
	if family := v.Compared(nil, v.Records.Classifiers); !slices.Equal(family, []string{"slb", "5nn", "nb"}) {
		t.Errorf("%q", family)
	}
	named := v.WithFamily([]string{"nb", "oracle"})
	if family := named.Compared(nil, v.Records.Classifiers); !slices.Equal(family, []string{"nb", "oracle"}) {
		t.Errorf("%q", family)
	}
	auc, err := view.NewMeasure("auc", "")
	if err != nil || len(v.Compared(&auc, v.Records.Classifiers)) != 0 {
		t.Errorf("compared by a metric that no result has: %v", err)
	}
	if v.WithTest("t").Test != "t" || v.WithTest("").Test != "auto" ||
		v.WithTreatment(view.Worst).Failures[0] != view.Worst {
		t.Error("a table's own test or treatment")
	}
	groups := view.SingleCellGroups(v.Cells)
	mustEqual(t, map[string][2]int{"pairs": {view.Pairs(4), 6}, "comparisons": {v.Comparisons(4), 6},
		"index":               {v.Index("nb"), 2},
		"index of the oracle": {v.Index("oracle"), -1}, "index of none": {v.Index("svm"), -1}})
	const jointLabel = "max-type sign-flip test of the mean differences of all pairs"
	mustEqual(t, map[string][2]string{
		"labels":    {v.TestLabels(groups, view.PairedTests), "Wilcoxon signed-rank test"},
		"joint":     {v.TestLabels(groups, view.JointTests), jointLabel},
		"estimates": {v.Estimates(groups, view.PairedTests), "Hodges-Lehmann shift"},
		"errors":    {v.StandardErrorNoun(groups, &auc), "Monte-Carlo standard errors"},
		"tested":    {v.TestedUnitNoun(groups), "replicates"},
	})
	papers := sampled(func(_ *view.Study, _ *records.Records, o *view.Inference) { o.Correction = "bonferroni" })
	if papers.Comparisons(4) != 3 || !papers.Nominal("", 3) || papers.Nominal("slb", 3) || v.Nominal("", 3) {
		t.Error("the papers' correction counts the comparisons with the best, and its level is nominal")
	}
	if !v.Joint(3) || v.Joint(2) || papers.Joint(3) || !v.AllPairs() || papers.AllPairs() {
		t.Error("one test over all pairs is the default for three classifiers")
	}
	for correction, want := range map[string]stats.Correction{"holm": stats.Holm, "none": stats.Uncorrected,
		"best": stats.Bonferroni} {
		o := view.Inference{Correction: correction}
		if o.Adjustment() != want {
			t.Errorf("%s: %v", correction, o.Adjustment())
		}
	}
	if less := (view.Inference{Alternative: "less"}); less.Side() != stats.Less || v.Side() != stats.TwoSided {
		t.Error("the side of tests")
	}
}

// A test of all pairs leaves out classifiers without results on all data. Tests of two classifiers do not.
func TestPartialClassifiers(t *testing.T) {
	onlyGaussian := func(_ *view.Study, rows *records.Records, _ *view.Inference) {
		recordstest.Delete(rows, func(r records.Record) bool {
			return r.Classifier == "nb" && r.Levels.Of("cpd") != "gaussian"
		})
	}
	v := sampled(onlyGaussian)
	family := []string{"slb", "5nn", "nb"}
	groups, err := v.Groups(v.Cells, []string{"cpd"})
	if err != nil {
		t.Fatal(err)
	}
	all := view.Group{Cells: v.Cells}
	pooled := v.Pool(&all)
	for _, c := range []struct {
		family   []string
		champion string
		want     []string
	}{{family, "", []string{"nb"}}, {family, "slb", nil}, {[]string{"slb", "nb"}, "", nil}} {
		if got := v.Partial(&all, &pooled, c.family, c.champion); !slices.Equal(got, c.want) {
			t.Errorf("%q, champion %q: %q are left out", c.family, c.champion, got)
		}
	}
	mustEqual(t, map[string][2]string{
		"everywhere": {v.PartialSentence("Not compared", groups[:1], [][]string{{"nb"}}),
			"Not compared, since they were not run on all data: NB."},
		"in one": {v.PartialSentence("Not compared", groups, [][]string{nil, {"nb"}}),
			"Not compared, since they were not run on all data: NB in complex."},
		"none": {v.PartialSentence("Not compared", groups, [][]string{nil, nil}), ""},
	})
}

// Contradictions in the inference are errors that name a key.
func TestInferenceIsValidated(t *testing.T) {
	for want, change := range map[string]func(*view.Inference){
		"needs `failures: fallback`": func(o *view.Inference) { o.Fallback = "nb" },
		"`less` needs a champion":    func(o *view.Inference) { o.Alternative = "less" },
		"needs `alternative: less`":  func(o *view.Inference) { o.Champion = "nb" },
		"`pairs` corrects for the choice of the best": func(o *view.Inference) {
			o.Alternative, o.Champion, o.Correction = "less",
				"nb", "pairs"
		},
		"nb is not a classifier in `family`": func(o *view.Inference) {
			o.Alternative, o.Champion, o.Family = "less", "nb",
				[]string{"slb"}
		},
	} {
		o := view.DefaultInference()
		change(&o)
		errtest.Contains(t, o.Validate(), want)
	}
	o := view.DefaultInference()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
}

func TestMeasures(t *testing.T) {
	v := sampled(nil)
	m := measureOf(t, v, "error")
	mustEqual(t, map[string][2]string{"title": {m.Title(), "test error (%)"},
		"difference": {m.DifferenceUnit(), "percentage points"},
		"its title":  {m.DifferenceTitle(), "difference in test error (percentage points)"}})
	if m.LargerIsBetter() || m.Digits(0.001) != 2 {
		t.Errorf("%+v", m)
	}
	auc, err := view.NewMeasure("auc", "")
	if err != nil || !auc.LargerIsBetter() || auc.Title() != "AUC" || auc.Digits(0.5) != 4 {
		t.Errorf("%+v, %v", auc, err)
	}
	g := view.Group{Cells: v.Cells[:1]}
	pooled := v.Pool(&g)
	if err := v.SubtractOracle(m); err != nil || m.Baseline != "oracle" || m.Name != "excess test error" {
		t.Fatalf("%+v, %v", m, err)
	}
	excess := v.Values(&g, &pooled, m, "slb")
	own, _ := v.Cells[0].Values(metrics.ErrorRate, "slb")
	floor, _ := v.Cells[0].Values(metrics.ErrorRate, "oracle")
	for r := range excess {
		if math.Abs(excess[r]-100*(own[r]-floor[r])) > 1e-9 {
			t.Errorf("replicate %d: excess %v of %v and %v", r+1, excess[r], own[r], floor[r])
		}
	}
	costs, err := view.NewMeasure("fit_seconds", "")
	if values := v.Values(&g, &pooled, &costs, "slb"); err != nil || len(values) != 0 {
		t.Errorf("times without measurements: %v, %v", values, err)
	}
	for size, want := range map[float64]int{0.000178: 6, 4.55: 2, 0: 1, 6e-7: 6, 4e-7: sheet.Scientific, -9999: 1,
		12345: 0, 9e6: 0, -1e7: sheet.Scientific} {
		if digits := costs.Digits(size); digits != want {
			t.Errorf("seconds of size %g have %d decimals, want %d", size, digits, want)
		}
	}
	if a, b := auc.Digits(12.3), auc.Digits(-45678); a != 3 || b != 0 {
		t.Errorf("a metric of predictions has more than five digits: %d, %d decimals", a, b)
	}
	if v.SubtractOracle(&costs) == nil {
		t.Error("an excess of seconds")
	}
	v.Classes = map[string][]string{v.Cells[0].ID: {"x", "y"}}
	_, err = v.Measure("sensitivity:z", "", v.Cells[:1])
	errtest.Contains(t, err, `no class "z"`, "the key `where` limits a table or figure to some cells")
	v.Classes[v.Cells[1].ID] = []string{"x", "y", "z"}
	for _, metric := range []string{"precision:1", "cost:n(1,0)", "cost:n(y,x)"} {
		if _, err := v.Measure(metric, "", v.Cells[:2]); err != nil {
			t.Errorf("a cell has a third class: %v", err)
		}
	}
	v.Classes[v.Cells[1].ID] = []string{"y", "x"}
	_, err = v.Measure("sensitivity:x", "", v.Cells[:2])
	errtest.Contains(t, err, "the order of the classes differs between cells")
}

// The sentence on failed fits counts them by classifier, in descending order, and names the treatment.
func TestFailedFitsInWords(t *testing.T) {
	fail := func(_ *view.Study, rows *records.Records, _ *view.Inference) {
		fixture.Fail(rows, "c00", "nb", 1, "no")
		fixture.Fail(rows, "c00", "slb", 1, "no")
		fixture.Fail(rows, "c00", "5nn", 2, "no")
		fixture.Fail(rows, "c00", "5nn", 3, "no")
	}
	v := sampled(fail)
	const treated = "use the replicates in which all fits succeeded. They leave out classifiers that fail in more " +
		"than 5% of the fits of a cell."
	ids := []string{"slb", "5nn", "nb"}
	mustEqual(t, map[string][2]string{
		"none": {sampled(nil).FailedFitsSentence("Means", v.Cells, nil), ""},
		"fits": {v.FailedFitsSentence("Means", v.Cells, ids),
			"Failed fits: 5-NN 2 of 72; SLB, NB 1 of 72 each. Means " + treated},
		"pairs": {v.FailedFitsSentence("Comparisons", v.Cells[:1], []string{"nb"}),
			"Failed fits: NB 1 of 12. Comparisons " + treated},
		"ranks": {v.FailedRanksSentence(v.Cells, measureOf(t, v, "error"), []string{"nb"}),
			"Failed fits: NB 1 of 72. Ranks " +
				treated},
	})
	for treatment, want := range map[string]string{
		view.Worst: "the score of the worst classifier of its replicate, metric by metric",
		view.Fallback: "the score of NB on the same data, or of a rule that uses only the class shares of the test " +
			"rows if NB failed too"} {
		scored := sampled(func(s *view.Study, rows *records.Records, o *view.Inference) {
			fail(s, rows, o)
			for _, id := range rows.Classifiers {
				fixture.Fail(rows, "c00", id, 5, "no")
			}
			if o.Failures = []string{treatment}; treatment == view.Fallback {
				o.Fallback = "nb"
			}
		})
		texttest.Case(t, treatment).Contains(scored.TreatmentSentence("Means"), want)
		if words := scored.TreatmentSentence(view.Curves); words != "Curves and the areas under them are means over "+
			"successful fits only; tables also score failed fits." {
			t.Errorf("%s: %s", treatment, words)
		}
		omitted := "Omitted: 1 of 72 replicates, because all fits failed."
		if words := scored.FailedFitsSentence("Means", scored.Cells, ids); !strings.HasSuffix(words, omitted) {
			t.Errorf("%s: %s", treatment, words)
		}
	}
	// One of twelve is more than 5 percent: all but the oracle are set aside in the first cell.
	cells := v.TreatFailuresInEach(v.Cells)
	if len(cells) != 6 || len(cells[0].Rows) != 12 || len(cells[1].Rows) != 48 {
		t.Errorf("%d cells", len(cells))
	}
}

// A failed draw is counted apart from failed fits, and no treatment of failed fits scores it.
func TestFailedDrawsInWords(t *testing.T) {
	const draws = "Failed draws of data: 3 of 72, left out for all classifiers."
	ids := []string{"slb", "5nn", "nb"}
	for _, treatment := range []string{view.Common, view.Worst, view.Fallback} {
		fail := func(_ *view.Study, rows *records.Records, o *view.Inference) {
			for replicate := 1; replicate <= 3; replicate++ {
				fixture.FailDraw(rows, "c00", replicate)
			}
			o.Failures = []string{treatment}
		}
		v := sampled(fail)
		if words := v.FailedFitsSentence("Means", v.Cells, ids); words != draws {
			t.Errorf("%s: %q", treatment, words)
		}
		if cells := v.TreatFailuresInEach(v.Cells); len(cells[0].Replicates) != 9 {
			t.Errorf("%s: replicates %v", treatment, cells[0].Replicates)
		}
		v = sampled(func(s *view.Study, rows *records.Records, o *view.Inference) {
			fail(s, rows, o)
			fixture.Fail(rows, "c00", "nb", 5, "no")
		})
		words := v.FailedFitsSentence("Means", v.Cells, ids)
		if !strings.HasPrefix(words, draws+" Failed fits: NB 1 of 69. Means ") || strings.Contains(words, "Omitted") {
			t.Errorf("%s: %q", treatment, words)
		}
	}
}

// If no data of a block could be drawn, the reason is not a classifier.
func TestBlocksWithoutData(t *testing.T) {
	v := sampled(func(_ *view.Study, rows *records.Records, _ *view.Inference) {
		for replicate := 1; replicate <= 12; replicate++ {
			fixture.FailDraw(rows, "c00", replicate)
		}
	})
	_, leftOut, _ := v.BlockLosses(v.Cells, measureOf(t, v, "error"), []string{"slb", "nb"})
	if len(leftOut) != 1 || !strings.HasSuffix(leftOut[0], "(all draws of data failed)") {
		t.Errorf("%q", leftOut)
	}
}

// Ranks are over blocks; a classifier that is best everywhere is first in all resamples, and without a random
// source there are no resamples.
func TestRanksAndTheirStability(t *testing.T) {
	v := sampled(func(_ *view.Study, rows *records.Records, _ *view.Inference) {
		for r := range recordstest.Each(rows) {
			if r.Classifier == "slb" {
				r.Error = 0.001
			}
		}
	})
	m, ids := measureOf(t, v, "error"), []string{"slb", "5nn", "nb"}
	ranked, aside, partial := v.SelectRanked(v.Cells, m, ids)
	if !slices.Equal(ranked, ids) || len(aside)+len(partial) > 0 {
		t.Errorf("ranked %q, aside %q, partial %q", ranked, aside, partial)
	}
	shares, err := v.FirstOverBlocks(v.Cells, m, ids)
	if err != nil || !slices.Equal(shares, []float64{1, 0, 0}) {
		t.Errorf("%v, %v", shares, err)
	}
	if shares, err = v.FirstIn(&v.Cells[0], m, ids, nil); err != nil || !slices.Equal(shares, []float64{1, 0, 0}) {
		t.Errorf("%v, %v", shares, err)
	}
	closer := measureOf(t, v, "ber")
	inOrder, err := v.FirstOverBlocks(v.Cells, closer, ids)
	reversed := slices.Clone(v.Cells)
	slices.Reverse(reversed)
	if shares, _ := v.FirstOverBlocks(reversed, closer, ids); err != nil || !slices.Equal(shares, inOrder) {
		t.Errorf("shares %v, in another order of the cells %v, %v", inOrder, shares, err)
	}
	words, err := v.StabilitySentence(v.Cells, m, ids)
	if err != nil || words != "Share of 1000 resamples of the blocks and their replicates in which a classifier has "+
		"the best average rank: SLB (100%)." {
		t.Errorf("%s, %v", words, err)
	}
	for cell := range v.Problems {
		v.Problems[cell] = "forest"
	}
	if words, _ = v.StabilitySentence(v.Cells, m, ids); !strings.HasPrefix(words,
		"Share of 1000 resamples of the replicates of each cell ") {
		t.Error(words)
	}
	single := slices.Clone(v.Cells) // with a single replicate of the first cell
	single[0] = single[0].With(view.Without(single[0].Rows, func(r records.Record) bool { return r.Replicate > 1 }))
	if words, _ = v.StabilitySentence(single, m, ids); words != "" {
		t.Errorf("one replicate: %s", words)
	}
	if words = v.BlocksSentence(v.Cells, 6); !strings.HasPrefix(words, "Average ranks are over 6 cells. All cells "+
		"have the same generator or data set, so they are not independent blocks.") {
		t.Error(words)
	}
	v.Sampling = map[string]view.Sampling{}
	for _, c := range v.Cells { // pair: [cpd, n]
		v.Sampling[c.ID] = view.Sampling{Source: "draws"}
	}
	if words = v.BlocksSentence(v.Cells, 1); !strings.HasPrefix(words,
		"Average ranks are over 1 group of paired cells. All cells") {
		t.Error(words)
	}
	v.Sampling = nil
	v.Random = nil
	if words, err = v.StabilitySentence(v.Cells, m, ids); words != "" || err != nil {
		t.Errorf("%s, %v", words, err)
	}
}

// One block with one replicate is the same in every resample, although another block, which lacks a classifier, has
// another generator.
func TestOneBlockHasNoStability(t *testing.T) {
	v := sampled(func(s *view.Study, rows *records.Records, _ *view.Inference) {
		recordstest.Delete(rows, func(r records.Record) bool { return r.Replicate > 1 })
	})
	v.Problems = map[string]string{v.Cells[0].ID: "forest", v.Cells[1].ID: "network"}
	m, ids := measureOf(t, v, "error"), []string{"slb", "5nn", "nb"}
	cells := slices.Clone(v.Cells[:2])
	if shares, err := v.FirstOverBlocks(cells, m, ids); err != nil || shares == nil {
		t.Errorf("two blocks: %v, %v", shares, err)
	}
	cells[1] = cells[1].With(view.Without(cells[1].Rows, func(r records.Record) bool { return r.Classifier == "nb" }))
	if shares, err := v.FirstOverBlocks(cells, m, ids); err != nil || shares != nil {
		t.Errorf("one block: %v, %v", shares, err)
	}
}

// On one test set the test follows from the measure, the number of fits and the name of a test; only a table
// that compares on the rows has a test, and only if the predictions of all fits are kept.
func TestTestsOnTheRowsOfOneTestSet(t *testing.T) {
	fixed := func(replicates int, test string) (*view.View, *records.Cell) {
		study, rows := fixture.Sample(replicates)
		study.Sampling = map[string]view.Sampling{"c00": {OneDataSet: true, OneTestSet: true}}
		for r := range recordstest.Each(rows) {
			r.Confusion = metrics.Confusion{30, 0, 0, 30}
		}
		inference := view.DefaultInference()
		inference.Test = test
		v := view.New(study, rows, inference)
		return v, &v.Cells[0]
	}
	ids := []string{"slb", "nb"}
	for _, c := range []struct {
		replicates         int
		test, metric, want string
	}{{1, "auto", "error", "mcnemar"}, {2, "auto", "error", "row-bootstrap"}, {1, "row-bootstrap", "error",
		"row-bootstrap"},
		{2, "auto", "auc", "delong"}, {1, "auto", "log_loss", "row-bootstrap"}} {
		v, cell := fixed(c.replicates, c.test)
		m, err := view.NewMeasure(c.metric, "")
		if err != nil {
			t.Fatal(err)
		}
		g := view.Group{Cells: v.Cells[:1]}
		if !v.HasOneTestSet(g) || !v.Untested(g) || v.WithRowTests(&m).Untested(g) {
			t.Error("a figure compares on test rows, or a table does not")
		}
		paired, fits, err := v.WithRowTests(&m).PairedOnRows(cell, ids)
		if err != nil || paired.Test.Name != c.want || len(fits["slb"]) != c.replicates || len(fits) != 2 {
			t.Errorf("%+v: %s, %d fits, %v", c, paired.Test.Name, len(fits["slb"]), err)
		}
		if scores := m.Metric.Needs == metrics.Scores; (fits["slb"][0].Scores != nil) != scores {
			t.Errorf("%s: scores are kept: %t", c.metric, !scores)
		}
		if words := v.TestedUnitNoun([]view.Group{g}); words != "test rows" ||
			v.UnitNoun([]view.Group{g}) != "fits on one test set" {
			t.Error(words)
		}
		if _, err := v.Paired(cell); !errors.Is(err, stats.ErrAssumption) {
			t.Errorf("replicates are compared: %v", err)
		}
	}
	// A classifier that never ran there is omitted.
	v, cell := fixed(1, "auto")
	if _, fits, err := v.WithRowTests(measureOf(t, v, "error")).PairedOnRows(cell,
		[]string{"slb", "nb", "svm"}); err != nil ||
		len(fits) != 2 {
		t.Errorf("%d fits, %v", len(fits), err)
	}
	v, cell = fixed(2, "signed-rank")
	m := measureOf(t, v, "error")
	if _, _, err := v.WithRowTests(m).PairedOnRows(cell, ids); !errors.Is(err, stats.ErrAssumption) {
		t.Error(err)
	}
	// A named test is not replaced by another one.
	for _, c := range []struct {
		replicates         int
		test, metric, want string
	}{{1, "mcnemar", "error", ""}, {1, "delong", "auc", ""}, {3, "row-bootstrap", "error", ""},
		{3, "mcnemar", "error", "it would compare test error of several fits of each classifier, with 2 classes; " +
			"use `row-boot"},
		{1, "mcnemar", "auc", "it would compare AUC of one fit of"},
		{1, "delong", "error", "delong assumes the AUC for two classes"}} {
		v, cell := fixed(c.replicates, c.test)
		m := measureOf(t, v, c.metric)
		paired, _, err := v.WithRowTests(m).PairedOnRows(cell, ids)
		misfit, isMisfit := errors.AsType[*view.Misfit](err)
		switch {
		case c.want == "" && (err != nil || paired.Test.Name != c.test):
			t.Errorf("%+v: %s, %v", c, paired.Test.Name, err)
		case c.want != "" && (!isMisfit || misfit.Key != "test" ||
			!strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v", c, err)
		}
	}
	v, cell = fixed(2, "auto")
	v.Predictions = fixture.KeepPredictions(v.Predictions, func(replicate int, id string, _ *metrics.Predictions) bool {
		return replicate != 2 || id != "nb"
	})
	if _, fits, err := v.WithRowTests(m).PairedOnRows(cell, ids); fits != nil || err != nil {
		t.Errorf("a prediction is missing: %v, %v", fits, err)
	}
}

func TestPrintedWidths(t *testing.T) {
	for text, want := range map[string]float64{"text": 152.4, "column": 84, "12.5cm": 125, "5in": 127, "125mm": 125} {
		if got, err := view.Width(text); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"1cm": "must be between 4cm and 42cm",
		"wide": "want `text`, `column`, a length such as `12.5cm` or `5in`, or a number in mm"} {
		_, err := view.Width(text)
		errtest.Case(t, text).Contains(err, want)
	}
}

// Equal families are counted once and described with their members.
func TestFamiliesInWords(t *testing.T) {
	v := sampled(nil)
	f := view.Family{ShownIn: "table t", Measure: "test error", Compares: "Asked.", Unit: "row", Count: 2,
		Hypotheses: 1,
		Members: []string{"slb",
			"nb"}, NotCompared: []string{"oracle"}, Uncorrected: []string{"BER"},
		Level: "level 0.05", LeastResults: "6 replicates"}
	gathered := view.Gather([]view.Family{f, f})
	if len(gathered) != 1 || gathered[0].Count != 4 {
		t.Fatalf("%+v", gathered)
	}
	total, each := v.Multiplicity(gathered, nil)
	if total != "The report tests 4 hypotheses in 4 families. Each family has its own correction; there is "+
		"no correction across families." {
		t.Error(total)
	}
	v.Failures = []string{view.Common, view.Worst}
	total, _ = v.Multiplicity(gathered, []view.Family{{Count: 3, Hypotheses: 2}, {Count: 1, Hypotheses: 5}})
	const ofVariants = " Variants of the tables with other treatments of failed fits (worst) test 11 further " +
		"hypotheses in 4 families."
	if !strings.HasSuffix(total, ofVariants) {
		t.Error(total)
	}
	want := "Table t, test error: Asked. 4 families, one for each row, of 1 hypothesis; level 0.05. No hypothesis " +
		"can be rejected with fewer than 6 replicates. Members: SLB, NB. Not compared, shown for reference only: " +
		"Bayes. The page also contains tests of BER, but the correction does not count these tests."
	if len(each) != 1 || each[0] != want {
		t.Errorf("%q", each)
	}
}

// A block of several cells has a row for each replicate, the mean over its cells: pooling the data
// set's results into one row would leave no replicate to resample.
func TestBlocksOfSeveralCellsKeepTheirReplicates(t *testing.T) {
	v := sampled(func(_ *view.Study, _ *records.Records, _ *view.Inference) {})
	m, ids := measureOf(t, v, "error"), []string{"slb", "5nn", "nb"}
	g := view.Group{Cells: v.Cells[:2]}
	losses, err := view.BlockLosses(v, &g, m, ids)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(v.Cells[0].Replicates); len(losses) != want {
		t.Fatalf("%d rows, want one for each of %d replicates", len(losses), want)
	}
	for r, row := range losses {
		for k, id := range ids {
			first, _ := v.Cells[0].Values(m.Metric, id)
			second, _ := v.Cells[1].Values(m.Metric, id)
			if want := (first[r] + second[r]) / 2; math.Abs(row[k]-want) > 1e-12 {
				t.Errorf("replicate %d of %s: %v, want %v", r+1, id, row[k], want)
			}
		}
	}
}

// Cells with results on training rows do not show a "test" error.
func TestScoredName(t *testing.T) {
	v := sampled(nil)
	cells := v.Cells[:2]
	v.Sampling = map[string]view.Sampling{}
	for _, want := range []string{"test error", "test or training error", "training error"} {
		if m := measureOf(t, &view.View{Study: v.Study, Cells: cells}, "error"); m.Name != want {
			t.Errorf("%q, want %q", m.Name, want)
		}
		v.Sampling[cells[len(v.Sampling)%2].ID] = view.Sampling{OnTrainingRows: true}
	}
	for metric, want := range map[string]string{"ber": "balanced training error", "auc": "AUC on training rows",
		"fit_seconds": "training time"} {
		if m := measureOf(t, &view.View{Study: v.Study, Cells: cells}, metric); m.Name != want {
			t.Errorf("%q, want %q", m.Name, want)
		}
	}
}
