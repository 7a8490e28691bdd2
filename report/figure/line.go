package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// A lineChart draws the mean of each classifier as a function of a numeric factor.
type lineChart struct {
	*chart
	groups []levelGroup // of all panels
}

// A levelGroup is the group of cells that have one level of the factor on the horizontal axis.
type levelGroup struct {
	view.Group
	x float64 // the level
}

// linePage draws one page of lines: a line through the means of each classifier in each panel.
func linePage(r *request, page view.Group) (drawn, error) {
	if err := r.checkX(); err != nil {
		return drawn{}, err
	}
	d := lineChart{chart: newChart(r)}
	if _, err := d.add(page, d.groupCurves); err != nil {
		return drawn{}, err
	}
	var groups []view.Group
	var levels []float64
	for _, g := range d.groups {
		groups, levels = append(groups, g.Group), append(levels, g.x)
	}
	slices.Sort(levels)
	d.X.Title = r.FactorLabel(r.o.X)
	if r.o.LogX {
		d.X.Log = 1
	}
	d.X.Levels(slices.Compact(levels), view.Number)
	d.fit()
	return d.picture(page, facts{
		"Replication": r.Replication(groups, r.measure, d.ids), "Factor": d.X.Title, "Band": r.o.Band,
		"Errors": r.Errors(groups), "LargestError": d.largestError(), "LogX": r.o.LogX,
		"Pooling": r.Pooling("Each point", groups),
	}), nil
}

// checkX returns an error if the key x is missing, or if its factor already separates pages or
// panels.
func (r *request) checkX() error {
	switch {
	case r.o.X == "":
		return view.Mistaken([]string{"x"}, "", "a figure of kind line needs x, the numeric factor on the "+
			"horizontal axis; the factors are %s", strings.Join(r.FactorNames(), ", "))
	case slices.Contains(slices.Concat(r.o.Page, r.o.Panel), r.o.X):
		return view.Mistaken([]string{"x"}, "",
			"%s already separates pages or panels, so each line would be a single point: remove it from page and "+
				"panel", r.o.X)
	}
	return nil
}

// groupCurves returns the curves of one panel, and appends the panel's groups of cells to d.groups
// for the caption.
func (d *lineChart) groupCurves(panel *view.Group) ([]curve, error) {
	groups, err := d.levelGroups(panel)
	if err != nil {
		return nil, err
	}
	d.groups = append(d.groups, groups...)
	var curves []curve
	for _, id := range d.ids {
		curves = append(curves, curve{id: id, points: d.means(groups, id)})
	}
	return curves, nil
}

// levelGroups splits the cells of a panel by their level of the factor on the horizontal axis, in
// ascending order. It leaves out cells that have no level of this factor.
func (d *lineChart) levelGroups(panel *view.Group) (list []levelGroup, err error) {
	groups, err := d.Groups(panel.Cells, []string{d.o.X})
	if err != nil {
		return nil, fmt.Errorf("horizontal factor: %w", err)
	}
	for _, g := range groups {
		level := g.Levels.Of(d.o.X)
		if level == "" {
			continue
		}
		x, err := d.place(level)
		if err != nil {
			return nil, err
		}
		list = append(list, levelGroup{g, x})
	}
	slices.SortFunc(list, func(a, b levelGroup) int { return cmp.Compare(a.x, b.x) })
	return list, nil
}

// place converts a level to its position on the horizontal axis.
func (d *lineChart) place(level string) (float64, error) {
	x, err := strconv.ParseFloat(level, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, view.Mistaken([]string{"x"}, d.o.X,
			"level %q of factor %s is not a number: the horizontal axis needs a numeric factor", level, d.o.X)
	}
	if d.o.LogX && x <= 0 {
		return 0, view.Mistaken([]string{"log2_x"}, "",
			"level %q of factor %s is not positive, so it has no logarithm: remove log2_x", level, d.o.X)
	}
	return x, nil
}

// means returns a point for the mean of classifier id in each group of cells where it has results.
func (d *lineChart) means(groups []levelGroup, id string) (points []point) {
	for i := range groups {
		g := &groups[i].Group
		pooled := d.Pool(g)
		s := d.Summary(g, &pooled, d.measure, id)
		if s.N == 0 {
			continue
		}
		p := point{Summary: s, x: groups[i].x, group: g}
		p.low, p.high = d.band(g, &pooled, id, s)
		points = append(points, p)
	}
	return points
}

// band returns the low and the high end of the band around the mean of a classifier in a group of
// cells. Both equal the mean if the figure has no bands or there is only one result.
func (d *lineChart) band(g *view.Group, pooled *records.Cell, id string, s stats.Summary) (low, high float64) {
	if s.N < 2 {
		return s.Mean, s.Mean
	}
	switch d.o.Band {
	case "2se":
		return s.Mean - 2*s.MCSE, s.Mean + 2*s.MCSE
	case "sd":
		return s.Mean - s.SD, s.Mean + s.SD
	case "quartiles":
		values, _ := d.Values(g, pooled, d.measure, id)
		slices.Sort(values)
		return stats.Quantile(values, 0.25), stats.Quantile(values, 0.75)
	}
	return s.Mean, s.Mean
}
