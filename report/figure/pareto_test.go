package figure

import (
	"regexp"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records/recordstest"
)

// A bar that would extend below the time axis ends at its edge, so the most uncertain times have the longest
// bars.
func TestParetoBarsEndAtTheAxis(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		r.Fit = 1 + float64(r.Replicate)/100
		if r.Classifier == "slb" && r.Replicate == 1 {
			r.Fit = 100
		}
	}
	p := figures(t, study, rows, func(o *Options) {
		o.Kind, o.Where = "pareto", map[string][]string{"cpd": {"gaussian"}, "n": {"200"}}
	})[0]
	// the first colour of the palette is that of SLB
	bars := regexp.MustCompile(`<path d="M[-0-9. ]+v[-0-9.]+M[-0-9. ]+h[0-9.]+" ` +
		`fill="none" stroke="#0072b2" stroke-width="0.7"`)
	if drawing := fixture.Draws(t, p, "svg"); !bars.Match(drawing) {
		t.Errorf("no horizontal bar: %s", drawing)
	}
}

// The caption describes the step line only if it is drawn, and names classifiers without results.
func TestParetoCaptionStatesWhatIsDrawn(t *testing.T) {
	study, rows := fixture.Sample(4)
	for replicate := 1; replicate <= 4; replicate++ {
		fixture.Fail(rows, "c00", "nb", replicate, "no")
	}
	for _, c := range []struct {
		slowest string // has the smallest error, too, if it is SLB
		steps   bool
	}{{"slb", true}, {"5nn", false}} {
		for r := range recordstest.Each(rows) {
			r.Fit, r.Errors = 1, 20
			if r.Classifier == "slb" {
				r.Errors = 10
			}
			if r.Classifier == c.slowest {
				r.Fit = 2
			}
			r.Error = float64(r.Errors) / float64(r.NTest)
		}
		caption := captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Where = "pareto", map[string][]string{"cpd": {"gaussian"}, "n": {"200"}}
		})
		check := texttest.Case(t, c.slowest)
		check.Contains(caption, "Without results or times: NB.")
		check.ContainsIf(c.steps, caption, "step line")
	}
}

// The caption describes horizontal bars also without vertical ones. It states the numbers of results of both axes if
// they differ.
func TestParetoCaptionDescribesBothAxes(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit = 1 + float64(i%7)
		rows.Rows[i].Errors, rows.Rows[i].Error = 0, 0
	}
	study.Sampling = map[string]view.Sampling{}
	pareto := func() string {
		return captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Where = "pareto", map[string][]string{"cpd": {"gaussian"}, "n": {"200", "400"}}
		})
	}
	want := "Mean test error (%) against mean training time (s) (logarithmic), over R = 24 replicates. " +
		"Bars: two Monte-Carlo standard errors within cells on either side, cut off at the ends of the axis."
	if words := pareto(); !strings.HasPrefix(words, want) {
		t.Error(words)
	}
	for _, cell := range []string{"c00", "c01"} {
		study.Sampling[cell] = view.Sampling{Folds: 12, OneDataSet: true, TestRatio: 1.0 / 11}
	}
	want = "Mean test error (%) over R = 2 data sets against mean training time (s) (logarithmic), over R = 24 " +
		"folds. Bars: two Nadeau-Bengio standard errors within cells on either side, cut off at the ends of the axis."
	if words := pareto(); !strings.HasPrefix(words, want) {
		t.Error(words)
	}
}

// The HTML report shows short times with three significant digits, also beside results against time, and ratios of
// times without a sign.
func TestMarksShowShortTimes(t *testing.T) {
	study, rows := fixture.Sample(3)
	for r := range recordstest.Each(rows) {
		r.Fit = 0.000178
		if r.Classifier == "slb" {
			r.Fit *= 4.55
		}
	}
	for kind, want := range map[string]string{"pareto": "\nmean training time (s): 0.000178<",
		"box": "\nmean training time (s): 0.000178\n", "bars": "\nratio of training time: 4.55\nR: 18<"} {
		p := figures(t, study, rows, func(o *Options) {
			if o.Kind = kind; kind != "pareto" {
				o.Metric, o.Reference = "fit_seconds", "nb"
			}
		})[0]
		texttest.Case(t, kind).Contains(fixture.Render(t, p.RenderPage), want)
	}
}
