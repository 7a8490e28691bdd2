package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// heatDrawing is a page of tables in colour: a row per cell of the design, a column
// per classifier.
type heatDrawing struct {
	*view.View
	panels
	measure *view.Measure
	ids     []string
	cells   []heatPanel
	spans   []span // of the colours
	room    vg.Length
	rows    int          // of the panel that has most
	groups  []view.Group // of all rows
}

type heatPanel struct {
	labels [][]string  // of the rows, a label per factor
	heads  []string    // of the labels
	values [][]float64 // rows x classifiers; NaN: no result
	best   [][]int     // of each row, all that share the best mean
}

// Sizes of a row: with numbers, and the least without; and the least width of a column.
const heatRow, heatLeast, heatColumn = vg.Length(11), vg.Length(3), vg.Length(9)

func heatPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	h := heatDrawing{View: v, measure: m, ids: columns}
	if o.Shown == "rank" {
		h.ids = v.Compared(m, columns)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	var all [][]float64
	for i := range groups {
		panel, err := h.values(&groups[i], o)
		if err != nil {
			return canvas.Picture{}, err
		}
		h.titles, h.cells = append(h.titles, v.InWords(groups[i].Factors, groups[i].Levels)), append(h.cells, panel)
		h.rows = max(h.rows, len(panel.values))
		all = append(all, finite(panel.values))
	}
	h.spans = o.spans(all, func(values []float64) (low, high float64) {
		if len(values) == 0 {
			return 0, 1
		}
		return slices.Min(values), slices.Max(values)
	})
	h.panels = panels{options: o, count: len(groups), titles: h.titles, draw: h.panel}
	h.fewerPerRow(h.labelsRoom() + max(leastData, heatColumn*vg.Length(len(h.ids)), h.scaleRoom()))
	rows := (len(groups) + h.options.perRow(len(groups)) - 1) / h.options.perRow(len(groups))
	h.room = max(heatLeast, min(heatRow, (pageHeight/vg.Length(rows)-h.headRoom()-h.namesRoom()-heatKey)/vg.Length(h.rows)))
	h.height = h.headRoom() + h.namesRoom() + heatKey + h.room*vg.Length(h.rows)
	return h.picture(view.Caption(o.Caption, h.caption(), v.FailedFits(page.Cells, h.ids))), nil
}

// values fills one panel.
func (h *heatDrawing) values(g *view.Group, o Options) (heatPanel, error) {
	factors := o.Rows
	if len(factors) == 0 {
		factors = h.Varying(g.Cells)
	}
	rows, err := h.Groups(g.Cells, factors)
	if err != nil {
		return heatPanel{}, err
	}
	h.groups = append(h.groups, rows...)
	p := heatPanel{}
	for _, name := range factors {
		p.heads = append(p.heads, h.FactorLabel(name))
	}
	for i := range rows {
		pooled := h.Pool(&rows[i])
		means, tied := make([]float64, len(h.ids)), make([]float64, len(h.ids))
		for k, id := range h.ids {
			if means[k] = h.Summary(&rows[i], &pooled, h.measure, id).Mean; h.measure.LargerIsBetter() {
				means[k] = -means[k]
			}
			tied[k] = stats.Steps(means[k])
		}
		p.best = append(p.best, h.least(tied))
		switch {
		case o.Shown == "rank" && slices.ContainsFunc(means, math.IsNaN):
			means = slices.Repeat([]float64{math.NaN()}, len(means))
		case o.Shown == "rank":
			means, _ = stats.Midranks(tied)
		case h.measure.LargerIsBetter():
			for k := range means {
				means[k] = -means[k]
			}
		}
		p.values = append(p.values, means)
		p.labels = append(p.labels, h.LevelLabels(factors, rows[i].Levels))
	}
	return p, nil
}

// least are the positions of the smallest value among the classifiers that are
// compared.
func (h *heatDrawing) least(values []float64) (best []int) {
	family := h.Compared(h.measure, h.ids)
	for k, v := range values {
		switch {
		case math.IsNaN(v) || !slices.Contains(family, h.ids[k]):
		case best == nil || v < values[best[0]]:
			best = []int{k}
		case v == values[best[0]]:
			best = append(best, k)
		}
	}
	return best
}

func finite(rows [][]float64) []float64 {
	var all []float64
	for _, row := range rows {
		for _, v := range row {
			if !math.IsNaN(v) {
				all = append(all, v)
			}
		}
	}
	return all
}

func (h *heatDrawing) caption() string {
	replication := h.Replication(h.groups, h.measure, h.ids)
	words := fmt.Sprintf("Mean %s over %s", h.measure.Title(), replication)
	if h.options.Shown == "rank" {
		words = fmt.Sprintf("Rank of the mean %s over %s among the classifiers of a row (1 is best, ties share theirs)", h.measure.Name, replication)
	}
	words += " in each cell of the design; framed: the best of the row among those compared; darker is larger."
	if h.count > 1 && h.options.Scales == "free" {
		words += " Each panel has its own colours."
	}
	for _, p := range h.cells {
		if len(finite(p.values)) < len(p.values)*len(h.ids) {
			if h.options.Shown == "rank" {
				return words + " White: rows in which not all have a result, whose best is framed alone."
			}
			return words + " White: no result."
		}
	}
	return words
}

const heatScale = vg.Length(20) // least width of the scale of colours

const heatKey = vg.Length(24) // room for the scale of colours below a panel

// namesRoom is that for the names of the classifiers, upright.
func (h *heatDrawing) namesRoom() vg.Length {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	longest := vg.Length(0)
	for _, id := range h.ids {
		longest = max(longest, sty.Width(h.Label(id)))
	}
	return longest + 6
}

// panel draws one table.
func (h *heatDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	p, s := &h.cells[i], h.spans[i]
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	top := c.Max.Y - h.headRoom() - h.namesRoom()
	left := h.labels(c, p, top)
	wide := (c.Max.X - left) / vg.Length(len(h.ids))
	data := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: left, Y: top - h.room*vg.Length(len(p.values))}, Max: vg.Point{X: c.Max.X, Y: top}}}
	head := sty
	head.Rotation, head.YAlign = math.Pi/2, draw.YCenter
	for k, id := range h.ids {
		c.FillText(head, vg.Point{X: left + wide*(vg.Length(k)+0.5), Y: top + 3}, h.Label(id))
	}
	ink := heatInk{s, sty, h.numbers(p, wide, sty)}
	for r, row := range p.values {
		y := top - h.room*vg.Length(r)
		for k, value := range row {
			x := left + wide*vg.Length(k)
			ink.entry(c, value, vg.Rectangle{Min: vg.Point{X: x, Y: y - h.room}, Max: vg.Point{X: x + wide, Y: y}})
		}
	}
	for r, all := range p.best {
		for _, k := range all {
			x, y := left+wide*vg.Length(k), top-h.room*vg.Length(r)
			frame := []vg.Point{{X: x, Y: y}, {X: x + wide, Y: y}, {X: x + wide, Y: y - h.room}, {X: x, Y: y - h.room}, {X: x, Y: y}}
			c.StrokeLines(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8)}, frame)
		}
	}
	h.title(c, c.Min.X, i)
	h.scale(c, s, left, data.Min.Y)
	return data
}

// labelsRoom is the most that the labels of a panel's rows take.
func (h *heatDrawing) labelsRoom() (room vg.Length) {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	for _, p := range h.cells {
		sum := vg.Length(0)
		for j, head := range p.heads {
			wide := sty.Width(head)
			for _, row := range p.labels {
				wide = max(wide, sty.Width(row[j]))
			}
			sum += wide + 8
		}
		room = max(room, sum)
	}
	return room
}

// labels writes the levels of the rows, an outer one where it changes, and returns
// where the table begins.
func (h *heatDrawing) labels(c draw.Canvas, p *heatPanel, top vg.Length) vg.Length {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	x := c.Min.X
	for j, head := range p.heads {
		wide := sty.Width(head)
		canvas.FillMiddle(c, sty, vg.Point{X: x, Y: top + 6}, head)
		last := math.Inf(1)
		for r, row := range p.labels {
			wide = max(wide, sty.Width(row[j]))
			y := top - h.room*(vg.Length(r)+0.5)
			repeated := r > 0 && slices.Equal(row[:j+1], p.labels[r-1][:j+1])
			if repeated || last-float64(y) < canvas.TickSize { // no room
				continue
			}
			canvas.FillMiddle(c, sty, vg.Point{X: x, Y: y}, row[j])
			last = float64(y)
		}
		x += wide + 8
	}
	return x
}

// numbers is how the values of a panel are written, with the digits that all of them
// have room for; nil: there is none.
func (h *heatDrawing) numbers(p *heatPanel, wide vg.Length, sty text.Style) func(float64) string {
	fits := func(number func(float64) string) bool {
		return h.room >= heatRow && !slices.ContainsFunc(finite(p.values), func(v float64) bool { return sty.Width(number(v)) >= wide-1 })
	}
	whole := func(v float64) string { return sheet.Fixed(v, 0) }
	switch {
	case fits(h.number):
		return h.number
	case h.options.Shown != "rank" && h.measure.Unit == "%" && fits(whole):
		return whole
	}
	return nil
}

// heatInk is how the values of a panel are coloured and written.
type heatInk struct {
	span
	sty    text.Style
	number func(float64) string // nil: there is no room
}

// entry fills a rectangle with the colour of a value, and writes it there.
func (h *heatInk) entry(c draw.Canvas, value float64, r vg.Rectangle) {
	if math.IsNaN(value) {
		return
	}
	clr, ink := heat((value - h.low) / max(h.high-h.low, 1e-300))
	c.FillPolygon(clr, []vg.Point{{X: r.Min.X, Y: r.Max.Y}, r.Max, {X: r.Max.X, Y: r.Min.Y}, r.Min})
	if h.number != nil {
		sty := h.sty
		sty.XAlign, sty.Color = draw.XCenter, ink
		canvas.FillMiddle(c, sty, vg.Point{X: r.Min.X + r.Size().X/2, Y: r.Max.Y - r.Size().Y/2}, h.number(value))
	}
}

// number writes a value with one decimal of percentages, as in tables, else with three
// digits.
func (h *heatDrawing) number(value float64) string {
	switch {
	case h.options.Shown == "rank":
		return strconv.FormatFloat(value, 'g', -1, 64)
	case h.measure.Unit == "%":
		return sheet.Fixed(value, 1)
	}
	first := math.Floor(math.Log10(max(math.Abs(value), 1e-300))) // place of the first digit, 0: that of ones
	return sheet.Fixed(value, int(min(max(0, 2-first), 6)))
}

// heat is the colour of a share of the range and the ink that is read on it.
func heat(share float64) (clr, ink color.NRGBA) {
	clr = canvas.Tint(canvas.Palette[0], 0.06+0.94*max(0, min(1, share)))
	return clr, canvas.Ink(clr)
}

// scaleRoom is the least that the scale of any panel takes.
func (h *heatDrawing) scaleRoom() (room vg.Length) {
	for _, s := range h.spans {
		room = max(room, heatScale+canvas.KeyStyle().Width(h.number(s.low)+h.number(s.high)+"    ")+8)
	}
	return room
}

// scale draws the colours of the range below the table.
func (h *heatDrawing) scale(c draw.Canvas, s span, left, bottom vg.Length) {
	const steps, high = 40, vg.Length(7)
	sty := canvas.KeyStyle()
	words := h.measure.Title()
	if h.options.Shown == "rank" {
		words = "rank"
	}
	y := bottom - 9
	low, up := h.number(s.low), h.number(s.high)
	room := func() vg.Length { return min(110, c.Max.X-left-sty.Width(low+up+"    "+words)-8) }
	if room() < heatScale {
		words = "" // the caption has them
	}
	wide := max(heatScale, room())
	x := left
	canvas.FillMiddle(c, sty, vg.Point{X: x, Y: y - high/2}, low)
	x += sty.Width(low) + 4
	for k := range steps {
		clr, _ := heat((float64(k) + 0.5) / steps)
		from := x + wide*vg.Length(k)/steps
		to := from + wide/steps
		c.FillPolygon(clr, []vg.Point{{X: from, Y: y}, {X: to, Y: y}, {X: to, Y: y - high}, {X: from, Y: y - high}})
	}
	canvas.FillMiddle(c, sty, vg.Point{X: x + wide + 4, Y: y - high/2}, up+"  "+words)
}
