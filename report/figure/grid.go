package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
)

// A gridChart is a page of coloured tables. A table has a row for each group of cells, with the
// factor levels of the group at the left. A colour scale is below the table.
type gridChart struct {
	*request
	panels.Page
	tables  []gridTable
	value   string               // what the colours show; written beside the colour scale
	format  func(float64) string // formats a value
	percent bool                 // values are percentages; narrow columns show them without decimals
	spans   []panels.Span        // range of the colours: one for all tables, or one for each table
	row     vg.Length            // height of a row
}

// A gridTable is the content of one panel.
type gridTable struct {
	title   string
	heads   []string     // labels of the factors of the rows
	labels  [][]string   // by row, the level of each factor
	groups  []view.Group // by row
	columns []gridColumn
	entries [][]gridEntry // by row and column
}

// A gridColumn has a name and the id of the classifier whose results it shows.
type gridColumn struct{ name, id string }

// A gridEntry is a value of a coloured table; NaN means that there is no value. A frame may mark
// it.
type gridEntry struct {
	value  float64
	framed bool
}

// newGridTable returns a table with a row for each group of cells. Its entries are still empty.
func (r *request) newGridTable(title string, factors []string, groups []view.Group, columns []gridColumn) gridTable {
	t := gridTable{title: title, heads: r.factorLabels(factors), groups: groups, columns: columns}
	for i := range groups {
		t.labels = append(t.labels, r.LevelLabels(factors, groups[i].Levels))
	}
	return t
}

// finite returns the values of the table that are not NaN.
func (t *gridTable) finite() (values []float64) {
	for _, e := range slices.Concat(t.entries...) {
		if !math.IsNaN(e.value) {
			values = append(values, e.value)
		}
	}
	return values
}

// Sizes in points. gridRow is the height of a row that shows numbers, gridLeast the smallest height
// of a row that shows only colours, gridColumnWidth the smallest width of a column. scaleRoom is
// the height of the colour scale below a table, scaleLong its smallest width, scaleGap its distance
// from the texts beside it. labelGap separates columns of labels.
const (
	gridRow, gridLeast   = vg.Length(11), vg.Length(3)
	gridColumnWidth      = vg.Length(9)
	scaleRoom, scaleLong = vg.Length(24), vg.Length(20)
	scaleGap             = vg.Length(4)
	labelGap             = vg.Length(8)
)

// fit makes room for the labels of rows, the names of columns and the colour scales. It makes rows
// as high as a sheet of paper allows, but not higher than gridRow.
func (d *gridChart) fit() {
	const nameGap = 6       // below the names of columns, which are rotated by 90 degrees
	rows, columns := 1, 1   // largest numbers in a table
	longest := vg.Length(0) // width of the longest name of a column
	for _, t := range d.tables {
		d.Titles = append(d.Titles, t.title)
		d.X.Spans = append(d.X.Spans, panels.Span{Low: 0, High: float64(len(t.columns))})
		rows, columns = max(rows, len(t.entries)), max(columns, len(t.columns))
		d.Room.Left = max(d.Room.Left, t.labelsWidth())
		for _, column := range t.columns {
			longest = max(longest, canvas.Text(canvas.TickSize).Width(column.name))
		}
	}
	d.X.Hidden = true
	d.Y = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: float64(rows)}}}
	d.Room.Above, d.Room.Below, d.Marks = longest+nameGap, scaleRoom, d.panel
	d.FitWidth(max(gridColumnWidth*vg.Length(columns), d.scaleWidth()))
	around := d.HeadHeight() + d.Room.Above + d.Room.Below
	d.row = max(gridLeast, min(gridRow, (d.SheetRow()-around)/vg.Length(rows)))
	d.Height = around + d.row*vg.Length(rows)
}

// widths returns the width of each column of row labels, including the gap after it.
func (t *gridTable) widths() (widths []vg.Length) {
	sty := canvas.Text(canvas.TickSize)
	for j, head := range t.heads {
		width := sty.Width(head)
		for _, row := range t.labels {
			width = max(width, sty.Width(row[j]))
		}
		widths = append(widths, width+labelGap)
	}
	return widths
}

// labelsWidth returns the total width of the columns of row labels.
func (t *gridTable) labelsWidth() (sum vg.Length) {
	for _, width := range t.widths() {
		sum += width
	}
	return sum
}

// span returns the range of values that the colours of table i represent.
func (d *gridChart) span(i int) panels.Span { return d.spans[min(i, len(d.spans)-1)] }

// panel draws table i with its labels, names and colour scale.
func (d *gridChart) panel(c draw.Canvas, _ *plot.Plot, i int) {
	t := &d.tables[i]
	d.writeLabels(c, t)
	d.writeNames(c, t)
	format := d.fittingFormat(t, c.Size().X/vg.Length(max(len(t.columns), 1)))
	for r, row := range t.entries {
		for k, e := range row {
			if math.IsNaN(e.value) {
				continue // an entry without a value stays white
			}
			canvas.Marked(c, d.entryMark(t, r, k), func() {
				drawEntry(d.area(c, t, r, k), d.span(i), e.value, format)
			})
		}
	}
	d.drawFrames(c, t) // after all entries, which would cover the frames
	bottom := c.Max.Y - d.row*vg.Length(len(t.entries))
	d.drawScale(c, bottom, d.span(i))
}

// drawFrames draws a frame around each entry that is framed.
func (d *gridChart) drawFrames(c draw.Canvas, t *gridTable) {
	for r, row := range t.entries {
		for k, e := range row {
			if e.framed {
				at := d.area(c, t, r, k)
				canvas.StrokeBox(c, canvas.Black, vg.Points(0.8), at.Min.X, at.Min.Y, at.Max.X, at.Max.Y)
			}
		}
	}
}

// entryMark returns what the report page shows when a reader points at the entry in row r and
// column k.
func (d *gridChart) entryMark(t *gridTable, r, k int) canvas.Mark {
	g, column := &t.groups[r], t.columns[k]
	where := strings.TrimPrefix(t.title+", "+d.panelTitle(g), ", ")
	lines := []string{d.value + ": " + d.format(t.entries[r][k].value)}
	if column.name != d.Label(column.id) {
		lines = []string{column.name, lines[0]}
	}
	return d.mark(column.id, where, g.Cells, lines...)
}

// area returns the part of the canvas for the entry in row r and column k.
func (d *gridChart) area(c draw.Canvas, t *gridTable, r, k int) draw.Canvas {
	width := c.Size().X / vg.Length(len(t.columns))
	left, top := c.Min.X+width*vg.Length(k), c.Max.Y-d.row*vg.Length(r)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: left, Y: top - d.row}, Max: vg.Point{X: left + width, Y: top}}
	return c
}

// writeNames writes the names of the columns above the table, rotated by 90 degrees.
func (d *gridChart) writeNames(c draw.Canvas, t *gridTable) {
	sty := canvas.Text(canvas.TickSize)
	sty.Rotation, sty.YAlign = math.Pi/2, draw.YCenter
	for k, column := range t.columns {
		middle := c.Min.X + c.Size().X/vg.Length(len(t.columns))*(vg.Length(k)+0.5)
		canvas.Marked(c, canvas.Mark{Series: column.id}, func() {
			c.FillText(sty, vg.Point{X: middle, Y: c.Max.Y + 3}, column.name)
		})
	}
}

// writeLabels writes the levels of each row at the left of the table. It writes a level only if the
// level or a level to its left differs from the row above, and if the text does not touch the label
// above it.
func (d *gridChart) writeLabels(c draw.Canvas, t *gridTable) {
	sty := canvas.Text(canvas.TickSize)
	x := c.Min.X - t.labelsWidth()
	for j, width := range t.widths() {
		canvas.FillMiddle(c, sty, vg.Point{X: x, Y: c.Max.Y + 6}, t.heads[j])
		above := vg.Length(math.Inf(1))
		for r, row := range t.labels {
			y := c.Max.Y - d.row*(vg.Length(r)+0.5)
			repeated := r > 0 && slices.Equal(row[:j+1], t.labels[r-1][:j+1])
			if repeated || above-y < canvas.TickSize {
				continue
			}
			canvas.FillMiddle(c, sty, vg.Point{X: x, Y: y}, row[j])
			above = y
		}
		x += width
	}
}

// fittingFormat returns the first number format for which all values of the table fit into columns
// of this width, or nil if no format fits.
func (d *gridChart) fittingFormat(t *gridTable, width vg.Length) func(float64) string {
	formats := []func(float64) string{d.format}
	if d.percent {
		formats = append(formats, func(v float64) string { return sheet.Fixed(v, 0) })
	}
	sty := canvas.Text(canvas.TickSize)
	for _, format := range formats {
		tooWide := func(v float64) bool { return sty.Width(format(v)) >= width-1 }
		if d.row >= gridRow && !slices.ContainsFunc(t.finite(), tooWide) {
			return format
		}
	}
	return nil
}

// drawEntry fills an area with the colour of a value and writes the value into it. If format is
// nil, it writes no value.
func drawEntry(c draw.Canvas, s panels.Span, value float64, format func(float64) string) {
	clr, ink := heat((value - s.Low) / max(s.High-s.Low, math.SmallestNonzeroFloat64))
	canvas.FillBox(c, clr, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	if format != nil {
		sty := canvas.Text(canvas.TickSize)
		sty.XAlign, sty.Color = draw.XCenter, ink
		canvas.FillMiddle(c, sty, c.Center(), format(value))
	}
}

// heat returns the colour for a share of the value range, from 0 to 1, and black or white for text
// on that colour.
func heat(share float64) (clr, ink color.NRGBA) {
	clr = canvas.Tint(canvas.Palette[0], 0.06+0.94*max(0, min(1, share)))
	return clr, canvas.Ink(clr)
}

// scaleWidth returns the smallest width that a table needs for its colour scale.
func (d *gridChart) scaleWidth() (room vg.Length) {
	for _, s := range d.spans {
		room = max(room, scaleLong+d.scaleWords(s, ""))
	}
	return room
}

// scaleWords returns the width of the texts beside a colour scale: its two end values and the
// title, with gaps.
func (d *gridChart) scaleWords(s panels.Span, title string) vg.Length {
	return canvas.KeyStyle().Width(d.format(s.Low)+d.format(s.High)+"    "+title) + 2*scaleGap
}

// drawScale draws the colour scale of range s below a table whose lower edge is at bottom. It
// writes the name of the value only if there is room for it; the caption also states it.
func (d *gridChart) drawScale(c draw.Canvas, bottom vg.Length, s panels.Span) {
	const steps, height, most = 40, vg.Length(7), vg.Length(110) // most: the largest width
	title := d.value
	if c.Size().X-d.scaleWords(s, title) < scaleLong {
		title = ""
	}
	width := max(scaleLong, min(most, c.Size().X-d.scaleWords(s, title)))
	sty, low := canvas.KeyStyle(), d.format(s.Low)
	left, top := c.Min.X+sty.Width(low)+scaleGap, bottom-9
	middle := top - height/2
	canvas.FillMiddle(c, sty, vg.Point{X: c.Min.X, Y: middle}, low)
	for k := range steps {
		clr, _ := heat((float64(k) + 0.5) / steps)
		from := left + width*vg.Length(k)/steps
		canvas.FillBox(c, clr, from, top-height, left+width, top) // the next step covers the rest
	}
	canvas.FillMiddle(c, sty, vg.Point{X: left + width + scaleGap, Y: middle}, d.format(s.High)+"  "+title)
}
