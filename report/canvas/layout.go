package canvas

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid divides a canvas into panels of equal size. It fills rows from the top, with perRow panels
// in each row.
func Grid(c draw.Canvas, panels, perRow int, gap vg.Length) []draw.Canvas {
	perRow = min(perRow, panels)
	rows := (panels + perRow - 1) / perRow
	w := (c.Size().X - gap*vg.Length(perRow-1)) / vg.Length(perRow)
	h := (c.Size().Y - gap*vg.Length(rows-1)) / vg.Length(rows)
	list := make([]draw.Canvas, panels)
	for i := range list {
		x := c.Min.X + vg.Length(i%perRow)*(w+gap)
		y := c.Max.Y - vg.Length(i/perRow)*(h+gap)
		list[i] = draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - h}, Max: vg.Point{X: x + w, Y: y}}}
	}
	return list
}

// AxisTitle is the height of the title of an axis. PanelGap is the gap between panels.
const AxisTitle, PanelGap = vg.Length(13), vg.Length(8)

// MM returns a length of v millimetres.
func MM(v float64) vg.Length { return vg.Length(v) * vg.Millimeter }

// FillBox fills the rectangle with the lower left corner (x0, y0) and the upper right corner (x1,
// y1).
func FillBox(c draw.Canvas, clr color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(clr, []vg.Point{{X: x0, Y: y1}, {X: x1, Y: y1}, {X: x1, Y: y0}, {X: x0, Y: y0}})
}

// StrokeBox draws the frame of the rectangle with the lower left corner (x0, y0) and the upper
// right corner (x1, y1).
func StrokeBox(c draw.Canvas, clr color.Color, width, x0, y0, x1, y1 vg.Length) {
	c.StrokeLines(draw.LineStyle{Color: clr, Width: width}, []vg.Point{{X: x0, Y: y1}, {X: x1, Y: y1},
		{X: x1, Y: y0}, {X: x0, Y: y0}, {X: x0, Y: y1}})
}

// Wrap breaks text into lines that are not wider than width. It keeps "n = 200" on one line if that
// fits, and breaks a word that is too wide after an underscore.
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

// words splits text at spaces. It keeps "n = 200" as one word if that fits on a line. A word that does
// not fit is divided after underscores.
func words(s string, fits func(string) bool) (list []string) {
	fields := strings.Fields(s)
	for i := 0; i < len(fields); i++ {
		word := fields[i]
		if i+2 < len(fields) && fields[i+1] == "=" {
			if whole := strings.Join(fields[i:i+3], " "); fits(whole) {
				word, i = whole, i+2
			}
		}
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

// longestHead returns the longest part before the end of a word that ends with an underscore and
// fits, or "" if there is none.
func longestHead(word string, fits func(string) bool) string {
	for end := len(word) - 1; end > 0; end-- {
		if word[end-1] == '_' && fits(word[:end]) {
			return word[:end]
		}
	}
	return ""
}

// spreadApart moves ascending positions so that neighbours are at least gap apart and, if there is
// room, all lie within [low, high].
func spreadApart(y []float64, gap, low, high float64) {
	// First push positions up from low, then push them down from high.
	for i := range y {
		y[i] = max(y[i], low)
		if i > 0 {
			y[i] = max(y[i], y[i-1]+gap)
		}
	}
	for i := len(y) - 1; i >= 0; i-- {
		y[i] = min(y[i], high)
		if i < len(y)-1 {
			y[i] = min(y[i], y[i+1]-gap)
		}
	}
}
