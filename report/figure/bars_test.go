package figure

import (
	"math"
	"strings"
	"testing"

	"copse/report/canvas"
	"copse/report/internal/fixture"
	"copse/report/view"
)

// Bars end at the difference of means, times at their ratio; where the reference
// or a classifier has no result there is no bar.
func TestBarsStandBesideTheReference(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		r := &rows.Rows[i]
		r.Fit = 2 * float64(1+len(r.Classifier))
	}
	for replicate := 1; replicate <= 12; replicate++ {
		fixture.Fail(rows, "c00", "5nn", replicate, "no")
	}
	v := view.New(study, rows, view.DefaultInference())
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
		b := barDrawing{View: v, ids: []string{"slb", "5nn"}}
		groups, err := v.Groups(rows.Cells(), []string{"cpd", "n"})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			for k, got := range b.row(&g, &m, "nb") {
				if w := want(g.Cells[0].ID, b.ids[k]); math.Abs(got-w) > 1e-9 || math.IsNaN(got) != math.IsNaN(w) {
					t.Errorf("%s, %s, %s: %v, want %v", metric, g.Cells[0].ID, b.ids[k], got, w)
				}
			}
		}
	}
	o := Defaults()
	o.Kind, o.Reference = "bars", "nobody"
	if _, err := Draw(v, o); err == nil || !strings.Contains(err.Error(), `got "nobody"`) {
		t.Error(err)
	}
}

func plainMean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// Of ten classifiers no two have bars that are alike in grey: where they share a pattern,
// the luminances (ITU-R BT.709, of the values as they are) of their colours differ by a
// twentieth at least.
func TestBarsAreToldApartInGrey(t *testing.T) {
	grey := func(k int) float64 {
		c := canvas.Palette[k]
		return (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255
	}
	for k := range canvas.Palette[:10] {
		for j := range k {
			if d := math.Abs(grey(k) - grey(j)); k%barPatterns == j%barPatterns && d < 0.05 {
				t.Errorf("colours %d and %d have one pattern and greys %.3f apart", j, k, d)
			}
		}
	}
}
