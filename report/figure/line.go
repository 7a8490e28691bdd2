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

// A lineChart is the means of the classifiers against a numeric factor.
type lineChart struct {
	*chart
	levels []float64    // of the factor, ascending
	groups []view.Group // of all points
}

func linePage(r *request, page view.Group) (drawn, error) {
	if err := r.checkX(); err != nil {
		return drawn{}, err
	}
	d := lineChart{chart: newChart(r)}
	if _, err := d.add(page, d.groupCurves); err != nil {
		return drawn{}, err
	}
	d.X.Title = r.FactorLabel(r.o.X)
	if r.o.LogX {
		d.X.Log = 1
	}
	d.X.Levels(d.levels, view.Number)
	d.fit()
	return d.picture(page, facts{
		"Replication": r.Replication(d.groups, r.measure, d.ids), "Factor": d.X.Title, "Band": r.o.Band,
		"Errors": r.Errors(d.groups), "LargestError": d.largestError(), "LogX": r.o.LogX,
		"Pooling": r.Pooling("Each point", d.groups),
	}), nil
}

// checkX refuses a line without a horizontal factor, or with one that splits its points into panels.
func (r *request) checkX() error {
	switch {
	case r.o.X == "":
		return view.Mistaken([]string{"x"}, "", "a line needs x, the numeric factor on the horizontal axis; the "+
			"factors are %s",
			strings.Join(r.FactorNames(), ", "))
	case slices.Contains(slices.Concat(r.o.Page, r.o.Panel), r.o.X):
		return view.Mistaken([]string{"x"}, "",
			"%s is a factor of page or panel, too: a panel would have one point of each line", r.o.X)
	}
	return nil
}

// groupCurves returns the curves of the cells of one panel.
func (d *lineChart) groupCurves(panel *view.Group) ([]curve, error) {
	groups, err := d.Groups(panel.Cells, []string{d.o.X})
	if err != nil {
		return nil, fmt.Errorf("horizontal factor: %w", err)
	}
	groups = slices.DeleteFunc(groups, func(g view.Group) bool { return g.Levels.Of(d.o.X) == "" })
	levels := make([]float64, len(groups))
	for i := range groups {
		if levels[i], err = d.level(&groups[i]); err != nil {
			return nil, err
		}
	}
	d.groups = append(d.groups, groups...)
	d.levels = slices.Compact(slices.Sorted(slices.Values(append(d.levels, levels...))))
	curves := make([]curve, len(d.ids))
	for k, id := range d.ids {
		curves[k].id = id
	}
	for i := range groups {
		d.addPoints(curves, &groups[i], levels[i])
	}
	for _, c := range curves {
		slices.SortFunc(c.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	}
	return curves, nil
}

// level returns the place of a group on the horizontal axis.
func (d *lineChart) level(g *view.Group) (float64, error) {
	level := g.Levels.Of(d.o.X)
	x, err := strconv.ParseFloat(level, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, view.Mistaken([]string{"x"}, d.o.X, "horizontal factor %s: level %q is not a number", d.o.X, level)
	}
	if d.o.LogX && x <= 0 {
		return 0, view.Mistaken([]string{"log2_x"}, "", "horizontal factor %s: level %q has no logarithm", d.o.X, level)
	}
	return x, nil
}

// addPoints adds the means of the classifiers in a group of cells at x.
func (d *lineChart) addPoints(curves []curve, g *view.Group, x float64) {
	pooled := d.Pool(g)
	for k, id := range d.ids {
		s := d.Summary(g, &pooled, d.measure, id)
		if s.N == 0 {
			continue
		}
		p := point{Summary: s, x: x, group: g}
		p.low, p.high = d.band(g, &pooled, id, s)
		curves[k].points = append(curves[k].points, p)
	}
}

// band returns the ends of a band around a mean; the mean of one replicate has none.
func (d *lineChart) band(g *view.Group, pooled *records.Cell, id string, s stats.Summary) (low, high float64) {
	half := 0.0
	switch {
	case s.N < 2:
	case d.o.Band == "quartiles":
		values, _ := d.Values(g, pooled, d.measure, id)
		slices.Sort(values)
		return stats.Quantile(values, 0.25), stats.Quantile(values, 0.75)
	case d.o.Band == "2se":
		half = 2 * s.MCSE
	case d.o.Band == "sd":
		half = s.SD
	}
	return s.Mean - half, s.Mean + half
}
