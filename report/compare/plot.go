package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A drawing is a page that plots our means against the published ones. Each classifier has a
// panel, with error bars and the line of equality.
type drawing struct {
	*Comparison
	panels.Page
	items [][]*verdicts.Agreement // by panel
}

// Pictures returns one picture for each combination of levels of the factors that the paper does
// not have. Without such factors, there is one picture.
func (c *Comparison) Pictures() []canvas.Picture {
	variants := c.variantFactors()
	var list []canvas.Picture
	for _, levels := range c.rowsBy(variants) {
		d := drawing{Comparison: c}
		for _, id := range c.ids {
			d.addPanel(id, c.itemsOf(id, variants, levels))
		}
		d.fit()
		picture := d.Picture(d.caption())
		picture.Name, picture.Title = c.Name, "Ours against "+c.Source
		if len(variants) > 0 {
			picture.Name = strings.Join(append([]string{c.Name}, levels.In(variants)...), "-")
			picture.Title += " – " + c.InWords(variants, levels)
		}
		list = append(list, picture)
	}
	return list
}

// itemsOf returns the numbers of a classifier that a picture shows: those with these levels and a
// known difference.
func (c *Comparison) itemsOf(id string, variants []string, levels records.Levels) (items []*verdicts.Agreement) {
	for i := range c.Items {
		a := &c.Items[i]
		if a.Classifier == id && c.levelsOn(variants, a.Cell) == levels && !math.IsNaN(a.Difference) {
			items = append(items, a)
		}
	}
	return items
}

// addPanel adds the panel of a classifier.
func (d *drawing) addPanel(id string, items []*verdicts.Agreement) {
	d.Titles, d.items = append(d.Titles, d.Label(id)), append(d.items, items)
	d.Notes = append(d.Notes, agreement(items))
}

// fit sets the size, the key, and the scale that all panels and both axes share.
func (d *drawing) fit() {
	var values []float64
	for _, a := range slices.Concat(d.items...) {
		p := pointOf(a)
		values = append(values, p.left, p.right, p.bottom, p.top)
	}
	shown := "mean " + d.quantity()
	if d.extremes() {
		shown = d.quantity()
	}
	scale := panels.Scale{Ticks: canvas.Ticks(5), Grid: true}
	scale.Hold([][]float64{values}, false)
	d.X, d.Y = scale, scale
	d.Y.Title, d.Bottom = "our "+shown+" (%)", "published "+shown+" (%)"
	d.Width, d.PerRow, d.Square = canvas.MM(view.TextWidth), perRow(len(d.Titles)), true
	d.Key, d.Marks = d.key(), d.panel
}

// perRow returns the number of panels in a row with which all panels fit on a page.
func perRow(panels int) int {
	if panels > 9 {
		return 4
	}
	return 3
}

// agreement returns how many of the comparable numbers agree: "12 of 18 agree".
func agreement(items []*verdicts.Agreement) string {
	agree, comparable := 0, 0
	for _, a := range items {
		if a.Verdict == verdicts.Agrees {
			agree++
		}
		if a.Verdict != verdicts.NotComparable {
			comparable++
		}
	}
	return fmt.Sprintf("%d of %d agree", agree, comparable)
}

// A point is a published number and our number, in percent, with the ends of their error bars. If a
// standard error is unknown, both ends equal the number.
type point struct {
	x, left, right float64 // published
	y, bottom, top float64 // ours
}

// pointOf returns the point of a published number. Minima and maxima have no standard error.
func pointOf(a *verdicts.Agreement) point {
	p := point{x: a.Published.Mean * points, y: (a.Published.Mean + a.Difference) * points}
	dx, dy := 0.0, 0.0
	if a.Extreme == nil {
		dx, dy = twoErrors(a.PublishedSE), twoErrors(a.OursSE)
	}
	p.left, p.right = ends(p.x, dx)
	p.bottom, p.top = ends(p.y, dy)
	return p
}

// ends returns the ends of an error bar, limited to 0 and 100 percent.
func ends(value, half float64) (low, high float64) {
	return max(value-half, min(value, 0)), min(value+half, max(value, 100))
}

// twoErrors returns twice the standard error in percent; 0 if the standard error is unknown.
func twoErrors(se float64) float64 {
	if e := 2 * se * points; e > 0 && !math.IsInf(e, 0) {
		return e
	}
	return 0
}

// caption states what the picture shows.
func (d *drawing) caption() string {
	extremes := ""
	if d.extremes() {
		extremes = " Minima and maxima are drawn among the means, without error bars."
	}
	return fmt.Sprintf("Mean %s (%%) of every cell, ours against %s. Bars: two standard errors on either side, "+
		"within 0 and 100. The line marks equality.%s %s. Verdicts %s.",
		d.quantity(), d.Source, extremes, view.Capital(d.replication()), d.level())
}

// extremes reports whether the comparison includes printed minima and maxima.
func (c *Comparison) extremes() bool {
	return slices.ContainsFunc(c.Items, func(a verdicts.Agreement) bool { return a.Extreme != nil })
}

// verdictGlyph returns the mark of a verdict. Verdicts differ in colour and shape.
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

// DrawGlyph implements draw.GlyphDrawer.
func (inverted) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius
	c.FillPolygon(sty.Color, []vg.Point{{X: at.X - r, Y: at.Y + r*0.6}, {X: at.X + r, Y: at.Y + r*0.6},
		{X: at.X, Y: at.Y - r}})
}

// key returns the legend of the marks that occur in the picture.
func (d *drawing) key() []canvas.KeyItem {
	all := slices.Concat(d.items...)
	var items []canvas.KeyItem
	for _, k := range verdictKey {
		same := func(a *verdicts.Agreement) bool { return symbol(a) == symbol(&k.example) }
		if slices.ContainsFunc(all, same) {
			sketch := func(c draw.Canvas, at vg.Point) { c.DrawGlyphNoClip(verdictGlyph(&k.example), at) }
			items = append(items, canvas.KeyItem{Words: k.words, Sketch: sketch})
		}
	}
	if slices.ContainsFunc(all, hasBars) {
		sketch := func(c draw.Canvas, at vg.Point) { c.StrokeLine2(errorBar, at.X-6, at.Y, at.X+6, at.Y) }
		items = append(items, canvas.KeyItem{Words: "two standard errors", Sketch: sketch})
	}
	return items
}

// verdictKey has the words of the legend for each mark, and a verdict that is drawn with the mark.
var verdictKey = []struct {
	words   string
	example verdicts.Agreement
}{
	{"agrees", verdicts.Agreement{Verdict: verdicts.Agrees}},
	{"differs, ours is larger", verdicts.Agreement{Verdict: verdicts.Differs, Difference: 1}},
	{"differs, ours is smaller", verdicts.Agreement{Verdict: verdicts.Differs, Difference: -1}},
	{"undecided", verdicts.Agreement{Verdict: verdicts.Undecided}},
	{"cannot be compared", verdicts.Agreement{Verdict: verdicts.NotComparable}},
}

// hasBars reports whether our number or the published one has an error bar.
func hasBars(a *verdicts.Agreement) bool {
	p := pointOf(a)
	return p.left < p.right || p.bottom < p.top
}

var errorBar = draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.4)}

// quantity returns the name of the compared numbers.
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

// panel draws the line of equality, the error bars and the points of panel i.
func (d *drawing) panel(c draw.Canvas, p *plot.Plot, i int) {
	equality := draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.7)}
	c.StrokeLine2(equality, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	x, y := p.Transforms(&c)
	for _, a := range d.items[i] {
		at := pointOf(a)
		c.StrokeLine2(errorBar, x(at.left), y(at.y), x(at.right), y(at.y))
		c.StrokeLine2(errorBar, x(at.x), y(at.bottom), x(at.x), y(at.top))
	}
	for _, a := range d.items[i] {
		at := pointOf(a)
		c.DrawGlyphNoClip(verdictGlyph(a), vg.Point{X: x(at.x), Y: y(at.y)})
	}
}
