package canvas

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A KeyItem explains one symbol.
type KeyItem struct {
	Sketch func(c draw.Canvas, at vg.Point) // draws the symbol around a point, at most KeySymbol wide
	Words  string
	Series string // id of the series that has the symbol; "": none
}

// KeySymbol is the width of a symbol, keyGap the gap after an item.
const KeySymbol, keyGap = vg.Length(16), vg.Length(10)

// KeyStyle returns the style of the text of a key.
func KeyStyle() text.Style {
	sty := style(face(NoteSize))
	sty.Color = DarkGrey
	return sty
}

// width returns the width of an item with the gap after it.
func (item *KeyItem) width() vg.Length { return KeySymbol + 3 + KeyStyle().Width(item.Words) + keyGap }

// keyRows breaks the items into rows no wider than width.
func keyRows(items []KeyItem, width vg.Length) (rows [][]KeyItem) {
	var row []KeyItem
	used := vg.Length(0)
	for _, item := range items {
		if len(row) > 0 && used+item.width()-keyGap > width {
			rows, row, used = append(rows, row), nil, 0
		}
		row = append(row, item)
		used += item.width()
	}
	return append(rows, row)
}

const keyLine = vg.Length(12) // height of a row

// KeyHeight returns the height of a key of the given width.
func KeyHeight(items []KeyItem, width vg.Length) vg.Length {
	return vg.Length(len(keyRows(items, width))) * keyLine
}

// A CurveEnd is the height at which a curve ends, with its name and a sketch of the curve.
type CurveEnd struct {
	Y vg.Length
	KeyItem
}

// NameSketch is the width of the sketch before a name beside data. NameLine is the height of a
// line of names as a multiple of the size of their letters.
const (
	NameSketch = vg.Length(14)
	NameLine   = 1.15
)

// NamesBeside writes the names of curves, each after its sketch, at the right of the data beside
// the ends of the curves. Names that would overlap are moved apart.
func NamesBeside(data draw.Canvas, sty text.Style, ends []CurveEnd) {
	slices.SortStableFunc(ends, func(a, b CurveEnd) int { return cmp.Compare(a.Y, b.Y) })
	ys := make([]float64, len(ends))
	for i, e := range ends {
		ys[i] = e.Y.Points()
	}
	spreadApart(ys, (NameLine * sty.Font.Size).Points(), data.Min.Y.Points(), data.Max.Y.Points())
	x := data.Max.X + 9
	for i, e := range ends {
		y := vg.Points(ys[i])
		Marked(data, Mark{Series: e.Series}, func() {
			e.Sketch(data, vg.Point{X: x + NameSketch/2, Y: y})
			FillMiddle(data, sty, vg.Point{X: x + NameSketch + 3, Y: y}, e.Words)
		})
	}
}

// PaintKey draws the key into c, from its top.
func PaintKey(c draw.Canvas, items []KeyItem) {
	y := c.Max.Y - keyLine/2
	for _, row := range keyRows(items, c.Size().X) {
		x := c.Min.X
		for _, item := range row {
			Marked(c, Mark{Series: item.Series}, func() {
				item.Sketch(c, vg.Point{X: x + KeySymbol/2, Y: y})
				FillMiddle(c, KeyStyle(), vg.Point{X: x + KeySymbol + 3, Y: y}, item.Words)
			})
			x += item.width()
		}
		y -= keyLine
	}
}
