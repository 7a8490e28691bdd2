package report

import (
	"fmt"
	"slices"
	"testing"

	"copse/report/figure"
	"copse/report/internal/fixture"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// A study without a list of figures gets curves over a numeric factor with three levels, otherwise box plots,
// or a heat map if there would be too many panels. A study with an empty list gets no figure.
func TestStandardFigures(t *testing.T) {
	study, rows := fixture.Sample(3)
	for name, c := range map[string]struct {
		keep        func(records.Record) bool
		kind, panel string
	}{
		"curves": {func(records.Record) bool { return true }, "line n", "[cpd]"},
		"boxes":  {func(r records.Record) bool { return r.Levels.Of("n") != "1000" }, "box ", "[cpd n]"},
		"one":    {func(r records.Record) bool { return r.Cell == "c00" }, "box ", "[]"},
	} {
		some := *rows
		some.Rows = slices.DeleteFunc(slices.Clone(rows.Rows), func(r records.Record) bool { return !c.keep(r) })
		some.Factors = slices.Clone(rows.Factors)
		if name == "boxes" {
			some.Factors[1].Levels = []string{"200", "400"}
		}
		got := standardFigures(view.New(study, &some, view.DefaultInference()), nil)
		if len(got) != 1 || got[0].Kind+" "+got[0].X != c.kind || fmt.Sprint(got[0].Panel) != c.panel {
			t.Errorf("%s: %+v", name, got)
		}
	}
	many := manyCells(mostPanels + 1)
	if got := standardFigures(fixture.DefaultView(study, many), nil); got[0].Kind != "heat" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		figures []figure.Options
		want    int
	}{{nil, 1}, {[]figure.Options{}, 0}} {
		layout := DefaultLayout()
		layout.Figures = c.figures
		made, err := Make(study, rows, layout, nil)
		if err != nil || len(made.Missing) > 0 {
			t.Fatal(err, made)
		}
		drawn := 0
		for _, d := range made.Documents {
			if d.Name == "figures/errors.svg" {
				drawn++
			}
		}
		if drawn != c.want {
			t.Errorf("%d figures, want %d", drawn, c.want)
		}
	}
}

// The standard figure has the metric and the scale of the first table; without a table it has the test error.
func TestStandardFigureHasTheMetricOfTheFirstTable(t *testing.T) {
	study, rows := fixture.Sample(3)
	v := fixture.DefaultView(study, rows)
	first, second := table.Defaults(), table.Defaults()
	first.Metric, first.Scale = "ber", "fraction"
	for want, tables := range map[string][]table.Options{"ber fraction": {first, second}, "error percent": nil} {
		o := standardFigures(v, tables)[0]
		if got := o.Metric + " " + o.Scale; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// manyCells returns records with the given number of cells, which differ in a factor of names.
func manyCells(n int) *records.Records {
	rows := &records.Records{Study: "many", Classifiers: []string{"slb", "nb"},
		Factors: []records.Factor{{Name: "name"}}}
	for k := range n {
		level := fmt.Sprint("level ", k)
		rows.Factors[0].Levels = append(rows.Factors[0].Levels, level)
		for _, id := range rows.Classifiers {
			rows.Rows = append(rows.Rows, records.Record{Cell: level, Replicate: 1, Classifier: id, Status: records.OK,
				Levels: records.Align([]string{"name"}, []string{level}), NTest: 10, Error: 0.1, BER: 0.1})
		}
	}
	return rows
}

// The page, and no other document, contains the main figure also for the other rates of the records and for
// the excess over the oracle.
func TestMainFigureInOtherMeasures(t *testing.T) {
	study, rows := fixture.Sample(3)
	rows.Metrics = nil
	v := fixture.DefaultView(study, rows)
	o := figure.Defaults()
	o.Name, o.Panel = "errors", []string{"n"}
	m := maker{View: v}
	var measures []string
	for _, d := range m.otherDrawings(o) {
		measures = append(measures, d.Measure)
		if d.Files != nil {
			t.Errorf("%s has files: %v", d.Name, d.Files)
		}
	}
	if want := []string{"balanced test error (%)", "excess test error (%)"}; !slices.Equal(measures, want) {
		t.Errorf("%q, want %q", measures, want)
	}
	if o.Kind = "cd"; m.otherDrawings(o) != nil {
		t.Error("ranks in other measures")
	}
}

// A main figure with lines exists with a linear and a logarithmic axis, for every measure.
func TestMainFigureOnBothScales(t *testing.T) {
	study, rows := fixture.Sample(3)
	rows.Metrics = nil
	m := maker{View: fixture.DefaultView(study, rows)}
	o := figure.Defaults()
	o.Name, o.Kind, o.X, o.Panel = "errors", "line", "n", nil
	var measures []string
	for _, d := range m.otherDrawings(o) {
		measures = append(measures, d.Measure)
	}
	want := []string{"balanced test error (%)", "excess test error (%)", "test error (%), logarithmic axis",
		"balanced test error (%), logarithmic axis", "excess test error (%), logarithmic axis"}
	if !slices.Equal(measures, want) {
		t.Errorf("%q, want %q", measures, want)
	}
	if o.LogX = true; m.otherDrawings(o)[2].Measure != "test error (%), linear axis" {
		t.Errorf("from a logarithmic axis: %q", m.otherDrawings(o)[2].Measure)
	}
}
