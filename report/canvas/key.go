package canvas

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A KeyItem explains one symbol: Sketch draws it centred at a point, as wide
// as KeySymbol.
type KeyItem struct {
	Sketch func(c draw.Canvas, at vg.Point)
	Words  string
	Series string // whose symbol it is; "": of no series
}

// KeySymbol is the width of a symbol.
const KeySymbol, keyGap = vg.Length(16), vg.Length(10)

// KeyStyle is the text of a key.
func KeyStyle() text.Style {
	sty := style(face(NoteSize))
	sty.Color = DarkGrey
	return sty
}

// keyRows breaks the items into lines no wider than width.
func keyRows(items []KeyItem, width vg.Length) [][]KeyItem {
	sty := KeyStyle()
	var rows [][]KeyItem
	used := width + 1
	for _, item := range items {
		w := KeySymbol + 3 + sty.Width(item.Words) + keyGap
		if used+w-keyGap > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], item)
		used += w
	}
	return rows
}

const keyLine = vg.Length(12)

// KeyHeight is the height of a key of the given width.
func KeyHeight(items []KeyItem, width vg.Length) vg.Length {
	return vg.Length(len(keyRows(items, width))) * keyLine
}

// A CurveEnd is the last point of a curve, with its name and how the curve looks.
type CurveEnd struct {
	Y vg.Length
	KeyItem
}

// NameSketch is the width of the sketch before a name beside data, NameLine the height of
// a line of names, of the size of their letters.
const (
	NameSketch = vg.Length(14)
	NameLine   = 1.15
)

// NamesBeside writes curves' names, each after its sketch, at the right of the data beside
// the curves' ends; names that would overlap are moved apart.
func NamesBeside(c, data draw.Canvas, sty text.Style, ends []CurveEnd) {
	slices.SortStableFunc(ends, func(a, b CurveEnd) int { return cmp.Compare(a.Y, b.Y) })
	ys := make([]float64, len(ends))
	for i, e := range ends {
		ys[i] = e.Y.Points()
	}
	spreadApart(ys, (NameLine * sty.Font.Size).Points(), data.Min.Y.Points(), data.Max.Y.Points())
	x := data.Max.X + 9
	for i, e := range ends {
		y := vg.Points(ys[i])
		Marked(c, Mark{Series: e.Series}, func() {
			e.Sketch(c, vg.Point{X: x + NameSketch/2, Y: y})
			FillMiddle(c, sty, vg.Point{X: x + NameSketch + 3, Y: y}, e.Words)
		})
	}
}

// PaintKey writes the key into c, from its top.
func PaintKey(c draw.Canvas, items []KeyItem) {
	sty := KeyStyle()
	y := c.Max.Y - keyLine/2
	for _, row := range keyRows(items, c.Size().X) {
		x := c.Min.X
		for _, item := range row {
			Marked(c, Mark{Series: item.Series}, func() {
				item.Sketch(c, vg.Point{X: x + KeySymbol/2, Y: y})
				FillMiddle(c, sty, vg.Point{X: x + KeySymbol + 3, Y: y}, item.Words)
			})
			x += KeySymbol + 3 + sty.Width(item.Words) + keyGap
		}
		y -= keyLine
	}
}
