package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
func (s *source) boxPage(o Figure, m *measure, columns []string, page group) (picture, error) {
	drawn, ref := s.measured(columns, o.Reference)
	groups, err := s.groups(page.cells, o.Panel)
	if err != nil {
		return picture{}, err
	}
	b := boxDrawing{source: s, options: o, measure: m, ids: drawn, reference: ref, pooling: s.pooling("Each panel", groups)}
	for _, g := range groups {
		pooled := g.pooled()
		panel := boxPanel{title: s.describe(g.factors, g.levels), reference: s.referenceMean(&pooled, m, ref)}
		for _, id := range drawn {
			values, failed := s.values(&pooled, m, id)
			panel.boxes = append(panel.boxes, boxItem{id, values, failed})
		}
		b.panels = append(b.panels, panel)
	}
	b.measureUp()
	return picture{Caption: b.caption(), Width: mm(o.Width), Height: o.bodyHeight(len(b.panels), b.labelHeight(b.slot())-b.labelHeight(math.MaxFloat32)) + keyHeight(b.key(), mm(o.Width)-2*margin) + vg.Points(4), paint: b.paint}, nil
}

// boxDrawing holds what all panels of a page share.
type boxDrawing struct {
	*source
	options   Figure
	measure   *measure
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
	b.low, b.high = span(all)
}

func (b *boxDrawing) caption() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s of %s. Box: quartiles (type 7) and median; whiskers: to the last value within 1.5 interquartile ranges; points: outliers; diamond: mean",
		capital(b.measure.title()), b.labels(b.ids))
	if b.reference != "" {
		fmt.Fprintf(&s, "; dashed line: mean of %s", b.label(b.reference))
	}
	fmt.Fprintf(&s, ". Below each label: the number of %s drawn (R)", b.units())
	if b.failures {
		s.WriteString(" and of failed fits")
	}
	s.WriteString(". All panels of a page share one axis.")
	return caption(b.options.Caption, s.String(), b.pooling)
}

func (b *boxDrawing) paint(c draw.Canvas) {
	axis := style(face(labelSize))
	axis.XAlign, axis.YAlign, axis.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	perRow := min(b.options.PerRow, len(b.panels))
	key := b.key()
	bottom := keyHeight(key, c.Size().X)
	paintKey(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Min.Y + bottom}}}, key)
	panels := grid(draw.Crop(c, axisTitle, 0, bottom+vg.Points(4), 0), len(b.panels), perRow, panelGap)
	for i := range b.panels {
		data := b.panel(panels[i], &b.panels[i])
		if i%perRow == 0 {
			c.FillText(axis, vg.Point{X: c.Min.X, Y: data.Center().Y}, b.measure.title())
		}
	}
}

// panel draws one panel and returns the area of its data.
func (b *boxDrawing) panel(c draw.Canvas, panel *boxPanel) draw.Canvas {
	p := newPlot()
	p.X.Min, p.X.Max = -0.5, float64(len(b.ids))-0.5
	p.Y.Min, p.Y.Max = b.low, b.high
	p.HideX()
	p.X.Width = vg.Points(0.5)
	p.Y.Tick.Marker = niceTicks{8}
	lines := plotter.NewGrid()
	lines.Vertical.Width = 0
	lines.Horizontal.Color, lines.Horizontal.Width = gridGrey, vg.Points(0.4)
	p.Add(lines)

	head := vg.Points(panelSize + 4)
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
	clr := colour(b.source, item.id)
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
	line := draw.LineStyle{Color: black, Width: vg.Points(0.5)}
	box.BoxStyle, box.WhiskerStyle, box.MedianStyle = line, line, line
	box.MedianStyle.Width = vg.Points(1.3)
	box.CapWidth = slot * 0.3
	box.FillColor = tint(clr, 0.75)
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
	c.FillPolygon(tint(black, 0), diamond)
	c.StrokeLines(draw.LineStyle{Color: black, Width: vg.Points(0.6)}, append(diamond, diamond[0], diamond[1]))
}

var outlierGlyph = draw.GlyphStyle{Color: tint(darkGrey, 0.9), Radius: vg.Points(1), Shape: draw.CircleGlyph{}}

var dashed = draw.LineStyle{Color: black, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(4), vg.Points(2)}}

// referenceLine is a dashed line across the panel.
func referenceLine(p *plot.Plot, y float64) *plotter.Line {
	return &plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: dashed}
}

// head writes the panel's title and the value of the reference line.
func (b *boxDrawing) head(c, data draw.Canvas, panel *boxPanel) {
	y := c.Max.Y - vg.Points(panelSize)
	c.FillText(style(face(panelSize)), vg.Point{X: data.Min.X, Y: y}, panel.title)
	if math.IsNaN(panel.reference) {
		return
	}
	sty := style(face(noteSize))
	words := fmt.Sprintf("%s %.*f", b.label(b.reference), b.measure.digits(), panel.reference)
	if b.measure.unit == "%" {
		words += "%"
	}
	x := data.Max.X - sty.Width(words)
	c.FillText(sty, vg.Point{X: x, Y: y}, words)
	mid := y + vg.Points(noteSize*0.35)
	c.StrokeLine2(dashed, x-vg.Points(19), mid, x-vg.Points(3), mid)
}

// slot is the width of one box, not yet exact: the ticks of the axis are not known.
func (b *boxDrawing) slot() vg.Length {
	perRow := vg.Length(min(b.options.PerRow, len(b.panels)))
	panel := (mm(b.options.Width) - 2*margin - axisTitle - panelGap*(perRow-1)) / perRow
	return (panel - vg.Points(22)) / vg.Length(len(b.ids))
}

// footHeight is the room for labels and counts below a panel.
func (b *boxDrawing) footHeight(slot vg.Length) vg.Length {
	h := b.labelHeight(slot) + vg.Points(noteSize*1.3) + vg.Points(4)
	if b.failures {
		h += vg.Points(noteSize * 1.3)
	}
	return h
}

// labelHeight is one line, or the longest label's width when labels have to be
// turned.
func (b *boxDrawing) labelHeight(slot vg.Length) vg.Length {
	longest := vg.Length(0)
	sty := style(face(tickSize))
	for _, id := range b.ids {
		longest = max(longest, sty.Width(b.label(id)))
	}
	if longest <= slot {
		return vg.Points(tickSize * 1.2)
	}
	return longest
}

// foot writes label, replicates and failures below each box.
func (b *boxDrawing) foot(p *plot.Plot, data draw.Canvas, slot vg.Length, panel *boxPanel) {
	label := style(face(tickSize))
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	height := b.labelHeight(slot)
	if height > vg.Points(tickSize*1.2) {
		label.XAlign, label.YAlign, label.Rotation = draw.XRight, draw.YCenter, math.Pi/2
	}
	count := style(face(noteSize))
	count.XAlign, count.YAlign, count.Color = draw.XCenter, draw.YTop, darkGrey
	row := count
	row.XAlign = draw.XRight
	top := data.Min.Y - vg.Points(2)
	second := top - height - vg.Points(1)
	third := second - vg.Points(noteSize*1.3)
	data.FillText(row, vg.Point{X: data.Min.X - vg.Points(2), Y: second}, "R")
	if b.failures {
		data.FillText(row, vg.Point{X: data.Min.X - vg.Points(2), Y: third}, "failed")
	}
	for i, item := range panel.boxes {
		x := data.X(p.X.Norm(float64(i)))
		data.FillText(label, vg.Point{X: x, Y: top}, b.label(item.id))
		data.FillText(count, vg.Point{X: x, Y: second}, strconv.Itoa(len(item.values)))
		if item.failed > 0 {
			data.FillText(count, vg.Point{X: x, Y: third}, strconv.Itoa(item.failed))
		}
	}
}

// key explains the parts of a box.
func (b *boxDrawing) key() []keyItem {
	thin := draw.LineStyle{Color: black, Width: vg.Points(0.5)}
	items := []keyItem{
		{func(c draw.Canvas, at vg.Point) {
			corner := []vg.Point{{X: at.X - 4, Y: at.Y - 4}, {X: at.X - 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y + 4}, {X: at.X + 4, Y: at.Y - 4}}
			c.FillPolygon(gridGrey, corner)
			c.StrokeLines(thin, append(corner, corner[0]))
			c.StrokeLine2(draw.LineStyle{Color: black, Width: vg.Points(1.3)}, at.X-4, at.Y, at.X+4, at.Y)
		}, "quartiles and median"},
		{func(c draw.Canvas, at vg.Point) {
			c.StrokeLine2(thin, at.X, at.Y-4, at.X, at.Y+4)
			c.StrokeLine2(thin, at.X-2, at.Y+4, at.X+2, at.Y+4)
		}, "last value within 1.5 interquartile ranges"},
		{func(c draw.Canvas, at vg.Point) { c.DrawGlyph(outlierGlyph, at) }, "outlier"},
		{func(c draw.Canvas, at vg.Point) { paintDiamond(c, at) }, "mean"},
	}
	if b.reference != "" {
		items = append(items, keyItem{func(c draw.Canvas, at vg.Point) {
			c.StrokeLine2(dashed, at.X-keySymbol/2, at.Y, at.X+keySymbol/2, at.Y)
		}, "mean of " + b.label(b.reference)})
	}
	counts := keyItem{func(c draw.Canvas, at vg.Point) {
		sty := keyStyle()
		sty.XAlign = draw.XCenter
		fillMiddle(c, sty, at, "R")
	}, b.units() + " drawn"}
	return append(items, counts)
}
