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
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/verdicts"
)

// Pictures plots our means against the published means, with a panel for each classifier. Factors
// that vary only in our study have a picture for each combination of their levels.
func (c *Comparison) Pictures() []canvas.Picture {
	variants := c.variantFactors()
	var list []canvas.Picture
	usedNames := map[string]bool{}
	for _, levels := range c.levelCombinations(variants) { // one empty combination without variants
		var ids []string                  // classifiers with a panel
		var items [][]*verdicts.Agreement // the pairs of numbers in each panel
		for _, id := range c.classifiers {
			// A point needs our number and the published one.
			ofClassifier := slices.DeleteFunc(c.itemsOf(id, variants, levels), lacksDifference)
			if len(ofClassifier) > 0 {
				ids = append(ids, id)
				items = append(items, ofClassifier)
			}
		}
		if ids == nil {
			continue
		}
		page := c.layOutPage(ids, items)
		picture := page.Picture(c.caption())
		picture.Name, picture.Title = Name, "Ours against "+c.Source
		if len(variants) > 0 {
			picture.Name = sheet.FileName(append([]string{Name}, levels.List(variants)...), usedNames)
			picture.Title += " – " + c.InWords(variants, levels)
		}
		list = append(list, picture)
	}
	return list
}

func lacksDifference(a *verdicts.Agreement) bool { return math.IsNaN(a.Difference) }

// layOutPage returns a page with a panel for each classifier. Panel k shows items[k]. All axes share one scale.
func (c *Comparison) layOutPage(ids []string, items [][]*verdicts.Agreement) panels.Page {
	all := slices.Concat(items...)
	shown := c.quantity()
	if !c.hasExtremes() { // with extremes, some points show a minimum or maximum instead of a mean
		shown = "mean " + shown
	}
	scale := scaleOf(all)
	width := view.TextWidth
	if len(ids) == 1 {
		width = view.ColumnWidth
	}
	perRow := 3
	if len(ids) > 9 {
		perRow = 4
	}
	page := panels.Page{Width: canvas.MM(width), PerRow: perRow, X: scale, Y: scale, Square: true,
		BottomTitle: "published " + shown + " (%)", Legend: legend(all),
		DrawMarks: func(data draw.Canvas, p *plot.Plot, i int) { drawPanel(data, p, items[i]) }}
	page.Y.Title = "our " + shown + " (%)"
	for k, id := range ids {
		page.Titles = append(page.Titles, c.Label(id))
		t := verdicts.NewTally(items[k])
		page.Notes = append(page.Notes, fmt.Sprintf("%d of %d agree", t.Agree, t.Agree+t.Differ+t.Undecided))
	}
	return page
}

func scaleOf(items []*verdicts.Agreement) panels.Scale {
	var values []float64
	for _, a := range items {
		p := pointOf(a)
		values = append(values, p.left, p.right, p.bottom, p.top)
	}
	scale := panels.Scale{Ticks: canvas.Ticks(5), Grid: true}
	const perPanel = false // all panels share one range
	scale.Include([][]float64{values}, perPanel)
	return scale
}

// A point holds a published number, our number and the ends of their error bars, in percent.
type point struct {
	x, left, right float64 // published
	y, bottom, top float64 // ours
}

// pointOf returns the point for a pair of numbers. Only means have error bars.
func pointOf(a *verdicts.Agreement) point {
	p := point{x: a.Published.Mean * points, y: (a.Published.Mean + a.Difference) * points}
	dx, dy := 0.0, 0.0
	if isMean(a) {
		dx, dy = twoErrors(a.PublishedSE), twoErrors(a.OursSE)
	}
	p.left, p.right = ends(p.x, dx)
	p.bottom, p.top = ends(p.y, dy)
	return p
}

// ends returns the ends of an error bar, clipped to the range from 0 to 100 percent.
func ends(value, half float64) (low, high float64) {
	return max(value-half, min(value, 0)), min(value+half, max(value, 100))
}

// twoErrors returns twice a standard error in percent, or 0 if the standard error is unknown.
func twoErrors(se float64) float64 {
	if e := 2 * se * points; e > 0 && !math.IsInf(e, 0) {
		return e
	}
	return 0
}

func (c *Comparison) caption() string {
	extremes := ""
	if c.hasExtremes() {
		extremes = " Minima and maxima are drawn among the means, without error bars."
	}
	text := fmt.Sprintf("Mean %s (%%) of every cell, ours against %s. Bars: two standard errors on either side, "+
		"cut off at 0 and 100. The line marks equality.%s %s. Verdicts %s.",
		c.quantity(), c.Source, extremes, view.Capital(c.replicationWords()), c.levelWords())
	return strings.Join(append([]string{text}, c.basisSentences()...), " ")
}

// hasExtremes reports whether the comparison includes published minima or maxima.
func (c *Comparison) hasExtremes() bool {
	return slices.ContainsFunc(c.Items, func(a verdicts.Agreement) bool { return a.Extreme != nil })
}

type inverted struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (inverted) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius
	c.FillPolygon(sty.Color, []vg.Point{{X: at.X - r, Y: at.Y + r*0.6}, {X: at.X + r, Y: at.Y + r*0.6},
		{X: at.X, Y: at.Y - r}})
}

// legend returns the legend of the marks in a picture.
func legend(all []*verdicts.Agreement) (items canvas.Legend) {
	for i := range outcomes {
		o := &outcomes[i]
		hasOutcome := func(a *verdicts.Agreement) bool { return outcomeOf(a) == o }
		if slices.ContainsFunc(all, hasOutcome) {
			items.Add(o.words, func(c draw.Canvas, at vg.Point) { c.DrawGlyphNoClip(o.glyph, at) })
		}
	}
	hasBar := func(a *verdicts.Agreement) bool {
		p := pointOf(a)
		return p.left < p.right || p.bottom < p.top
	}
	if slices.ContainsFunc(all, hasBar) {
		bar := func(c draw.Canvas, at vg.Point) { c.StrokeLine2(errorBar, at.X-6, at.Y, at.X+6, at.Y) }
		items.Add("two standard errors", bar)
	}
	return items
}

var errorBar = canvas.Line(canvas.DarkGrey, 0.4)

// severalMetrics is the measure of the plot if the published numbers include both errors and
// balanced errors.
const severalMetrics = "balanced or unbalanced error"

func (c *Comparison) quantity() string {
	isBalanced := func(p verdicts.Counterpart) bool { return p.Metric == metrics.BalancedError }
	switch unbalanced := view.Without(c.Pairs, isBalanced); len(unbalanced) {
	case len(c.Pairs):
		return "error"
	case 0:
		return "balanced error"
	}
	return severalMetrics
}

func drawPanel(c draw.Canvas, p *plot.Plot, items []*verdicts.Agreement) {
	equality := canvas.Line(canvas.DarkGrey, 0.7)
	c.StrokeLine2(equality, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	x, y := p.Transforms(&c)
	for _, a := range items {
		at := pointOf(a)
		c.StrokeLine2(errorBar, x(at.left), y(at.y), x(at.right), y(at.y))
		c.StrokeLine2(errorBar, x(at.x), y(at.bottom), x(at.x), y(at.top))
	}
	for _, a := range items {
		at := pointOf(a)
		c.DrawGlyphNoClip(outcomeOf(a).glyph, vg.Point{X: x(at.x), Y: y(at.y)})
	}
}
