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

// panel draws one panel and returns the area of its data.
func (b *boxDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	panel := &b.cells[i]
	p := canvas.NewPlot()
	p.X.Min, p.X.Max = -0.5, float64(len(b.ids))-0.5
	p.Y.Min, p.Y.Max = panel.span.low, panel.span.high
	p.HideX()
	p.X.Width = vg.Points(0.5)
	body := draw.Crop(c, 0, 0, b.footHeight(b.slot()), -max(titleRoom, b.headRoom()))
	horizontalGrid(p)
	data := canvas.Axes(p, body)
	if out := b.countsHead() - (data.Min.X - c.Min.X); out > 0 { // not below the title of the axis
		body.Min.X += out
		data = canvas.Axes(p, body)
	}
	slot := data.Size().X / vg.Length(len(b.ids))
	for i := range panel.boxes {
		b.box(p, float64(i), slot, &panel.boxes[i])
	}
	if !math.IsNaN(panel.reference) {
		p.Add(reference(p.X.Min, panel.reference, p.X.Max, panel.reference))
	}
	p.Draw(body)
	b.title(c, data.Min.X, i)
	b.head(c, data, panel)
	b.foot(p, data, slot, panel)
	return data
}

// box adds one classifier's box and its mean.
func (b *boxDrawing) box(p *plot.Plot, at float64, slot vg.Length, item *boxItem) {
	if len(item.values) == 0 {
		return
	}
	clr := colour(b.View, item.id)
	five := stats.NewBox(item.values)
	if len(item.values) < fewest {
		p.Add(points{b.place(at), slot * 0.5, item.values, pointGlyph(clr)}, meanMark{b.place(at), five.Mean})
		return
	}
	box, err := plotter.NewBoxPlot(slot*0.62, at, plotter.Values(item.values))
	if err != nil {
		panic(err) // values are not empty
	}
	box.Quartile1, box.Median, box.Quartile3 = five.Q1, five.Median, five.Q3
	box.AdjLow, box.AdjHigh = five.Low, five.High
	box.Values, box.Outside = five.Outliers, nil
	for i := range five.Outliers {
		box.Outside = append(box.Outside, i)
	}
	box.BoxStyle, box.WhiskerStyle, box.MedianStyle = thin, thin, thin
	box.MedianStyle.Width = vg.Points(1.3)
	box.CapWidth = slot * 0.3
	box.FillColor = canvas.Fill(clr)
	box.GlyphStyle = outlierGlyph
	box.Horizontal = b.lying
	p.Add(box, meanMark{b.place(at), five.Mean})
}

// A place is where a classifier's results are drawn: at a coordinate, values run
// along the other axis.
type place struct {
	at    float64
	lying bool
}

func (b *boxDrawing) place(at float64) place { return place{at, b.lying} }

// of returns the point of a value, aside from the middle.
func (l place) of(c *draw.Canvas, p *plot.Plot, value float64, aside vg.Length) vg.Point {
	trX, trY := p.Transforms(c)
	if l.lying {
		return vg.Point{X: trX(value), Y: trY(l.at) + aside}
	}
	return vg.Point{X: trX(l.at) + aside, Y: trY(value)}
}

// points are single results, close ones side by side.
type points struct {
	place
	width  vg.Length
	values []float64
	glyph  draw.GlyphStyle
}

func pointGlyph(clr color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: clr, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}
}

func (s points) Plot(c draw.Canvas, p *plot.Plot) {
	var before vg.Point
	aside := 0
	for i, v := range slices.Sorted(slices.Values(s.values)) {
		at := s.of(&c, p, v, 0)
		if aside++; i == 0 || at.X-before.X+at.Y-before.Y > 2*s.glyph.Radius {
			aside = 0
		}
		before = at
		// 0, +1, -1, +2, ... radii aside
		step := vg.Length((aside+1)/2) * 2 * s.glyph.Radius
		if aside%2 == 0 {
			step = -step
		}
		c.DrawGlyph(s.glyph, s.of(&c, p, v, max(-s.width/2, min(step, s.width/2))))
	}
}

// meanMark is a white diamond with a black rim.
type meanMark struct {
	place
	mean float64
}

func (m meanMark) Plot(c draw.Canvas, p *plot.Plot) { paintDiamond(c, m.of(&c, p, m.mean, 0)) }

func paintDiamond(c draw.Canvas, at vg.Point) {
	r := vg.Points(2.1)
	diamond := []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y - r}}
	c.FillPolygon(canvas.Tint(canvas.Black, 0), diamond)
	c.StrokeLines(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}, append(diamond, diamond[0], diamond[1]))
}

var outlierGlyph = draw.GlyphStyle{Color: canvas.Tint(canvas.DarkGrey, 0.9), Radius: vg.Points(1), Shape: draw.CircleGlyph{}}

// reference is the dashed line of the mean of a classifier.
func reference(x0, y0, x1, y1 float64) *plotter.Line {
	return &plotter.Line{XYs: plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}}, LineStyle: canvas.Dashed}
}

// referenceWords are the value of the reference line.
func (b *boxDrawing) referenceWords(panel *boxPanel) string {
	words := b.Label(b.reference) + " " + sheet.Fixed(panel.reference, b.measure.Digits())
	if b.measure.Unit == "%" {
		words += "%"
	}
	return words
}

// referenceRoom is that for the value and a dash of the line, beside the titles.
func (b *boxDrawing) referenceRoom() (room vg.Length) {
	for i := range b.cells {
		if !math.IsNaN(b.cells[i].reference) {
			room = max(room, canvas.Style(canvas.Face(canvas.NoteSize)).Width(b.referenceWords(&b.cells[i]))+referenceDash+10)
		}
	}
	return room
}

const referenceDash = vg.Length(19)

// head writes the value of the reference line above the data, at the right.
func (b *boxDrawing) head(c, data draw.Canvas, panel *boxPanel) {
	if math.IsNaN(panel.reference) {
		return
	}
	sty := canvas.Style(canvas.Face(canvas.NoteSize))
	words := b.referenceWords(panel)
	x, y := data.Max.X-sty.Width(words), c.Max.Y-max(titleRoom, b.headRoom())+4
	c.FillText(sty, vg.Point{X: x, Y: y}, words)
	mid := y + vg.Points(canvas.NoteSize*0.35)
	c.StrokeLine2(canvas.Dashed, x-referenceDash, mid, x-3, mid)
}

// slot is the width of one box, not yet exact: the ticks of the axis are not known.
func (b *boxDrawing) slot() vg.Length { return (b.width() - b.indent) / vg.Length(len(b.ids)) }

// footHeight is the room for labels and counts below a panel.
func (b *boxDrawing) footHeight(slot vg.Length) vg.Length {
	h := b.labelHeight(slot) + vg.Points(4)
	for _, row := range []bool{b.counted(), b.found.failures} {
		if row {
			h += b.countHeight(slot)
		}
	}
	return h
}

// labelHeight is one line, or the longest name's width when names have to be turned.
func (b *boxDrawing) labelHeight(slot vg.Length) vg.Length {
	if longest := b.longestName(); longest > slot {
		return longest
	}
	return vg.Points(canvas.TickSize * 1.2)
}

func (b *boxDrawing) longestName() (longest vg.Length) {
	for _, id := range b.ids {
		longest = max(longest, canvas.Style(canvas.Face(canvas.TickSize)).Width(b.Label(id)))
	}
	return longest
}

// countHeight is one line, or the longest number's width when numbers have to be turned.
func (b *boxDrawing) countHeight(slot vg.Length) vg.Length {
	longest := 0
	for _, panel := range b.cells {
		for _, item := range panel.boxes {
			longest = max(longest, len(item.values), item.failed)
		}
	}
	if wide := canvas.Style(canvas.Face(canvas.NoteSize)).Width(strconv.Itoa(longest)); wide+2 > slot {
		return wide + 4
	}
	return vg.Points(canvas.NoteSize * 1.3)
}

// foot writes label, replicates and failures below each box.
func (b *boxDrawing) foot(p *plot.Plot, data draw.Canvas, slot vg.Length, panel *boxPanel) {
	label := canvas.Style(canvas.Face(canvas.TickSize))
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	height := b.labelHeight(slot)
	if height > vg.Points(canvas.TickSize*1.2) {
		label.XAlign, label.YAlign, label.Rotation = draw.XRight, draw.YCenter, math.Pi/2
	}
	top := data.Min.Y - vg.Points(2)
	for i, item := range panel.boxes {
		data.FillText(label, vg.Point{X: data.X(p.X.Norm(float64(i))), Y: top}, b.Label(item.id))
	}
	if !b.counted() {
		return
	}
	row := top - height - vg.Points(1)
	b.counts(p, data, row, slot, "R", panel, func(item *boxItem) int { return len(item.values) }, true)
	row -= b.countHeight(slot)
	if slices.ContainsFunc(panel.boxes, func(item boxItem) bool { return item.failed > 0 }) {
		b.counts(p, data, row, slot, "failed", panel, func(item *boxItem) int { return item.failed }, false)
	}
}

// countsHead is the room for what rows of counts are called, before the data.
func (b *boxDrawing) countsHead() vg.Length {
	if !b.found.failures {
		return 0
	}
	return canvas.Style(canvas.Face(canvas.NoteSize)).Width("failed") + countsGap
}

const countsGap = vg.Length(2)

// counts writes a row of numbers below the labels; noughts where they are asked for.
func (b *boxDrawing) counts(p *plot.Plot, data draw.Canvas, y, slot vg.Length, head string, panel *boxPanel, count func(*boxItem) int, noughts bool) {
	sty := canvas.Style(canvas.Face(canvas.NoteSize))
	sty.XAlign, sty.YAlign, sty.Color = draw.XRight, draw.YTop, canvas.DarkGrey
	data.FillText(sty, vg.Point{X: data.Min.X - countsGap, Y: y}, head)
	sty.XAlign = draw.XCenter
	if b.countHeight(slot) > vg.Points(canvas.NoteSize*1.3) {
		sty.XAlign, sty.YAlign, sty.Rotation = draw.XRight, draw.YCenter, math.Pi/2
		y -= vg.Points(3)
	}
	for i := range panel.boxes {
		if n := count(&panel.boxes[i]); n > 0 || noughts {
			data.FillText(sty, vg.Point{X: data.X(p.X.Norm(float64(i))), Y: y}, strconv.Itoa(n))
		}
	}
}

// keyItems explain what occurs on the page.
func (b *boxDrawing) keyItems() []canvas.KeyItem {
	var items []canvas.KeyItem
	add := func(there bool, words string, sketch func(draw.Canvas, vg.Point)) {
		if there {
			items = append(items, canvas.KeyItem{Words: words, Sketch: sketch})
		}
	}
	f := &b.found
	add(f.boxes, "quartiles and median", b.sketchBox)
	add(f.boxes, "last value within 1.5 interquartile ranges", b.sketchWhisker)
	add(f.outliers, "outlier", func(c draw.Canvas, at vg.Point) { c.DrawGlyph(outlierGlyph, at) })
	add(f.points, "single result", func(c draw.Canvas, at vg.Point) { c.DrawGlyph(pointGlyph(canvas.DarkGrey), at) })
	add(f.boxes || f.points, "mean", paintDiamond)
	add(f.reference, "mean of "+b.Label(b.reference), sketchReference)
	add(b.counted(), b.units+" drawn", sketchCount)
	return items
}

var thin = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.5)}

func (b *boxDrawing) sketchBox(c draw.Canvas, at vg.Point) {
	corner := []vg.Point{{X: at.X - 4, Y: at.Y - 4}, {X: at.X - 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y - 4}}
	c.FillPolygon(canvas.GridGrey, corner)
	c.StrokeLines(thin, append(corner, corner[0]))
	b.stroke(c, draw.LineStyle{Color: canvas.Black, Width: vg.Points(1.3)}, at, -4, 0, 4, 0)
}

func (b *boxDrawing) sketchWhisker(c draw.Canvas, at vg.Point) {
	b.stroke(c, thin, at, 0, -4, 0, 4)
	b.stroke(c, thin, at, -2, 4, 2, 4)
}

// stroke draws a line around a point, y in the direction of the values.
func (b *boxDrawing) stroke(c draw.Canvas, sty draw.LineStyle, at vg.Point, x0, y0, x1, y1 vg.Length) {
	if b.lying {
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
