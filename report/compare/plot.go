package compare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/verdicts"
)

// drawing draws our means against the published ones, a panel per
// classifier, with two standard errors either way and the line of identity.
type drawing struct {
	*Comparison
	perRow    int
	head      vg.Length // above the data
	panels    []panel
	low, high float64 // of both axes, percent
}

type panel struct {
	id    string
	items []*verdicts.Agreement
}

// Pictures draws one page per combination of the factors that the paper does
// not have.
func (c *Comparison) Pictures() []canvas.Picture {
	var variants []string
	for _, name := range c.factors {
		if slices.Contains(c.Variants, name) {
			variants = append(variants, name)
		}
	}
	width := canvas.MM(view.TextWidth)
	inner := width - 2*canvas.Margin
	var list []canvas.Picture
	for _, levels := range c.rowsBy(variants) {
		p := drawing{Comparison: c, perRow: perRow(len(c.ids))}
		for _, id := range c.ids {
			panel := panel{id: id}
			for i := range c.Items {
				if a := &c.Items[i]; a.Classifier == id && c.block(a.Cell, variants) == levels && !math.IsNaN(a.Difference) {
					panel.items = append(panel.items, a)
				}
			}
			p.panels = append(p.panels, panel)
		}
		p.setRange()
		p.setHead((inner - canvas.AxisTitle) / vg.Length(p.perRow))
		name, title := c.Name, "Ours against "+c.Source
		if len(variants) > 0 {
			for _, level := range levels.In(variants) {
				name += "-" + level
			}
			title += " – " + c.InWords(variants, levels)
		}
		rows := (len(p.panels) + p.perRow - 1) / p.perRow
		side := inner / vg.Length(p.perRow)
		list = append(list, canvas.Picture{Name: name, Title: title, Caption: p.caption(), Width: width,
			Height: (side+10+p.head-oneLine)*vg.Length(rows) + canvas.KeyHeight(p.key(), inner) + 8, Paint: p.paint})
	}
	return list
}

// perRow is how many of so many panels stand beside one another, so that all fit on
// one page.
func perRow(panels int) int {
	if panels > 9 {
		return 4
	}
	return 3
}

// oneLine is the room for a title and, beside it, how many numbers agree; secondLine
// that for what has no room beside it.
const oneLine, secondLine = vg.Length(canvas.PanelSize + 4), vg.Length(canvas.NoteSize * 1.3)

// setHead chooses one line or two for all panels of so much width.
func (p *drawing) setHead(width vg.Length) {
	p.head = oneLine
	const axis = 26 // about what its labels take, and a gap
	for i := range p.panels {
		panel := &p.panels[i]
		words := canvas.Text(canvas.PanelSize).Width(p.Label(panel.id)) + canvas.Text(canvas.NoteSize).Width(panel.agreement())
		if words+axis > width {
			p.head = oneLine + secondLine
		}
	}
}

// agreement says how many of the panel's numbers agree.
func (p *panel) agreement() string {
	agree, comparable := 0, 0
	for _, a := range p.items {
		if a.Verdict == verdicts.Agrees {
			agree++
		}
		if a.Verdict != verdicts.NotComparable {
			comparable++
		}
	}
	return fmt.Sprintf("%d of %d agree", agree, comparable)
}

func (p *drawing) setRange() {
	var all []float64
	for _, panel := range p.panels {
		for _, a := range panel.items {
			x, y, dx, dy := sides(a)
			left, right := ends(x, dx)
			bottom, top := ends(y, dy)
			all = append(all, left, right, bottom, top)
		}
	}
	p.low, p.high = canvas.Span(all)
}

// sides returns published and ours with two standard errors of each, percent;
// the error is 0 where it is not known.
func sides(a *verdicts.Agreement) (x, y, dx, dy float64) {
	x, y = a.Published.Mean*points, (a.Published.Mean+a.Difference)*points
	if a.Extreme != nil {
		return x, y, 0, 0
	}
	return x, y, twoErrors(a.Published.SD, a.Published.N, a.Share), twoErrors(a.Ours.SD, a.Ours.N, a.Share)
}

// ends are those of an error bar, which no rate passes.
func ends(value, half float64) (low, high float64) {
	return max(value-half, min(value, 0)), min(value+half, max(value, 100))
}

// twoErrors is two standard errors of a mean over n results, as the tests have them.
func twoErrors(sd float64, n int, share float64) float64 {
	if e := 2 * sd * points * math.Sqrt(1/float64(n)+share); e > 0 && !math.IsInf(e, 0) {
		return e
	}
	return 0
}

func (p *drawing) caption() string {
	extremes := ""
	if p.extremes() {
		extremes = " Minima and maxima stand among the means, without standard errors."
	}
	return fmt.Sprintf("Mean %s (%%) of every cell, ours against %s, with two standard errors either way, as far as they lie between 0 and 100; the line is equality.%s %s. Verdicts %s.",
		p.quantity(), p.Source, extremes, view.Capital(p.replication()), p.level())
}

// extremes says whether printed minima and maxima are compared as well.
func (c *Comparison) extremes() bool {
	return slices.ContainsFunc(c.Items, func(a verdicts.Agreement) bool { return a.Extreme != nil })
}

// verdictGlyph shows a verdict by colour and by shape.
func verdictGlyph(a *verdicts.Agreement) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: canvas.Palette[0], Radius: vg.Points(1.4), Shape: draw.CircleGlyph{}}
	switch symbol(a) {
	case "↑":
		g.Color, g.Shape, g.Radius = canvas.Palette[3], draw.PyramidGlyph{}, vg.Points(2)
	case "↓":
		g.Color, g.Shape, g.Radius = canvas.Palette[3], inverted{}, vg.Points(2)
	case "?":
		g.Shape, g.Radius = draw.RingGlyph{}, vg.Points(1.6)
	case "–":
		g.Color, g.Shape = canvas.DarkGrey, draw.CrossGlyph{}
	}
	return g
}

// inverted is a filled triangle that points down.
type inverted struct{}

func (inverted) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius
	c.FillPolygon(sty.Color, []vg.Point{{X: at.X - r, Y: at.Y + r*0.6}, {X: at.X + r, Y: at.Y + r*0.6}, {X: at.X, Y: at.Y - r}})
}

// key explains the verdicts that occur.
func (p *drawing) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	for _, example := range []struct {
		words string
		verdicts.Agreement
	}{
		{"agrees", verdicts.Agreement{Verdict: verdicts.Agrees}},
		{"differs, ours is larger", verdicts.Agreement{Verdict: verdicts.Differs, Difference: 1}},
		{"differs, ours is smaller", verdicts.Agreement{Verdict: verdicts.Differs, Difference: -1}},
		{"undecided", verdicts.Agreement{Verdict: verdicts.Undecided}},
		{"cannot be compared", verdicts.Agreement{Verdict: verdicts.NotComparable}},
	} {
		if p.any(func(a *verdicts.Agreement) bool { return symbol(a) == symbol(&example.Agreement) }) {
			items = append(items, canvas.KeyItem{Words: example.words, Sketch: func(c draw.Canvas, at vg.Point) {
				c.DrawGlyphNoClip(verdictGlyph(&example.Agreement), at)
			}})
		}
	}
	bars := func(a *verdicts.Agreement) bool { _, _, dx, dy := sides(a); return dx > 0 || dy > 0 }
	if p.any(bars) {
		items = append(items, canvas.KeyItem{Words: "two standard errors", Sketch: func(c draw.Canvas, at vg.Point) {
			c.StrokeLine2(errorBar, at.X-6, at.Y, at.X+6, at.Y)
		}})
	}
	return items
}

// any says whether a point of the page is such.
func (p *drawing) any(such func(*verdicts.Agreement) bool) bool {
	return slices.ContainsFunc(p.panels, func(panel panel) bool { return slices.ContainsFunc(panel.items, such) })
}

var errorBar = draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.4)}

// quantity is what the paper prints and we compare.
func (c *Comparison) quantity() string {
	balanced := func(p verdicts.Counterpart) bool { return p.Metric == metrics.BalancedError }
	switch {
	case !slices.ContainsFunc(c.Pairs, balanced):
		return "error"
	case slices.ContainsFunc(c.Pairs, func(p verdicts.Counterpart) bool { return !balanced(p) }):
		return "error, balanced or not"
	}
	return "balanced error"
}

func (p *drawing) paint(c draw.Canvas) {
	axis := canvas.Text(canvas.LabelSize)
	axis.XAlign = draw.XCenter
	key := p.key()
	bottom := canvas.KeyHeight(key, c.Size().X)
	canvas.PaintKey(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Min.Y + bottom}}}, key)
	shown := "mean " + p.quantity()
	if p.extremes() {
		shown = p.quantity()
	}
	c.FillText(axis, vg.Point{X: c.Center().X, Y: c.Min.Y + bottom}, "published "+shown+" (%)")
	up := axis
	up.Rotation, up.YAlign = math.Pi/2, draw.YTop
	area := draw.Crop(c, canvas.AxisTitle, 0, bottom+14, 0)
	c.FillText(up, vg.Point{X: c.Min.X, Y: area.Center().Y}, "our "+shown+" (%)")
	for i, panel := range canvas.Grid(area, len(p.panels), p.perRow, 6) {
		p.panel(panel, &p.panels[i])
	}
}

// panel draws one classifier.
func (p *drawing) panel(c draw.Canvas, panel *panel) {
	pl := canvas.NewPlot()
	pl.X.Min, pl.X.Max, pl.Y.Min, pl.Y.Max = p.low, p.high, p.low, p.high
	pl.X.Tick.Marker, pl.Y.Tick.Marker = canvas.Ticks(5), canvas.Ticks(5)
	lines := plotter.NewGrid()
	for _, sty := range []*draw.LineStyle{&lines.Horizontal, &lines.Vertical} {
		sty.Color, sty.Width = canvas.GridGrey, vg.Points(0.4)
	}
	identity := &plotter.Line{XYs: plotter.XYs{{X: p.low, Y: p.low}, {X: p.high, Y: p.high}}, LineStyle: draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.7)}}
	pl.Add(lines, identity, agreementMarks(panel.items))
	body := draw.Crop(c, 0, 0, 0, -p.head)
	data := canvas.Axes(pl, body)
	pl.Draw(body)
	y := c.Max.Y - vg.Points(canvas.PanelSize)
	c.FillText(canvas.Text(canvas.PanelSize), vg.Point{X: data.Min.X, Y: y}, p.Label(panel.id))
	sty := canvas.Text(canvas.NoteSize)
	sty.XAlign = draw.XRight
	c.FillText(sty, vg.Point{X: data.Max.X, Y: y - (p.head - oneLine)}, panel.agreement())
}

// agreementMarks draws the error bars, then the points.
type agreementMarks []*verdicts.Agreement

func (m agreementMarks) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, a := range m {
		x, y, dx, dy := sides(a)
		left, right := ends(x, dx)
		bottom, top := ends(y, dy)
		c.StrokeLine2(errorBar, trX(left), trY(y), trX(right), trY(y))
		c.StrokeLine2(errorBar, trX(x), trY(bottom), trX(x), trY(top))
	}
	for _, a := range m {
		x, y, _, _ := sides(a)
		c.DrawGlyphNoClip(verdictGlyph(a), vg.Point{X: trX(x), Y: trY(y)})
	}
}
