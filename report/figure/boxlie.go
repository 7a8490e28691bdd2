package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// lyingLine is from one lying box to the next where there is room.
const lyingLine = vg.Length(14)

// lie draws the boxes horizontally on such a page: names before each row of panels,
// numbers of results behind each panel. As the names stand there once, three panels or
// more go beside one another where the page would be too high otherwise.
func (b *boxDrawing) lie(page panels) {
	b.panels, b.lying, b.indent = page, true, 0
	if b.aside > 0 || b.counted() { // what stands beside a title ends before the counts
		b.aside += b.countsRoom()
	}
	b.names, b.beside, b.draw = b.longestName()+6, len(b.ids)+1, b.lyingPanel
	least := b.countsRoom() + max(leastData, canvas.Style(canvas.Face(canvas.LabelSize)).Width(b.measure.Title()))
	b.fewerPerRow(least)
	if page.options.Height > 0 {
		return
	}
	line := b.lyingRoom()
	for page.options.PerRow == 0 && line < nameLine && b.options.PerRow < b.count {
		b.options.PerRow++
		if b.width() < least {
			b.options.PerRow--
			break
		}
		line = b.lyingRoom()
	}
	b.height = b.aroundLying() + max(nameLine, min(lyingLine, line))*vg.Length(len(b.ids))
}

// lyingRoom is what a page has for each box with its gap.
func (b *boxDrawing) lyingRoom() vg.Length {
	perRow := b.options.PerRow
	rows := vg.Length((b.count + perRow - 1) / perRow)
	return ((pageHeight-canvas.PanelGap*(rows-1))/rows - b.aroundLying()) / vg.Length(len(b.ids))
}

// aroundLying is the height of a panel less that of its data.
func (b *boxDrawing) aroundLying() vg.Length { return max(titleRoom, b.headRoom()) + belowAxis }

// A countColumn is numbers beside lying boxes.
type countColumn struct {
	head  string
	of    func(*boxItem) int
	width vg.Length
}

// countColumns are those that the page has.
func (b *boxDrawing) countColumns() []countColumn {
	var columns []countColumn
	add := func(there bool, head string, of func(*boxItem) int) {
		if !there {
			return
		}
		sty := canvas.Style(canvas.Face(canvas.NoteSize))
		width := sty.Width(head)
		for i := range b.cells {
			for k := range b.cells[i].boxes {
				width = max(width, sty.Width(strconv.Itoa(of(&b.cells[i].boxes[k]))))
			}
		}
		columns = append(columns, countColumn{head, of, width + 6})
	}
	add(b.counted(), "R", func(item *boxItem) int { return len(item.values) })
	add(b.found.failures, "failed", func(item *boxItem) int { return item.failed })
	return columns
}

// countsRoom is that behind the data, at least for half of the last tick's label.
func (b *boxDrawing) countsRoom() vg.Length {
	room := vg.Length(0)
	for _, column := range b.countColumns() {
		room += column.width
	}
	return max(room, differenceRim)
}

// lyingPanel draws one panel, the first classifier at the top, and returns the area of
// its data.
func (b *boxDrawing) lyingPanel(c draw.Canvas, i int) draw.Canvas {
	panel, n := &b.cells[i], len(b.ids)
	p := canvas.NewPlot()
	p.HideY()
	p.X.Min, p.X.Max = panel.span.low, panel.span.high
	p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5
	p.X.Label.Text = b.measure.Title()
	verticalGrid(p)
	head := max(titleRoom, b.headRoom())
	body := draw.Crop(c, 0, -b.countsRoom(), 0, -head)
	data := canvas.Axes(p, body)
	line := data.Size().Y / vg.Length(n)
	y := func(k int) vg.Length { return data.Max.Y - line*(vg.Length(k)+0.5) }
	for k := range panel.boxes {
		b.box(p, float64(n-1-k), line, &panel.boxes[k])
		data.StrokeLine2(draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(0.4)}, data.Min.X, y(k), data.Max.X, y(k))
	}
	if !math.IsNaN(panel.reference) {
		p.Add(reference(panel.reference, p.Y.Min, panel.reference, p.Y.Max))
	}
	p.Draw(body)
	b.title(c, data.Min.X, i)
	b.head(c, data, panel)
	if i%b.options.perRow(b.count) == 0 {
		names := canvas.Style(canvas.Face(canvas.TickSize))
		names.XAlign = draw.XRight
		for k, id := range b.ids {
			canvas.FillMiddle(c, names, vg.Point{X: data.Min.X - 6, Y: y(k)}, b.Label(id))
		}
	}
	b.countsBeside(c, data, panel, y)
	return data
}

// countsBeside writes the numbers of results behind the data, failures where there are.
func (b *boxDrawing) countsBeside(c, data draw.Canvas, panel *boxPanel, y func(k int) vg.Length) {
	sty := canvas.Style(canvas.Face(canvas.NoteSize))
	sty.XAlign, sty.Color = draw.XRight, canvas.DarkGrey
	right := data.Max.X
	for _, column := range b.countColumns() {
		right += column.width
		c.FillText(sty, vg.Point{X: right, Y: data.Max.Y + 4}, column.head)
		for k := range panel.boxes {
			if count := column.of(&panel.boxes[k]); count > 0 || column.head == "R" {
				canvas.FillMiddle(c, sty, vg.Point{X: right, Y: y(k)}, strconv.Itoa(count))
			}
		}
	}
}
