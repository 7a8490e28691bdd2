package figure

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A heatMap is a page of coloured tables: a row for each cell of the design, a column for each classifier.
type heatMap struct {
	*request
	panels.Page
	ids    []string
	family []string // classifiers that are compared: frames mark their best
	tables []heatTable
	spans  []panels.Span // of the colours
	row    vg.Length     // height of a row
	groups []view.Group  // of all rows
}

// A heatTable is the numbers of one panel.
type heatTable struct {
	heads  []string     // labels of the factors
	labels [][]string   // of the rows, a level of each factor
	groups []view.Group // the rows
	values [][]float64  // by row and classifier; NaN: no result
	best   [][]int      // the classifiers that share the best mean of each row
}

func heatPage(r *request, page view.Group) (drawn, error) {
	d := heatMap{request: r, Page: r.page(), ids: r.columns}
	if d.ranks() {
		d.ids = r.Compared(r.measure, r.columns)
	}
	d.family = r.Compared(r.measure, d.ids)
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	var values [][]float64
	for i := range groups {
		table, err := d.table(&groups[i])
		if err != nil {
			return drawn{}, err
		}
		d.Titles, d.tables = append(d.Titles, d.panelTitle(&groups[i])), append(d.tables, table)
		values = append(values, finite(table.values))
	}
	d.spans = panels.Spans(values, r.o.free(), extremes)
	d.fit()
	about := facts{"Measure": r.measure.Title(), "Metric": r.measure.Name, "Ranks": d.ranks(),
		"Replication": r.Replication(d.groups, r.measure, d.ids), "White": d.incomplete(),
		"Pooling": r.Pooling("Each row", d.groups), "Failed": r.FailedFits(page.Cells, d.ids)}
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// ranks reports whether ranks are shown instead of means.
func (d *heatMap) ranks() bool { return d.o.Shown == "rank" }

// extremes returns the range of values without any room beyond it.
func extremes(values []float64) panels.Span {
	if len(values) == 0 {
		return panels.Span{Low: 0, High: 1}
	}
	return panels.Span{Low: slices.Min(values), High: slices.Max(values)}
}

// table returns the numbers of a panel.
func (d *heatMap) table(panel *view.Group) (heatTable, error) {
	factors, groups, err := d.rows(panel.Cells)
	if err != nil {
		return heatTable{}, err
	}
	d.groups = append(d.groups, groups...)
	t := heatTable{heads: d.factorLabels(factors), groups: groups}
	for i := range groups {
		means := d.means(&groups[i])
		losses := d.losses(means)
		t.labels = append(t.labels, d.LevelLabels(factors, groups[i].Levels))
		t.best = append(t.best, d.least(losses))
		if d.ranks() {
			means = ranks(losses)
		}
		t.values = append(t.values, means)
	}
	return t, nil
}

// means returns the mean of each classifier in a group of cells; NaN: it has no result.
func (d *heatMap) means(g *view.Group) []float64 {
	pooled := d.Pool(g)
	means := make([]float64, len(d.ids))
	for k, id := range d.ids {
		means[k] = d.Summary(g, &pooled, d.measure, id).Mean
	}
	return means
}

// losses returns the means as losses, where smaller is better, in steps that make ties equal.
func (d *heatMap) losses(means []float64) []float64 {
	losses := make([]float64, len(means))
	for k, mean := range means {
		if d.measure.LargerIsBetter() {
			mean = -mean
		}
		losses[k] = stats.Steps(mean)
	}
	return losses
}

// ranks returns the midranks of losses; all are NaN if one is.
func ranks(losses []float64) []float64 {
	if slices.ContainsFunc(losses, math.IsNaN) {
		return slices.Repeat([]float64{math.NaN()}, len(losses))
	}
	ranks, _ := stats.Midranks(losses)
	return ranks
}

// least returns the classifiers with the smallest loss among those that are compared.
func (d *heatMap) least(losses []float64) (best []int) {
	for k, v := range losses {
		switch {
		case math.IsNaN(v) || !slices.Contains(d.family, d.ids[k]):
		case best == nil || v < losses[best[0]]:
			best = []int{k}
		case v == losses[best[0]]:
			best = append(best, k)
		}
	}
	return best
}

// finite returns the values of all rows that are numbers.
func finite(rows [][]float64) []float64 {
	return slices.DeleteFunc(slices.Concat(rows...), math.IsNaN)
}

// incomplete reports whether a table lacks a value.
func (d *heatMap) incomplete() bool {
	return slices.ContainsFunc(d.tables, func(t heatTable) bool {
		return len(finite(t.values)) < len(t.values)*len(d.ids)
	})
}

// Sizes in points: the height of a row with numbers and the least without, the least width of a column, the room for
// the colour scale below a table and its least width.
const (
	heatRow, heatLeast = vg.Length(11), vg.Length(3)
	heatColumn         = vg.Length(9)
	heatKey, heatScale = vg.Length(24), vg.Length(20)
)

// fit makes room for labels, names and the colour scale, and for as high rows as a sheet of paper has room for.
func (d *heatMap) fit() {
	most, longest := 1, vg.Length(0)
	for _, t := range d.tables {
		most = max(most, len(t.values))
		d.Room.Left = max(d.Room.Left, t.labelsWidth())
	}
	for _, id := range d.ids {
		longest = max(longest, canvas.Text(canvas.TickSize).Width(d.Label(id)))
	}
	d.X = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: float64(len(d.ids))}}}
	d.Y = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: float64(most)}}}
	d.Room.Above, d.Room.Below, d.Marks = longest+6, heatKey, d.panel
	d.FitWidth(max(heatColumn*vg.Length(len(d.ids)), d.scaleWidth()))
	around := d.HeadHeight() + d.Room.Above + d.Room.Below
	d.row = max(heatLeast, min(heatRow, (d.SheetRow()-around)/vg.Length(most)))
	d.Height = around + d.row*vg.Length(most)
}

// columnGap is the gap behind a column of labels.
const columnGap = vg.Length(8)

// widths returns the widths of the columns of labels, with their gaps.
func (t *heatTable) widths() (widths []vg.Length) {
	sty := canvas.Text(canvas.TickSize)
	for j, head := range t.heads {
		width := sty.Width(head)
		for _, row := range t.labels {
			width = max(width, sty.Width(row[j]))
		}
		widths = append(widths, width+columnGap)
	}
	return widths
}

// labelsWidth returns the room for all labels of the rows.
func (t *heatTable) labelsWidth() (sum vg.Length) {
	for _, width := range t.widths() {
		sum += width
	}
	return sum
}

// panel draws one table.
func (d *heatMap) panel(c draw.Canvas, _ *plot.Plot, i int) {
	t := &d.tables[i]
	d.labels(c, t)
	d.names(c)
	column := c.Size().X / vg.Length(len(d.ids))
	number := d.number(t, column)
	for r, row := range t.values {
		for k, value := range row {
			if !math.IsNaN(value) {
				canvas.Marked(c, d.entryMark(i, r, k), func() {
					d.entry(d.area(c, r, k), d.spans[min(i, len(d.spans)-1)], value, number)
				})
			}
		}
	}
	for r, best := range t.best {
		for _, k := range best {
			at := d.area(c, r, k)
			canvas.StrokeBox(c, canvas.Black, vg.Points(0.8), at.Min.X, at.Min.Y, at.Max.X, at.Max.Y)
		}
	}
	d.scale(c, c.Max.Y-d.row*vg.Length(len(t.values)), d.spans[min(i, len(d.spans)-1)])
}

// entryMark returns the mark of row r and classifier k of panel i.
func (d *heatMap) entryMark(i, r, k int) canvas.Mark {
	t := &d.tables[i]
	g, value := &t.groups[r], d.measure.Title()+": "+d.digits(t.values[r][k])
	if d.ranks() {
		value = "rank: " + d.digits(t.values[r][k])
	}
	where := strings.TrimPrefix(d.Titles[i]+", "+d.panelTitle(g), ", ")
	return d.mark(d.ids[k], where, g.Cells, value)
}

// area returns the place of row r and classifier k.
func (d *heatMap) area(c draw.Canvas, r, k int) *draw.Canvas {
	column := c.Size().X / vg.Length(len(d.ids))
	left, top := c.Min.X+column*vg.Length(k), c.Max.Y-d.row*vg.Length(r)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: left, Y: top - d.row}, Max: vg.Point{X: left + column, Y: top}}
	return &c
}

// names writes the names of the classifiers upright above their columns.
func (d *heatMap) names(c draw.Canvas) {
	sty := canvas.Text(canvas.TickSize)
	sty.Rotation, sty.YAlign = math.Pi/2, draw.YCenter
	for k, id := range d.ids {
		canvas.Marked(c, canvas.Mark{Series: id}, func() {
			c.FillText(sty, vg.Point{X: d.area(c, 0, k).Center().X, Y: c.Max.Y + 3}, d.Label(id))
		})
	}
}

// labels writes the levels of the rows before the table: each where it or an outer one changes, if there is room.
func (d *heatMap) labels(c draw.Canvas, t *heatTable) {
	sty := canvas.Text(canvas.TickSize)
	x := c.Min.X - t.labelsWidth()
	for j, width := range t.widths() {
		canvas.FillMiddle(c, sty, vg.Point{X: x, Y: c.Max.Y + 6}, t.heads[j])
		last := vg.Length(math.Inf(1))
		for r, row := range t.labels {
			y := d.area(c, r, 0).Center().Y
			repeated := r > 0 && slices.Equal(row[:j+1], t.labels[r-1][:j+1])
			if repeated || last-y < canvas.TickSize {
				continue
			}
			canvas.FillMiddle(c, sty, vg.Point{X: x, Y: y}, row[j])
			last = y
		}
		x += width
	}
}

// number returns the format of the numbers of a table, with the digits for which all have room; nil: they have none.
func (d *heatMap) number(t *heatTable, column vg.Length) func(float64) string {
	sty := canvas.Text(canvas.TickSize)
	fits := func(number func(float64) string) bool {
		tooWide := func(v float64) bool { return sty.Width(number(v)) >= column-1 }
		return d.row >= heatRow && !slices.ContainsFunc(finite(t.values), tooWide)
	}
	whole := func(v float64) string { return sheet.Fixed(v, 0) }
	switch {
	case fits(d.digits):
		return d.digits
	case !d.ranks() && d.measure.Unit == "%" && fits(whole):
		return whole
	}
	return nil
}

// digits writes percentages with one decimal, as tables do, and other means with three digits.
func (d *heatMap) digits(value float64) string {
	switch {
	case d.ranks():
		return strconv.FormatFloat(value, 'g', -1, 64)
	case d.measure.Unit == "%":
		return sheet.Fixed(value, 1)
	}
	first := math.Floor(math.Log10(max(math.Abs(value), 1e-300))) // place of the first digit; 0: ones
	return sheet.Fixed(value, int(min(max(0, 2-first), 6)))
}

// entry fills an area with the colour of a value and writes the value, unless number is nil.
func (d *heatMap) entry(c *draw.Canvas, s panels.Span, value float64, number func(float64) string) {
	clr, ink := heat((value - s.Low) / max(s.High-s.Low, 1e-300))
	canvas.FillBox(*c, clr, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	if number != nil {
		sty := canvas.Text(canvas.TickSize)
		sty.XAlign, sty.Color = draw.XCenter, ink
		canvas.FillMiddle(*c, sty, c.Center(), number(value))
	}
}

// heat returns the colour of a share of the range and the ink that is legible on it.
func heat(share float64) (clr, ink color.NRGBA) {
	clr = canvas.Tint(canvas.Palette[0], 0.06+0.94*max(0, min(1, share)))
	return clr, canvas.Ink(clr)
}

// scaleWidth returns the least width of the colour scales.
func (d *heatMap) scaleWidth() (room vg.Length) {
	for _, s := range d.spans {
		room = max(room, heatScale+d.scaleWords(s, "")+8)
	}
	return room
}

// scaleWords returns the width of the words at both ends of a colour scale, with gaps.
func (d *heatMap) scaleWords(s panels.Span, title string) vg.Length {
	return canvas.KeyStyle().Width(d.digits(s.Low) + d.digits(s.High) + "    " + title)
}

// scale draws the colours of the range below a table that ends at bottom.
func (d *heatMap) scale(c draw.Canvas, bottom vg.Length, s panels.Span) {
	const steps, height, most = 40, vg.Length(7), vg.Length(110)
	title := d.measure.Title()
	if d.ranks() {
		title = "rank"
	}
	room := func() vg.Length { return min(most, c.Size().X-d.scaleWords(s, title)-8) }
	if room() < heatScale {
		title = "" // the caption has it
	}
	width := max(heatScale, room())
	low := d.digits(s.Low)
	x, y := c.Min.X+canvas.KeyStyle().Width(low)+4, bottom-9
	canvas.FillMiddle(c, canvas.KeyStyle(), vg.Point{X: c.Min.X, Y: y - height/2}, low)
	for k := range steps {
		clr, _ := heat((float64(k) + 0.5) / steps)
		from := x + width*vg.Length(k)/steps
		canvas.FillBox(c, clr, from, y-height, from+width/steps, y)
	}
	canvas.FillMiddle(c, canvas.KeyStyle(), vg.Point{X: x + width + 4, Y: y - height/2}, d.digits(s.High)+"  "+title)
}
