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

// A gridChart is a page of coloured tables. Each table has a row for each group of cells. Factor
// levels are to the left of the rows, and a colour scale is below the table.
type gridChart struct {
	*request
	panels.Page
	tables  []gridTable
	colours panels.Scale         // title and ranges of the values
	format  func(float64) string // formats a value
	percent bool                 // values are percentages; narrow columns show them without decimals
	row     vg.Length            // height of a row
}

// A gridTable is the coloured table in one panel.
type gridTable struct {
	title   string
	heads   []string     // labels of the factors of the rows
	labels  [][]string   // by row, the level of each factor
	groups  []view.Group // by row
	columns []gridColumn
	entries [][]gridEntry // by row and column
}

// A gridColumn is a column of a coloured table: its name, and the id of the classifier whose results
// it shows.
type gridColumn struct{ name, id string }

// A gridEntry is an entry of a coloured table. NaN means that there is no value. An entry can have a
// frame.
type gridEntry struct {
	value  float64
	framed bool
}

// newGridTable returns an empty table with a row for each group of cells.
func (r *request) newGridTable(title string, groups []view.Group, columns []gridColumn) gridTable {
	t := gridTable{title: title, groups: groups, columns: columns}
	for _, g := range groups {
		t.heads = r.factorLabels(g.Factors)
		t.labels = append(t.labels, r.LevelLabels(g.Factors, g.Levels))
	}
	return t
}

func (t *gridTable) finite() (values []float64) {
	for _, e := range slices.Concat(t.entries...) {
		if !math.IsNaN(e.value) {
			values = append(values, e.value)
		}
	}
	return values
}

// Sizes in points.
const (
	gridRow         = vg.Length(11) // height of a row with numbers
	gridLeast       = vg.Length(3)  // smallest height of a row without numbers
	gridColumnWidth = vg.Length(9)  // smallest width of a column
	labelGap        = vg.Length(8)  // between columns of labels
	scaleRoom       = vg.Length(24) // height of the colour scale with its surroundings
	scaleLong       = vg.Length(20) // smallest width of the colour scale
	scaleGap        = vg.Length(4)  // between the colour scale and the texts beside it
)

// fit makes room for labels, names and colour scales. It chooses the height of rows so that the page
// fits on a sheet of paper, but at most gridRow.
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

// widths returns the width of each column of row labels, including the gap after the column.
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

func (t *gridTable) labelsWidth() (sum vg.Length) {
	for _, width := range t.widths() {
		sum += width
	}
	return sum
}

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
				drawEntry(d.area(c, t, r, k), d.colours.Span(i), e.value, format)
			})
		}
	}
	d.drawFrames(c, t) // after all entries, which would cover the frames
	bottom := c.Max.Y - d.row*vg.Length(len(t.entries))
	d.drawScale(c, bottom, d.colours.Span(i))
}

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

func (d *gridChart) entryMark(t *gridTable, r, k int) canvas.Mark {
	g, column := &t.groups[r], t.columns[k]
	where := strings.TrimPrefix(t.title+", "+d.panelTitle(g), ", ")
	lines := []string{d.colours.Title + ": " + d.format(t.entries[r][k].value)}
	if column.name != d.Label(column.id) {
		lines = []string{column.name, lines[0]}
	}
	return d.mark(column.id, where, g.Cells, lines...)
}

func (d *gridChart) area(c draw.Canvas, t *gridTable, r, k int) draw.Canvas {
	width := c.Size().X / vg.Length(len(t.columns))
	left, top := c.Min.X+width*vg.Length(k), c.Max.Y-d.row*vg.Length(r)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: left, Y: top - d.row}, Max: vg.Point{X: left + width, Y: top}}
	return c
}

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

// writeLabels writes the levels of each row to the left of the table. It omits a level if the row
// above has the same level and the same levels to its left. It also omits labels that would overlap
// the label above.
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

// fittingFormat returns a number format in which all values fit into columns of the given width, or
// nil if there is none.
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

// drawEntry fills a rectangle with the colour of a value. It also writes the value unless format is
// nil.
func drawEntry(c draw.Canvas, s panels.Span, value float64, format func(float64) string) {
	clr, ink := heat((value - s.Low) / max(s.High-s.Low, math.SmallestNonzeroFloat64))
	canvas.FillBox(c, clr, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	if format != nil {
		sty := canvas.Text(canvas.TickSize)
		sty.XAlign, sty.Color = draw.XCenter, ink
		canvas.FillMiddle(c, sty, c.Center(), format(value))
	}
}

// heat returns the colour for a value, and black or white for text on it. share is the position of the
// value within its range, from 0 to 1.
func heat(share float64) (clr, ink color.NRGBA) {
	clr = canvas.Tint(canvas.Palette[0], 0.06+0.94*max(0, min(1, share)))
	return clr, canvas.Ink(clr)
}

func (d *gridChart) scaleWidth() (room vg.Length) {
	for _, s := range d.colours.Spans {
		room = max(room, scaleLong+d.scaleWords(s, ""))
	}
	return room
}

// scaleWords returns the width of the texts beside a colour scale, including gaps.
func (d *gridChart) scaleWords(s panels.Span, title string) vg.Length {
	return canvas.KeyStyle().Width(d.format(s.Low)+d.format(s.High)+"    "+title) + 2*scaleGap
}

// drawScale draws the colour scale for the range s below a table that ends at height bottom. If there
// is no room for the title, only the caption states it.
func (d *gridChart) drawScale(c draw.Canvas, bottom vg.Length, s panels.Span) {
	const steps, height, most = 40, vg.Length(7), vg.Length(110) // most: the largest width
	title := d.colours.Title
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
