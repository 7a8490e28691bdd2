package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
)

// A tradeoff is what one classifier takes and what it reaches: means with their
// Monte-Carlo standard errors.
type tradeoff struct {
	id          string
	time, value stats.Summary
	efficient   bool // no other is both faster and better
}

// paretoDrawing is a page of panels: a point per classifier, its time against its
// results.
type paretoDrawing struct {
	lineDrawing
	points  [][]tradeoff
	seconds *view.Measure
	times   []span // of the horizontal axes
}

func paretoPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	seconds, err := view.NewMeasure(o.Seconds, o.Scale)
	switch {
	case err != nil || seconds.Cost == nil:
		return canvas.Picture{}, view.Mistaken([]string{"seconds"}, "", "error against time: %q is no time", o.Seconds)
	case m.Cost != nil:
		return canvas.Picture{}, view.Mistaken([]string{"metric"}, "", "results stand against time: their metric cannot be %s, which is measured itself", m.Name)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	d := paretoDrawing{lineDrawing: lineDrawing{View: v, measure: m, shown: marksAlone}, seconds: &seconds}
	named := parts(slices.DeleteFunc(slices.Clone(columns), func(id string) bool { return isOracle(v, id) }), "", len(canvas.Marks), len(canvas.Marks), len(groups))
	var values, times [][]float64
	var empty []string // titles of panels without points
	for i := range groups {
		points := tradeoffs(v, &groups[i], m, &seconds, columns)
		if len(points) == 0 {
			empty = append(empty, v.InWords(groups[i].Factors, groups[i].Levels))
			continue
		}
		var ys, xs []float64
		var curves []curve
		for _, p := range points {
			ys = append(ys, p.value.Mean-2*p.value.MCSE, p.value.Mean+2*p.value.MCSE, p.value.Mean)
			xs = append(xs, p.time.Mean)
			curves = append(curves, curve{id: p.id, x: []float64{p.time.Mean}, mean: []float64{p.value.Mean}})
		}
		ys = slices.DeleteFunc(ys, math.IsNaN)
		for _, ids := range named {
			d.points, values, times = append(d.points, points), append(values, ys), append(times, xs)
			d.titles = append(d.titles, v.InWords(groups[i].Factors, groups[i].Levels))
			d.addPanel(curves, ids)
		}
	}
	if len(d.points) == 0 {
		return canvas.Picture{}, view.Mistaken([]string{"columns"}, "", "error against time: no times are known of %s; they come from timings.csv or the journals, and the oracle has none", v.Labels(columns))
	}
	d.spans = o.spans(values, canvas.Span)
	d.panels = panels{options: o, count: len(d.points), vertical: m.Title(), titles: d.titles, indent: axisRoom(d.spans, canvas.Ticks(8)), draw: d.panel, beside: d.mostNames(), remarks: o.manyNames(named[0], "", len(canvas.Marks))}
	d.fewerPerRow(d.indent + d.namesRoom() + max(leastData, canvas.Style(canvas.Face(canvas.LabelSize)).Width(seconds.Title())))
	d.times = o.spans(times, func(x []float64) (low, high float64) { return slices.Min(x) / 1.4, slices.Max(x) * 1.4 })
	best := "lower"
	if m.LargerIsBetter() {
		best = "higher"
	}
	bars := fmt.Sprintf("; bars: two %s either way", v.Errors(groups))
	if !d.haveErrors() {
		bars = ""
	}
	words := fmt.Sprintf("Mean %s against mean %s (logarithmic), over %s%s. The steps join the classifiers that no other beats in both: further left and %s. Times depend on the machine and are not reproducible; what several classifiers derive alike counts for each.", m.Title(), seconds.Title(), v.Replication(groups, m, columns), bars, best)
	if len(empty) > 0 {
		words += " Left out, without results: " + strings.Join(empty, "; ") + "."
	}
	return d.picture(view.Caption(o.Caption, words+o.axesWords(d.count)+partsWords(named), v.Pooling("Each panel", groups)+" "+v.FailedFits(page.Cells, columns))), nil
}

// haveErrors says whether any point has a standard error: one result has none.
func (d *paretoDrawing) haveErrors() bool {
	for _, points := range d.points {
		if slices.ContainsFunc(points, func(t tradeoff) bool { return !math.IsNaN(t.value.MCSE) }) {
			return true
		}
	}
	return false
}

// tradeoffs are the classifiers that have results and times.
func tradeoffs(v *view.View, g *view.Group, m, seconds *view.Measure, columns []string) []tradeoff {
	pooled := v.Pool(g)
	var list []tradeoff
	for _, id := range columns {
		t := tradeoff{id: id, time: v.Summary(g, &pooled, seconds, id), value: v.Summary(g, &pooled, m, id)}
		if isOracle(v, id) || t.time.N == 0 || t.value.N == 0 || t.time.Mean <= 0 {
			continue
		}
		list = append(list, t)
	}
	worse := func(a, b float64) bool {
		if m.LargerIsBetter() {
			return a < b
		}
		return a > b
	}
	for i := range list {
		list[i].efficient = !slices.ContainsFunc(list, func(other tradeoff) bool {
			a, b := &list[i], &other
			return !worse(b.value.Mean, a.value.Mean) && b.time.Mean <= a.time.Mean && (worse(a.value.Mean, b.value.Mean) || b.time.Mean < a.time.Mean)
		})
	}
	return list
}

func isOracle(v *view.View, id string) bool {
	c := v.Component(id)
	return c != nil && c.Oracle
}

// panel draws the points, the line of the efficient ones and the names.
func (d *paretoDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	p := canvas.NewPlot()
	p.Y.Min, p.Y.Max, p.X.Min, p.X.Max = d.spans[i].low, d.spans[i].high, d.times[i].low, d.times[i].high
	p.X.Tick.Marker, p.X.Scale = canvas.LogTicks(0), plot.LogScale{}
	p.X.Label.Text = d.seconds.Title()
	horizontalGrid(p)
	var front plotter.XYs
	for _, t := range d.points[i] {
		if t.efficient {
			front = append(front, plotter.XY{X: t.time.Mean, Y: t.value.Mean})
		}
	}
	slices.SortFunc(front, func(a, b plotter.XY) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	p.Add(&plotter.Line{XYs: front, StepStyle: plotter.PostStep, LineStyle: draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(2.5)}})
	body := draw.Crop(c, 0, -d.namesRoom(), 0, -d.headRoom())
	data := canvas.Axes(p, body)
	p.Draw(body)
	for _, named := range []bool{false, true} {
		for _, t := range d.points[i] {
			if (d.place(i, t.id) >= 0) == named {
				d.point(data, p, &t, named)
			}
		}
	}
	d.title(c, data.Min.X, i)
	d.names(c, data, p, d.cells[i])
	return data
}

// point draws one classifier, with its bars if the panel names it.
func (d *paretoDrawing) point(c draw.Canvas, p *plot.Plot, t *tradeoff, named bool) {
	line, mark := d.look(t.id)
	line.Dashes = nil
	line.Width = vg.Points(0.7)
	x, y := c.X(p.X.Norm(t.time.Mean)), c.Y(p.Y.Norm(t.value.Mean))
	if !named {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: standsBack.Color, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
		return
	}
	if e := 2 * t.value.MCSE; e > 0 {
		c.StrokeLine2(line, x, c.Y(p.Y.Norm(t.value.Mean-e)), x, c.Y(p.Y.Norm(t.value.Mean+e)))
	}
	if e := 2 * t.time.MCSE; e > 0 && t.time.Mean-e > p.X.Min {
		c.StrokeLine2(line, c.X(p.X.Norm(t.time.Mean-e)), y, c.X(p.X.Norm(min(t.time.Mean+e, p.X.Max))), y)
	}
	mark.Radius = vg.Points(2.6)
	c.DrawGlyphNoClip(mark, vg.Point{X: x, Y: y})
}
