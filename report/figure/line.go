package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// linePage draws a panel for each group of cells. A line joins the means of each classifier at the
// levels of a numeric factor.
func linePage(r *request, page view.Group, groups []view.Group) (drawn, error) {
	if err := r.checkX(); err != nil {
		return drawn{}, err
	}
	d := newChart(r)
	var points []view.Group // of all panels
	var levels []float64    // of points
	for i := range groups {
		own, x, err := r.byLevel(groups[i].Cells)
		if err != nil {
			return drawn{}, err
		}
		d.addPanel(&groups[i], d.meanCurves(own, x, r.o.Band))
		points, levels = append(points, own...), append(levels, x...)
	}
	slices.Sort(levels)
	d.X.Title = r.FactorLabel(r.o.X)
	if r.o.LogX {
		d.X.Log = 1
	}
	d.X.Levels(slices.Compact(levels), view.Number)
	d.fit()
	return d.picture(page, facts{
		"Replication": r.Replication(points, r.measure, d.ids), "Factor": d.X.Title, "Band": r.o.Band,
		"Errors": r.Errors(points), "LargestError": d.largestError(), "LogX": r.o.LogX,
		"Pooling": r.Pooling("Each point", points),
	}), nil
}

// checkX returns an error if the option x is missing, or if pages or panels already separate the
// levels of this factor.
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

// byLevel groups cells by their level of the factor on the horizontal axis, in ascending order. It
// also returns the levels as numbers. It omits cells without this factor.
func (r *request) byLevel(cells []records.Cell) (groups []view.Group, x []float64, err error) {
	all, err := r.Groups(cells, []string{r.o.X})
	if err != nil {
		return nil, nil, fmt.Errorf("horizontal factor: %w", err)
	}
	number := map[records.Levels]float64{}
	for _, g := range all {
		level := g.Levels.Of(r.o.X)
		if level == "" {
			continue
		}
		if number[g.Levels], err = r.place(level); err != nil {
			return nil, nil, err
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b view.Group) int { return cmp.Compare(number[a.Levels], number[b.Levels]) })
	for _, g := range groups {
		x = append(x, number[g.Levels])
	}
	return groups, x, nil
}

func (r *request) place(level string) (float64, error) {
	x, err := strconv.ParseFloat(level, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, view.Mistaken([]string{"x"}, r.o.X,
			"level %q of factor %s is not a number: the horizontal axis needs a numeric factor", level, r.o.X)
	}
	if r.o.LogX && x <= 0 {
		return 0, view.Mistaken([]string{"log2_x"}, "",
			"level %q of factor %s is not positive, so it has no logarithm: remove log2_x", level, r.o.X)
	}
	return x, nil
}
