package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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
	beside   int       // most names at the right of a panel's data
	height   vg.Length // of each, whatever the options ask; 0: as they ask
	vertical string    // title of the vertical axis
	names    vg.Length // room before each row in the place of that title; 0: that title
	titles   []string  // above the panels, in as many lines as they take
	indent   vg.Length // of the titles
	aside    vg.Length // room for what stands beside a title, on its last line
	key      []canvas.KeyItem
	remarks  []string
	draw     func(c draw.Canvas, i int) (data draw.Canvas) // panel i; returns the area of its data
}

const keyGap = vg.Length(4) // above the key

func (p *panels) picture(caption string) canvas.Picture {
	perRow := p.options.perRow(p.count)
	rows := (max(p.count, 1) + perRow - 1) / perRow
	taller := p.taller + max(0, p.headRoom()-titleRoom)
	row := max(max(p.options.rowHeight(rows, taller), p.namesHeight())+taller, p.verticalStyle().Width(p.vertical)+2*canvas.Margin)
	if p.height > 0 {
		row = p.height
	}
	height := row*vg.Length(rows) + canvas.PanelGap*vg.Length(rows-1)
	if len(p.key) > 0 {
		height += canvas.KeyHeight(p.key, p.options.inner()) + keyGap
	}
	return canvas.Picture{Caption: caption, Height: height, Paint: p.paint, Remarks: p.remarks}
}

// nameLine is the height of a name beside the data, belowAxis about what the horizontal
// axis takes below them.
const nameLine, belowAxis = vg.Length(canvas.TickSize * canvas.NameLine), vg.Length(28)

// leastLines is the least height of the data, in lines.
const leastLines = 4

// namesHeight is that of a panel of one line of title whose data have room for all
// names beside them.
func (p *panels) namesHeight() vg.Length {
	return titleRoom + belowAxis + nameLine*vg.Length(max(p.beside, leastLines)-1)
}

// verticalStyle is that of the title of the vertical axis.
func (p *panels) verticalStyle() text.Style {
	sty := canvas.Style(canvas.Face(canvas.LabelSize))
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	return sty
}

func (p *panels) paint(c draw.Canvas) {
	axis := p.verticalStyle()
	half := axis.Width(p.vertical) / 2
	axis.Rotation = math.Pi / 2
	if len(p.key) > 0 {
		bottom := canvas.KeyHeight(p.key, c.Size().X)
		canvas.PaintKey(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Min.Y + bottom}}}, p.key)
		c = draw.Crop(c, 0, 0, bottom+keyGap, 0)
	}
	perRow := p.options.perRow(p.count)
	for i, area := range canvas.Grid(draw.Crop(c, p.before(), 0, 0, 0), p.count, perRow, canvas.PanelGap) {
		data := p.draw(area, i)
		if i%perRow == 0 && p.vertical != "" {
			y := min(max(data.Center().Y, area.Min.Y+half), area.Max.Y-half) // a long one stays on the page
			c.FillText(axis, vg.Point{X: c.Min.X, Y: y}, p.vertical)
		}
	}
}

// before is the room before each row.
func (p *panels) before() vg.Length {
	if p.names > 0 {
		return p.names
	}
	return canvas.AxisTitle
}

// width of one panel.
func (p *panels) width() vg.Length {
	perRow := vg.Length(p.options.perRow(p.count))
	return (p.options.inner() - p.before() - canvas.PanelGap*(perRow-1)) / perRow
}

// titleRoom is that above a panel for a title of one line, titleLine that of each
// further one.
const (
	titleRoom = vg.Length(canvas.PanelSize + 4)
	titleLine = vg.Length(canvas.PanelSize * 1.2)
)

// leastData is the width of the data below which nothing can be read.
const leastData = vg.Length(60)

// axisRoom is what the labels of such vertical axes take of a panel at most, and about
// that where they are short.
func axisRoom(spans []span, ticks plot.Ticker) vg.Length {
	const short, line = vg.Length(24), vg.Length(6)
	room := short
	for _, s := range spans {
		for _, t := range ticks.Ticks(s.low, s.high) {
			room = max(room, canvas.Style(canvas.Face(canvas.TickSize)).Width(t.Label)+line)
		}
	}
	return room
}

// fewerPerRow puts fewer panels beside one another where each would be narrower than
// this.
func (p *panels) fewerPerRow(least vg.Length) {
	p.options.PerRow = p.options.perRow(p.count)
	for p.options.PerRow > 1 && p.width() < least {
		p.options.PerRow--
	}
}

// lines of a title that fit a panel, the last one with what stands beside it.
func (p *panels) lines(title string) []string {
	sty := canvas.Style(canvas.Face(canvas.PanelSize))
	room := p.width() - p.indent
	lines := canvas.Wrap(title, sty, room)
	if p.aside > 0 && title != "" && sty.Width(lines[len(lines)-1])+p.aside > room {
		lines = append(lines, "")
	}
	return lines
}

// headRoom is that above every panel of a page: little where no panel has a title.
func (p *panels) headRoom() vg.Length {
	most := 0
	for _, t := range p.titles {
		if t != "" || p.aside > 0 {
			most = max(most, len(p.lines(t)))
		}
	}
	if most == 0 {
		return 4
	}
	return titleRoom + titleLine*vg.Length(most-1)
}

// title writes that of panel i above its data.
func (p *panels) title(c draw.Canvas, x vg.Length, i int) {
	lines := p.lines(p.titles[i])
	c.Max.Y -= max(0, p.headRoom()-titleRoom-titleLine*vg.Length(len(lines)-1))
	writeLines(c, x, lines)
}

// titleLines are a title above a panel that has the width of the page.
func (o *Options) titleLines(title string) []string {
	return canvas.Wrap(title, canvas.Style(canvas.Face(canvas.PanelSize)), o.inner())
}

// writeLines writes the lines of a title from the top of a canvas on.
func writeLines(c draw.Canvas, x vg.Length, lines []string) {
	for i, line := range lines {
		c.FillText(canvas.Style(canvas.Face(canvas.PanelSize)), vg.Point{X: x, Y: c.Max.Y - vg.Points(canvas.PanelSize) - titleLine*vg.Length(i)}, line)
	}
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

// verticalGrid adds them at the ticks of the horizontal one.
func verticalGrid(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Horizontal.Width = 0
	lines.Vertical.Color, lines.Vertical.Width = canvas.GridGrey, vg.Points(0.4)
	p.Add(lines)
}
