package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
)

// A gridChart is a page of coloured tables. Factor levels are to the left of each table, and a colour scale is
// below it.
type gridChart struct {
	*request
	panels.Page
	tables         []gridTable
	colours        panels.Scale // title and ranges of the values
	format         func(float64) string
	isPercent      bool // values are percentages, which narrow columns show without decimals
	rowHeight      vg.Length
	leastRowHeight vg.Length // 0: minGridRow
	titleBelow     bool      // the title of the colours is below the colour scale
	rotated        bool      // column names are rotated by 90 degrees
}

// A gridTable is the coloured table in one panel.
type gridTable struct {
	title       string
	groupLabels              // by row
	groups      []view.Group // by row
	columns     []gridColumn
	entries     [][]gridEntry // indexed by row and column
}

// A gridColumn is the name of a column, and the id of the classifier whose results the column shows.
type gridColumn struct{ name, id string }

// A gridEntry is an entry of a coloured table. The value is NaN if there is no number to show.
type gridEntry struct {
	value  float64
	framed bool
	hover  []string // lines that the HTML report shows; nil: only the value
}

// rows returns the groups of cells in the rows of all tables.
func (d *gridChart) rows() (groups []view.Group) {
	for _, t := range d.tables {
		groups = append(groups, t.groups...)
	}
	return groups
}

func (t *gridTable) finiteValues() (values []float64) {
	for _, e := range slices.Concat(t.entries...) {
		if !math.IsNaN(e.value) {
			values = append(values, e.value)
		}
	}
	return values
}

// Sizes in points.
const (
	maxGridRow    = vg.Length(11) // height of a row with numbers
	minGridRow    = vg.Length(3)  // smallest height of a row without numbers
	minGridColumn = vg.Length(9)  // smallest width of a column
	labelGap      = vg.Length(8)  // gap between columns of labels
	nameHeight    = vg.Length(6)  // height of the middle of names above the table
	columnGap     = vg.Length(4)  // gap between the names of columns that are not rotated
	scaleHeight   = vg.Length(24) // height of the colour scale, including the space around it
	scaleLine     = vg.Length(10) // height of the title below a colour scale
	minScaleWidth = vg.Length(20) // smallest width of the colour scale
	scaleGap      = vg.Length(4)  // gap between the colour scale and the texts beside it
)

// layOut arranges the page, which shows each table in one panel.
func (d *gridChart) layOut() {
	d.DrawMarks = d.drawTable
	rows, columns := d.setAxes()
	d.setRoom(columns)
	d.setHeight(rows)
}

// setAxes sets the titles and the axes of the panels. One unit of an axis is a column or a row. It returns the
// largest numbers of rows and columns of a table.
func (d *gridChart) setAxes() (rows, columns int) {
	rows, columns = 1, 1
	for _, t := range d.tables {
		d.Titles = append(d.Titles, t.title)
		d.X.Ranges = append(d.X.Ranges, panels.Range{Low: 0, High: float64(len(t.columns))})
		rows = max(rows, len(t.entries))
		columns = max(columns, len(t.columns))
	}
	d.X.Hidden = true
	d.Y = panels.Scale{Hidden: true, Ranges: panels.OneRange(0, float64(rows))}
	return rows, columns
}

// setRoom sets the number of panels in a row, the room for row labels, column names and a colour scale, and
// d.LongestLabel. The argument columns is the largest number of columns of a table.
func (d *gridChart) setRoom(columns int) {
	const nameGap = 6
	columnNames, rowLabels := d.texts()
	d.LongestLabel, _ = canvas.Widest(rowLabels)
	for _, t := range d.tables {
		d.Room.Left = max(d.Room.Left, t.labelsWidth())
	}
	const noTitle = "" // the title of the colour scale can be below it
	leastWidth := max(minGridColumn*vg.Length(columns), d.scaleWidth(noTitle))
	d.LimitPanelsPerRow(leastWidth)
	dataWidth := d.DataWidth() // depends on the room at the left and the number of panels in a row
	_, widest := canvas.Widest(columnNames)
	d.rotated = widest+columnGap > dataWidth/vg.Length(columns)
	if d.rotated {
		d.Room.Above = nameGap + widest
	} else {
		d.Room.Above = nameGap + canvas.TickSize // height of a name
	}
	d.Room.Below = scaleHeight
	d.titleBelow = d.scaleWidth(d.colours.Title) > dataWidth
	if d.titleBelow {
		d.Room.Below += scaleLine
	}
}

// setHeight sets the heights of panels and rows, so that the page fits on a sheet of paper if possible. The
// argument rows is the number of rows in the largest table.
func (d *gridChart) setHeight(rows int) {
	around := d.HeadHeight() + d.Room.Above + d.Room.Below
	roomForRow := (d.MaxPanelHeight() - around) / vg.Length(rows)
	d.rowHeight = max(cmp.Or(d.leastRowHeight, minGridRow), min(maxGridRow, roomForRow))
	d.Height = around + d.rowHeight*vg.Length(rows)
	if d.isCrowded() {
		d.Remarks = append(d.Remarks, "the rows are too low for their labels and numbers: list fewer factors in "+
			"`rows`, select fewer cells with `where`, or move a factor to `page`")
	}
}

// isCrowded reports whether the rows are too low for their labels. writeRowLabels then omits labels.
func (d *gridChart) isCrowded() bool { return d.rowHeight < canvas.TickSize }

// texts returns the column names of all tables, and the labels beside the rows: factors and their levels.
func (d *gridChart) texts() (columnNames, rowLabels []string) {
	for _, t := range d.tables {
		for _, column := range t.columns {
			columnNames = append(columnNames, column.name)
		}
		rowLabels = append(rowLabels, slices.Concat(t.levels...)...)
		rowLabels = append(rowLabels, t.factors...)
	}
	return columnNames, rowLabels
}

// labelColumnWidths returns the width of each column of row labels, including the gap after the column.
func (t *gridTable) labelColumnWidths() (widths []vg.Length) {
	sty := canvas.TickText()
	for j, head := range t.factors {
		width := sty.Width(head)
		for _, row := range t.levels {
			width = max(width, sty.Width(row[j]))
		}
		widths = append(widths, width+labelGap)
	}
	return widths
}

func (t *gridTable) labelsWidth() (sum vg.Length) {
	for _, width := range t.labelColumnWidths() {
		sum += width
	}
	return sum
}

// drawTable draws the coloured table in panel i, with its labels, frames and colour scale. It writes numbers
// only if all of them fit.
func (d *gridChart) drawTable(c draw.Canvas, _ *plot.Plot, i int) {
	t := &d.tables[i]
	d.writeRowLabels(c, t)
	d.writeColumnNames(c, t)
	columnWidth := c.Size().X / vg.Length(max(len(t.columns), 1))
	format := d.fittingFormat(t, columnWidth)
	colourRange := d.colours.RangeOf(i)
	for r, row := range t.entries {
		for k, e := range row {
			if math.IsNaN(e.value) {
				continue // an entry without a value stays white
			}
			canvas.Annotate(c, d.entryAnnotation(t, r, k), func() {
				drawEntry(d.entryArea(c, t, r, k), colourRange, e.value, format)
			})
		}
	}
	d.drawFrames(c, t) // after all entries, which would otherwise cover the frames
	bottom := c.Max.Y - d.rowHeight*vg.Length(len(t.entries))
	d.drawScale(c, bottom, colourRange)
}

// drawFrames draws each frame inside its entry: on the borders, two frames could appear to enclose the entry
// between them. The HTML report hides a frame together with the classifier of its entry.
func (d *gridChart) drawFrames(c draw.Canvas, t *gridTable) {
	const inset = 0.8
	for r, row := range t.entries {
		for k, e := range row {
			if e.framed {
				at := draw.Crop(d.entryArea(c, t, r, k), inset, -inset, inset, -inset)
				width := min(inset, d.rowHeight/10) // narrower frames in low rows
				canvas.Annotate(c, canvas.Annotation{Series: t.columns[k].id}, func() {
					canvas.StrokeRectangle(c, canvas.Line(canvas.Black, width), at.Min.X, at.Min.Y, at.Max.X, at.Max.Y)
				})
			}
		}
	}
}

func (d *gridChart) entryAnnotation(t *gridTable, r, k int) canvas.Annotation {
	g, column := &t.groups[r], t.columns[k]
	where := joinNonEmpty(", ", t.title, d.panelTitle(g))
	var lines []string
	if column.name != d.Label(column.id) { // the column shows a value of a tuned parameter
		lines = append(lines, column.name)
	}
	e := t.entries[r][k]
	if e.hover == nil {
		lines = append(lines, d.colours.Title+": "+d.format(e.value))
	}
	return d.annotation(column.id, where, g.Cells, append(lines, e.hover...)...)
}

// entryArea returns the part of the canvas that the entry in row r and column k occupies.
func (d *gridChart) entryArea(c draw.Canvas, t *gridTable, r, k int) draw.Canvas {
	width := c.Size().X / vg.Length(len(t.columns))
	left, top := c.Min.X+width*vg.Length(k), c.Max.Y-d.rowHeight*vg.Length(r)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: left, Y: top - d.rowHeight}, Max: vg.Point{X: left + width, Y: top}}
	return c
}

// writeColumnNames writes the names of the columns above the table.
func (d *gridChart) writeColumnNames(c draw.Canvas, t *gridTable) {
	sty := canvas.TickText()
	for k, column := range t.columns {
		middle := c.Min.X + c.Size().X/vg.Length(len(t.columns))*(vg.Length(k)+0.5)
		canvas.Annotate(c, canvas.Annotation{Series: column.id}, func() {
			if d.rotated {
				sty.Rotation, sty.YAlign = math.Pi/2, draw.YCenter
				c.FillText(sty, vg.Point{X: middle, Y: c.Max.Y + 3}, column.name)
				return
			}
			sty.XAlign = draw.XCenter
			canvas.WriteText(c, sty, middle, c.Max.Y+nameHeight, column.name)
		})
	}
}

// writeRowLabels writes the factor levels to the left of each row. It omits repeated levels and overlapping
// labels.
func (d *gridChart) writeRowLabels(c draw.Canvas, t *gridTable) {
	sty := canvas.TickText()
	x := c.Min.X - t.labelsWidth()
	for j, width := range t.labelColumnWidths() {
		canvas.WriteText(c, sty, x, c.Max.Y+nameHeight, t.factors[j])
		lastY := vg.Length(math.Inf(1))
		for r, row := range t.levels { // row[j] is the level of factor j
			y := c.Max.Y - d.rowHeight*(vg.Length(r)+0.5)
			overlaps := lastY-y < canvas.TickSize
			if t.repeats(r, j) || overlaps {
				continue
			}
			canvas.WriteText(c, sty, x, y, row[j])
			lastY = y
		}
		x += width
	}
}

// fittingFormat returns a format with which all values fit into columns of the given width, or nil if there is
// none.
func (d *gridChart) fittingFormat(t *gridTable, width vg.Length) func(float64) string {
	formats := []func(float64) string{d.format}
	if d.isPercent {
		formats = append(formats, func(v float64) string { return sheet.Fixed(v, 0) })
	}
	sty := canvas.TickText()
	for _, format := range formats {
		tooWide := func(v float64) bool { return sty.Width(format(v)) >= width-1 }
		if d.rowHeight >= maxGridRow && !slices.ContainsFunc(t.finiteValues(), tooWide) {
			return format
		}
	}
	return nil
}

// drawEntry fills the canvas with the colour of a value. It also writes the value unless format is nil.
func drawEntry(c draw.Canvas, s panels.Range, value float64, format func(float64) string) {
	clr, ink := heatColour((value - s.Low) / max(s.High-s.Low, math.SmallestNonzeroFloat64))
	canvas.FillRectangle(c, clr, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	if format != nil {
		sty := canvas.TickText()
		sty.XAlign, sty.Color = draw.XCenter, ink
		canvas.WriteText(c, sty, c.Center().X, c.Center().Y, format(value))
	}
}

// heatColour returns a colour, and black or white for text on it. share is the position of the value in its
// range, from 0 to 1.
func heatColour(share float64) (clr, ink color.NRGBA) {
	clr = canvas.Tint(canvas.Palette[0], 0.06+0.94*max(0, min(1, share)))
	return clr, canvas.TextColour(clr)
}

// scaleWidth returns the smallest width of a colour scale with the given title beside it.
func (d *gridChart) scaleWidth(title string) (room vg.Length) {
	for _, s := range d.colours.Ranges {
		room = max(room, minScaleWidth+d.scaleTextWidth(s, title))
	}
	return room
}

// scaleTextWidth returns the width of the labels beside a colour scale, including gaps.
func (d *gridChart) scaleTextWidth(s panels.Range, title string) vg.Length {
	return canvas.KeyStyle().Width(d.format(s.Low)+d.format(s.High)+"    "+title) + 2*scaleGap
}

// drawScale draws a colour scale below a table whose lower edge is bottom. The scale begins at the left edge of
// the table or, if it is wider than the table, ends at the right edge.
func (d *gridChart) drawScale(c draw.Canvas, bottom vg.Length, s panels.Range) {
	const height, mostWidth, gapAbove = vg.Length(7), vg.Length(110), vg.Length(9)
	top := bottom - gapAbove
	middle := top - height/2
	write := func(x vg.Length, text string) {
		canvas.WriteText(c, canvas.KeyStyle(), x, middle, text)
	}
	titleBeside := d.colours.Title
	if d.titleBelow {
		titleBeside = ""
		d.writeScaleTitle(c, middle-scaleLine)
	}
	roomForBar := c.Size().X - d.scaleTextWidth(s, titleBeside)
	missingRoom := max(0, minScaleWidth-roomForBar)
	start := c.Min.X - missingRoom // the scale then ends at the right edge of the table
	low, high := d.format(s.Low), d.format(s.High)
	if s.Low == s.High { // one colour and one value
		clr, _ := heatColour(0)
		canvas.FillRectangle(c, clr, start, top-height, start+minScaleWidth, top)
		write(start+minScaleWidth+scaleGap, low+"  "+titleBeside)
		return
	}
	write(start, low)
	left := start + canvas.KeyStyle().Width(low) + scaleGap
	width := max(minScaleWidth, min(roomForBar, mostWidth))
	drawColours(c, left, width, top-height, top)
	write(left+width+scaleGap, high+"  "+titleBeside)
}

// writeScaleTitle writes the title of a colour scale at height y, in the same horizontal position as the scale.
func (d *gridChart) writeScaleTitle(c draw.Canvas, y vg.Length) {
	sty, title := canvas.KeyStyle(), d.colours.Title
	start := min(c.Min.X, c.Max.X-sty.Width(title))
	canvas.WriteText(c, sty, start, y, title)
}

// drawColours draws a bar of all colours of a scale, from low to high values.
func drawColours(c draw.Canvas, left, width, bottom, top vg.Length) {
	const steps = 40 // number of different colours
	for k := range steps {
		clr, _ := heatColour((float64(k) + 0.5) / steps)
		from := left + width*vg.Length(k)/steps
		// Each rectangle extends to the right end of the bar, so there are no gaps between the colours.
		canvas.FillRectangle(c, clr, from, bottom, left+width, top)
	}
}
