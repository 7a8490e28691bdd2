package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/stats/records"
)

// A rowChart is a page of panels with a row for each classifier, the first at the top. Names are at the
// left of the rows: once for each line of panels if all panels have the same classifiers, else in every
// panel.
type rowChart struct {
	*request
	panels.Page
	contents []rowPanel
}

// A rowPanel is the content of one panel.
type rowPanel struct {
	title  string
	cells  []records.Cell // behind the rows
	dashed float64        // value at which a dashed line crosses the rows; NaN: no line
	rows   []row
}

// A row shows the results of one classifier.
type row struct {
	id     string
	values []float64 // that the horizontal axis includes
	note   string    // at the right of the row
	hover  []string  // lines that report.html shows for the row
	draw   rowGeom   // nil: the classifier has no result
}

// A rowGeom draws the marks of a row around height y; x returns the place of a value.
type rowGeom func(c draw.Canvas, x func(value float64) vg.Length, y vg.Length)

// newRowChart returns a page of panels; x is their horizontal axis, which includes all values if it has no
// spans yet. Its title is written once, below all panels.
func newRowChart(r *request, x panels.Scale, contents []rowPanel) *rowChart {
	d := &rowChart{request: r, Page: r.page(), contents: contents}
	for _, content := range contents {
		d.Titles = append(d.Titles, content.title)
	}
	d.X, d.Y.Hidden, d.Marks = x, true, d.panel
	d.X.Title, d.Bottom = "", x.Title
	if d.X.Spans == nil {
		d.X.Hold(d.values(), r.o.free())
	}
	d.fit()
	return d
}

// values returns the values that the axis of each panel includes.
func (d *rowChart) values() [][]float64 {
	list := make([][]float64, len(d.contents))
	for i, content := range d.contents {
		if !math.IsNaN(content.dashed) {
			list[i] = append(list[i], content.dashed)
		}
		for _, r := range content.rows {
			list[i] = append(list[i], r.values...)
		}
	}
	return list
}

// Sizes in points: the height of a row, and the gaps between a row and its name and note.
const (
	rowHeight        = vg.Length(14)
	nameGap, noteGap = vg.Length(6), vg.Length(4)
)

// fit makes room for names, notes and rows. A page that would be higher than a sheet of paper gets more
// panels beside one another, if the study does not set their number, and then lower rows.
func (d *rowChart) fit() {
	const leastRight = 8 // half of the last tick's label
	d.Y.Spans = []panels.Span{{Low: 0, High: float64(d.most())}}
	names, notes := d.widths()
	if d.sameRows() {
		d.Room.Before = names + nameGap
	} else {
		d.Room.Left = names + nameGap
	}
	d.Room.Right = max(notes+noteGap, leastRight)
	d.FitWidth(0)
	for d.o.PerRow == 0 && d.roomForRow() < panels.LineHeight && d.PerRow < len(d.Titles) {
		d.PerRow++
		if !d.Wide(0) {
			d.PerRow--
			break
		}
	}
	height := max(panels.LineHeight, min(rowHeight, d.roomForRow()))
	d.Height = d.around() + height*vg.Length(d.most())
}

// roomForRow returns the height that a sheet of paper has for each row.
func (d *rowChart) roomForRow() vg.Length { return (d.SheetRow() - d.around()) / vg.Length(d.most()) }

// around returns the height of a panel without its rows.
func (d *rowChart) around() vg.Length {
	if d.X.Hidden {
		return d.HeadHeight()
	}
	const labels = panels.BelowAxis - canvas.AxisTitle // of the axis
	return d.HeadHeight() + labels
}

// most returns the number of rows of the panel that has most.
func (d *rowChart) most() int {
	most := 1
	for _, content := range d.contents {
		most = max(most, len(content.rows))
	}
	return most
}

// sameRows reports whether all panels have rows of the same classifiers.
func (d *rowChart) sameRows() bool {
	sameID := func(a, b row) bool { return a.id == b.id }
	return !slices.ContainsFunc(d.contents, func(content rowPanel) bool {
		return !slices.EqualFunc(content.rows, d.contents[0].rows, sameID)
	})
}

// widths returns the widths of the longest name and of the longest note.
func (d *rowChart) widths() (names, notes vg.Length) {
	sty := canvas.Text(canvas.TickSize)
	for _, content := range d.contents {
		for _, r := range content.rows {
			names = max(names, sty.Width(d.Label(r.id)))
			notes = max(notes, sty.Width(r.note))
		}
	}
	return names, notes
}

// panel draws the dashed line of panel i, then its rows.
func (d *rowChart) panel(c draw.Canvas, p *plot.Plot, i int) {
	content := &d.contents[i]
	x := func(value float64) vg.Length { return c.X(p.X.Norm(value)) }
	if !math.IsNaN(content.dashed) {
		c.StrokeLine2(canvas.Dashed, x(content.dashed), c.Min.Y, x(content.dashed), c.Max.Y)
	}
	named := !d.sameRows() || i%d.Row() == 0
	height := c.Size().Y / vg.Length(d.most())
	for k, r := range content.rows {
		y := c.Max.Y - height*(vg.Length(k)+0.5)
		canvas.Marked(c, d.mark(r.id, d.Titles[i], content.cells, r.hover...), func() {
			if r.draw != nil {
				r.draw(c, x, y)
			}
			d.writeTexts(c, &r, y, named)
		})
	}
}

// writeTexts writes the note of a row and, if the row is named, the name of its classifier.
func (d *rowChart) writeTexts(c draw.Canvas, r *row, y vg.Length, named bool) {
	sty := canvas.Text(canvas.TickSize)
	canvas.FillMiddle(c, sty, vg.Point{X: c.Max.X + noteGap, Y: y}, r.note)
	if named {
		sty.XAlign = draw.XRight
		canvas.FillMiddle(c, sty, vg.Point{X: c.Min.X - nameGap, Y: y}, d.Label(r.id))
	}
}

// sketchDashed draws a piece of a dashed line in the key.
func sketchDashed(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(canvas.Dashed, at.X-canvas.KeySymbol/2, at.Y, at.X+canvas.KeySymbol/2, at.Y)
}
