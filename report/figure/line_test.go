package figure

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// Sentences of a caption have a space between them.
func TestLineCaptionHasSpaces(t *testing.T) {
	study, rows := fixture.Sample(2)
	caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.X = "line", "n" })
	texttest.Contains(t, caption, "without marks. Each point pools 2 cells")
}

// The sentence on pooling covers the points of all panels.
func TestLineCaptionPoolsAllPanels(t *testing.T) {
	study, rows := fixture.Sample(2)
	rows.Factors = append(rows.Factors, records.Factor{Name: "k", Levels: []string{"1", "2", "3"}})
	levels := func(r records.Record, k string) records.Record {
		r.Levels = records.Align([]string{"cpd", "n", "k"}, []string{r.Levels.Of("cpd"), r.Levels.Of("n"), k})
		r.Cell += "k" + k
		return r
	}
	few := rows.Rows
	rows.Rows = nil
	for _, r := range few {
		rows.Rows = append(rows.Rows, levels(r, "1"), levels(r, "2"))
		if r.Levels.Of("cpd") == "complex" { // the second panel
			rows.Rows = append(rows.Rows, levels(r, "3"))
		}
	}
	rows.Sort()
	caption := captionOf(t, study, rows, func(o *Options) {
		o.Kind, o.X, o.Panel = "line", "n", []string{"cpd"}
	})
	texttest.Contains(t, caption, "Each point pools up to 3 cells")
}

// Points that pool other cells are comparable only in part. The caption names them, and a remark advises the
// author of the study.
func TestLineNamesPointsWithOtherCells(t *testing.T) {
	study, rows := fixture.Sample(2)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Levels.Of("cpd") == "complex" && r.Levels.Of("n") == "200"
	})
	for _, c := range []struct {
		panel []string
		words string // "": all points of a line have the same cells
	}{{nil, "gaussian, n = 200 (1)"}, {[]string{"cpd"}, ""}} {
		drawn := figures(t, study, rows, func(o *Options) { o.Kind, o.X, o.Panel = "line", "n", c.panel })[0]
		remarks := strings.Join(drawn.Remarks, "; ")
		hasWords := strings.Contains(drawn.Caption, "different cells from the rest: "+c.words+".") &&
			strings.Contains(remarks, c.words)
		hasNone := !strings.Contains(drawn.Caption, "different cells") && remarks == ""
		if c.words != "" && !hasWords || c.words == "" && !hasNone {
			t.Errorf("%q: %q", drawn.Caption, remarks)
		}
	}
}

// Points in different panels may pool cells that differ in the factors of the panels.
func TestPanelsDoNotPoolOtherCells(t *testing.T) {
	study, rows := fixture.Sample(2)
	for r := range recordstest.Each(rows) {
		r.Levels = records.LevelsOf(map[string]string{"cpd": r.Levels.Of("cpd"), "n": r.Levels.Of("n"), "d": "5"})
	}
	rows.Factors = append(rows.Factors, records.Factor{Name: "d", Levels: []string{"5"}})
	drawn := figures(t, study, rows, func(o *Options) { o.Kind, o.X, o.Panel = "line", "d", []string{"cpd"} })[0]
	texttest.Contains(t, drawn.Caption, "Each point pools 3 cells of the design, which differ in n.")
	texttest.Lacks(t, drawn.Caption, "different cells")
}

// For a level without a logarithm, the error names the key log2_x.
func TestLineNamesTheKeyOfLogarithms(t *testing.T) {
	study, rows := fixture.Sample(2)
	levelsOf(rows, "-1", "0", "1")
	o := Defaults()
	o.Kind, o.X, o.LogX = "line", "n", true
	_, err := Draw(fixture.PapersView(study, rows), o)
	if mistake, ok := errors.AsType[*view.BadOption](err); !ok || !slices.Equal(mistake.Keys, []string{"log2_x"}) {
		t.Errorf("%v", err)
	}
}

// Error bands end at the limits of the metric, and the caption states this. Excess losses have no limits.
func TestBandsEndAtLimitsOfMetric(t *testing.T) {
	study, rows := fixture.Sample(3)
	rates := map[int]float64{1: 0, 2: 0, 3: 0.1} // the mean is 0.033 and two standard errors are 0.067
	for r := range recordstest.Each(rows) {
		r.Error = rates[r.Replicate]
	}
	const want = "cut off at the limits of the metric"
	for _, metric := range []string{"error", "accuracy"} {
		m, err := view.NewMeasure(metric, "percent")
		if err != nil {
			t.Fatal(err)
		}
		v := fixture.PapersView(study, rows)
		d := chart{request: &request{View: v, measure: &m}, ids: []string{"slb"}}
		groups := view.SingleCellGroups(v.Cells[:1])
		p := d.meanCurves(groups, []float64{1}, "2se")[0].points[0]
		if !(p.low >= 0 && p.low < p.Mean && p.high > p.Mean && p.high <= 100) || p.low > 0 && p.high < 100 || !d.cut {
			t.Errorf("%s: %+v, cut %v", metric, p, d.cut)
		}
		for kind, x := range map[string]string{"line": "n", "nested": ""} {
			o := Defaults()
			o.Kind, o.X, o.Metric = kind, x, metric
			if pictures, err := Draw(v, o); err != nil || !strings.Contains(pictures[0].Caption, want) {
				t.Errorf("%s of %s: %v, %+v", kind, metric, err, pictures)
			}
			if o.Excess = true; metric == "error" {
				if pictures, err := Draw(v, o); err != nil || strings.Contains(pictures[0].Caption, want) {
					t.Errorf("excess, %s: %v, %+v", kind, err, pictures)
				}
			}
		}
	}
}

// A single result has no error band, and the caption does not promise one.
func TestLineWithoutBandsOfSingleResults(t *testing.T) {
	study, rows := fixture.Sample(2)
	line := func(o *Options) { o.Kind, o.X, o.Panel = "line", "n", []string{"cpd"} }
	caption := func() string { return captionOf(t, study, rows, line) }
	const bands, noBand = "Bands: two", "A point with a single result has no band."
	got := caption()
	texttest.Contains(t, got, bands)
	texttest.Lacks(t, got, noBand)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Replicate == 2 && r.Levels.Of("n") == "400"
	})
	texttest.Contains(t, caption(), bands, noBand)
	rows = fixture.OnlyReplicate(rows, 1)
	texttest.Lacks(t, caption(), bands, noBand)
	k := curve{points: []point{{x: 1}, {x: 2, hasNoBand: true}, {x: 3}, {x: 4}, {x: 5, afterGap: true}}}
	if segments := k.withBand().segments(); len(segments) != 3 || len(segments[1]) != 2 {
		t.Errorf("%v", segments)
	}
}
