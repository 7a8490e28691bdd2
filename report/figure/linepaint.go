package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
)

// standsBack is the line of a classifier that another panel names.
var standsBack = draw.LineStyle{Color: canvas.Tint(canvas.Black, 0.25), Width: vg.Points(0.6)}

// look is the line and the mark of a curve; the reference has no mark.
func (l *lineDrawing) look(id string) (draw.LineStyle, draw.GlyphStyle) {
	if id == l.reference {
		return draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8), Dashes: canvas.Dashed.Dashes}, draw.GlyphStyle{}
	}
	clr, k := colour(l.View, id), l.Index(id)
	if k < 0 { // an oracle that is drawn as a curve
		k = len(canvas.Dashes)*len(canvas.Marks) - 1
	}
	return canvas.Curve(k, clr)
}

// panel draws the curves with their names at the right, and returns the area
// of the data.
func (l *lineDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	curves := l.cells[i]
	p := l.axes(l.spans[i])
	body := draw.Crop(c, 0, -l.namesRoom(), 0, -l.headRoom())
	data := canvas.Axes(p, body)
	for _, other := range l.others[i] {
		p.Add(&plotter.Line{XYs: other.middle(), LineStyle: standsBack})
	}
	l.addBands(p, curves)
	l.addLines(p, curves)
	p.Draw(body)
	l.title(c, data.Min.X, i)
	l.names(c, data, p, curves)
	return data
}

// namesRoom is that at the right of each panel for the names of its curves.
func (l *lineDrawing) namesRoom() vg.Length {
	names := canvas.Style(canvas.Face(canvas.TickSize))
	widest := vg.Length(0)
	for _, curves := range l.cells {
		for _, curve := range curves {
			widest = max(widest, names.Width(l.name(&curve)))
		}
	}
	return widest + 26
}

// mostNames is the number of names beside the panel that has most.
func (l *lineDrawing) mostNames() (most int) {
	for _, curves := range l.cells {
		most = max(most, len(slices.DeleteFunc(slices.Clone(curves), func(c curve) bool { return len(c.x) == 0 })))
	}
	return most
}

// axes is an empty panel with its range of the vertical axis and the page's of the
// horizontal one.
func (l *lineDrawing) axes(y span) *plot.Plot {
	p := canvas.NewPlot()
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = y.low, y.high, l.ticks()
	if l.options.LogY {
		p.Y.Scale = plot.LogScale{}
	}
	p.X.Label.Text = l.FactorLabel(l.options.X)
	p.X.Min, p.X.Max = 0, 1
	if n := len(l.levels); n > 0 {
		first, last := l.levels[0], l.levels[n-1]
		pad := 0.03 * (last - first)
		if n == 1 {
			pad = 0.5*math.Abs(first) + 1e-9
		}
		p.X.Min, p.X.Max = first-pad, last+pad
		if l.options.LogX {
			ratio := math.Pow(last/first, 0.03)
			if n == 1 {
				ratio = 2
			}
			p.X.Min, p.X.Max = first/ratio, last*ratio
			p.X.Scale = plot.LogScale{}
		}
	}
	var ticks []plot.Tick
	for _, x := range l.levels {
		ticks = append(ticks, plot.Tick{Value: x, Label: view.Number(x)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	horizontalGrid(p)
	return p
}

// middle are the means of a curve.
func (c *curve) middle() (points plotter.XYs) {
	for i := range c.x {
		points = append(points, plotter.XY{X: c.x[i], Y: c.mean[i]})
	}
	return points
}

// addBands draws those of the curves, before any line: none lies on one.
func (l *lineDrawing) addBands(p *plot.Plot, curves []curve) {
	for _, c := range curves {
		l.addBand(p, &c)
	}
}

// addLines draws the lines and marks of the curves.
func (l *lineDrawing) addLines(p *plot.Plot, curves []curve) {
	for _, c := range curves {
		if len(c.x) == 0 {
			continue
		}
		line, mark := l.look(c.id)
		p.Add(&plotter.Line{XYs: c.middle(), LineStyle: line})
		if mark.Shape != nil {
			p.Add(&plotter.Scatter{XYs: c.marks(), GlyphStyle: mark})
		}
	}
}

// addBand shades the band of a curve; that of one point is a bar.
func (l *lineDrawing) addBand(p *plot.Plot, c *curve) {
	var band plotter.XYs
	for i := range c.x {
		band = append(band, plotter.XY{X: c.x[i], Y: c.high[i]})
	}
	for i := len(c.x) - 1; i >= 0; i-- {
		band = append(band, plotter.XY{X: c.x[i], Y: c.bottom(i, l.options.LogY)})
	}
	line, _ := l.look(c.id)
	switch {
	case len(c.x) == 1:
		p.Add(&plotter.Line{XYs: band, LineStyle: draw.LineStyle{Color: line.Color, Width: vg.Points(0.7)}})
	case len(c.x) > 1:
		shade := color.NRGBAModel.Convert(line.Color).(color.NRGBA)
		shade.A = 45
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{band}, Color: shade})
	}
}

// marks are the points of a curve that have one.
func (c *curve) marks() (points plotter.XYs) {
	if c.marked == nil {
		return c.middle()
	}
	for _, i := range c.marked {
		points = append(points, plotter.XY{X: c.x[i], Y: c.mean[i]})
	}
	return points
}

// name is what stands beside a curve.
func (l *lineDrawing) name(c *curve) string { return strings.TrimSpace(l.Label(c.id) + " " + c.note) }

// names writes each curve's name, with its line and mark, beside its right end;
// names that would overlap are moved apart.
func (l *lineDrawing) names(c, data draw.Canvas, p *plot.Plot, curves []curve) {
	var ends []canvas.CurveEnd
	for _, curve := range curves {
		n := len(curve.x)
		if n == 0 {
			continue
		}
		line, mark := l.look(curve.id)
		ends = append(ends, canvas.CurveEnd{Y: data.Y(p.Y.Norm(curve.mean[n-1])), KeyItem: canvas.KeyItem{Words: l.name(&curve), Sketch: func(c draw.Canvas, at vg.Point) {
			if l.shown != marksAlone {
				c.StrokeLine2(line, at.X-canvas.NameSketch/2, at.Y, at.X+canvas.NameSketch/2, at.Y)
			}
			if mark.Shape != nil && l.shown != linesAlone {
				c.DrawGlyph(mark, at)
			}
		}}})
	}
	canvas.NamesBeside(c, data, canvas.Style(canvas.Face(canvas.TickSize)), ends)
}
