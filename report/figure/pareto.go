package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
)

// paretoPage draws a point for each classifier: its results against its time.
func paretoPage(r *request, page view.Group) (drawn, error) {
	seconds, err := view.NewMeasure(cmp.Or(r.o.X, "fit_seconds"), r.o.Scale)
	switch {
	case err != nil || seconds.Cost == nil:
		return drawn{}, view.Mistaken([]string{"x"}, "", "error against time: %q is no time", r.o.X)
	case r.measure.Cost != nil:
		return drawn{}, view.Mistaken([]string{"metric"}, "",
			"results stand against time: their metric cannot be %s, which is measured itself", r.measure.Name)
	}
	d := newChart(r)
	d.ids, d.reference = r.withTimes(), ""
	d.most, d.lines, d.bands = len(canvas.Marks), false, false
	d.geom, d.behind = pointWithBars, d.drawFront
	groups, err := d.add(page, func(g *view.Group) ([]curve, error) { return d.tradeoffs(g, &seconds), nil })
	if err != nil {
		return drawn{}, err
	}
	if len(d.curves) == 0 {
		return drawn{}, view.Mistaken([]string{"columns"}, "", "error against time: no times are known of %s; "+
			"they come from timings.csv or the journals, and the oracle has none", r.Labels(r.columns))
	}
	d.X = panels.Scale{Title: seconds.Title(), Log: 1.4}
	d.X.Hold(d.values(func(p *point) []float64 { return []float64{p.x} }), r.o.free())
	d.fit()
	about := facts{"Time": seconds.Title(), "Replication": r.Replication(groups, r.measure, d.ids), "Errors": "",
		"Larger": r.measure.LargerIsBetter(), "Empty": strings.Join(d.empty, "; "),
		"Pooling": r.Pooling("Each panel", groups)}
	if d.largestError() != "" {
		about["Errors"] = r.Errors(groups)
	}
	return d.picture(page, about), nil
}

// withTimes returns the columns that take time: all but the oracle.
func (r *request) withTimes() []string {
	return slices.DeleteFunc(slices.Clone(r.columns), func(id string) bool {
		c := r.Component(id)
		return c != nil && c.Oracle
	})
}

// tradeoffs returns a curve of one point for each classifier with results and times.
func (d *chart) tradeoffs(g *view.Group, seconds *view.Measure) (list []curve) {
	pooled := d.Pool(g)
	for _, id := range d.ids {
		time, value := d.Summary(g, &pooled, seconds, id), d.Summary(g, &pooled, d.measure, id)
		if time.N == 0 || value.N == 0 || time.Mean <= 0 {
			continue
		}
		p := withError(time.Mean, value, 2*value.MCSE)
		p.group = g
		if !math.IsNaN(time.MCSE) {
			p.aside = 2 * time.MCSE
		}
		list = append(list, curve{id: id, points: []point{p}})
	}
	return list
}

// paretoOptimal returns the points that no other beats in both results and time, from the left.
func paretoOptimal(curves []curve, largerIsBetter bool) (front plotter.XYs) {
	for _, c := range curves {
		at := c.points[0]
		if !slices.ContainsFunc(curves, func(other curve) bool { return beats(other.points[0], at, largerIsBetter) }) {
			front = append(front, plotter.XY{X: at.x, Y: at.Mean})
		}
	}
	slices.SortFunc(front, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return front
}

// beats reports whether a is at least as good and as fast as b, and better in one of them.
func beats(a, b point, largerIsBetter bool) bool {
	gain := b.Mean - a.Mean
	if largerIsBetter {
		gain = -gain
	}
	return gain >= 0 && a.x <= b.x && (gain > 0 || a.x < b.x)
}

// drawFront draws the steps that join the Pareto-optimal classifiers of panel i.
func (d *chart) drawFront(c draw.Canvas, p *plot.Plot, i int) {
	steps := plotter.Line{XYs: paretoOptimal(d.curves[i], d.measure.LargerIsBetter()), StepStyle: plotter.PostStep,
		LineStyle: draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(2.5)}}
	steps.Plot(c, p)
}

// pointWithBars is a geom: the mark of one classifier with its error bars. A bar beyond the axis ends there.
func pointWithBars(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle) {
	x, y := p.Transforms(&c)
	at := k.points[0]
	where := vg.Point{X: x(at.x), Y: y(at.Mean)}
	bar := draw.LineStyle{Color: line.Color, Width: vg.Points(0.7)}
	if at.low < at.high {
		c.StrokeLine2(bar, where.X, y(at.low), where.X, y(at.high))
	}
	if at.aside > 0 {
		c.StrokeLine2(bar, x(max(at.x-at.aside, p.X.Min)), where.Y, x(min(at.x+at.aside, p.X.Max)), where.Y)
	}
	mark.Radius = vg.Points(2.6)
	c.DrawGlyphNoClip(mark, where)
}
