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

// A Layout is the section report of a study file. Decoding starts from DefaultLayout, for each table
// from table.Defaults, and for each figure from figure.Defaults.
type Layout struct {
	Tables  []table.Options  `param:"tables" doc:"tables, in order"`
	Figures []figure.Options `param:"figures" doc:"figures, in order; []: none; without this key, one figure of the test error: lines over a numeric factor with at least three levels, otherwise boxes, or a heat map of many cells"`
	Formats []string         `param:"formats" doc:"file formats of figures" enum:"svg,png,pdf"`

	Labels map[string]string `param:"labels" doc:"labels of factors and levels in tables and figures, such as {n: training rows, balance=even: equal classes}"`

	Inference view.Inference // the study file's section of that name
}

// DefaultLayout returns a layout with one table of all cells and the standard figures.
func DefaultLayout() Layout {
	return Layout{Tables: []table.Options{table.Defaults()}, Formats: canvas.Formats,
		Inference: view.DefaultInference()}
}

// View returns the view of a study with the labels and the inference of the layout.
func (l *Layout) View(study view.Study, rows *records.Records) *view.View {
	return view.New(l.relabel(study), rows, l.Inference)
}

// relabel returns the study with the labels of the layout. Labels of unknown levels, which --set may
// have removed, have no effect.
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

// maxName is the largest length of a name in bytes. File names append levels to it, and file systems
// allow 255 bytes.
const maxName = 100

// Validate returns an error if a name is too long for a file.
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

// checkLength returns an error if a name is longer than maxName.
func checkLength(key, name string) error {
	if len(name) > maxName {
		return &recipe.Error{Key: key, Msg: fmt.Sprintf("the name %.20q... has %d bytes; it may have at most %d", name,
			len(name), maxName)}
	}
	return nil
}
