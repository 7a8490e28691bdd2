package report

import (
	"cmp"
	"maps"
	"slices"

	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// A Layout is the report section of a study file. DefaultLayout contains the defaults.
type Layout struct {
	// tables, in order
	Tables []table.Options `param:"tables"`
	// figures, in order. `figures: []` draws none. By default, one figure shows the metric of the
	// first table. If a numeric factor has at least three levels, the figure is a line plot over the
	// first such factor. Otherwise, it is a box plot. If this plot would need too many panels, the
	// figure is a heat map instead
	Figures []figure.Options `param:"figures"`
	// file formats of figures
	Formats []string `param:"formats" enum:"svg,png,pdf" distinct:"true"`

	// labels of factors, levels and metrics in tables and figures, as plain text, such as
	// `{n: training rows, balance=even: equal classes, error: risk}`
	Labels map[string]string `param:"labels"`

	Inference view.Inference // the inference section of the study file
}

// DefaultLayout returns a layout with one table of all cells and the standard figures.
func DefaultLayout() Layout {
	return Layout{Tables: []table.Options{table.Defaults()}, Formats: canvas.Formats,
		Inference: view.DefaultInference()}
}

// View returns the view of a study with the labels and the inference options of the layout.
func (l *Layout) View(study view.Study, rows *records.Records) *view.View {
	return view.New(l.relabel(study), rows, l.Inference)
}

// relabel returns the study with the labels of the layout. It ignores labels of unknown levels, which --set may
// have removed.
func (l *Layout) relabel(study view.Study) view.Study {
	study.MetricLabels = l.Labels // a factor cannot have the name of a metric
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
