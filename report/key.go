package report

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A keyItem explains one symbol: sketch draws it centred at a point, as wide
// as keySymbol.
type keyItem struct {
	sketch func(c draw.Canvas, at vg.Point)
	words  string
}

const keySymbol, keyGap = vg.Length(16), vg.Length(10)

func keyStyle() text.Style {
	sty := style(face(noteSize))
	sty.Color = darkGrey
	return sty
}

// keyRows breaks the items into lines no wider than width.
func keyRows(items []keyItem, width vg.Length) [][]keyItem {
	sty := keyStyle()
	var rows [][]keyItem
	used := width + 1
	for _, item := range items {
		w := keySymbol + 3 + sty.Width(item.words) + keyGap
		if used+w-keyGap > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], item)
		used += w
	}
	return rows
}

const keyLine = vg.Length(12)

func keyHeight(items []keyItem, width vg.Length) vg.Length {
	return vg.Length(len(keyRows(items, width))) * keyLine
}

// paintKey writes the key into c, from its top.
func paintKey(c draw.Canvas, items []keyItem) {
	sty := keyStyle()
	y := c.Max.Y - keyLine/2
	for _, row := range keyRows(items, c.Size().X) {
		x := c.Min.X
		for _, item := range row {
			item.sketch(c, vg.Point{X: x + keySymbol/2, Y: y})
			x += keySymbol + 3
			fillMiddle(c, sty, vg.Point{X: x, Y: y}, item.words)
			x += sty.Width(item.words) + keyGap
		}
		y -= keyLine
	}
}
