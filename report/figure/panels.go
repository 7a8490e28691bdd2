package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// panels is a page of panels in rows, with the title of the vertical axis before
// each row and a key below.
type panels struct {
	options  Options
	count    int
	taller   vg.Length // than the options ask, each
	height   vg.Length // of each, whatever the options ask; 0: as they ask
	vertical string
	key      []canvas.KeyItem
	draw     func(c draw.Canvas, i int) (data draw.Canvas) // panel i; returns the area of its data
}

const keyGap = vg.Length(4) // above the key

func (p *panels) picture(caption string) canvas.Picture {
	perRow := p.options.perRow(p.count)
	rows := (max(p.count, 1) + perRow - 1) / perRow
	row := p.options.rowHeight(rows, p.taller) + p.taller
	if p.height > 0 {
		row = p.height
	}
	height := row*vg.Length(rows) + canvas.PanelGap*vg.Length(rows-1)
	if len(p.key) > 0 {
		height += canvas.KeyHeight(p.key, p.options.inner()) + keyGap
	}
	return canvas.Picture{Caption: caption, Height: height, Paint: p.paint}
}

func (p *panels) paint(c draw.Canvas) {
	axis := canvas.Style(canvas.Face(canvas.LabelSize))
	axis.XAlign, axis.YAlign, axis.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	if len(p.key) > 0 {
		bottom := canvas.KeyHeight(p.key, c.Size().X)
		canvas.PaintKey(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Min.Y + bottom}}}, p.key)
		c = draw.Crop(c, 0, 0, bottom+keyGap, 0)
	}
	perRow := p.options.perRow(p.count)
	for i, area := range canvas.Grid(draw.Crop(c, canvas.AxisTitle, 0, 0, 0), p.count, perRow, canvas.PanelGap) {
		data := p.draw(area, i)
		if i%perRow == 0 && p.vertical != "" {
			c.FillText(axis, vg.Point{X: c.Min.X, Y: data.Center().Y}, p.vertical)
		}
	}
}

// width of one panel.
func (p *panels) width() vg.Length {
	perRow := vg.Length(p.options.perRow(p.count))
	return (p.options.inner() - canvas.AxisTitle - canvas.PanelGap*(perRow-1)) / perRow
}

// titleRoom is that above a panel for its title.
const titleRoom = vg.Length(canvas.PanelSize + 4)

// headRoom is that above every panel of a page: little where no panel has a title.
func headRoom(titles []string) vg.Length {
	if slices.ContainsFunc(titles, func(t string) bool { return t != "" }) {
		return titleRoom
	}
	return 4
}

// axisRoom is about what the labels of a vertical axis take of a panel.
const axisRoom = vg.Length(24)

// wrapped is a title in lines that fit a panel, beside its axis.
func (p *panels) wrapped(title string) []string {
	return canvas.Wrap(title, canvas.Style(canvas.Face(canvas.PanelSize)), p.width()-axisRoom)
}

const titleLine = vg.Length(canvas.PanelSize * 1.2)

// wrappedRoom is headRoom for titles of several lines.
func (p *panels) wrappedRoom(titles []string) vg.Length {
	lines := 1
	for _, t := range titles {
		lines = max(lines, len(p.wrapped(t)))
	}
	return headRoom(titles) + titleLine*vg.Length(lines-1)
}

// wrappedTitle writes a panel's title above its data, in as many lines as it takes.
func (p *panels) wrappedTitle(c, data draw.Canvas, title string) {
	for _, line := range p.wrapped(title) {
		panelTitle(c, data, line)
		c.Max.Y -= titleLine
	}
}

// panelTitle writes a panel's title above its data.
func panelTitle(c, data draw.Canvas, title string) {
	c.FillText(canvas.Style(canvas.Face(canvas.PanelSize)), vg.Point{X: data.Min.X, Y: c.Max.Y - vg.Points(canvas.PanelSize)}, title)
}

// A span is the range of an axis.
type span struct{ low, high float64 }

// spans returns the range of every panel's values: one for all, or one for each.
func (o *Options) spans(values [][]float64, of func([]float64) (low, high float64)) []span {
	list := make([]span, len(values))
	var all []float64
	for i, v := range values {
		all = append(all, v...)
		list[i].low, list[i].high = of(v)
	}
	if o.Scales == "free" {
		return list
	}
	low, high := of(all)
	for i := range list {
		list[i] = span{low, high}
	}
	return list
}

// axesWords says in a caption how the vertical axes compare.
func (o *Options) axesWords(count int) string { return o.axesWordsFor(count, "vertical") }

func (o *Options) axesWordsFor(count int, axis string) string {
	switch {
	case count < 2:
		return ""
	case o.Scales == "free":
		return fmt.Sprintf(" Each panel has its own %s axis.", axis)
	}
	return fmt.Sprintf(" All panels of a page share one %s axis.", axis)
}

// horizontalGrid adds light lines at the ticks of the vertical axis.
func horizontalGrid(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Vertical.Width = 0
	lines.Horizontal.Color, lines.Horizontal.Width = canvas.GridGrey, vg.Points(0.4)
	p.Add(lines)
}
