// Package panels arranges the panels of a figure in rows and draws titles, axes and a legend. The caller
// sets the scales and draws the data.
package panels

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// A Page arranges panels in rows. The caller sets the exported fields, then calls LimitPanelsPerRow or FitNames,
// and then Picture.
type Page struct {
	Width        vg.Length // of the figure
	PerRow       int       // largest number of panels in a row
	Requested    int       // number of panels in a row in the study file; 0: none
	Titles       []string  // by panel; may be empty
	Notes        []string  // beside the title of each panel; may be nil
	X, Y         Scale
	BottomTitle  string // title of all horizontal axes; if "", X.Title is below each panel
	Room         Room
	Square       bool      // the data areas are squares
	LinesBeside  int       // largest number of lines of text beside the data of a panel
	Height       vg.Length // height of each panel; if 0, Picture chooses it
	Legend       []canvas.KeyItem
	LongestLabel string                                      // longest text beside the data, for remarks
	Remarks      []string                                    // advice on readability
	DrawMarks    func(data draw.Canvas, p *plot.Plot, i int) // draws the marks of panel i in its data area

	minWidth  vg.Length // argument of LimitPanelsPerRow
	nameWidth vg.Length // Name breaks longer names into lines; 0: none
}

// Room is extra space around the data of each panel, for texts that DrawMarks draws.
type Room struct {
	Left, Right, Above, Below vg.Length

	Before vg.Length // space to the left of each row of panels, in place of the vertical axis title
	Taller vg.Length // extra height of each panel, unless it is square
}

const (
	sheetHeight = 190 * vg.Millimeter // height of all panels on a sheet of paper with a caption below
	legendGap   = vg.Length(4)        // above the legend

	// LegibleWidth is the smallest width of a data area in which marks remain legible.
	LegibleWidth = vg.Length(60)

	// BelowAxis is the approximate height of the labels and the title of a horizontal axis.
	BelowAxis = vg.Length(28)
)

// PanelsInRow returns the number of panels in a complete row.
func (p *Page) PanelsInRow() int { return max(1, min(p.PerRow, len(p.Titles))) }

func (p *Page) rowCount() int { return (len(p.Titles) + p.PanelsInRow() - 1) / p.PanelsInRow() }

func (p *Page) innerWidth() vg.Length { return p.Width - 2*canvas.Margin }

// PanelWidth returns the width of a panel.
func (p *Page) PanelWidth() vg.Length {
	n := vg.Length(p.PanelsInRow())
	return (p.innerWidth() - p.leftOfRow() - canvas.PanelGap*(n-1)) / n
}

// DataWidth returns the approximate width of the data area of a panel.
func (p *Page) DataWidth() vg.Length { return p.PanelWidth() - p.leftOfData() - p.Room.Right }

// leftOfData returns the approximate width of the labels and texts to the left of the data.
func (p *Page) leftOfData() vg.Length { return p.Y.labelsWidth() + p.Room.Left }

// leftOfRow returns the width of the space to the left of each row of panels.
func (p *Page) leftOfRow() vg.Length {
	switch {
	case p.Room.Before > 0:
		return p.Room.Before
	case p.Y.Title != "":
		return canvas.AxisTitle
	}
	return 0
}

// LimitPanelsPerRow reduces the number of panels in a row until each data area is at least minWidth
// wide (see IsWideEnough).
//
// If a page has three panels and the study file sets no number per row, all three share a row,
// provided that their data areas remain wide.
func (p *Page) LimitPanelsPerRow(minWidth vg.Length) {
	const wide = vg.Length(100)
	p.PerRow, p.minWidth = p.PanelsInRow(), minWidth
	three := *p
	three.PerRow = 3
	if p.Requested == 0 && p.PerRow == 2 && len(p.Titles) == 3 && three.IsWideEnough(max(minWidth, wide)) {
		p.PerRow = 3
	}
	for p.PerRow > 1 && !p.IsWideEnough(minWidth) {
		p.PerRow--
	}
}

// The number of sides of the data that have names beside them.
const (
	OneSide   = 1
	BothSides = 2
)

// FitNames makes room for names beside the data and limits the number of panels in a row (see LimitPanelsPerRow).
// The argument sides is OneSide or BothSides. The function setRoom must set Room so that each of these sides has
// room for names of the given width.
//
// If the data areas are then narrower than minWidth, Name breaks long names until they are as wide as the data,
// and FitNames calls setRoom again with the width of the broken names. FitNames returns the largest number of
// lines of a name. If LongestLabel is "", FitNames sets it to the longest name.
func (p *Page) FitNames(names []string, sides int, minWidth vg.Length, setRoom func(width vg.Length)) (mostLines int) {
	longest, width := canvas.Widest(names)
	p.LongestLabel = cmp.Or(p.LongestLabel, longest)
	setRoom(width) // DataWidth depends on it
	p.LimitPanelsPerRow(minWidth)
	if p.DataWidth() >= minWidth {
		return 1
	}
	// Divide the width of a panel evenly between the data and the names on each side.
	total := vg.Length(sides)*width + p.DataWidth()
	columns := sides + 1                     // the data are one of them
	p.nameWidth = total / vg.Length(columns) // Name breaks wider names
	var broken []string
	for _, name := range names {
		broken = append(broken, p.Name(name))
		mostLines = max(mostLines, canvas.Lines(p.Name(name)))
	}
	_, brokenWidth := canvas.Widest(broken)
	setRoom(brokenWidth) // if less than nameWidth, the rest goes to the data
	return mostLines
}

// Name returns a name with the line breaks that it needs (see FitNames).
func (p *Page) Name(name string) string {
	if p.nameWidth == 0 {
		return name
	}
	return strings.Join(canvas.Wrap(name, canvas.TickText(), p.nameWidth), "\n")
}

// IsWideEnough reports whether the data areas are at least as wide as LegibleWidth and minWidth, and the title of
// the horizontal axis fits into a panel.
func (p *Page) IsWideEnough(minWidth vg.Length) bool {
	return p.DataWidth() >= max(minWidth, LegibleWidth) && p.titleFits()
}

func (p *Page) titleFits() bool { return titleStyle().Width(p.X.Title) <= p.PanelWidth() }

// MaxPanelHeight returns the largest panel height at which all rows fit on a sheet of paper.
func (p *Page) MaxPanelHeight() vg.Length {
	n := vg.Length(p.rowCount())
	room := sheetHeight - canvas.PanelGap*(n-1)
	if p.BottomTitle != "" {
		room -= canvas.AxisTitle
	}
	return room / n
}

// Picture returns the page as a picture with a caption. The caller sets its name and title.
func (p *Page) Picture(caption string) canvas.Picture {
	height := p.panelHeight()*vg.Length(p.rowCount()) + canvas.PanelGap*vg.Length(p.rowCount()-1)
	if len(p.Legend) > 0 {
		height += canvas.KeyHeight(p.Legend, p.innerWidth()) + legendGap
	}
	if p.BottomTitle != "" {
		height += canvas.AxisTitle
	}
	return canvas.Picture{Caption: caption, Width: p.Width, Height: height, Paint: p.Paint,
		Remarks: append(p.Remarks, p.widthRemarks()...), DataWidth: p.DataWidth(),
		LeastDataWidth: max(p.minWidth, LegibleWidth), LongestLabel: p.LongestLabel}
}

// widthRemarks returns remarks on horizontal axis titles that are too long, and on requested panels that do not
// fit in a row.
func (p *Page) widthRemarks() (remarks []string) {
	if !p.titleFits() {
		remarks = append(remarks, fmt.Sprintf("the axis title %q is longer than its panel: increase `width`, or "+
			"shorten it with labels", p.X.Title))
	}
	if wanted := min(p.Requested, len(p.Titles)); p.PanelsInRow() < wanted {
		remarks = append(remarks, fmt.Sprintf("a row has room for only %d of the %d panels that `per_row` "+
			"requests: reduce `per_row`, or increase `width`%s", p.PanelsInRow(), wanted, p.shortenLabel(wanted)))
	}
	return remarks
}

// shortenLabel returns advice to shorten the longest label beside the data. It returns "" if the label is
// narrower than a data area with perRow panels in a row.
func (p *Page) shortenLabel(perRow int) string {
	wanted := *p
	wanted.PerRow = perRow
	if canvas.TickText().Width(p.LongestLabel) < wanted.DataWidth() {
		return ""
	}
	return fmt.Sprintf(", or shorten labels such as %q", p.LongestLabel)
}

// panelHeight returns the height of each panel, including its title and axes. Unless the caller has set Height,
// the texts beside the data and the title of the vertical axis fit.
func (p *Page) panelHeight() vg.Length {
	if p.Height > 0 {
		return p.Height
	}
	verticalTitle := titleStyle().Width(p.Y.Title) + 2*canvas.Margin
	furtherLines := max(0, p.HeadHeight()-titleHeight) // height of all lines of panel titles except the first
	if p.Square {
		return max(p.squareHeight(), p.leastHeight()+furtherLines, verticalTitle)
	}
	extra := p.Room.Taller + furtherLines
	return max(p.sharedHeight(extra), p.leastHeight()+extra, verticalTitle)
}

// sharedHeight returns the height of a panel if all rows of panels share a sheet of paper equally. The argument
// extra is the height of additional lines and strips. Without these, a panel is at least 30 mm high, even if
// many rows then exceed the sheet, and at most 62 mm, even if a few rows then do not fill it.
func (p *Page) sharedHeight(extra vg.Length) vg.Length {
	const most, least = 62 * vg.Millimeter, 30 * vg.Millimeter
	share := sheetHeight / vg.Length(p.rowCount())
	return max(least, min(most, share-extra)) + extra
}

// leastHeight returns the smallest height of a panel whose data area has room for the texts beside
// it. The title has one line, and Room.Taller is not included.
func (p *Page) leastHeight() vg.Length { return titleHeight + BelowAxis + p.textsHeight() }

// textsHeight returns the smallest height of a data area that has room for the texts beside it.
func (p *Page) textsHeight() vg.Length {
	const least = 4
	return canvas.LineHeight * vg.Length(max(p.LinesBeside, least)-1)
}

// squareHeight returns the height of a panel with a square data area, which is as wide as the panel unless the
// rows would not fit on a sheet of paper.
func (p *Page) squareHeight() vg.Length {
	const mostSide = 80 * vg.Millimeter
	const large = 1000 * vg.Millimeter
	data := canvas.Axes(p.axes(0), draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: large, Y: large}}})
	axisWidth, axisHeight := large-data.Size().X, large-data.Size().Y
	side := min(mostSide, p.PanelWidth()-p.Room.Left-p.Room.Right-axisWidth)
	around := axisHeight + p.titleBelow() + p.HeadHeight()
	height := min(side+around, sheetHeight/vg.Length(p.rowCount()))
	return max(height, LegibleWidth+around)
}

// Paint draws the page on c: the legend and the common title of the horizontal axes at the bottom, then the
// panels.
func (p *Page) Paint(c draw.Canvas) {
	if len(p.Legend) > 0 {
		height := canvas.KeyHeight(p.Legend, c.Size().X)
		legend := c
		legend.Max.Y = legend.Min.Y + height
		canvas.PaintKey(legend, p.Legend)
		c = draw.Crop(c, 0, 0, height+legendGap, 0)
	}
	if p.BottomTitle != "" {
		c.FillText(titleStyle(), vg.Point{X: c.Center().X, Y: c.Min.Y}, p.BottomTitle)
		c = draw.Crop(c, 0, 0, canvas.AxisTitle, 0)
	}
	rightOfTitle := draw.Crop(c, p.leftOfRow(), 0, 0, 0)
	headHeight := p.HeadHeight() // slow, because HeadHeight wraps all titles
	for i, area := range canvas.Grid(rightOfTitle, len(p.Titles), p.PanelsInRow(), canvas.PanelGap) {
		data := p.drawPanel(area, i, headHeight)
		if i%p.PanelsInRow() == 0 {
			p.writeVerticalTitle(c.Min.X, area, data.Center().Y)
		}
	}
}

func (p *Page) drawPanel(c draw.Canvas, i int, headHeight vg.Length) (data draw.Canvas) {
	axes := p.axes(i)
	body := draw.Crop(c, p.Room.Left, -p.Room.Right, p.Room.Below+p.titleBelow(), -headHeight-p.Room.Above)
	data = canvas.Axes(axes, body)
	if p.Square {
		body = p.cropToSquare(body, data)
		data = canvas.Axes(axes, body)
	}
	p.writeHorizontalTitle(body.Min.Y, c, data.Center().X)
	axes.Draw(body)
	p.writeHead(c, data, i, headHeight)
	p.DrawMarks(data, axes, i)
	return data
}

// cropToSquare crops the body of a panel to a square data area, unless the texts beside the data need more
// height.
func (p *Page) cropToSquare(body, data draw.Canvas) draw.Canvas {
	wider := data.Size().X - data.Size().Y
	switch {
	case wider > 0:
		return draw.Crop(body, 0, -wider, 0, 0)
	case data.Size().X >= p.textsHeight():
		return draw.Crop(body, 0, 0, -wider, 0)
	}
	return body
}

func titleStyle() text.Style {
	sty := canvas.Text(canvas.LabelSize)
	sty.XAlign = draw.XCenter
	return sty
}

// titleBelow returns the height of the title of the horizontal axis, including a gap.
func (p *Page) titleBelow() vg.Length {
	const gap = 2
	if p.X.Title == "" {
		return 0
	}
	return titleStyle().Height(p.X.Title) + gap
}

// centre returns the centre of a title: middle, or the nearest position at which the title stays between low and
// high.
func centre(length, middle, low, high vg.Length) vg.Length {
	return min(max(middle, low+length/2), high-length/2)
}

// writeHorizontalTitle writes the title of the horizontal axis below y, if possible centred at middle.
func (p *Page) writeHorizontalTitle(y vg.Length, panel draw.Canvas, middle vg.Length) {
	sty := titleStyle()
	x := centre(sty.Width(p.X.Title), middle, panel.Min.X, panel.Max.X)
	y += sty.FontExtents().Descent - p.titleBelow()
	panel.FillText(sty, vg.Point{X: x, Y: y}, p.X.Title)
}

// writeVerticalTitle writes the title of the vertical axis at x, if possible centred at middle.
func (p *Page) writeVerticalTitle(x vg.Length, panel draw.Canvas, middle vg.Length) {
	sty := titleStyle()
	sty.YAlign, sty.Rotation = draw.YTop, math.Pi/2
	y := centre(sty.Width(p.Y.Title), middle, panel.Min.Y, panel.Max.Y)
	panel.FillText(sty, vg.Point{X: x, Y: y}, p.Y.Title)
}
