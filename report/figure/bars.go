package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
)

// barDrawing shows each classifier's mean beside that of a reference, as Elidan
// (2012) does in his Figures 2 and 3: the mean difference on the same data, the ratio of
// times on a logarithmic axis, with two standard errors either way.
type barDrawing struct {
	*view.View
	panels
	ids    []string
	groups []string   // the names along the horizontal axis
	lines  [][]string // of the names, where they fit below their bars
	foot   vg.Length  // room for the names
	bars   [][]barEnd // of each group, one for each id
	origin float64    // where bars begin: 0, or 1 for ratios
	span   span
}

// A barEnd is where a bar ends, and two standard errors below and above it, the same
// where none is known. NaN: no result.
type barEnd struct{ value, low, high float64 }

// shareOfGroup is the width of a group's bars, of the distance of groups.
const shareOfGroup = 0.8

func barPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	drawn, ref := measured(columns, o.Reference)
	if ref == "" {
		return canvas.Picture{}, view.Mistaken([]string{"reference"}, "", "bars stand beside reference, which is one of two or more columns; these are %s, got %q", strings.Join(columns, ", "), o.Reference)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	b := barDrawing{View: v, ids: drawn}
	vertical, words, of := m.DifferenceTitle(), "Mean %s less that of %s on the same data, over %s", "the mean difference"
	failed := v.FailedPairs(page.Cells, columns)
	if m.Cost != nil {
		b.origin, vertical, of = 1, "ratio of "+m.Name, "the ratio's logarithm, the means taken as independent"
		words, failed = "Mean %s as a multiple of that of %s, on a logarithmic axis; means are over %s", v.FailedFits(page.Cells, columns)
	}
	for _, g := range groups {
		b.groups = append(b.groups, groupName(v, &g))
		b.bars = append(b.bars, b.row(&g, m, ref))
	}
	b.setSpan()
	b.panels = panels{options: o, count: 1, vertical: vertical, key: b.key(), draw: b.panel}
	b.wrapGroups()
	b.taller = b.foot - groupLine
	caption := fmt.Sprintf(words+"%s. Bars stand from the left in the order of the key. A classifier without a bar has no result there, or that of the reference.", m.Title(), v.Label(ref), v.Replication(groups, m, columns), b.errorWords(of, groups))
	return b.picture(view.Caption(o.Caption, caption, v.Pooling("Each group of bars", groups)+" "+failed)), nil
}

// errorWords say what the lines at the bars' ends are, of which the standard errors are.
func (b *barDrawing) errorWords(of string, groups []view.Group) string {
	if !slices.ContainsFunc(b.bars, func(row []barEnd) bool {
		return slices.ContainsFunc(row, func(e barEnd) bool { return e.low < e.high })
	}) {
		return ""
	}
	return fmt.Sprintf("; lines: two %s either way, of %s", b.Errors(groups), of)
}

// groupName is what the levels of a group are called, with the factors of those that
// say nothing by themselves.
func groupName(v *view.View, g *view.Group) string {
	var parts []string
	for _, f := range g.Factors {
		label, level := v.LevelLabel(f, g.Levels.Of(f)), g.Levels.Of(f)
		if words := v.InWords([]string{f}, g.Levels); words != "" && label == level && (view.Numeric(level) || slices.Contains([]string{"yes", "no", "true", "false"}, level)) {
			label = words
		}
		parts = append(parts, label)
	}
	return strings.Join(parts, ", ")
}

const groupLine = vg.Length(canvas.TickSize * 1.2) // of the name of a group

// wrapGroups puts the names below their bars in lines, or upright where a word is
// too wide for that.
func (b *barDrawing) wrapGroups() {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	room := (b.width()-axisRoom([]span{b.span}, b.ticks()))/vg.Length(max(len(b.groups), 1)) - 4
	upright, longest := false, vg.Length(0)
	for _, name := range b.groups {
		lines := canvas.Wrap(name, sty, room)
		upright = upright || slices.ContainsFunc(lines, func(line string) bool { return sty.Width(line) > room })
		longest = max(longest, sty.Width(name))
		b.lines, b.foot = append(b.lines, lines), max(b.foot, groupLine*vg.Length(len(lines)))
	}
	if upright {
		b.lines, b.foot = nil, longest
	}
}

// names writes the groups' names below the data.
func (b *barDrawing) names(c draw.Canvas, p *plot.Plot) {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	top := c.Min.Y - 3
	for g, name := range b.groups {
		x := c.X(p.X.Norm(float64(g)))
		if b.lines == nil {
			sty.XAlign, sty.YAlign, sty.Rotation = draw.XRight, draw.YCenter, math.Pi/2
			c.FillText(sty, vg.Point{X: x, Y: top}, name)
			continue
		}
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		for i, line := range b.lines[g] {
			c.FillText(sty, vg.Point{X: x, Y: top - groupLine*vg.Length(i)}, line)
		}
	}
}

// row returns the ends of a group's bars.
func (b *barDrawing) row(g *view.Group, m *view.Measure, ref string) []barEnd {
	pooled := b.Pool(g)
	row := make([]barEnd, len(b.ids))
	for k, id := range b.ids {
		if m.Cost != nil {
			row[k] = ratio(b.Summary(g, &pooled, m, id), b.Summary(g, &pooled, m, ref))
			continue
		}
		over := *m
		over.Over = ref
		s := b.Summary(g, &pooled, &over, id)
		if m.LargerIsBetter() { // from losses to the metric's own direction
			s.Mean = 0 - s.Mean
		}
		row[k] = endOf(s.Mean, 2*s.MCSE)
	}
	return row
}

func endOf(value, twice float64) barEnd {
	if math.IsNaN(twice) {
		twice = 0
	}
	return barEnd{value, value - twice, value + twice}
}

// ratio is that of two means x and y with standard errors s and t, of whose logarithm the
// variance is (s/x)^2 + (t/y)^2 but for terms of higher order (the delta method) and for
// the covariance: times on the same data rise together, so that the error is rather less.
func ratio(x, y stats.Summary) barEnd {
	r := x.Mean / y.Mean
	if math.IsInf(r, 0) || r <= 0 {
		return endOf(math.NaN(), 0)
	}
	e := endOf(math.Log(r), 2*math.Hypot(x.MCSE/x.Mean, y.MCSE/y.Mean))
	return barEnd{r, math.Exp(e.low), math.Exp(e.high)}
}

// setSpan makes the axis hold all bars; the margin of ratios is one, too.
func (b *barDrawing) setSpan() {
	all := []float64{b.origin}
	for _, row := range b.bars {
		for _, e := range row {
			if !math.IsNaN(e.value) {
				all = append(all, e.low, e.value, e.high)
			}
		}
	}
	b.span.low, b.span.high = canvas.Span(all)
	if b.origin == 1 {
		b.span = span{slices.Min(all) / 1.3, slices.Max(all) * 1.3}
	}
}

// ticks are those of differences, or of ratios.
func (b *barDrawing) ticks() plot.Ticker {
	if b.origin == 1 {
		return canvas.LogTicks(0)
	}
	return canvas.Ticks(8)
}

func (b *barDrawing) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	for _, id := range b.ids {
		items = append(items, canvas.KeyItem{Words: b.Label(id), Sketch: func(c draw.Canvas, at vg.Point) {
			b.paint(c, id, vg.Rectangle{Min: vg.Point{X: at.X - 5, Y: at.Y - 4}, Max: vg.Point{X: at.X + 5, Y: at.Y + 4}})
		}})
	}
	return items
}

// A bar is that of one classifier, in the units of the axes.
type bar struct {
	*barDrawing
	id          string
	left, right float64
	end         barEnd
}

// leastBarHeight is seen across the line at which bars begin: a bar of no height is one of
// a classifier as good as the reference, none is one without results.
const leastBarHeight = vg.Length(2)

func (r bar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	bottom, top := y(min(r.origin, r.end.value)), y(max(r.origin, r.end.value))
	if short := leastBarHeight - (top - bottom); short > 0 {
		bottom, top = bottom-short/2, top+short/2
	}
	r.paint(c, r.id, vg.Rectangle{Min: vg.Point{X: x(r.left), Y: bottom}, Max: vg.Point{X: x(r.right), Y: top}})
	if r.end.low < r.end.high {
		middle := (x(r.left) + x(r.right)) / 2
		c.StrokeLine2(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8)}, middle, y(r.end.low), middle, y(r.end.high))
	}
}

// barPatterns tell bars apart where their colours are alike in grey: full, stripes,
// hollow, a ladder, framed.
const barPatterns = 5

// paint fills a rectangle with the colour and the pattern of a classifier.
func (b *barDrawing) paint(c draw.Canvas, id string, r vg.Rectangle) {
	fill := func(clr color.Color, x0, y0, x1, y1 vg.Length) {
		if x0 < x1 && y0 < y1 {
			c.FillPolygon(clr, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		}
	}
	gaps := func(rim, high, every vg.Length) { // white ones, from the bottom to below the top
		for y := r.Min.Y + 1; y < r.Max.Y-1; y += every {
			fill(canvas.Tint(canvas.Black, 0), r.Min.X+rim, y, r.Max.X-rim, min(y+high, r.Max.Y-1))
		}
	}
	clr := canvas.Fill(colour(b.View, id))
	fill(clr, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	switch b.Index(id) % barPatterns {
	case 1:
		gaps(0, 1.2, 2.6)
	case 2:
		gaps(1, r.Max.Y-r.Min.Y, r.Max.Y-r.Min.Y)
	case 3:
		gaps(1, 3, 4)
	case 4:
		fill(canvas.Black, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
		fill(clr, r.Min.X+0.7, r.Min.Y+0.7, r.Max.X-0.7, r.Max.Y-0.7)
	}
}

// panel draws all groups and returns the area of the data.
func (b *barDrawing) panel(c draw.Canvas, _ int) draw.Canvas {
	p := canvas.NewPlot()
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = b.span.low, b.span.high, b.ticks()
	if b.origin == 1 {
		p.Y.Scale = plot.LogScale{}
	}
	p.X.Min, p.X.Max = -0.5, float64(len(b.groups))-0.5
	horizontalGrid(p)
	width := shareOfGroup / float64(len(b.ids))
	for g, row := range b.bars {
		for k, end := range row {
			if math.IsNaN(end.value) {
				continue
			}
			x := float64(g) - shareOfGroup/2 + width*float64(k)
			left, right := x+0.06*width, x+0.94*width
			p.Add(bar{b, b.ids[k], left, right, end})
		}
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: b.origin}, {X: p.X.Max, Y: b.origin}}, LineStyle: draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}})
	p.HideX()
	body := draw.Crop(c, 0, 0, b.foot+4, 0)
	data := canvas.Axes(p, body)
	p.Draw(body)
	b.names(data, p)
	return data
}
