package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/recipe"
	"copse/stats/records"
)

// A Layout says which tables and figures a study prints. Its fields carry the
// tags that generators.Generator describes; a study file's `report` section is
// decoded over DefaultLayout, each table over DefaultTable, each figure over
// DefaultFigure.
type Layout struct {
	Tables  []table.Options  `param:"tables" doc:"tables, in order"`
	Figures []figure.Options `param:"figures" doc:"figures, in order; without this key one figure of the test error: lines over a numeric factor with three or more levels, boxes, or a heat map of many cells; []: none"`
	Formats []string         `param:"formats" doc:"file formats of figures" enum:"svg,png,pdf"`

	Labels map[string]string `param:"labels" doc:"labels of factors and levels for readers: factor: words, or factor=level: words"`

	Inference view.Inference // the study file's section of that name
}

// DefaultLayout is one table of everything and the standard figures.
func DefaultLayout() Layout {
	return Layout{Tables: []table.Options{table.Defaults()}, Formats: canvas.Formats,
		Inference: view.DefaultInference()}
}

// View is a study and its records in the words and with the inference of the layout.
func (l *Layout) View(study view.Study, rows *records.Records) *view.View {
	return view.New(l.relabel(study), rows, l.Inference)
}

// relabel gives factors and levels the study's own words. Those of what is not there,
// such as a level that a sweep left out, are not shown.
func (l *Layout) relabel(study view.Study) view.Study {
	study.Factors = slices.Clone(study.Factors)
	for i := range study.Factors {
		f := &study.Factors[i]
		f.Label = cmp.Or(l.Labels[f.Name], f.Label)
		f.Levels = maps.Clone(f.Levels)
		for level := range f.Levels {
			f.Levels[level] = cmp.Or(l.Labels[f.Name+"="+level], f.Levels[level])
		}
	}
	return study
}

// maxName is the longest name of a table or figure; pages append levels to it, and
// file systems end at 255 bytes.
const maxName = 100

// Validate refuses names that are too long for files.
func (l *Layout) Validate() error {
	for _, t := range l.Tables {
		if err := checkLength("tables", t.Name); err != nil {
			return err
		}
	}
	for _, f := range l.Figures {
		if err := checkLength("figures", f.Name); err != nil {
			return err
		}
	}
	return nil
}

func checkLength(key, name string) error {
	if len(name) > maxName {
		return &recipe.Error{Key: key, Msg: fmt.Sprintf("the name %.20q... has %d bytes, want %d at most", name,
			len(name), maxName)}
	}
	return nil
}
