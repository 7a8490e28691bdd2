// Package panels lays out figures: panels in rows on a page, with titles, axes and a key. A kind of figure sets the
// scales and draws the marks.
package panels

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// A Page is a figure: panels in rows. Its maker fills in what the panels show, calls FitWidth, and then Picture.
type Page struct {
	Width   vg.Length        // of the figure
	PerRow  int              // most panels beside one another
	Titles  []string         // one for each panel; may be empty
	Notes   []canvas.KeyItem // at the right of the titles; nil, or without words: none
	X, Y    Scale
	Bottom  string // title of the horizontal axes of all panels, once below them; "": each panel has its own
	Room    Room
	Square  bool      // the data areas are squares
	Lines   int       // most lines of text beside the data of a panel
	Height  vg.Length // of each panel; 0: as high as the sheet has room for, 62 mm at most; squares: as wide
	Key     []canvas.KeyItem
	Remarks []string
	Marks   func(data draw.Canvas, p *plot.Plot, i int) // draws panel i; c is the area of its data
}

// Room is the room around the data of each panel for what Marks draws there, besides axes and titles.
type Room struct {
	Left, Right, Above, Below vg.Length

	Axis   vg.Length // least room for the vertical axis: heads of texts below it may be longer than its labels
	Before vg.Length // before each row of panels, in the place of the title of the vertical axis
	Taller vg.Length // by which panels exceed the height of a row
	Heads  bool      // the room at the right has heads in line with the titles
}

// sheetHeight is the room for all panels on a sheet of paper, with a caption below them.
const sheetHeight = 190 * vg.Millimeter

// leastData is the least width of data that can be read.
const leastData = vg.Length(60)

const keyGap = vg.Length(4) // above the key

// LineHeight is the height of a line of text beside the data.
const LineHeight = vg.Length(canvas.TickSize * canvas.NameLine)

// BelowAxis is about the height of the labels and the title of a horizontal axis.
const BelowAxis = vg.Length(28)

// Row returns the number of panels beside one another.
func (p *Page) Row() int { return max(1, min(p.PerRow, len(p.Titles))) }

// rows returns the number of rows of panels.
func (p *Page) rows() int { return (len(p.Titles) + p.Row() - 1) / p.Row() }

// inner returns the width between the rims.
func (p *Page) inner() vg.Length { return p.Width - 2*canvas.Margin }

// PanelWidth returns the width of one panel.
func (p *Page) PanelWidth() vg.Length {
	n := vg.Length(p.Row())
	return (p.inner() - p.before() - canvas.PanelGap*(n-1)) / n
}

// DataWidth returns about the width of the data of a panel.
func (p *Page) DataWidth() vg.Length { return p.PanelWidth() - p.leftOfData() - p.Room.Right }

// leftOfData returns about the room at the left of the data of a panel.
func (p *Page) leftOfData() vg.Length { return max(p.Y.labelsWidth(), p.Room.Axis) + p.Room.Left }

// before returns the room before each row of panels.
func (p *Page) before() vg.Length {
	switch {
	case p.Room.Before > 0:
		return p.Room.Before
	case p.Y.Title != "":
		return canvas.AxisTitle
	}
	return 0
}

// FitWidth puts fewer panels beside one another until the data are at least so wide, and as wide as the title below
// them.
func (p *Page) FitWidth(least vg.Length) {
	for p.PerRow = p.Row(); p.PerRow > 1 && !p.Wide(least); p.PerRow-- {
	}
}

// Wide reports whether the data are at least so wide, and as wide as the title below them.
func (p *Page) Wide(least vg.Length) bool { return p.DataWidth() >= max(least, p.leastWidth()) }

// leastWidth returns the least width of data that can be read, with the title below them.
func (p *Page) leastWidth() vg.Length {
	return max(leastData, canvas.Text(canvas.LabelSize).Width(p.X.Title))
}

// SheetRow returns the height of a panel such that all rows fit on a sheet of paper.
func (p *Page) SheetRow() vg.Length {
	n := vg.Length(p.rows())
	return (sheetHeight - canvas.PanelGap*(n-1)) / n
}

// Picture returns the page with a caption; the caller names it.
func (p *Page) Picture(caption string) canvas.Picture {
	height := p.panelHeight()*vg.Length(p.rows()) + canvas.PanelGap*vg.Length(p.rows()-1)
	if len(p.Key) > 0 {
		height += canvas.KeyHeight(p.Key, p.inner()) + keyGap
	}
	if p.Bottom != "" {
		height += canvas.AxisTitle
	}
	return canvas.Picture{Caption: caption, Width: p.Width, Height: height, Paint: p.Paint, Remarks: p.Remarks}
}

// panelHeight returns the height of each panel with its title and axes.
func (p *Page) panelHeight() vg.Length {
	longTitles := max(0, p.HeadHeight()-titleHeight)
	taller := p.Room.Taller + longTitles
	vertical := p.verticalStyle().Width(p.Y.Title) + 2*canvas.Margin
	switch {
	case p.Height > 0:
		return p.Height
	case p.Square:
		return max(p.squareHeight(), p.linesHeight()+longTitles, vertical)
	}
	return max(max(p.rowHeight(taller), p.linesHeight())+taller, vertical)
}

// rowHeight returns the height of panels for which the sheet has room, less what they are taller than usual.
func (p *Page) rowHeight(taller vg.Length) vg.Length {
	const most, least = 62 * vg.Millimeter, 30 * vg.Millimeter
	return max(least, min(most, sheetHeight/vg.Length(p.rows())-taller))
}

// linesHeight returns the least height of a panel with room for the lines of text beside its data.
func (p *Page) linesHeight() vg.Length { return titleHeight + BelowAxis + p.linesBeside() }

// linesBeside returns the least height of data with room for the lines beside them.
func (p *Page) linesBeside() vg.Length {
	const least = 4
	return LineHeight * vg.Length(max(p.Lines, least)-1)
}

// mostSide is the greatest side of a square of data.
const mostSide = 80 * vg.Millimeter

// squareHeight returns the height of a panel with square data: as wide as the panel, where all rows fit on a sheet.
func (p *Page) squareHeight() vg.Length {
	const large = 1000 * vg.Millimeter
	data := canvas.Axes(p.axes(0), draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: large, Y: large}}})
	side := min(mostSide, p.PanelWidth()-p.Room.Left-p.Room.Right-(large-data.Size().X))
	around := large - data.Size().Y + p.HeadHeight()
	height := min(side+around, sheetHeight/vg.Length(p.rows()))
	return max(height, p.leastWidth()+around)
}

// Paint draws the page.
func (p *Page) Paint(c draw.Canvas) {
	if len(p.Key) > 0 {
		bottom := canvas.KeyHeight(p.Key, c.Size().X)
		key := c
		key.Max.Y = key.Min.Y + bottom
		canvas.PaintKey(key, p.Key)
		c = draw.Crop(c, 0, 0, bottom+keyGap, 0)
	}
	if p.Bottom != "" {
		sty := canvas.Text(canvas.LabelSize)
		sty.XAlign = draw.XCenter
		c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Min.Y}, p.Bottom)
		c = draw.Crop(c, 0, 0, canvas.AxisTitle, 0)
	}
	for i, area := range canvas.Grid(draw.Crop(c, p.before(), 0, 0, 0), len(p.Titles), p.Row(), canvas.PanelGap) {
		data := p.panel(area, i)
		if i%p.Row() == 0 {
			p.verticalTitle(c, area, data)
		}
	}
}

// panel draws panel i and returns the area of its data.
func (p *Page) panel(c draw.Canvas, i int) (data draw.Canvas) {
	axes := p.axes(i)
	body := draw.Crop(c, p.Room.Left, -p.Room.Right, p.Room.Below, -p.HeadHeight()-p.Room.Above)
	data = canvas.Axes(axes, body)
	if missing := p.Room.Axis - (data.Min.X - body.Min.X); missing > 0 {
		body = draw.Crop(body, missing, 0, 0, 0)
		data = canvas.Axes(axes, body)
	}
	if p.Square {
		body = p.square(body, data)
		data = canvas.Axes(axes, body)
	}
	axes.Draw(body)
	p.head(c, data, i)
	p.Marks(data, axes, i)
	return data
}

// square crops a body so that its data are a square. Data higher than wide stay so where the lines beside them need
// the height.
func (p *Page) square(body, data draw.Canvas) draw.Canvas {
	wider := data.Size().X - data.Size().Y
	switch {
	case wider > 0:
		return draw.Crop(body, 0, -wider, 0, 0)
	case data.Size().X >= p.linesBeside():
		return draw.Crop(body, 0, 0, -wider, 0)
	}
	return body
}

// verticalStyle returns the style of the title of the vertical axis.
func (p *Page) verticalStyle() text.Style {
	sty := canvas.Text(canvas.LabelSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	return sty
}

// verticalTitle writes the title of the vertical axis before a row that begins with this panel. A long title stays
// beside its row.
func (p *Page) verticalTitle(c, panel, data draw.Canvas) {
	sty := p.verticalStyle()
	half := sty.Width(p.Y.Title) / 2
	sty.Rotation = math.Pi / 2
	y := min(max(data.Center().Y, panel.Min.Y+half), panel.Max.Y-half)
	if p.Y.Title != "" {
		c.FillText(sty, vg.Point{X: c.Min.X, Y: y}, p.Y.Title)
	}
}
