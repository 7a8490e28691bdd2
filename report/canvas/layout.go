package canvas

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid divides a canvas into panels of equal size, row by row from the top.
func Grid(c draw.Canvas, panels, perRow int, gap vg.Length) []draw.Canvas {
	columns := min(perRow, panels)
	tiles := draw.Tiles{Cols: columns, Rows: (panels + columns - 1) / columns, PadX: gap, PadY: gap}
	list := make([]draw.Canvas, panels)
	for i := range list {
		list[i] = tiles.At(c, i%columns, i/columns)
	}
	return list
}

// AxisTitle is the height of an axis title. PanelGap is the gap between panels.
const AxisTitle, PanelGap = vg.Length(13), vg.Length(8)

// MM converts millimetres to a length.
func MM(v float64) vg.Length { return vg.Length(v) * vg.Millimeter }

// FillRectangle fills the rectangle with the lower left corner (x0, y0) and the upper right corner (x1, y1).
func FillRectangle(c draw.Canvas, clr color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(clr, []vg.Point{{X: x0, Y: y1}, {X: x1, Y: y1}, {X: x1, Y: y0}, {X: x0, Y: y0}})
}

// StrokeRectangle draws the outline of the rectangle with the corners (x0, y0) and (x1, y1).
func StrokeRectangle(c draw.Canvas, sty draw.LineStyle, x0, y0, x1, y1 vg.Length) {
	c.StrokeLines(sty, []vg.Point{{X: x0, Y: y1}, {X: x1, Y: y1}, {X: x1, Y: y0}, {X: x0, Y: y0}, {X: x0, Y: y1}})
}

// Widest returns the text that is widest when set in the size of tick labels, and its width. If there are no
// texts, it returns "" and 0.
func Widest(texts []string) (widest string, width vg.Length) {
	sty := Text(TickSize)
	for _, s := range texts {
		if w := sty.Width(s); w > width {
			widest, width = s, w
		}
	}
	return widest, width
}

// Wrap breaks s into lines. A line is wider than width only if it is a single word that cannot be divided.
func Wrap(s string, sty text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range words(s, func(s string) bool { return sty.Width(s) <= width }) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && sty.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// Lines returns the number of lines of a text with line breaks.
func Lines(s string) int { return strings.Count(s, "\n") + 1 }

// words splits text at spaces, but not in phrases such as "n = 200" that fit on a line. It divides long words
// after an underscore. The function fits reports whether a text fits on a line.
func words(s string, fits func(string) bool) (list []string) {
	for _, word := range phrases(strings.Fields(s), fits) {
		for !fits(word) {
			head := longestHead(word, fits)
			if head == "" {
				break // the word cannot be divided
			}
			list, word = append(list, head), strings.TrimPrefix(word, head)
		}
		list = append(list, word)
	}
	return list
}

// phrases joins fields such as "n", "=" and "200" into one phrase if it fits on a line.
func phrases(fields []string, fits func(string) bool) (list []string) {
	for len(fields) > 0 {
		size := 1 // number of fields in the phrase
		if len(fields) >= 3 && fields[1] == "=" && fits(strings.Join(fields[:3], " ")) {
			size = 3
		}
		list = append(list, strings.Join(fields[:size], " "))
		fields = fields[size:]
	}
	return list
}

// longestHead returns the longest proper prefix of word that ends with an underscore and fits on a line, or "".
func longestHead(word string, fits func(string) bool) string {
	for end := len(word) - 1; end > 0; end-- {
		if word[end-1] == '_' && fits(word[:end]) {
			return word[:end]
		}
	}
	return ""
}

// spreadApart changes the positions y, the middles of texts with the given heights, so that the texts do not
// overlap. If there is room, all positions stay between low and high. y must be in ascending order.
func spreadApart(y, heights []vg.Length, low, high vg.Length) {
	gap := func(i int) vg.Length { return (heights[i-1] + heights[i]) / 2 } // between i-1 and i
	// First, push overlapping texts up, starting at low. Then push them down, starting at high.
	for i := range y {
		y[i] = max(y[i], low)
		if i > 0 {
			y[i] = max(y[i], y[i-1]+gap(i))
		}
	}
	for i := len(y) - 1; i >= 0; i-- {
		y[i] = min(y[i], high)
		if i < len(y)-1 {
			y[i] = min(y[i], y[i+1]-gap(i+1))
		}
	}
}
