package report

import (
	"slices"

	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
)

// Limits of the figure that is drawn if the study file requests none.
const (
	leastCurve = 3  // minimum number of factor levels for a curve
	mostPanels = 12 // largest number of panels; a heat map shows more cells
)

// standardFigures returns the options for the figure of a study file that requests none. The figure
// shows the metric of the first table, or the test error if the records lack that metric.
//
// The factors that vary determine the kind of the figure:
//   - If a factor has enough numeric levels, there are curves over this factor. The figure has a
//     panel for each combination of levels of the other factors.
//   - Otherwise, there are box plots, in a panel for each combination of levels.
//   - If there would be too many panels, the figure is a heat map.
func standardFigures(v *view.View, tables []table.Options) []figure.Options {
	o := figure.Defaults() // box plots
	o.Name, o.Panel = "errors", v.Varying(v.Cells)
	if len(tables) > 0 {
		metric, scale := tables[0].ShownMetrics()[0], tables[0].Scale
		if _, err := v.Measure(metric, scale, v.Cells); err == nil {
			o.Metric, o.Scale = metric, scale
		}
	}
	hasNumericLevels := func(name string) bool { return suitsCurve(v, name) }
	if i := slices.IndexFunc(o.Panel, hasNumericLevels); i >= 0 { // for the horizontal axis
		o.Kind, o.X = "line", o.Panel[i]
		o.Panel = slices.Delete(slices.Clone(o.Panel), i, i+1)
	}
	panels, _ := v.Groups(v.Cells, o.Panel) // returns an error only for an unknown factor
	if len(panels) > mostPanels {           // a heat map has a row for each cell instead
		o.Kind, o.X, o.Panel = "heat", "", nil
	}
	return []figure.Options{o}
}

// suitsCurve reports whether a factor has enough levels for a curve and all of them are numbers.
func suitsCurve(v *view.View, name string) bool {
	i := slices.Index(v.FactorNames(), name)
	levels := v.Records.Factors[i].Levels
	return len(levels) >= leastCurve && !slices.ContainsFunc(levels, func(l string) bool { return !view.Numeric(l) })
}
