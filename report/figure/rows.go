package figure

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
)

// A rowChart is a page of panels with a row for each classifier, from the top, and its name before it. Where all
// panels have the same classifiers, the names stand once, before each row of panels.
type rowChart struct {
	*request
	panels.Page
	ids  [][]string // of the classifiers, by panel
	row  func(data draw.Canvas, p *plot.Plot, i, k int, y vg.Length)
	told func(i, k int) canvas.Mark // what a page shows of row k of panel i
}

// newRowChart returns an empty page of rows, whose values run along the horizontal scale.
func newRowChart(r *request, x panels.Scale) *rowChart {
	d := &rowChart{request: r, Page: r.page()}
	d.X, d.Y.Hidden, d.Marks = x, true, d.panel
	return d
}

// add adds a panel.
func (d *rowChart) add(title string, ids []string) {
	d.Titles, d.ids = append(d.Titles, title), append(d.ids, ids)
}

// nameGap is the gap between a name and the data.
const nameGap = vg.Length(6)

// fit makes room for the names and for rows of this height.
func (d *rowChart) fit(row vg.Length) {
	d.fitNames()
	d.FitWidth(0)
	d.Height = d.around() + row*vg.Length(d.most())
}

// fitNames makes room for the names.
func (d *rowChart) fitNames() {
	d.Y.Spans = []panels.Span{{Low: 0, High: float64(d.most())}}
	room := d.longestName() + nameGap
	if d.sameRows() {
		d.Room.Before = room
	} else {
		d.Room.Left = room
	}
}

// around returns the height of a panel without its rows.
func (d *rowChart) around() vg.Length {
	if d.X.Hidden {
		return d.HeadHeight()
	}
	return d.HeadHeight() + panels.BelowAxis
}

// most returns the number of rows of the panel that has most.
func (d *rowChart) most() int {
	most := 1
	for _, ids := range d.ids {
		most = max(most, len(ids))
	}
	return most
}

// sameRows reports whether all panels have the same rows.
func (d *rowChart) sameRows() bool {
	return !slices.ContainsFunc(d.ids, func(ids []string) bool { return !slices.Equal(ids, d.ids[0]) })
}

// longestName returns the width of the longest name.
func (d *rowChart) longestName() (longest vg.Length) {
	for _, ids := range d.ids {
		for _, id := range ids {
			longest = max(longest, canvas.Text(canvas.TickSize).Width(d.Label(id)))
		}
	}
	return longest
}

// panel draws the rows of panel i.
func (d *rowChart) panel(c draw.Canvas, p *plot.Plot, i int) {
	names := canvas.Text(canvas.TickSize)
	names.XAlign = draw.XRight
	height := c.Size().Y / vg.Length(d.most())
	for k, id := range d.ids[i] {
		y := c.Max.Y - height*(vg.Length(k)+0.5)
		canvas.Marked(c, d.told(i, k), func() {
			if !d.sameRows() || i%d.Row() == 0 {
				canvas.FillMiddle(c, names, vg.Point{X: c.Min.X - nameGap, Y: y}, d.Label(id))
			}
			d.row(c, p, i, k, y)
		})
	}
}
