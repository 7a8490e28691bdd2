package report

import (
	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
)

// A Layout says which tables and figures a study prints. Its fields carry the
// tags that generators.Generator describes; a study file's `report` section is
// decoded over DefaultLayout, each table over DefaultTable, each figure over
// DefaultFigure.
type Layout struct {
	Tables  []table.Options  `param:"tables" doc:"tables, in order"`
	Figures []figure.Options `param:"figures" doc:"figures, in order"`
	Formats []string         `param:"formats" doc:"file formats of figures" enum:"svg,png,pdf"`

	Inference view.Inference // the study file's section of that name
}

// DefaultLayout is one table of everything and no figure.
func DefaultLayout() Layout {
	return Layout{Tables: []table.Options{table.Defaults()}, Formats: canvas.Formats, Inference: view.DefaultInference()}
}
