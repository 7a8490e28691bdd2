package figure

import (
	"regexp"
	"testing"

	"copse/report/internal/fixture"
)

// A bar that would extend below the time axis ends at its edge, so the most uncertain times have the longest
// bars.
func TestParetoBarsEndAtTheAxis(t *testing.T) {
	study, rows := fixture.Sample(3)
	for i := range rows.Rows {
		rows.Rows[i].Fit = 1 + float64(rows.Rows[i].Replicate)/100
		if rows.Rows[i].Classifier == "slb" && rows.Rows[i].Replicate == 1 {
			rows.Rows[i].Fit = 100
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
