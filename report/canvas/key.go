package canvas

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Sketch draws a symbol of a figure around a point. The symbol is at most KeySymbol wide.
type Sketch func(c draw.Canvas, at vg.Point)

// A KeyItem explains one symbol of a figure.
type KeyItem struct {
	Sketch Sketch
	Text   string
}

// A Legend explains the symbols of a figure.
type Legend []KeyItem

// Add appends an item.
func (l *Legend) Add(text string, sketch Sketch) { *l = append(*l, KeyItem{sketch, text}) }

const (
	KeySymbol  = vg.Length(16) // width of a symbol in a legend
	textIndent = KeySymbol + 3 // width of a symbol and the gap before its text
	keyGap     = vg.Length(10) // gap between two legend items
)

// KeyStyle returns the text style of legends.
func KeyStyle() text.Style {
	sty := Text(NoteSize)
	sty.Color = DarkGrey
	return sty
}

// width returns the width of a legend item, including the gap after it.
func (item *KeyItem) width() vg.Length { return textIndent + KeyStyle().Width(item.Text) + keyGap }

// keyRows divides a legend into rows. It breaks long texts into lines, each of which becomes an item.
func keyRows(items []KeyItem, width vg.Length) (rows [][]KeyItem) {
	var row []KeyItem
	used := vg.Length(0)
	for _, item := range items {
		for i, line := range Wrap(item.Text, KeyStyle(), width-textIndent) {
			item.Text = line
			if i > 0 { // only the first line has a symbol
				item.Sketch = func(draw.Canvas, vg.Point) {}
			}
			if len(row) > 0 && used+item.width()-keyGap > width { // no gap follows the last item
				rows = append(rows, row)
				row, used = nil, 0
			}
			row = append(row, item)
			used += item.width()
		}
	}
	return append(rows, row)
}

const keyLine = vg.Length(12) // height of a row

// KeyHeight returns the height of a legend of at most the given width.
func KeyHeight(items []KeyItem, width vg.Length) vg.Length {
	return vg.Length(len(keyRows(items, width))) * keyLine
}

// A CurveEnd is the right end of a curve: its height, the curve's name and a sample of the line.
type CurveEnd struct {
	Y      vg.Length
	Series string // id of the curve; may be ""
	KeyItem
}

const (
	NameSketchWidth = vg.Length(14) // of the line before the name of a curve

	// LineHeight is the height of a line of text at the size of tick labels.
	LineHeight = vg.Length(TickSize * 1.15)
)

// NamesBeside writes the names of curves to the right of the data, each after a sample of its line. It sorts ends
// by height and moves overlapping names apart. A name may have several lines.
func NamesBeside(data draw.Canvas, ends []CurveEnd) {
	slices.SortStableFunc(ends, func(a, b CurveEnd) int { return cmp.Compare(a.Y, b.Y) })
	if len(ends) == 0 {
		return
	}
	var ys, heights []vg.Length
	for _, e := range ends {
		ys, heights = append(ys, e.Y), append(heights, LineHeight*vg.Length(Lines(e.Text)))
	}
	// The centres of names lie between low and high. The last line of the lowest name and the first line of the
	// highest one are then centred on the edges of the data.
	low := data.Min.Y + (heights[0]-LineHeight)/2
	high := data.Max.Y - (heights[len(ends)-1]-LineHeight)/2
	spreadApart(ys, heights, low, high)
	const gapBeforeSketch, gapBeforeName = 9, 3
	sketchX := data.Max.X + gapBeforeSketch + NameSketchWidth/2 // centre
	nameX := data.Max.X + gapBeforeSketch + NameSketchWidth + gapBeforeName
	for i, e := range ends {
		inCurve := Annotation{Series: e.Series} // marks the name as part of its curve
		Annotate(data, inCurve, func() {
			e.Sketch(data, vg.Point{X: sketchX, Y: ys[i]})
			WriteText(data, TickText(), nameX, ys[i], e.Text)
		})
	}
}

// PaintKey draws a legend at the top of c.
func PaintKey(c draw.Canvas, items []KeyItem) {
	y := c.Max.Y - keyLine/2
	for _, row := range keyRows(items, c.Size().X) {
		x := c.Min.X
		for _, item := range row {
			item.Sketch(c, vg.Point{X: x + KeySymbol/2, Y: y})
			WriteText(c, KeyStyle(), x+textIndent, y, item.Text)
			x += item.width()
		}
		y -= keyLine
	}
}
