package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
)

// A rowChart is a page of panels with a row for each classifier. The names are to the left of each panel or, if
// all panels have the same rows, of the leftmost panels.
type rowChart struct {
	*request
	panels.Page
	contents []rowPanel
	leastRow vg.Length // smallest height of a row
}

// A rowPanel describes a panel of a rowChart. It shows one of the groups in request.panels.
type rowPanel struct {
	title    string
	dashedAt float64 // position of a vertical dashed line; NaN: none
	rows     []row
}

type row struct {
	id     string
	values []float64 // values that the horizontal axis must include
	note   string
	hover  []string        // lines of the HTML report
	draw   func(rowCanvas) // nil if the classifier has no result
}

// A rowCanvas is the data area of a panel, with the position of a row.
type rowCanvas struct {
	draw.Canvas
	x func(value float64) vg.Length // horizontal position of a value
	y vg.Length                     // middle of the row
}

func (c rowCanvas) at(value float64) vg.Point { return vg.Point{X: c.x(value), Y: c.y} }

// line draws a line between two values in the middle of the row.
func (c rowCanvas) line(sty draw.LineStyle, from, to float64) {
	c.StrokeLine2(sty, c.x(from), c.y, c.x(to), c.y)
}

// newRowChart returns a page of panels with the horizontal axis x, whose title is below the last row of panels.
// If x.Ranges is nil, the range includes all values.
func newRowChart(r *request, x panels.Scale, contents []rowPanel) *rowChart {
	d := &rowChart{request: r, Page: r.emptyPage(), contents: contents}
	for _, content := range contents {
		d.Titles = append(d.Titles, content.title)
	}
	d.DrawMarks = d.drawPanel
	d.Y.Hidden = true
	d.X, d.BottomTitle = x, x.Title
	d.X.Title = ""
	if d.X.Ranges == nil {
		d.X.Include(d.values(), r.options.freeScales())
	}
	d.layOut()
	return d
}

// values returns, for each panel, the values that the horizontal axis must include.
func (d *rowChart) values() [][]float64 {
	list := make([][]float64, len(d.contents))
	for i, content := range d.contents {
		if !math.IsNaN(content.dashedAt) {
			list[i] = append(list[i], content.dashedAt)
		}
		for _, r := range content.rows {
			list[i] = append(list[i], r.values...)
		}
	}
	return list
}

// rowHeight is the height of a row in points. nameGap is the gap between the panel and the names on
// its left. noteGap is the gap between the panel and the notes on its right.
const (
	rowHeight        = vg.Length(14)
	nameGap, noteGap = vg.Length(6), vg.Length(4)
)

// layOut makes room for names, notes and rows. It chooses the number of panels in a row and the height of rows
// so that the page fits on a sheet of paper, if possible.
func (d *rowChart) layOut() {
	d.Y.Ranges = panels.OneRange(0, float64(d.mostRows()))
	d.leastRow = canvas.LineHeight * vg.Length(d.makeRoomForTexts())
	if d.options.PerRow == 0 {
		d.shortenPage()
	}
	height := max(d.leastRow, min(rowHeight, d.roomForRow()))
	d.Height = d.heightAround() + height*vg.Length(d.mostRows())
}

// makeRoomForTexts makes room for the names on the left of the panels and the notes on their right. It returns
// the largest number of lines of a name.
func (d *rowChart) makeRoomForTexts() int {
	const leastRight = 8 // room for the right half of the label of the last tick
	names, notes := d.texts()
	_, widestNote := canvas.Widest(notes)
	d.Room.Right = max(widestNote+noteGap, leastRight)
	return d.FitNames(names, panels.OneSide, panels.LegibleWidth, func(width vg.Length) {
		if d.panelsHaveSameRows() {
			d.Room.Before = width + nameGap // the names are left of the first panel only
		} else {
			d.Room.Left = width + nameGap // the names are left of each panel
		}
	})
}

// shortenPage places more panels side by side until the page fits on a sheet of paper, or until the panels would
// become too narrow.
func (d *rowChart) shortenPage() {
	for d.roomForRow() < d.leastRow && d.PerRow < len(d.Titles) {
		d.PerRow++
		if !d.IsWideEnough(panels.LegibleWidth) {
			d.PerRow--
			return
		}
	}
}

// roomForRow returns the row height at which all panels fit on a sheet of paper.
func (d *rowChart) roomForRow() vg.Length {
	return (d.MaxPanelHeight() - d.heightAround()) / vg.Length(d.mostRows())
}

func (d *rowChart) heightAround() vg.Length {
	if d.X.Hidden {
		return d.HeadHeight()
	}
	const axisLabels = panels.BelowAxis - canvas.AxisTitle
	return d.HeadHeight() + axisLabels
}

func (d *rowChart) mostRows() int {
	most := 1
	for _, content := range d.contents {
		most = max(most, len(content.rows))
	}
	return most
}

// panelsHaveSameRows reports whether all panels list the same classifiers in the same order.
func (d *rowChart) panelsHaveSameRows() bool {
	sameID := func(a, b row) bool { return a.id == b.id }
	return !slices.ContainsFunc(d.contents, func(content rowPanel) bool {
		return !slices.EqualFunc(content.rows, d.contents[0].rows, sameID)
	})
}

// texts returns the labels of all rows, and the notes to their right.
func (d *rowChart) texts() (labels, notes []string) {
	for _, content := range d.contents {
		for _, r := range content.rows {
			labels = append(labels, d.Label(r.id))
			if r.draw != nil {
				notes = append(notes, r.note)
			}
		}
	}
	return labels, notes
}

// drawPanel draws the rows of panel i from top to bottom, with their names and notes.
func (d *rowChart) drawPanel(c draw.Canvas, p *plot.Plot, i int) {
	content := &d.contents[i]
	x := func(value float64) vg.Length { return c.X(p.X.Norm(value)) }
	if !math.IsNaN(content.dashedAt) {
		c.StrokeLine2(canvas.Dashed, x(content.dashedAt), c.Min.Y, x(content.dashedAt), c.Max.Y)
	}
	hasNames := i%d.PanelsInRow() == 0 || !d.panelsHaveSameRows() // leftmost panels always have names
	rowHeight := c.Size().Y / vg.Length(d.mostRows())
	for k, r := range content.rows {
		y := c.Max.Y - rowHeight*(vg.Length(k)+0.5) // the middle of the row
		canvas.Annotate(c, d.annotation(r.id, d.Titles[i], d.panels[i].Cells, r.hover...), func() {
			if r.draw != nil {
				r.draw(rowCanvas{c, x, y})
			}
			d.writeTexts(c, &r, y, hasNames)
		})
	}
}

// writeTexts writes the note of a row to the right of the panel or, if the row has no marks, inside the panel.
// If named is true, it also writes the classifier's name to the left of the panel.
func (d *rowChart) writeTexts(c draw.Canvas, r *row, y vg.Length, named bool) {
	sty := canvas.TickText()
	noteX := c.Max.X + noteGap
	if r.draw == nil && r.note != "" {
		noteX = c.Min.X + noteGap
		const half = canvas.TickSize / 2 // half the height of the white background
		canvas.FillRectangle(c, color.White, noteX, y-half, noteX+sty.Width(r.note), y+half)
	}
	canvas.WriteText(c, sty, noteX, y, r.note)
	if named {
		sty.XAlign = draw.XRight
		canvas.WriteText(c, sty, c.Min.X-nameGap, y, d.Page.Name(d.Label(r.id)))
	}
}

// sketchLine draws the symbol of a line for the legend.
func sketchLine(c draw.Canvas, at vg.Point, sty draw.LineStyle) {
	c.StrokeLine2(sty, at.X-canvas.KeySymbol/2, at.Y, at.X+canvas.KeySymbol/2, at.Y)
}
