package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// Captions of differences have the unit of the axis. With repeated folds, they state the numbers of splits and folds.
func TestDifferencesStateUnitsAndSplits(t *testing.T) {
	study, rows := fixture.Sample(4)
	fixture.SetSampling(&study, rows, view.Sampling{Folds: 2, OneDataSet: true, TestRatio: 1})
	for _, kind := range []string{"bars", "differences", "box", "roc"} {
		caption := captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Where = kind, records.Condition{"cpd": {"gaussian"}, "n": {"200"}}
			if kind == "bars" {
				o.Reference = "nb"
			}
		})
		check := texttest.Case(t, kind)
		check.Contains(caption, "R = 4 folds (2 splits into 2)")
		check.Lacks(caption, "pooled cells")
		isDifference := kind == "bars" || kind == "differences"
		if isDifference && !strings.Contains(caption, "ifference in test error (percentage points)") {
			t.Errorf("%s: %s", kind, caption)
		}
	}
}

// On one test set, the lines of bars describe only the variation between fits.
func TestBarsOfOneTestSet(t *testing.T) {
	study, rows := fixture.Sample(4)
	study.Sampling = map[string]view.Sampling{"c00": {OneDataSet: true, OneTestSet: true}}
	caption := captionOf(t, study, rows, func(o *Options) {
		o.Kind, o.Reference, o.Panel = "bars", "nb", []string{"cpd", "n"}
	})
	want := "Lines: two Monte-Carlo standard errors (between fits, not between test rows) on either side"
	texttest.Contains(t, caption, want)
}

// Bars end at the difference of means, or at the ratio of times. If the reference or a classifier has no
// result, there is no bar.
func TestBarsShowDifferencesFromTheReference(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) {
		r.Fit = 2 * float64(1+len(r.Classifier))
	}
	for replicate := 1; replicate <= 12; replicate++ {
		fixture.Fail(rows, "c00", "5nn", replicate, "no")
	}
	v := fixture.PapersView(study, rows)
	for metric, want := range map[string]func(cell, id string) float64{
		"error": func(cell, id string) float64 {
			if cell == "c00" && id == "5nn" {
				return math.NaN()
			}
			return 100 * (plainMean(mustValues(rows, cell, id)) - plainMean(mustValues(rows, cell, "nb")))
		},
		"fit_seconds": func(cell, id string) float64 {
			if cell == "c00" && id == "5nn" {
				return math.NaN()
			}
			return float64(1+len(id)) / 3
		},
	} {
		m, err := view.NewMeasure(metric, "percent")
		if err != nil {
			t.Fatal(err)
		}
		r, ids := &request{View: v, measure: &m}, []string{"slb", "5nn"}
		groups, err := v.Groups(rows.Cells(), []string{"cpd", "n"})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			for k, got := range r.bars(&g, ids, "nb") {
				got := got.value
				if w := want(g.Cells[0].ID, ids[k]); math.Abs(got-w) > 1e-9 || math.IsNaN(got) != math.IsNaN(w) {
					t.Errorf("%s, %s, %s: %v, want %v", metric, g.Cells[0].ID, ids[k], got, w)
				}
			}
		}
	}
	o := Defaults()
	o.Kind, o.Reference = "bars", "nobody"
	_, err := Draw(v, o)
	errtest.Contains(t, err, "nobody is not one of the columns, which are slb, 5nn, nb, oracle")
}

// A panel has no bars if the reference fails too often in it. Its title gives the reason.
func TestBarsStateFailedReference(t *testing.T) {
	study, rows := fixture.Sample(12)
	for replicate := 1; replicate <= 12; replicate++ {
		fixture.Fail(rows, "c00", "slb", replicate, "no")
	}
	for n, want := range map[string]bool{"200": true, "400": false} {
		drawn := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Reference, o.Where = "bars", "slb", records.Condition{"cpd": {"gaussian"}, "n": {n}}
		})[0]
		words := fixture.Texts(t, drawn)
		if slices.Contains(words, "SLB excluded: 12 of 12 fits failed") != want {
			t.Errorf("n = %s: %q", n, words)
		}
	}
}

// A classifier is excluded if it often lacks the metric, but not if a single result lacks it.
func TestOnlyUndefinedClassifiersAreSetAside(t *testing.T) {
	study, rows := fixture.Sample(12)
	addLogLoss(rows, func(r *records.Record) bool {
		return r.Classifier == "nb" && r.Replicate < 5 || r.Classifier == "5nn" && r.Cell == "c00" && r.Replicate == 1
	})
	for _, kind := range []string{"box", "bars"} {
		drawn := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Reference, o.Metric = kind, "slb", "log_loss"
		})[0]
		words := strings.Join(fixture.Texts(t, drawn), "\n")
		if n := strings.Count(words, "excluded: metric undefined"); n != 1 {
			t.Errorf("%s: %d classifiers are excluded:\n%s", kind, n, words)
		}
	}
}

// The lines at the ends of bars are two standard errors of the paired differences, not of the means, or of
// the logarithms of ratios.
func TestBarsHaveErrors(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit = 1 + float64(i*i%7)
	}
	v := fixture.PapersView(study, rows)
	cell := v.Cells[0]
	g := view.Group{Cells: v.Cells[:1]}
	barsOf := func(m *view.Measure) []bar {
		return (&request{View: v, measure: m}).bars(&g, []string{"slb", "nb"}, "nb")
	}
	of := func(m *view.Measure, id string) stats.Summary { return v.Summary(&g, &cell, m, id) }
	for _, metric := range []string{"error", "accuracy"} {
		m, _ := view.NewMeasure(metric, "percent")
		pairs, err := cell.Pairs(m.Metric, "slb", "nb")
		if err != nil {
			t.Fatal(err)
		}
		var d []float64
		for i := range pairs.X {
			d = append(d, 100*(pairs.X[i]-pairs.Y[i]))
		}
		got, want, reference := barsOf(&m), 2*stats.Summarize(d).MCSE, 2*math.Hypot(of(&m, "slb").MCSE,
			of(&m, "nb").MCSE)
		if mean := of(&m, "slb").Mean - of(&m, "nb").Mean; math.Abs(got[0].value-mean) > 1e-9 ||
			math.Abs(got[0].high-mean-want) > 1e-9 || math.Abs(mean-got[0].low-want) > 1e-9 || want > 0.8*reference {
			t.Errorf("%s: %+v, want %v with %v either way; %v of independent means", metric, got[0], mean, want,
				reference)
		}
		if got[1] != (bar{n: 12}) {
			t.Errorf("%s: the reference differs from itself: %+v", metric, got[1])
		}
	}
	seconds, _ := view.NewMeasure("fit_seconds", "percent")
	x, y := of(&seconds, "slb"), of(&seconds, "nb")
	for _, scale := range []float64{1, 1000} { // in whatever unit
		x.Mean, x.MCSE, y.Mean, y.MCSE = x.Mean*scale, x.MCSE*scale, y.Mean*scale, y.MCSE*scale
		if e := barsOf(&seconds)[0]; e != ratio(x, y) && scale == 1 ||
			math.Abs(math.Log(e.high/e.low)-4*math.Hypot(x.MCSE/x.Mean, y.MCSE/y.Mean)) > 1e-9 {
			t.Errorf("%+v of %+v and %+v", e, x, y)
		}
	}
	draw := func(replicates int) string {
		study, rows := fixture.Sample(replicates)
		return captionOf(t, study, rows, samples["bars"])
	}
	const want = "on the same data, over R = 12 replicates. Lines: two Monte-Carlo standard errors on either " +
		"side of the mean difference."
	texttest.Contains(t, draw(12), want)
	texttest.Case(t, "one replicate").Lacks(draw(1), "errors")
}

func plainMean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// A bar that is too short to see is widened away from the reference, so that it keeps its sign.
func TestShortBarsKeepTheirSign(t *testing.T) {
	study, rows := fixture.Sample(12)
	v := fixture.DefaultView(study, rows)
	m, err := view.NewMeasure("error", "percent")
	if err != nil {
		t.Fatal(err)
	}
	r := &request{View: v, measure: &m}
	for value, want := range map[float64][2]vg.Length{0.01: {100, 101}, -0.01: {99, 100}, 0: {99.5, 100.5},
		5: {100, 105}} {
		drawn := &recorder.Canvas{}
		c := draw.NewCanvas(drawn, 200, 20)
		x := func(v float64) vg.Length { return 100 + vg.Length(math.Round(v)) }
		r.barRow("slb", newBar(value, 0, 12), 0).draw(rowCanvas{c, x, 10})
		var ends []vg.Length
		for _, action := range drawn.Actions {
			if fill, ok := action.(*recorder.Fill); ok {
				for _, part := range fill.Path {
					if part.Type != vg.CloseComp {
						ends = append(ends, part.Pos.X)
					}
				}
			}
		}
		if len(ends) == 0 || slices.Min(ends) != want[0] || slices.Max(ends) != want[1] {
			t.Errorf("%v: the bar's corners are at %v, want %v", value, ends, want)
		}
	}
}
