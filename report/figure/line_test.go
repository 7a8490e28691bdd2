package figure

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records"
)

// Sentences of a caption have a space between them.
func TestLineCaptionHasSpaces(t *testing.T) {
	study, rows := fixture.Sample(2)
	caption := figures(t, study, rows, func(o *Options) { o.Kind, o.X = "line", "n" })[0].Caption
	if !strings.Contains(caption, "without marks. Each point pools 2 cells") {
		t.Error(caption)
	}
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
	caption := figures(t, study, rows, func(o *Options) {
		o.Kind, o.X, o.Panel = "line", "n", []string{"cpd"}
	})[0].Caption
	if !strings.Contains(caption, "Each point pools up to 3 cells") {
		t.Error(caption)
	}
}

// For a level without a logarithm, the error names the key log2_x.
func TestLineNamesTheKeyOfLogarithms(t *testing.T) {
	study, rows := fixture.Sample(2)
	levelsOf(rows, "-1", "0", "1")
	o := Defaults()
	o.Kind, o.X, o.LogX = "line", "n", true
	_, err := Draw(view.New(study, rows, view.PapersInference()), o)
	var mistake *view.BadOption
	if !errors.As(err, &mistake) || !slices.Equal(mistake.Keys, []string{"log2_x"}) {
		t.Errorf("%v", err)
	}
}
