package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// linePage draws a panel for each group of cells. A line for each classifier joins its means at the
// levels of the factor r.options.X.
func linePage(r *request) (*drawnPage, error) {
	if err := r.checkX(); err != nil {
		return nil, err
	}
	d := newChart(r)
	var allPoints []view.Group // the cells that each point of any panel summarises
	var levels []float64       // horizontal positions of these points
	var unequal []string       // points that pool different cells, by panel
	for i := range r.panels {
		points, x, err := r.byLevel(r.panels[i].Cells)
		if err != nil {
			return nil, err
		}
		d.addPanel(&r.panels[i], d.meanCurves(points, x, r.options.Band))
		allPoints, levels = append(allPoints, points...), append(levels, x...)
		if other, _ := r.OtherCells(points); other != "" {
			unequal = append(unequal, other)
		}
	}
	d.setLevels(levels)
	d.layOut()
	if unequal != nil {
		d.Remarks = append(d.Remarks, fmt.Sprintf("some points of a line pool different cells: %s; "+
			"use `where` to select levels that all points have, or add a factor to `panel`",
			strings.Join(unequal, "; ")))
	}
	return d.finishMeans("Each point", allPoints, d.lineFacts()), nil
}

// setLevels sets the horizontal axis of a line figure, with a tick at each level of the factor.
func (d *chart) setLevels(levels []float64) {
	d.X.Title = d.FactorLabel(d.options.X)
	if d.options.LogX {
		d.X.LogMargin = 1 // a logarithmic axis that extends from the smallest to the largest value
	}
	slices.Sort(levels)
	d.X.TicksAt(slices.Compact(levels), view.Number)
}

// lineFacts returns the facts that only captions of line figures have. The caption explains the
// bands only if some point is a mean of several results.
func (d *chart) lineFacts() captionFacts {
	var results view.Range // numbers of results per point
	for _, p := range d.allPoints() {
		results.Add(p.N)
	}
	band := d.options.Band
	if results.Most <= 1 {
		band = "none"
	}
	return captionFacts{"Factor": d.X.Title, "LogX": d.options.LogX, "Band": band,
		"SomeWithoutBand": results.Least == 1}
}

// checkX returns an error if Options.X is missing, or if the factor that it names already separates pages or panels.
func (r *request) checkX() error {
	switch {
	case r.options.X == "" && len(r.Factors) == 0:
		return view.OptionError("kind", "a figure of kind `line` needs a numeric factor for its horizontal axis, but "+
			"the study has no factors; choose another kind")
	case r.options.X == "":
		return view.OptionError("x", "a figure of kind `line` needs the key `x`, the numeric factor on the "+
			"horizontal axis; the factors are %s", strings.Join(r.FactorNames(), ", "))
	case slices.Contains(slices.Concat(r.options.Page, r.options.Panel), r.options.X):
		return view.OptionError("x",
			"%s already separates pages or panels, so each line would be a single point: remove it from `page` and "+
				"`panel`", r.options.X)
	}
	return nil
}

// byLevel groups cells by the level of the factor on the horizontal axis, in ascending order. x[i]
// is the level of groups[i] as a number. Cells without this factor are omitted.
//
// byLevel returns an error if a level does not fit the axis, such as 0 on a logarithmic axis. It
// also returns an error if the cells of a group cannot be pooled.
func (r *request) byLevel(cells []records.Cell) (groups []view.Group, x []float64, err error) {
	all, err := r.Groups(cells, []string{r.options.X})
	if err != nil {
		return nil, nil, fmt.Errorf("horizontal factor: %w", err)
	}
	number := map[records.Levels]float64{} // level of the factor as a number, by group
	for _, g := range all {
		level := g.Levels.Of(r.options.X)
		if level == "" {
			continue // the cells do not have the factor
		}
		if number[g.Levels], err = r.axisPosition(level); err != nil {
			return nil, nil, err
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b view.Group) int { return cmp.Compare(number[a.Levels], number[b.Levels]) })
	for _, g := range groups {
		x = append(x, number[g.Levels])
	}
	return groups, x, r.CheckPooling(groups, r.measure, view.PanelKeys)
}

// axisPosition returns a level of the factor on the horizontal axis as a number. It returns an error
// if the level is not a finite number, or not positive on a logarithmic axis.
func (r *request) axisPosition(level string) (float64, error) {
	x, _ := strconv.ParseFloat(level, 64)
	if !view.Numeric(level) {
		return 0, view.ValueError("x", r.options.X,
			"level %q of factor %s is not a number, but `x` needs a numeric factor; for other factors, use "+
				"`kind: nested` and `rows: [%[2]s]`", level, r.options.X)
	}
	if r.options.LogX && x <= 0 {
		return 0, view.OptionError("log2_x",
			"level %q of factor %s is not positive, so it has no logarithm: remove `log2_x`", level, r.options.X)
	}
	return x, nil
}
