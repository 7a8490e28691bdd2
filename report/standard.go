package report

import (
	"slices"

	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
)

// Bounds of the standard figure.
const (
	leastCurve = 3  // levels of the factor of a curve
	mostPanels = 12 // of boxes or curves; a heat map shows more cells
)

// standardFigures returns the figure of a study that names none: the metric of the first
// table, or the test error if there is no table or some cells lack the metric. It is drawn
// as curves over a numeric factor, as boxes, or as a heat map of many cells.
func standardFigures(v *view.View, tables []table.Options) []figure.Options {
	o := figure.Defaults()
	o.Name, o.Panel = "errors", v.Varying(v.Cells)
	if len(tables) > 0 {
		metric, scale := tables[0].Shown()[0], tables[0].Scale
		if _, err := v.Measure(metric, scale, v.Cells); err == nil {
			o.Metric, o.Scale = metric, scale
		}
	}
	if i := slices.IndexFunc(o.Panel, func(name string) bool { return curveFactor(v, name) }); i >= 0 {
		o.Kind, o.X, o.Panel = "line", o.Panel[i], slices.Delete(slices.Clone(o.Panel), i, i+1)
	}
	if groups, err := v.Groups(v.Cells, o.Panel); err != nil || len(groups) > mostPanels {
		o.Kind, o.X, o.Panel, o.Reference = "heat", "", nil, ""
	}
	return []figure.Options{o}
}

// curveFactor reports whether the levels of a factor are numbers, and enough for a curve.
func curveFactor(v *view.View, name string) bool {
	i := slices.Index(v.FactorNames(), name)
	levels := v.Records.Factors[i].Levels
	return len(levels) >= leastCurve && !slices.ContainsFunc(levels, func(l string) bool { return !view.Numeric(l) })
}
