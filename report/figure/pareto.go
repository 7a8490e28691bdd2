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

// paretoPage draws a point for each classifier: its mean result against its mean time.
func paretoPage(r *request, page view.Group) (drawn, error) {
	seconds, err := r.timeOnX()
	if err != nil {
		return drawn{}, err
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
		return drawn{}, view.Mistaken([]string{"columns"}, "", "no results with times of %s: times come from "+
			"timings.csv or the journals, and the oracle has none", r.Labels(r.columns))
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

// timeOnX returns the measure on the horizontal axis, a time. It returns an error if x is not a time or the metric
// is one.
func (r *request) timeOnX() (view.Measure, error) {
	seconds, err := view.NewMeasure(cmp.Or(r.o.X, "fit_seconds"), r.o.Scale)
	if err != nil || seconds.Cost == nil {
		return seconds, view.Mistaken([]string{"x"}, "", "%q is not a time: use fit_seconds or predict_seconds", r.o.X)
	}
	if r.measure.Cost != nil {
		return seconds, view.Mistaken([]string{"metric"}, "",
			"a figure of results against time needs another metric than %s", r.measure.Name)
	}
	return seconds, nil
}

// withTimes returns the columns without the oracle, which takes no time.
func (r *request) withTimes() []string {
	return slices.DeleteFunc(slices.Clone(r.columns), func(id string) bool {
		c := r.Component(id)
		return c != nil && c.Oracle
	})
}

// tradeoffs returns a curve of one point, mean time and mean result, for each classifier with both.
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

// paretoOptimal returns the points that no other point beats, in ascending order of time.
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

// beats reports whether a is at least as good and as fast as b, and better or faster.
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
