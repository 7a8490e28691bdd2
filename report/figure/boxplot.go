package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
)

// A boxPanel is the results of all classifiers in one cell.
type boxPanel struct {
	title     string
	boxes     []boxItem
	reference float64 // mean of the reference classifier; NaN: none
}

type boxItem struct {
	id     string
	values []float64
	failed int
}

// boxPage draws one page: a panel per combination of the panel factors, a box
// per classifier, one vertical axis for all.
func boxPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	drawn, ref := measured(v, columns, o.Reference)
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	b := boxDrawing{View: v, options: o, Measure: m, ids: drawn, reference: ref, pooling: v.Pooling("Each panel", groups)}
	for _, g := range groups {
		pooled := g.Pooled()
		panel := boxPanel{title: v.InWords(g.Factors, g.Levels), reference: referenceMean(v, &pooled, m, ref)}
		for _, id := range drawn {
			values, failed := v.Values(&pooled, m, id)
			panel.boxes = append(panel.boxes, boxItem{id, values, failed})
		}
		b.panels = append(b.panels, panel)
	}
	b.measureUp()
	return canvas.Picture{Caption: b.caption(), Width: canvas.MM(o.Width), Height: o.bodyHeight(len(b.panels), b.labelHeight(b.slot())-b.labelHeight(math.MaxFloat32)) + canvas.KeyHeight(b.key(), canvas.MM(o.Width)-2*canvas.Margin) + vg.Points(4), Paint: b.paint}, nil
}

// boxDrawing holds what all panels of a page share.
type boxDrawing struct {
	*view.View
	options   Options
	Measure   *view.Measure
	ids       []string
	reference string
	panels    []boxPanel
	low, high float64 // of the vertical axis
	failures  bool    // any on the page
	pooling   string  // says what a panel pools
}

func (b *boxDrawing) measureUp() {
	var all []float64
	for _, p := range b.panels {
		if !math.IsNaN(p.reference) {
			all = append(all, p.reference)
		}
		for _, item := range p.boxes {
			all = append(all, item.values...)
			b.failures = b.failures || item.failed > 0
		}
	}
	b.low, b.high = canvas.Span(all)
}

func (b *boxDrawing) caption() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s of %s. Box: quartiles (type 7) and median; whiskers: to the last value within 1.5 interquartile ranges; points: outliers; diamond: mean",
		view.Capital(b.Measure.Title()), b.Labels(b.ids))
	if b.reference != "" {
		fmt.Fprintf(&s, "; dashed line: mean of %s", b.Label(b.reference))
	}
	fmt.Fprintf(&s, ". Below each label: the number of %s drawn (R)", b.Units())
	if b.failures {
		s.WriteString(" and of failed fits")
	}
	s.WriteString(". All panels of a page share one axis.")
	return view.Caption(b.options.Caption, s.String(), b.pooling)
}

func (b *boxDrawing) paint(c draw.Canvas) {
	axis := canvas.Style(canvas.Face(canvas.LabelSize))
	axis.XAlign, axis.YAlign, axis.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	perRow := min(b.options.PerRow, len(b.panels))
	key := b.key()
	bottom := canvas.KeyHeight(key, c.Size().X)
	canvas.PaintKey(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Min.Y + bottom}}}, key)
	panels := canvas.Grid(draw.Crop(c, canvas.AxisTitle, 0, bottom+vg.Points(4), 0), len(b.panels), perRow, canvas.PanelGap)
	for i := range b.panels {
		data := b.panel(panels[i], &b.panels[i])
		if i%perRow == 0 {
			c.FillText(axis, vg.Point{X: c.Min.X, Y: data.Center().Y}, b.Measure.Title())
		}
	}
}

// panel draws one panel and returns the area of its data.
func (b *boxDrawing) panel(c draw.Canvas, panel *boxPanel) draw.Canvas {
	p := canvas.NewPlot()
	p.X.Min, p.X.Max = -0.5, float64(len(b.ids))-0.5
	p.Y.Min, p.Y.Max = b.low, b.high
	p.HideX()
	p.X.Width = vg.Points(0.5)
	p.Y.Tick.Marker = canvas.Ticks(8)
	lines := plotter.NewGrid()
	lines.Vertical.Width = 0
	lines.Horizontal.Color, lines.Horizontal.Width = canvas.GridGrey, vg.Points(0.4)
	p.Add(lines)

	head := vg.Points(canvas.PanelSize + 4)
	foot := b.footHeight(b.slot())
	body := draw.Crop(c, 0, 0, foot, -head)
	data := p.DataCanvas(body)
	slot := data.Size().X / vg.Length(len(b.ids))
	for i := range panel.boxes {
		b.box(p, float64(i), slot, &panel.boxes[i])
	}
	if !math.IsNaN(panel.reference) {
		p.Add(referenceLine(p, panel.reference))
	}
	p.Draw(body)
	b.head(c, data, panel)
	b.foot(p, data, slot, panel)
	return data
}

// box adds one classifier's box and its mean.
func (b *boxDrawing) box(p *plot.Plot, at float64, slot vg.Length, item *boxItem) {
	if len(item.values) == 0 {
		return
	}
	five := stats.NewBox(item.values)
	clr := colour(b.View, item.id)
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
	box.FillColor = canvas.Tint(clr, 0.75)
	box.GlyphStyle = outlierGlyph
	p.Add(box, meanMark{at, five.Mean})
}

// meanMark is a white diamond with a black rim.
type meanMark struct{ x, y float64 }

func (m meanMark) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	paintDiamond(c, vg.Point{X: trX(m.x), Y: trY(m.y)})
}

func paintDiamond(c draw.Canvas, at vg.Point) {
	r := vg.Points(2.1)
	diamond := []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y - r}}
	c.FillPolygon(canvas.Tint(canvas.Black, 0), diamond)
	c.StrokeLines(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}, append(diamond, diamond[0], diamond[1]))
}

var outlierGlyph = draw.GlyphStyle{Color: canvas.Tint(canvas.DarkGrey, 0.9), Radius: vg.Points(1), Shape: draw.CircleGlyph{}}

// referenceLine is a dashed line across the panel.
func referenceLine(p *plot.Plot, y float64) *plotter.Line {
	return &plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: canvas.Dashed}
}

// head writes the panel's title and the value of the reference line.
func (b *boxDrawing) head(c, data draw.Canvas, panel *boxPanel) {
	y := c.Max.Y - vg.Points(canvas.PanelSize)
	c.FillText(canvas.Style(canvas.Face(canvas.PanelSize)), vg.Point{X: data.Min.X, Y: y}, panel.title)
	if math.IsNaN(panel.reference) {
		return
	}
	sty := canvas.Style(canvas.Face(canvas.NoteSize))
	words := fmt.Sprintf("%s %.*f", b.Label(b.reference), b.Measure.Digits(), panel.reference)
	if b.Measure.Unit == "%" {
		words += "%"
	}
	x := data.Max.X - sty.Width(words)
	c.FillText(sty, vg.Point{X: x, Y: y}, words)
	mid := y + vg.Points(canvas.NoteSize*0.35)
	c.StrokeLine2(canvas.Dashed, x-vg.Points(19), mid, x-vg.Points(3), mid)
}

// slot is the width of one box, not yet exact: the ticks of the axis are not known.
func (b *boxDrawing) slot() vg.Length {
	perRow := vg.Length(min(b.options.PerRow, len(b.panels)))
	panel := (canvas.MM(b.options.Width) - 2*canvas.Margin - canvas.AxisTitle - canvas.PanelGap*(perRow-1)) / perRow
	return (panel - vg.Points(22)) / vg.Length(len(b.ids))
}

// footHeight is the room for labels and counts below a panel.
func (b *boxDrawing) footHeight(slot vg.Length) vg.Length {
	h := b.labelHeight(slot) + vg.Points(canvas.NoteSize*1.3) + vg.Points(4)
	if b.failures {
		h += vg.Points(canvas.NoteSize * 1.3)
	}
	return h
}

// labelHeight is one line, or the longest label's width when labels have to be
// turned.
func (b *boxDrawing) labelHeight(slot vg.Length) vg.Length {
	longest := vg.Length(0)
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	for _, id := range b.ids {
		longest = max(longest, sty.Width(b.Label(id)))
	}
	if longest <= slot {
		return vg.Points(canvas.TickSize * 1.2)
	}
	return longest
}

// foot writes label, replicates and failures below each box.
func (b *boxDrawing) foot(p *plot.Plot, data draw.Canvas, slot vg.Length, panel *boxPanel) {
	label := canvas.Style(canvas.Face(canvas.TickSize))
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	height := b.labelHeight(slot)
	if height > vg.Points(canvas.TickSize*1.2) {
		label.XAlign, label.YAlign, label.Rotation = draw.XRight, draw.YCenter, math.Pi/2
	}
	count := canvas.Style(canvas.Face(canvas.NoteSize))
	count.XAlign, count.YAlign, count.Color = draw.XCenter, draw.YTop, canvas.DarkGrey
	row := count
	row.XAlign = draw.XRight
	top := data.Min.Y - vg.Points(2)
	second := top - height - vg.Points(1)
	third := second - vg.Points(canvas.NoteSize*1.3)
	data.FillText(row, vg.Point{X: data.Min.X - vg.Points(2), Y: second}, "R")
	if b.failures {
		data.FillText(row, vg.Point{X: data.Min.X - vg.Points(2), Y: third}, "failed")
	}
	for i, item := range panel.boxes {
		x := data.X(p.X.Norm(float64(i)))
		data.FillText(label, vg.Point{X: x, Y: top}, b.Label(item.id))
		data.FillText(count, vg.Point{X: x, Y: second}, strconv.Itoa(len(item.values)))
		if item.failed > 0 {
			data.FillText(count, vg.Point{X: x, Y: third}, strconv.Itoa(item.failed))
		}
	}
}

// key explains the parts of a box.
func (b *boxDrawing) key() []canvas.KeyItem {
	items := []canvas.KeyItem{
		{Words: "quartiles and median", Sketch: sketchBox},
		{Words: "last value within 1.5 interquartile ranges", Sketch: sketchWhisker},
		{Words: "outlier", Sketch: func(c draw.Canvas, at vg.Point) { c.DrawGlyph(outlierGlyph, at) }},
		{Words: "mean", Sketch: paintDiamond},
	}
	if b.reference != "" {
		items = append(items, canvas.KeyItem{Words: "mean of " + b.Label(b.reference), Sketch: sketchReference})
	}
	return append(items, canvas.KeyItem{Words: b.Units() + " drawn", Sketch: sketchCount})
}

var thin = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.5)}

func sketchBox(c draw.Canvas, at vg.Point) {
	corner := []vg.Point{{X: at.X - 4, Y: at.Y - 4}, {X: at.X - 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y - 4}}
	c.FillPolygon(canvas.GridGrey, corner)
	c.StrokeLines(thin, append(corner, corner[0]))
	c.StrokeLine2(draw.LineStyle{Color: canvas.Black, Width: vg.Points(1.3)}, at.X-4, at.Y, at.X+4, at.Y)
}

func sketchWhisker(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(thin, at.X, at.Y-4, at.X, at.Y+4)
	c.StrokeLine2(thin, at.X-2, at.Y+4, at.X+2, at.Y+4)
}

func sketchReference(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(canvas.Dashed, at.X-canvas.KeySymbol/2, at.Y, at.X+canvas.KeySymbol/2, at.Y)
}

func sketchCount(c draw.Canvas, at vg.Point) {
	sty := canvas.KeyStyle()
	sty.XAlign = draw.XCenter
	canvas.FillMiddle(c, sty, at, "R")
}
