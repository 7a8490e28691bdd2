package figure

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/stats"
)

// upright draws the boxes of panel i with their names and numbers below.
func (d *boxChart) upright(c draw.Canvas, p *plot.Plot, i int) {
	slot := c.Size().X / vg.Length(d.most())
	for k := range d.results[i] {
		canvas.Marked(c, d.boxMark(i, k), func() { d.box(c, p, float64(k)+0.5, slot, &d.results[i][k]) })
	}
	if mean := c.Y(p.Y.Norm(d.means[i])); !math.IsNaN(d.means[i]) {
		c.StrokeLine2(canvas.Dashed, c.Min.X, mean, c.Max.X, mean)
	}
	c.StrokeLine2(draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.5)}, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	top := c.Min.Y - vg.Points(2)
	for _, s := range d.strips() {
		if !s.empty(d.results[i]) {
			s.writeBelow(c, top, slot, d.results[i])
		}
		top -= s.height(slot)
	}
}

// boxMark returns the mark of box k of panel i.
func (d *boxChart) boxMark(i, k int) canvas.Mark {
	r := &d.results[i][k]
	if len(r.values) == 0 {
		return canvas.Mark{Series: r.id}
	}
	five, digits := stats.NewBox(r.values), d.measure.Digits()
	lines := append(d.describe(stats.Summarize(r.values)), "median: "+sheet.Fixed(five.Median, digits),
		"quartiles: "+sheet.Fixed(five.Q1, digits)+" to "+sheet.Fixed(five.Q3, digits))
	if r.failed > 0 {
		lines = append(lines, "failed: "+strconv.Itoa(r.failed))
	}
	return d.mark(r.id, d.Titles[i], d.groups[i].Cells, lines...)
}

// lyingRow draws box k of panel i, with its numbers at the right. The first one draws the reference line and the heads
// of the numbers, too.
func (d *boxChart) lyingRow(c draw.Canvas, p *plot.Plot, i, k int, y vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(0.4)}, c.Min.X, y, c.Max.X, y)
	d.box(c, p, float64(d.most()-k)-0.5, c.Size().Y/vg.Length(d.most()), &d.results[i][k])
	if mean := c.X(p.X.Norm(d.means[i])); k == 0 && !math.IsNaN(d.means[i]) {
		c.StrokeLine2(canvas.Dashed, mean, c.Min.Y, mean, c.Max.Y)
	}
	right := c.Max.X
	for _, s := range d.counts() {
		right += s.column()
		sty := s.style
		sty.XAlign = draw.XRight
		if k == 0 {
			c.FillText(sty, vg.Point{X: right, Y: c.Max.Y + 4}, s.head)
		}
		canvas.FillMiddle(c, sty, vg.Point{X: right, Y: y}, s.words(&d.results[i][k]))
	}
}

// box draws the results of a classifier in a slot around a place on the scale of the classifiers.
func (d *boxChart) box(c draw.Canvas, p *plot.Plot, at float64, slot vg.Length, r *results) {
	if len(r.values) == 0 {
		return
	}
	clr := Colour(d.View, r.id)
	five := stats.NewBox(r.values)
	middle := place{at, d.lying}
	if len(r.values) < fewest {
		middle.points(c, p, slot*0.5, r.values, pointGlyph(clr))
	} else {
		box, err := plotter.NewBoxPlot(slot*0.62, at, plotter.Values(r.values))
		if err != nil {
			panic(err) // values are not empty
		}
		box.Quartile1, box.Median, box.Quartile3 = five.Q1, five.Median, five.Q3
		box.AdjLow, box.AdjHigh = five.Low, five.High
		box.Values, box.Outside = five.Outliers, nil
		for i := range five.Outliers {
			box.Outside = append(box.Outside, i)
		}
		box.BoxStyle, box.WhiskerStyle, box.MedianStyle = thin, thin, median
		box.CapWidth, box.FillColor, box.GlyphStyle, box.Horizontal = slot*0.3, canvas.Fill(clr), outlierGlyph, d.lying
		box.Plot(c, p)
	}
	paintDiamond(c, middle.of(c, p, five.Mean, 0))
}

// A place is a place on the scale of the classifiers; values run along the other one.
type place struct {
	at    float64
	lying bool
}

// of returns the point of a value, aside from the middle.
func (l place) of(c draw.Canvas, p *plot.Plot, value float64, aside vg.Length) vg.Point {
	x, y := p.Transforms(&c)
	if l.lying {
		return vg.Point{X: x(value), Y: y(l.at) + aside}
	}
	return vg.Point{X: x(l.at) + aside, Y: y(value)}
}

// points draws single results, those that are close side by side within a width.
func (l place) points(c draw.Canvas, p *plot.Plot, width vg.Length, values []float64, glyph draw.GlyphStyle) {
	var before vg.Point
	aside := 0 // results before this one that it would lie on
	for i, v := range slices.Sorted(slices.Values(values)) {
		at := l.of(c, p, v, 0)
		if aside++; i == 0 || at.X-before.X+at.Y-before.Y > 2*glyph.Radius {
			aside = 0
		}
		before = at
		step := vg.Length((aside+1)/2) * 2 * glyph.Radius // 0, +1, -1, +2, ... diameters aside
		if aside%2 == 0 {
			step = -step
		}
		c.DrawGlyph(glyph, l.of(c, p, v, max(-width/2, min(step, width/2))))
	}
}

func pointGlyph(clr color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: clr, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}
}

// paintDiamond draws the mark of a mean: white with a black rim.
func paintDiamond(c draw.Canvas, at vg.Point) {
	r := vg.Points(2.1)
	diamond := []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y},
		{X: at.X, Y: at.Y - r}}
	c.FillPolygon(canvas.Tint(canvas.Black, 0), diamond)
	rim := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}
	c.StrokeLines(rim, append(diamond, diamond[0], diamond[1]))
}

// The lines of a box, and the mark of an outlier.
var (
	thin         = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.5)}
	median       = draw.LineStyle{Color: canvas.Black, Width: vg.Points(1.3)}
	outlierGlyph = draw.GlyphStyle{Color: canvas.Tint(canvas.DarkGrey, 0.9), Radius: vg.Points(1),
		Shape: draw.CircleGlyph{}}
)

// key explains the marks that occur on the page.
func (d *boxChart) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	add := func(occurs bool, words string, sketch func(draw.Canvas, vg.Point)) {
		if occurs {
			items = append(items, canvas.KeyItem{Words: words, Sketch: sketch})
		}
	}
	f := &d.found
	add(f.boxes, "quartiles and median", d.sketchBox)
	add(f.boxes, "last value within 1.5 interquartile ranges", d.sketchWhisker)
	add(f.outliers, "outlier", func(c draw.Canvas, at vg.Point) { c.DrawGlyph(outlierGlyph, at) })
	add(f.points, "single result", func(c draw.Canvas, at vg.Point) { c.DrawGlyph(pointGlyph(canvas.DarkGrey), at) })
	add(f.boxes || f.points, "mean", paintDiamond)
	add(f.reference, "mean of "+d.Label(d.reference), sketchReference)
	add(d.counted(), d.units+" drawn", sketchCount)
	return items
}

func (d *boxChart) sketchBox(c draw.Canvas, at vg.Point) {
	canvas.FillBox(c, canvas.GridGrey, at.X-4, at.Y-4, at.X+4, at.Y+4)
	canvas.StrokeBox(c, thin.Color, thin.Width, at.X-4, at.Y-4, at.X+4, at.Y+4)
	d.stroke(c, median, at, -4, 0, 4, 0)
}

func (d *boxChart) sketchWhisker(c draw.Canvas, at vg.Point) {
	d.stroke(c, thin, at, 0, -4, 0, 4)
	d.stroke(c, thin, at, -2, 4, 2, 4)
}

// stroke draws a line around a point; y runs along the values.
func (d *boxChart) stroke(c draw.Canvas, sty draw.LineStyle, at vg.Point, x0, y0, x1, y1 vg.Length) {
	if d.lying {
		x0, y0, x1, y1 = y0, x0, y1, x1
	}
	c.StrokeLine2(sty, at.X+x0, at.Y+y0, at.X+x1, at.Y+y1)
}

func sketchReference(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(canvas.Dashed, at.X-canvas.KeySymbol/2, at.Y, at.X+canvas.KeySymbol/2, at.Y)
}

func sketchCount(c draw.Canvas, at vg.Point) {
	sty := canvas.KeyStyle()
	sty.XAlign = draw.XCenter
	canvas.FillMiddle(c, sty, at, "R")
}
