package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/stats"
	"copse/stats/records"
)

// figure draws the pages of one figure.
func (s *source) figure(o Figure) ([]picture, error) {
	m, err := newMeasure(o.Metric, o.Scale)
	if err != nil {
		return nil, err
	}
	if o.Title == "" {
		o.Title = s.Title
	}
	columns, err := s.columns(o.Columns)
	if err != nil {
		return nil, err
	}
	cells, err := s.where(o.Where)
	if err != nil {
		return nil, err
	}
	pages, err := s.groups(cells, o.Page)
	if err != nil {
		return nil, err
	}
	var pictures []picture
	for _, page := range pages {
		var p picture
		switch o.Kind {
		case "box":
			p, err = s.boxPage(o, &m, columns, page)
		case "line":
			p, err = s.linePage(o, &m, columns, page)
		case "cd":
			p, err = s.rankPage(o, &m, columns, page)
		case "wins":
			p, err = s.winPage(o, &m, columns, page)
		default:
			err = fmt.Errorf("unknown kind %q", o.Kind)
		}
		if err != nil {
			return nil, err
		}
		p.Name = strings.Join(append([]string{o.Name}, page.levels...), "-")
		p.Title = o.Title
		if where := s.describe(page.factors, page.levels); where != "" {
			p.Title += " – " + where
		}
		pictures = append(pictures, p)
	}
	return pictures, nil
}

// measured returns the columns without the reference, and the reference where
// the records have it.
func (s *source) measured(columns []string, reference string) (drawn []string, ref string) {
	for _, id := range columns {
		if id == reference {
			ref = id
		} else {
			drawn = append(drawn, id)
		}
	}
	if len(drawn) == 0 {
		return columns, ""
	}
	return drawn, ref
}

// referenceMean is the mean of the reference classifier; NaN without one.
func (s *source) referenceMean(c *records.Cell, m *measure, reference string) float64 {
	if reference == "" {
		return math.NaN()
	}
	values, _ := s.values(c, m, reference)
	return stats.Summarize(values).Mean
}

// grid cuts a canvas into panels, row by row, perRow beside one another.
func grid(c draw.Canvas, panels, perRow int, gap vg.Length) []draw.Canvas {
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

// Room beside panels: for the title of the axis, and between them.
const axisTitle, panelGap = vg.Length(10), vg.Length(8)

// bodyHeight is the height of the panels of a figure, each taller by extra than
// the options ask.
func (o *Figure) bodyHeight(panels int, extra vg.Length) vg.Length {
	perRow := min(o.PerRow, max(panels, 1))
	rows := (max(panels, 1) + perRow - 1) / perRow
	return (mm(o.Height) + extra) * vg.Length(rows)
}

func mm(v float64) vg.Length { return vg.Length(v) * vg.Millimeter }

// wrap breaks text into lines no wider than width.
func wrap(s string, sty text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && sty.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// paragraph writes wrapped text downwards from the top of c and returns what is
// left of c.
func paragraph(c draw.Canvas, s string, sty text.Style) draw.Canvas {
	step := sty.Font.Size * 1.25
	y := c.Max.Y
	for _, line := range wrap(s, sty, c.Size().X) {
		y -= step
		c.FillText(sty, vg.Point{X: c.Min.X, Y: y}, line)
	}
	c.Max.Y = y
	return c
}

// paragraphHeight is what paragraph takes.
func paragraphHeight(s string, sty text.Style, width vg.Length) vg.Length {
	return vg.Length(len(wrap(s, sty, width))) * sty.Font.Size * 1.25
}

// niceTicks are multiples of 1, 2 or 5 times a power of ten.
type niceTicks struct{ most int }

func (n niceTicks) Ticks(low, high float64) []plot.Tick {
	step := niceStep(high-low, n.most)
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var ticks []plot.Tick
	for k := math.Ceil(low/step-1e-9) + 0; k*step <= high*(1+1e-12)+1e-12; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: fmt.Sprintf("%.*f", digits, k*step+0)})
	}
	return ticks
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that cuts span into
// at most `most` parts.
func niceStep(span float64, most int) float64 {
	if !(span > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/float64(most))))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(f*power) <= float64(most) {
			return f * power
		}
	}
	return 10 * power
}

// span is the axis range for values: from zero unless that would waste the
// lower part, up to a little above the largest.
func span(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 1
	}
	low, high = slices.Min(values), slices.Max(values)
	pad := 0.03 * (high - low)
	if low >= 0 && low < 0.2*high {
		return 0, high + 0.03*high
	}
	if high == low {
		return low - 0.5*math.Abs(low) - 1e-9, high + 0.5*math.Abs(high) + 1e-9
	}
	return low - pad, high + pad
}
