package canvas

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A KeyItem explains one symbol: Sketch draws it centred at a point, as wide
// as KeySymbol.
type KeyItem struct {
	Sketch func(c draw.Canvas, at vg.Point)
	Words  string
}

// KeySymbol is the width of a symbol.
const KeySymbol, keyGap = vg.Length(16), vg.Length(10)

// KeyStyle is the text of a key.
func KeyStyle() text.Style {
	sty := Style(Face(NoteSize))
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

// PaintKey writes the key into c, from its top.
func PaintKey(c draw.Canvas, items []KeyItem) {
	sty := KeyStyle()
	y := c.Max.Y - keyLine/2
	for _, row := range keyRows(items, c.Size().X) {
		x := c.Min.X
		for _, item := range row {
			item.Sketch(c, vg.Point{X: x + KeySymbol/2, Y: y})
			x += KeySymbol + 3
			FillMiddle(c, sty, vg.Point{X: x, Y: y}, item.Words)
			x += sty.Width(item.Words) + keyGap
		}
		y -= keyLine
	}
}
