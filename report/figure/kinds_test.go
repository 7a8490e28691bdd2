package figure

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

func errorIn(unit string) view.Measure {
	m, err := view.NewMeasure("error", unit)
	if err != nil {
		panic(err)
	}
	return m
}

// A study can request exactly the kinds that can be drawn.
func TestKindsAreThoseOfTheTag(t *testing.T) {
	f, _ := reflect.TypeFor[Options]().FieldByName("Kind")
	tag := strings.Split(f.Tag.Get("enum"), ",")
	if !slices.Equal(tag, kindNames()) {
		t.Errorf("the tag has %q, drawn are %q", tag, kindNames())
	}
}

// If the comment of an option names kinds of figures, these are the kinds that use the option.
func TestCommentsNameTheKindsThatReadAnOption(t *testing.T) {
	options := reflect.TypeFor[Options]()
	for _, f := range recipe.Fields(options) {
		key, comment := f.Tag.Get("param"), recipe.Doc(options, f)
		readers := kindsReading(key)
		if unknown := view.Except(readers, kindNames()...); len(unknown) > 0 {
			t.Errorf("the tag of %s has unknown kinds: %q", key, unknown)
		}
		isAbsent := func(kind string) bool { return !strings.Contains(comment, "`"+kind+"`") }
		named := slices.DeleteFunc(kindNames(), isAbsent)
		if len(readers) > 0 && len(named) > 0 && !slices.Equal(named, readers) {
			t.Errorf("the comment of %s in options.go names the kinds %q, but these use it: %q", key, named, readers)
		}
	}
}

// Intervals are those of the Hodges-Lehmann estimate for the paired results, at the Bonferroni level. A
// larger error has a positive sign.
func TestDifferencesArePairedIntervals(t *testing.T) {
	study, rows := fixture.Sample(20)
	v := fixture.PapersView(study, rows)
	m := errorIn("percent")
	r := &request{View: v, measure: &m}
	against, list, err := r.differencesIn(&v.Cells[0], []string{"slb", "5nn", "nb"})
	if err != nil || against != "slb" || len(list) != 2 {
		t.Fatalf("against %s: %+v, %v", against, list, err)
	}
	cell := &v.Cells[0]
	metric, _ := metrics.Lookup("error")
	for _, d := range list {
		pairs, _ := cell.Pairs(metric, d.id, "slb")
		percentages := make([]float64, len(pairs.X))
		for i := range pairs.X {
			percentages[i] = 100*pairs.X[i] - 100*pairs.Y[i]
		}
		want := stats.HodgesLehmannOf(percentages, 0.975)
		if math.Abs(d.Estimate-want.Estimate) > 1e-9 || math.Abs(d.Low-want.Low) > 1e-9 ||
			math.Abs(d.High-want.High) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", d.id, d.Shift, want)
		}
	}
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "5nn" && r.Cell == cell.ID
	})
	v = fixture.PapersView(study, rows)
	r = &request{View: v, measure: &m}
	ran := verdicts.Ran(&v.Cells[0], []string{"slb", "5nn", "nb"})
	if _, list, err := r.differencesIn(&v.Cells[0], ran); err != nil || len(list) != 1 ||
		list[0].Level >= 0.975 {
		t.Errorf("without a classifier that did not run: %+v, %v", list, err)
	}
	if nb := list[1]; !nb.differs || nb.Low < 0 {
		t.Errorf("nb, ten points worse: %+v", nb)
	}
}

// If one test covers all pairs, differences are means with the simultaneous intervals of this test, in the
// direction of the metric. The caption names the test.
func TestDifferencesAreThoseOfTheTestOverAllPairs(t *testing.T) {
	study, rows := fixture.Sample(12)
	v := fixture.DefaultView(study, rows)
	family := []string{"slb", "5nn", "nb"}
	var losses [][]float64
	for _, replicate := range v.Cells[0].ByReplicate() {
		row := make([]float64, len(family))
		for _, r := range replicate {
			if i := slices.Index(family, r.Classifier); i >= 0 {
				row[i] = 100 * r.Error
			}
		}
		losses = append(losses, row)
	}
	all, err := stats.FlipAllPairs(losses, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for metric, sign := range map[string]float64{"error": 1, "accuracy": -1} {
		m, err := view.NewMeasure(metric, "percent")
		if err != nil {
			t.Fatal(err)
		}
		r := &request{View: v, measure: &m}
		against, list, err := r.differencesIn(&v.Cells[0], family)
		if err != nil || against != "slb" || len(list) != 2 {
			t.Fatalf("%s against %s: %+v, %v", metric, against, list, err)
		}
		for _, d := range list {
			want := all.Interval(slices.Index(family, d.id), 0, 0.95)
			mean, ends := (d.Low+d.High)/2, (d.High-d.Low)/2
			half := (want.High - want.Low) / 2
			if d.Level != 0.95 || math.Abs(d.Estimate-sign*want.Estimate) > 1e-6 || math.Abs(mean-d.Estimate) > 1e-6 ||
				math.Abs(ends-half) > 1e-6 || half == 0 {
				t.Errorf("%s of %s: %+v, want %+v", metric, d.id, d.Shift, want)
			}
		}
	}
	for want, columns := range map[string][]string{
		"mean difference with its confidence interval, simultaneous at level 95% over all 3 pairs of a panel " +
			"(max-type " +
			"sign-flip test of the mean differences of all pairs).": family,
		"Hodges-Lehmann shift with its confidence interval, simultaneous at level 95% over the 1 comparison of a " +
			"panel (Bonferroni).": family[:2],
	} {
		o := Defaults()
		o.Kind, o.Columns, o.Panel = "differences", columns, v.Varying(v.Cells)
		texttest.Contains(t, pagesOf(t, v, o)[0].Caption, want)
	}
}

// The caption of differences describes intervals and hollow markers only if the figure has them.
func TestCaptionOfDifferencesWithoutIntervals(t *testing.T) {
	for replicates, hasIntervals := range map[int]bool{12: true, 3: false} {
		study, rows := fixture.Sample(replicates)
		pictures := figures(t, study, rows, func(o *Options) { o.Kind, o.Panel = "differences", []string{"cpd", "n"} })
		caption := pictures[0].Caption
		if strings.Contains(caption, "simultaneous") != hasIntervals ||
			strings.Contains(caption, "too few pairs for one") == hasIntervals ||
			!hasIntervals && strings.Contains(caption, "contains 0") {
			t.Errorf("%d replicates: %s", replicates, caption)
		}
	}
}

// If all differences are equal, there is no interval, whatever their number.
func TestKeyOfEqualDifferences(t *testing.T) {
	items := marksOf([]difference{{id: "twin"}}).legend()
	if len(items) != 1 || !strings.Contains(items[0].Text, "all differences equal") {
		t.Errorf("%+v", items)
	}
}

// The test decides which markers are filled. An interval can end at 0 although the test rejects equality, and
// the caption then explains it.
func TestFilledMarkersFollowTheTest(t *testing.T) {
	study, rows := fixture.Sample(10)
	errors := []float64{0, 0, 3, 1, -1, 2, 1, 3, 1, 3} // differences from SLB in percentage points; p is 0.039
	for r := range recordstest.Each(rows) {
		switch r.Error = 0.2; r.Classifier {
		case "nb":
			r.Error += errors[r.Replicate-1] / 100
		case "5nn":
			r.Error += errors[r.Replicate-1] / 100 * float64(r.Replicate%2*2-1) // no difference
		}
	}
	v := view.New(study, rows, view.PapersInference())
	m := errorIn("percent")
	r := &request{View: v, measure: &m}
	for id, filled := range map[string]bool{"nb": true, "5nn": false} {
		_, list, err := r.differencesIn(&v.Cells[0], []string{"slb", id})
		if err != nil || len(list) != 1 || list[0].isFilled() != filled || list[0].Low > 0 {
			t.Errorf("%s: %+v, %v", id, list, err)
		}
		if marks := marksOf(list); marks.ReachZero != filled || marks.ContainZero == filled {
			t.Errorf("%s: %+v", id, marks)
		}
	}
	const words = "Filled markers with an interval that reaches 0"
	for ids, explained := range map[string]bool{"slb nb": true, "slb 5nn": false} {
		pictures := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Panel, o.Family = "differences", []string{"cpd", "n"}, strings.Fields(ids)
		})
		texttest.Case(t, ids).ContainsIf(explained, pictures[0].Caption, words)
	}
}

// If there are too few blocks for a significant difference, a table of ranks replaces the diagram. With one
// more block, the diagram returns.
func TestRanksOverFewBlocks(t *testing.T) {
	for blocks, plain := range map[int]bool{6: true, 7: false} { // 2^(1-7) <= 0.05/3
		if (blocks >= LeastBlocks(3, 0.05)) == plain {
			t.Errorf("%d blocks: plain %v", blocks, plain)
		}
	}
	study, rows := fixture.Sample(6)
	v := fixture.PapersView(study, rows)
	m := errorIn("percent")
	d := rankChart{request: &request{View: v, measure: &m, kind: &Kind{Name: "cd"}, pageCells: v.Cells},
		ids: []string{"nb", "slb", "5nn"}}
	g := view.Group{Cells: v.Cells}
	panel, err := d.newPanel(&g)
	if err != nil || panel.whyUntested == "" || panel.cliques != nil || len(panel.ranks.MeanRanks) != 3 {
		t.Errorf("%+v, %v", panel, err)
	}
	d.contents = []rankPanel{panel}
	words := d.captioned(&d.Page, d.captionFacts()).Caption + panel.heading(len(d.ids))
	texttest.Contains(t, words, "too few blocks")
	texttest.Lacks(t, words, "Friedman")
}

// Ranks of a heat map are the number of better classifiers plus one. The smallest has a frame; if two share
// it, both have one.
func TestHeatRanks(t *testing.T) {
	study, rows := fixture.Sample(6)
	twin := map[int]float64{}
	for r := range recordstest.Each(rows) { // 5-NN follows SLB
		if r.Cell == "c00" && r.Classifier == "slb" {
			twin[r.Replicate] = r.Error
		} else if r.Cell == "c00" && r.Classifier == "5nn" {
			r.Error = twin[r.Replicate]
		}
	}
	v := fixture.PapersView(study, rows)
	m := errorIn("fraction")
	ids := []string{"slb", "5nn", "nb"}
	cells, err := (&request{View: v}).groupIntoRows(v.Cells[:6])
	if err != nil {
		t.Fatal(err)
	}
	table := func(shown string) gridTable {
		return (&request{View: v, measure: &m, options: Options{Shown: shown}}).heatTable("", cells, ids, ids)
	}
	means, ranks := table("metric"), table("rank")
	if len(ranks.entries) != 6 {
		t.Fatal(len(ranks.entries))
	}
	if tie := ranks.entries[0]; !tie[0].framed || !tie[1].framed || tie[2].framed {
		t.Errorf("frames of a tie: %+v", tie)
	}
	for r, row := range ranks.entries {
		for k, entry := range row {
			below, equal := 0, 0
			for _, other := range means.entries[r] {
				if other.value < means.entries[r][k].value {
					below++
				} else if other.value == means.entries[r][k].value {
					equal++
				}
			}
			if want := float64(below) + float64(equal+1)/2; entry.value != want || entry.framed != (below == 0) {
				t.Errorf("row %d, %s: %+v, want %v", r, ids[k], entry, want)
			}
		}
	}
}

// tune gives slb tuned parameters: k is 9 in the first replicate of a cell and 10 in the others, rule is
// "fast".
func tune(rows *records.Records) {
	for r := range recordstest.Each(rows) {
		if r.Classifier == "slb" {
			k := "10"
			if r.Replicate == 1 {
				k = "9"
			}
			r.Tuned = "k=" + k + " rule=fast | error=0.1 candidates=4 failed=0"
		}
	}
}

// Each tuned parameter has a table of the shares of its values, in numerical order.
func TestTunedShares(t *testing.T) {
	study, rows := fixture.Sample(4)
	tune(rows)
	v := fixture.PapersView(study, rows)
	r := &request{View: v, kind: &Kind{Name: "tuned"}, options: Options{Rows: []string{"n"}}}
	groups, err := r.groupIntoRows(v.FitCells)
	if err != nil {
		t.Fatal(err)
	}
	parameters, err := tunedParameters(groups, "slb")
	if err != nil || len(parameters) != 2 || parameters[0].name != "k" || parameters[1].name != "rule" {
		t.Fatalf("%+v, %v", parameters, err)
	}
	table := r.tunedTable(&parameters[0])
	if want := []gridColumn{{"9", "slb"}, {"10", "slb"}}; !slices.Equal(table.columns, want) {
		t.Errorf("columns %v", table.columns)
	}
	for _, row := range table.entries { // two cells pool eight fits
		if want := []gridEntry{{value: 25}, {value: 75, framed: true}}; !reflect.DeepEqual(row, want) {
			t.Errorf("row %v, want %v", row, want)
		}
	}
	if none, err := tunedParameters(groups, "nb"); err != nil || none != nil {
		t.Errorf("a classifier without choices: %v, %v", none, err)
	}
	o := Defaults()
	o.Kind, o.Columns = "tuned", []string{"nb"}
	_, err = Draw(v, o)
	errtest.Contains(t, err, "its classifiers (NB) do not have this key")
}

// Pages without tuned fits are left out. If no page has any, the error does not blame the key tune.
func TestTunedPagesWithoutFits(t *testing.T) {
	study, rows := fixture.Sample(4)
	study.Classifiers[0].Candidates = []string{"k=9", "k=10"}
	tune(rows)
	for r := range recordstest.Each(rows) {
		if r.Levels.Of("n") == "200" {
			r.Tuned = "" // as after a failed fit
		}
	}
	o := Defaults()
	o.Kind, o.Page = "tuned", []string{"n"}
	v := fixture.PapersView(study, rows)
	if pages, err := Draw(v, o); err != nil || len(pages) != 2 {
		t.Errorf("%d pages, error %v", len(pages), err)
	}
	o.Where = records.Condition{"n": {"200"}}
	_, err := Draw(v, o)
	errtest.Contains(t, err, "no fit of a tuned classifier succeeded")
}

// The caption states how often tuning chose an end of a numeric grid with at least three candidates.
func TestTunedEndsOfGrids(t *testing.T) {
	const low, high = "is the smallest candidate (9) in 6 of 24 fits", "the largest candidate (10) in 18 of 24 fits"
	for ends, candidates := range map[string][]string{
		"The chosen k of SLB " + low + ".":                  {"k=20 rule=fast", "k=9 rule=fast", "k=10 rule=slow"},
		"The chosen k of SLB " + low + " and " + high + ".": {"k=10", "k=9.5", "k=9"},
		"": {"k=9", "k=10"},
	} {
		study, rows := fixture.Sample(4)
		tune(rows)
		study.Classifiers[0].Candidates = candidates
		caption := captionOf(t, study, rows, func(o *Options) { o.Kind = "tuned" })
		texttest.Contains(t, caption, "in percent of the 4 fits of the row")
		check := texttest.Case(t, candidates)
		check.Contains(caption, ends)
		check.ContainsIf(ends != "", caption, "candidate")
	}
}

// The caption of tuned values describes no weights of replicates, because it counts all fits.
func TestTunedCountsAllFits(t *testing.T) {
	for replicates, want := range map[int]string{1: "percent of the only fit of the row", 4: "percent of the 8 fits"} {
		study, rows := fixture.Sample(replicates)
		tune(rows)
		fixture.Fail(rows, "c00", "nb", 1, "no")
		caption := captionOf(t, study, rows, func(o *Options) {
			if o.Kind = "tuned"; replicates > 1 {
				o.Rows = []string{"n"}
			}
		})
		texttest.Contains(t, caption, want)
		texttest.Lacks(t, caption, "with results")
	}
}

// The steps of a nested-loop plot show the cells in the order of the loops.
func TestNestedLoopsAreInOrder(t *testing.T) {
	study, rows := fixture.Sample(4)
	v := fixture.PapersView(study, rows)
	m := errorIn("fraction")
	r := &request{View: v, kind: &Kind{Name: "nested"}, measure: &m, options: Options{Rows: []string{"n", "cpd"}}}
	d := nestedChart{chart: &chart{request: r, ids: []string{"slb", "nb"}}}
	g := view.Group{Cells: v.Cells}
	steps, err := r.groupIntoRows(g.Cells)
	if err != nil {
		t.Fatal(err)
	}
	d.addSteps(&g, steps)
	curves := d.curves[0]
	var got []string
	for _, levels := range d.axes[0].levels {
		got = append(got, strings.Join(levels, " "))
	}
	if want := []string{"200 gaussian", "200 complex", "400 gaussian", "400 complex", "1000 gaussian",
		"1000 complex"}; !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
	if want := v.Cells[3].Summary(m.Metric, "nb"); curves[1].points[1].Summary != want {
		t.Errorf("second step: %+v, want %+v", curves[1].points[1], want)
	}
}

// A classifier is efficient if no other has a smaller time and error. Without times there is no figure.
func TestParetoFront(t *testing.T) {
	for replicates := 1; replicates <= 3; replicates += 2 {
		study, rows := fixture.Sample(replicates)
		for r := range recordstest.Each(rows) {
			r.Fit = 1
		}
		if p := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Panel = "pareto", []string{"cpd", "n"}
		})[0]; strings.Contains(p.Caption, "Bars: two") != (replicates > 1) {
			t.Errorf("%d replicates: %s", replicates, p.Caption)
		}
	}
	study, rows := fixture.Sample(3)
	pareto := Defaults()
	pareto.Kind, pareto.Panel = "pareto", []string{"cpd"}
	_, err := Draw(fixture.PapersView(study, rows), pareto)
	errtest.Case(t, "without times").Contains(err, "there are no times for")
	seconds := map[string]float64{"slb": 2, "5nn": 3, "nb": 0.1}
	for r := range recordstest.Each(rows) {
		r.Fit = seconds[r.Classifier]
	}
	v := fixture.PapersView(study, rows)
	m := errorIn("percent")
	times, err := view.NewMeasure("fit_seconds", "")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	r := &request{View: v, measure: &m, classifiers: rows.Classifiers, panels: []view.Group{{Cells: v.Cells}}}
	d := chart{request: r, ids: view.Without(rows.Classifiers, v.IsOracle)}
	d.addPareto(&times)
	front := paretoOptimal(d.curves[0], false)
	for _, c := range d.curves[0] {
		at := plotter.XY{X: c.points[0].x, Y: c.points[0].Mean}
		got[c.id] = slices.Contains(front, at)
	}
	if len(got) != 3 || !got["slb"] || got["5nn"] || !got["nb"] {
		t.Errorf("efficient: %v, want slb (best) and nb (fastest), not 5nn; the oracle left out", got)
	}
	v.MetricLabels = map[string]string{"fit_seconds": "effort"}
	pictures, err := Draw(v, pareto)
	if err != nil || len(pictures) != 1 {
		t.Fatal(err)
	}
	if words := fixture.Texts(t, pictures[0]); !slices.Contains(words,
		"effort (s)") || slices.Contains(words, "Bayes") {
		t.Errorf("drawn: %q", words)
	}
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && strings.HasPrefix(r.Cell, "c0")
	})
	pareto.Columns = []string{"nb"}
	pictures, err = Draw(fixture.PapersView(study, rows), pareto)
	if err != nil || len(pictures) != 1 ||
		!strings.Contains(pictures[0].Caption, " Left out, without results: gaussian.") {
		t.Errorf("a panel without results: %v %+v", err, pictures)
	}
}

// The excess over the oracle uses the same replicates.
func TestExcess(t *testing.T) {
	study, rows := fixture.Sample(12)
	p := figures(t, study, rows, func(o *Options) { o.Panel, o.Excess = []string{"cpd", "n"}, true })[0]
	words := fixture.Texts(t, p)
	if slices.Contains(words, "Bayes") || !slices.Contains(words, "excess test error (%)") ||
		!strings.Contains(p.Caption, "Excess: difference from Bayes on the same data.") {
		t.Errorf("%q; %s", words, p.Caption)
	}
	recordstest.Delete(rows, func(r records.Record) bool { // the oracle runs only at n = 200
		return r.Classifier == "oracle" && r.Levels.Of("n") != "200"
	})
	p = figures(t, study, rows, func(o *Options) { o.Kind, o.X, o.Excess = "line", "n", true })[0]
	if !strings.Contains(p.Caption, "Left out: 4 of 6 cells, because Bayes did not run there (gaussian, n = 400; ") ||
		len(p.Remarks) > 0 {
		t.Errorf("%q; %s", p.Remarks, p.Caption)
	}
}

// A classifier without results on a page gets no space there, but the caption mentions it.
func TestBoxesOfMissingClassifiersAreOmitted(t *testing.T) {
	study, rows := fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool { return r.Classifier == "nb" })
	p := figures(t, study, rows, samples["box"])[0]
	words := fixture.Texts(t, p)
	if slices.Contains(words, "NB") || !slices.Contains(words, "SLB") ||
		!strings.Contains(p.Caption, "Without results: NB.") {
		t.Errorf("%q; %s", words, p.Caption)
	}
}

// Bonferroni intervals against the best on the same data only have a nominal level. Those against a champion
// or a single rival have their level. The tests include the variation between the pooled cells.
func TestDifferencesStateTheirLevel(t *testing.T) {
	study, rows := fixture.Sample(12)
	for want, change := range map[string]func(*Options){
		"simultaneous at nominal level 95% over the 2 comparisons": func(*Options) {},
		"simultaneous at level 95% over the 2 comparisons":         func(o *Options) { o.Champion = "slb" },
		"simultaneous at level 95% over the 1 comparison": func(o *Options) {
			o.Columns = []string{"slb", "nb"}
		},
	} {
		caption := captionOf(t, study, rows, func(o *Options) { o.Kind = "differences"; change(o) })
		texttest.Contains(t, caption, want, view.TestsOfPooledCells)
	}
}

// The caption explains white entries of a heat map: an entry without a result, or the whole row of ranks.
func TestHeatCaptionExplainsWhite(t *testing.T) {
	study, rows := fixture.Sample(3)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Cell == "c00" && r.Classifier == "nb"
	})
	for shown, want := range map[string]string{"metric": " White: no result.",
		"rank": " White: rows in which a classifier has no result; the best of the others is framed."} {
		texttest.Case(t, shown).Contains(captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Shown = "heat", shown
		}), want)
	}
}

// A classifier that is excluded from all rows would make all rows of ranks white. It is not ranked, and the caption
// names it.
func TestHeatRanksLeaveOutFailedClassifiers(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		fixture.Fail(rows, r.Cell, "nb", r.Replicate, "no")
	}
	picture := figures(t, study, rows, func(o *Options) { o.Kind, o.Shown = "heat", "rank" })[0]
	words := fixture.Texts(t, picture)
	if !strings.Contains(picture.Caption, "Not ranked, ") || !strings.Contains(picture.Caption, "blocks: NB.") ||
		strings.Contains(picture.Caption, "White") || slices.Contains(words, "NB") || !slices.Contains(words, "2") {
		t.Errorf("%s\n%q", picture.Caption, words)
	}
}

// The caption of a heat map states that low rows lack labels, because a row without a label usually has the level of
// the row above. A remark advises to show fewer rows.
func TestHeatCaptionExplainsMissingLabels(t *testing.T) {
	for levels, isLow := range map[int]bool{40: false, 80: true} {
		study, sample := fixture.Sample(1)
		rows := *sample
		rows.Rows, rows.Factors[1].Levels = nil, nil
		for k := range levels {
			n := fmt.Sprint(1000 + k)
			rows.Factors[1].Levels = append(rows.Factors[1].Levels, n)
			for _, r := range sample.Rows {
				if r.Cell == "c00" {
					r.Cell, r.Levels = n, records.Align([]string{"cpd", "n"}, []string{r.Levels.Of("cpd"), n})
					rows.Rows = append(rows.Rows, r)
				}
			}
		}
		picture := figures(t, study, &rows, func(o *Options) { o.Kind = "heat" })[0]
		words := fixture.Texts(t, picture)
		isStated := strings.Contains(picture.Caption, "Labels that would overlap are left out")
		isRemarked := slices.ContainsFunc(picture.Remarks, func(remark string) bool {
			return strings.HasPrefix(remark, "the rows are too low for their labels and numbers: ")
		})
		lacksLabel := !slices.Contains(words, "1001")
		if lacksLabel != isLow || isStated != isLow || isRemarked != isLow {
			t.Errorf("%d rows: label missing: %v; %s; %q", levels, lacksLabel, picture.Caption, picture.Remarks)
		}
	}
}

// The caption of a heat map names the compared classifiers if others than the oracle are outside the family. Without
// two compared classifiers, there are no frames.
func TestHeatCaptionNamesTheFamily(t *testing.T) {
	study, rows := fixture.Sample(3)
	for want, family := range map[string][]string{" Frames: the best of the compared classifiers in": nil,
		" Frames: the best of 5-NN, NB in": {"5nn", "nb"}} {
		caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.Family = "heat", family })
		texttest.Contains(t, caption, want)
	}
	one := figures(t, study, rows, func(o *Options) { o.Kind, o.Columns = "heat", []string{"nb", "oracle"} })[0]
	frames := regexp.MustCompile(`<path [^>]*stroke=`)
	if text := fixture.Render(t, one.RenderPage); strings.Contains(one.Caption, "Frames") || frames.MatchString(text) {
		t.Errorf("one compared classifier: %s\n%s", one.Caption, text)
	}
}

// Captions of means, differences and ranks count the results without the metric. If a figure pools the splits of each
// data set, it adds their confusion matrices, so an undefined result is not left out.
func TestCaptionsCountUndefinedResults(t *testing.T) {
	study, rows := fixture.Sample(40)
	for r := range recordstest.Each(rows) {
		r.Confusion = metrics.Confusion{500, 100, 100, 300}
		if r.Cell == "c00" && r.Replicate == 1 && r.Classifier != "oracle" {
			r.Confusion = metrics.Confusion{1000, 0, 0, 0}
		}
		if r.Cell == "c00" && r.Replicate == 2 && r.Classifier == "nb" {
			r.Confusion = nil
		}
	}
	for _, kind := range []string{"box", "bars", "heat", "nested", "differences", "cd"} {
		caption := captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Metric, o.Reference = kind, "sensitivity:1", ""
			if kind == "bars" {
				o.Reference = "nb"
			}
		})
		texttest.Case(t, kind).Contains(caption, "The metric is undefined if no test row belongs to the class. "+
			"Results left out for this reason: SLB, 5-NN, NB 1 of 240 each. "+
			"Some results have no sensitivity of class 1, which needs confusion matrix: NB 1 of 240.")
	}
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		return view.Sampling{OneDataSet: true, TestRatio: 0.25, Source: c.ID}
	})
	caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.Metric = "box", "sensitivity:1" })
	check := texttest.Case(t, "data sets")
	check.Lacks(caption, "The metric is undefined")
	check.Contains(caption,
		"The confusion matrices of the folds of a cross-validation are added.")
}

// With a single result of each step, there are no bars for the caption to describe.
func TestNestedCaptionWithoutBars(t *testing.T) {
	study, rows := fixture.Sample(1)
	for _, kind := range []string{"nested", "box"} {
		caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.Panel = kind, []string{"cpd", "n"} })
		check := texttest.Case(t, kind)
		check.Lacks(caption, "Bars:", "replicates")
		check.Contains(caption, "over R = 1 replicate")
	}
}

// kindNames returns the names of all kinds.
func kindNames() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// Captions of pooled means name a classifier that ran in only some of the pooled cells.
func TestPartialMeansAreStated(t *testing.T) {
	study, rows := fixture.Sample(12)
	first := rows.Rows[0].Levels // gaussian, n = 200
	for i := range rows.Rows {
		rows.Rows[i].Fit = 1 + float64(i%7)
	}
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "slb" && r.Levels != first
	})
	for kind, want := range map[string]string{
		"box": "12 of 72 replicates.", "pareto": "12 of 72 replicates.", "bars": "12 of 72 replicates.",
		"line": "12 of 24 replicates for n = 200.", "nested": "12 of 24 replicates for n = 200.",
		"heat": "12 of 24 replicates for n = 200.",
	} {
		caption := captionOf(t, study, rows, func(o *Options) {
			o.Kind = kind
			switch kind {
			case "line":
				o.X = "n"
			case "nested", "heat":
				o.Rows = []string{"n"}
			case "bars":
				o.Reference = "nb"
			}
		})
		if n := strings.Count(caption, "not run on all data"); n != 1 ||
			!strings.Contains(caption, "SLB was not run on all data: its mean is over "+want) {
			t.Errorf("%s: %s", kind, caption)
		}
		if kind == "heat" && !strings.Contains(caption, "Frames: the best of 5-NN, NB in each row.") {
			t.Error(caption)
		}
	}
}

// Ranks and the step line of results against time omit a classifier that ran in only some of the pooled cells,
// because its mean is over other data.
func TestRanksNeedAllData(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		r.Fit = map[string]float64{"slb": 1, "5nn": 2, "nb": 3}[r.Classifier]
	}
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "slb" && r.Levels.Of("cpd") == "complex" // slb is fastest and has the smallest errors
	})
	v := fixture.PapersView(study, rows)
	m := errorIn("fraction")
	d := chart{request: &request{View: v, measure: &m, panels: []view.Group{{Cells: v.Cells}}},
		ids: []string{"slb", "5nn", "nb"}}
	times, _ := view.NewMeasure("fit_seconds", "")
	d.addPareto(&times)
	if front := paretoOptimal(d.curves[0], false); len(front) != 1 || front[0].X != 2 {
		t.Errorf("Pareto-optimal: %v, want only 5-NN with 2 s", front)
	}
	o := Defaults()
	o.Kind, o.Shown, o.Rows = "heat", "rank", []string{"n"}
	drawn := pagesOf(t, v, o)
	words := fixture.Texts(t, drawn[0])
	if slices.Contains(words, "SLB") || slices.Contains(words, "3") ||
		!strings.Contains(drawn[0].Caption, "Not ranked, since they were not run on all data of a row: SLB.") {
		t.Errorf("%q %s", words, drawn[0].Caption)
	}
	o.Columns = []string{"slb", "nb"}
	_, err := Draw(v, o)
	errtest.Case(t, "one classifier with all data").Contains(err, "but SLB did not")
}

// A test of all pairs leaves out a classifier that ran in only some cells of a panel. The caption names it.
func TestDifferencesNeedAllData(t *testing.T) {
	study, rows := fixture.Sample(6)
	rows.Classifiers = append(rows.Classifiers, "rf")
	for _, r := range rows.Rows {
		if r.Classifier == "nb" && r.Levels.Of("cpd") == "gaussian" {
			r.Classifier = "rf"
			rows.Rows = append(rows.Rows, r)
		}
	}
	rows.Sort()
	o := Defaults()
	o.Kind, o.Panel = "differences", []string{"n"}
	drawn := pagesOf(t, fixture.DefaultView(study, rows), o)
	texttest.Contains(t, drawn[0].Caption, "(R = 12 replicates)", "over all 3 pairs",
		"Not compared, since they were not run on all data: rf.")
}

// The caption of differences names only tests that some panel uses: a joint test needs three classifiers.
func TestDifferencesNameTheTestsOfTheirPanels(t *testing.T) {
	study, rows := fixture.TwoDesigns()
	o := Defaults()
	o.Kind, o.Panel = "differences", []string{"cpd", "n"}
	drawn := pagesOf(t, fixture.DefaultView(study, rows), o)
	texttest.Contains(t, drawn[0].Caption,
		"over all 1 to 3 pairs of a panel (corrected resampled t test of all pairs).",
		"Panels of two classifiers: Hodges-Lehmann shift, with")
}

// addLogLoss adds a log loss to all records except those that lack it. The log loss is proportional to the error.
func addLogLoss(rows *records.Records, lacks func(*records.Record) bool) {
	rows.Metrics = []string{"log_loss"}
	for r := range recordstest.Each(rows) {
		if !lacks(r) {
			r.Metrics = map[string]float64{"log_loss": 5 * r.Error}
		}
	}
}

// A classifier that ran everywhere, but lacks the metric in a cell, is left out and not called partial.
func TestLackingMetricIsNotPartial(t *testing.T) {
	study, rows := fixture.Sample(3)
	addLogLoss(rows, func(r *records.Record) bool { return r.Classifier == "nb" && r.Cell == "c00" })
	caption := captionOf(t, study, rows, func(o *Options) {
		o.Kind, o.Reference, o.Metric = "bars", "slb", "log_loss"
	})
	const reason = "of their results in a cell lack the metric: NB."
	texttest.Contains(t, caption, reason)
	texttest.Lacks(t, caption, "not run")
}

// Captions name a classifier that lacks the metric in all results, although the figure does not compare it.
func TestCaptionsNameClassifiersWithoutMetric(t *testing.T) {
	study, rows := fixture.Sample(6)
	addLogLoss(rows, func(r *records.Record) bool { return r.Classifier == "nb" })
	for _, kind := range []string{"differences", "heat", "cd", "wins"} {
		caption := captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Metric = kind, "log_loss"
			switch kind {
			case "heat":
				o.Shown = "rank"
			case "wins":
				o.Champion = "slb"
			}
		})
		texttest.Case(t, kind).Contains(caption,
			"Some results have no log loss, which needs class probabilities: NB 36 of 36.")
	}
}

// The caption of a figure of wins counts the cells that are left out because the champion failed.
func TestWinsStateCellsWithoutChampion(t *testing.T) {
	study, rows := fixture.Sample(12)
	wins := samples["wins"]
	texttest.Lacks(t, captionOf(t, study, rows, wins), "Left out")
	for replicate := 1; replicate <= 12; replicate++ {
		fixture.Fail(rows, "c00", "slb", replicate, "no")
	}
	drawn := figures(t, study, rows, wins)[0]
	texttest.Contains(t, drawn.Caption, "Left out: 1 of 6 cells, because SLB has no results there.")
	if !slices.Contains(fixture.Texts(t, drawn), "cells won by SLB") {
		t.Error("the axis does not name the champion")
	}
}

// The caption of a figure of wins states how many tests have too few replicates for a win.
func TestImpossibleWins(t *testing.T) {
	for replicates, want := range map[int]string{12: "", 5: "In all tests no win is possible, because", 7: ""} {
		study, rows := fixture.Sample(replicates)
		caption := captionOf(t, study, rows, samples["wins"])
		if !strings.Contains(caption, want) || want == "" && strings.Contains(caption, "no win") {
			t.Errorf("%d replicates: %s", replicates, caption)
		}
	}
	// With two failed fits, a cell has 5 pairs, whose smallest p-value is 1/32 > 0.05/6.
	study, rows := fixture.Sample(7)
	for _, r := range []int{1, 2} {
		fixture.Fail(rows, "c00", "nb", r, "no")
	}
	inference := view.PapersInference()
	inference.MaxFailureRate = 0.5
	o := Defaults()
	samples["wins"](&o)
	pictures, err := Draw(view.New(study, rows, inference), o)
	if err != nil || !strings.Contains(pictures[0].Caption, "In 2 of 12 tests no win is possible") {
		t.Errorf("%v, %+v", err, pictures)
	}
}

// The caption of wins states which values of the metric are better.
func TestWinsStateTheBetterValues(t *testing.T) {
	study, rows := fixture.Sample(12)
	for metric, want := range map[string]string{"error": "smaller test error", "accuracy": "larger test accuracy"} {
		caption := captionOf(t, study, rows, func(o *Options) { samples["wins"](o); o.Metric = metric })
		texttest.Case(t, metric).Contains(caption, "SLB has a significantly "+want+" than each other classifier")
	}
}

// The correction of wins is over all cells of the page, whatever its panels.
func TestPanelsDoNotChangeWins(t *testing.T) {
	study, rows := fixture.Sample(6) // the smallest p-value, 1/64, is at most 0.05/3 but exceeds 0.05/6
	for _, panel := range [][]string{nil, {"cpd"}, {"cpd", "n"}} {
		o := Defaults()
		samples["wins"](&o)
		o.Panel = panel
		pictures, families, err := DrawAndName(fixture.PapersView(study, rows), o, "")
		if err != nil || len(families) != 1 || families[0].Hypotheses != 6 || families[0].Count != 2 {
			t.Fatalf("%+v, %v", families, err)
		}
		texttest.Case(t, panel).Contains(pictures[0].Caption, "In all tests no win is possible")
	}
}

// Wins compare no classifier that often lacks the metric in a cell. The caption states the pairs of the others.
func TestWinsWithUndefinedMetric(t *testing.T) {
	study, rows := fixture.Sample(30)
	addLogLoss(rows, func(r *records.Record) bool {
		often := r.Classifier == "nb" && r.Cell == "c00" && r.Replicate < 12
		return often || r.Classifier == "5nn" && r.Replicate == 30
	})
	drawn := figures(t, study, rows, func(o *Options) { samples["wins"](o); o.Metric = "log_loss" })[0]
	texttest.Contains(t, drawn.Caption, "(R = 29 to 30 replicates)",
		"Not compared, since more than 5% of their results in a cell lack the metric: NB in gaussian, n = 200.")
	if words := fixture.Texts(t, drawn); !slices.Contains(words, "5 of 5") {
		t.Errorf("%q", words)
	}
}

// Captions of tests count the failed fits of all classifiers, also of one without a row because it lacks the metric.
func TestCaptionsOfTestsCountFitsWithoutMetric(t *testing.T) {
	study, rows := fixture.Sample(30)
	addLogLoss(rows, func(r *records.Record) bool { return r.Classifier == "nb" })
	for replicate := range 4 {
		fixture.Fail(rows, "c00", "nb", replicate+1, "no")
	}
	for _, kind := range []string{"wins", "differences"} {
		caption := captionOf(t, study, rows, func(o *Options) { samples[kind](o); o.Metric = "log_loss" })
		texttest.Case(t, kind).Contains(caption, "Failed fits: NB 4 of 180.")
	}
}

// The caption of wins counts the t tests that are impossible because the differences do not vary.
func TestWinsWithoutVariation(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) {
		if r.Cell == "c00" {
			r.Errors = map[string]int{"slb": 100, "5nn": 100, "nb": 300, "oracle": 0}[r.Classifier]
			r.Error = float64(r.Errors) / 1000
		}
	}
	inference := view.PapersInference()
	inference.Test = "t"
	o := Defaults()
	samples["wins"](&o)
	pictures, err := Draw(view.New(study, rows, inference), o)
	if err != nil || !strings.Contains(pictures[0].Caption,
		"In 1 of 12 tests no win is possible, because the smallest possible p-value exceeds the level of the test or "+
			"because t tests need differences that vary.") {
		t.Errorf("%v, %+v", err, pictures)
	}
}

// A figure without a single value of its metric is refused, with the reason. If all fits failed, the figure shows
// their numbers.
func TestFiguresWithoutValues(t *testing.T) {
	study, rows := fixture.Sample(3)
	rows.Metrics = []string{"log_loss"}
	for r := range recordstest.Each(rows) {
		r.Metrics = nil
		r.Fit = 1
	}
	draw := func(kind, metric string) error {
		o := Defaults()
		o.Kind, o.Metric = kind, metric
		if kind == "line" {
			o.X, o.Panel = "n", []string{"cpd"}
		}
		_, err := Draw(fixture.PapersView(study, rows), o)
		return err
	}
	for _, c := range []struct{ metric, why string }{
		{"log_loss", "needs class probabilities"}, {"peak_memory", "only for separate processes"},
	} {
		for _, kind := range []string{"box", "line", "heat", "nested", "bars", "pareto"} {
			if c.metric == "peak_memory" && kind == "pareto" {
				continue // it needs a metric that is not a cost
			}
			errtest.Case(t, kind+" of "+c.metric).Contains(draw(kind, c.metric), "has a value for", c.why)
		}
	}
	errtest.Contains(t, draw("differences", "log_loss"), "this figure compares only these: none; list more in `family`")
	for r := range recordstest.Each(rows) {
		r.Status = records.Failed
	}
	if err := draw("box", "log_loss"); err != nil {
		t.Errorf("all fits failed: %v", err)
	}
}
