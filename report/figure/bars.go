package figure

import (
	"image/color"
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
	"copse/stats"
)

// A barChart compares each classifier's mean with that of a reference, as Elidan (2012) does in his Figures 2 and 3:
// the mean difference on the same data, or the ratio of times on a logarithmic axis, with two standard errors on
// either side. Its only panel has a group of bars for each combination of the panel factors.
type barChart struct {
	*request
	panels.Page
	reference string
	ids       []string
	groups    []string   // the names below the groups
	lines     [][]string // of these names; nil: they are written upright
	bars      [][]bar    // by group and classifier
	origin    float64    // where bars begin: 0, or 1 for ratios
}

// A bar ends at a value; low and high are the ends of its error bar, both the value where none is known. A value that
// is NaN is no result.
type bar struct{ value, low, high float64 }

func barPage(r *request, page view.Group) (drawn, error) {
	ids, reference := r.measured()
	if reference == "" {
		return drawn{}, view.Mistaken([]string{"reference"}, "", "bars stand beside reference, which is one of two or "+
			"more columns; these are %s, got %q", strings.Join(r.columns, ", "), r.o.Reference)
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	d := barChart{request: r, Page: r.page(), reference: reference, ids: ids}
	for i := range groups {
		d.groups, d.bars = append(d.groups, r.groupName(&groups[i])), append(d.bars, d.barsOf(&groups[i]))
	}
	d.setScales()
	d.wrapNames()
	d.Key, d.Marks = d.key(), d.panel
	about := facts{"Measure": r.measure.Title(), "Reference": r.Label(reference), "Times": d.times(),
		"Replication": r.Replication(groups, r.measure, r.columns), "Errors": "",
		"Pooling": r.Pooling("Each group of bars", groups), "Failed": r.FailedPairs(page.Cells, r.columns)}
	if d.times() {
		about["Failed"] = r.FailedFits(page.Cells, r.columns)
	}
	if d.haveErrors() {
		about["Errors"] = r.Errors(groups)
	}
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// times reports whether the bars are ratios of times.
func (d *barChart) times() bool { return d.measure.Cost != nil }

// haveErrors reports whether a bar has a known error.
func (d *barChart) haveErrors() bool {
	return slices.ContainsFunc(slices.Concat(d.bars...), func(b bar) bool { return b.low < b.high })
}

// groupName returns the levels of a group, with the factors of levels that mean nothing by themselves.
func (r *request) groupName(g *view.Group) string {
	var parts []string
	for _, factor := range g.Factors {
		level := g.Levels.Of(factor)
		label, words := r.LevelLabel(factor, level), r.InWords([]string{factor}, g.Levels)
		bare := view.Numeric(level) || slices.Contains([]string{"yes", "no", "true", "false"}, level)
		if words != "" && label == level && bare {
			label = words
		}
		parts = append(parts, label)
	}
	return strings.Join(parts, ", ")
}

// barsOf returns the bars of a group.
func (d *barChart) barsOf(g *view.Group) (bars []bar) {
	pooled := d.Pool(g)
	for _, id := range d.ids {
		if d.times() {
			of, reference := d.Summary(g, &pooled, d.measure, id), d.Summary(g, &pooled, d.measure, d.reference)
			bars = append(bars, ratio(of, reference))
			continue
		}
		over := *d.measure
		over.Over = d.reference
		s := d.Summary(g, &pooled, &over, id)
		if d.measure.LargerIsBetter() { // from losses to the metric's own direction
			s.Mean = 0 - s.Mean
		}
		bars = append(bars, newBar(s.Mean, 2*s.MCSE))
	}
	return bars
}

// newBar returns a bar with an error on either side. An error that is NaN is none.
func newBar(value, half float64) bar {
	if math.IsNaN(half) {
		half = 0
	}
	return bar{value, value - half, value + half}
}

// ratio returns the ratio of two means x and y with standard errors s and t. The variance of its logarithm is
// (s/x)^2 + (t/y)^2 (the delta method). This leaves out the covariance: times on the same data rise together, so the
// error is rather smaller.
func ratio(x, y stats.Summary) bar {
	r := x.Mean / y.Mean
	if math.IsInf(r, 0) || r <= 0 {
		return newBar(math.NaN(), 0)
	}
	b := newBar(math.Log(r), 2*math.Hypot(x.MCSE/x.Mean, y.MCSE/y.Mean))
	return bar{r, math.Exp(b.low), math.Exp(b.high)}
}

// setScales makes the axis hold all bars.
func (d *barChart) setScales() {
	d.Y = panels.Scale{Title: d.measure.DifferenceTitle(), Grid: true}
	if d.times() {
		d.Y.Title, d.Y.Log, d.origin = "ratio of "+d.measure.Name, 1.3, 1
	}
	values := []float64{d.origin}
	for _, b := range slices.Concat(d.bars...) {
		if !math.IsNaN(b.value) {
			values = append(values, b.low, b.value, b.high)
		}
	}
	d.Y.Hold([][]float64{values}, false)
	d.X = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: -0.5, High: float64(len(d.groups)) - 0.5}}}
}

const groupLine = vg.Length(canvas.TickSize * 1.2) // height of a line of a group's name

// wrapNames breaks the names below the groups into lines, or turns them upright where a word is too wide.
func (d *barChart) wrapNames() {
	sty := canvas.Text(canvas.TickSize)
	d.Titles = []string{""}
	room := d.DataWidth()/vg.Length(max(len(d.groups), 1)) - 4
	upright, longest, height := false, vg.Length(0), vg.Length(0)
	for _, name := range d.groups {
		lines := canvas.Wrap(name, sty, room)
		upright = upright || slices.ContainsFunc(lines, func(line string) bool { return sty.Width(line) > room })
		longest = max(longest, sty.Width(name))
		d.lines, height = append(d.lines, lines), max(height, groupLine*vg.Length(len(lines)))
	}
	if upright {
		d.lines, height = nil, longest
	}
	d.Room.Below, d.Room.Taller = height+4, height-groupLine
}

// key explains the colours and patterns.
func (d *barChart) key() (items []canvas.KeyItem) {
	for _, id := range d.ids {
		items = append(items, canvas.KeyItem{Words: d.Label(id), Series: id, Sketch: func(c draw.Canvas, at vg.Point) {
			d.paint(c, id, at.X-5, at.Y-4, at.X+5, at.Y+4)
		}})
	}
	return items
}

// panel draws all groups of bars.
func (d *barChart) panel(c draw.Canvas, p *plot.Plot, _ int) {
	const share, gap = 0.8, 0.06 // width of a group, of the distance of groups; gap beside a bar, of its width
	width := share / float64(len(d.ids))
	for g, bars := range d.bars {
		for k, b := range bars {
			if !math.IsNaN(b.value) {
				left := float64(g) - share/2 + width*float64(k)
				value := d.Y.Title + ": " + sheet.Signed(b.value, d.measure.Digits())
				canvas.Marked(c, d.mark(d.ids[k], d.groups[g], nil, value), func() {
					d.bar(c, p, d.ids[k], left+gap*width, left+(1-gap)*width, b)
				})
			}
		}
	}
	origin := c.Y(p.Y.Norm(d.origin))
	c.StrokeLine2(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}, c.Min.X, origin, c.Max.X, origin)
	d.names(c, p)
}

// bar draws a bar between two places on the horizontal axis. One of a classifier as good as the reference is just high
// enough to be seen; a classifier without results has none.
func (d *barChart) bar(c draw.Canvas, p *plot.Plot, id string, left, right float64, b bar) {
	const least = vg.Length(2)
	x, y := p.Transforms(&c)
	bottom, top := y(min(d.origin, b.value)), y(max(d.origin, b.value))
	if short := least - (top - bottom); short > 0 {
		bottom, top = bottom-short/2, top+short/2
	}
	d.paint(c, id, x(left), bottom, x(right), top)
	if b.low < b.high {
		middle := (x(left) + x(right)) / 2
		c.StrokeLine2(draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8)}, middle, y(b.low), middle, y(b.high))
	}
}

// barPatterns is the number of patterns of bars, for colours that look alike in grey: full, striped, hollow, ladder,
// framed.
const barPatterns = 5

// paint fills a rectangle with the colour and the pattern of a classifier.
func (d *barChart) paint(c draw.Canvas, id string, left, bottom, right, top vg.Length) {
	fill := func(clr color.Color, left, bottom, right, top vg.Length) {
		if left < right && bottom < top {
			canvas.FillBox(c, clr, left, bottom, right, top)
		}
	}
	gaps := func(rim, height, every vg.Length) { // white, from the bottom to below the top
		for y := bottom + 1; y < top-1; y += every {
			fill(canvas.Tint(canvas.Black, 0), left+rim, y, right-rim, min(y+height, top-1))
		}
	}
	clr := canvas.Fill(Colour(d.View, id))
	fill(clr, left, bottom, right, top)
	switch d.Index(id) % barPatterns {
	case 1:
		gaps(0, 1.2, 2.6)
	case 2:
		gaps(1, top-bottom, top-bottom)
	case 3:
		gaps(1, 3, 4)
	case 4:
		fill(canvas.Black, left, bottom, right, top)
		fill(clr, left+0.7, bottom+0.7, right-0.7, top-0.7)
	}
}

// names writes the names of the groups below the data.
func (d *barChart) names(c draw.Canvas, p *plot.Plot) {
	sty := canvas.Text(canvas.TickSize)
	top := c.Min.Y - 3
	for g, name := range d.groups {
		x := c.X(p.X.Norm(float64(g)))
		if d.lines == nil {
			sty.XAlign, sty.YAlign, sty.Rotation = draw.XRight, draw.YCenter, math.Pi/2
			c.FillText(sty, vg.Point{X: x, Y: top}, name)
			continue
		}
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		for i, line := range d.lines[g] {
			c.FillText(sty, vg.Point{X: x, Y: top - groupLine*vg.Length(i)}, line)
		}
	}
}
