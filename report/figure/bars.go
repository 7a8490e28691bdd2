package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
)

// barDrawing shows each classifier's mean beside that of a reference, as Elidan
// (2012) does in his Figures 2 and 3: the difference of rates, the ratio of times
// on a logarithmic axis.
type barDrawing struct {
	*view.View
	panels
	ids    []string
	groups []string    // the names along the horizontal axis
	bars   [][]float64 // of each group, one for each id; NaN: no result
	origin float64     // where bars begin: 0, or 1 for ratios
	span   span
}

// shareOfGroup is the width of a group's bars, of the distance of groups.
const shareOfGroup = 0.8

func barPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	drawn, ref := measured(columns, o.Reference)
	if ref == "" {
		return canvas.Picture{}, view.Mistaken([]string{"reference"}, "", "bars are beside a reference, and there are no results of %q among %s", o.Reference, v.Labels(columns))
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	b := barDrawing{View: v, ids: drawn}
	vertical, words := "difference in "+m.Title(), "Mean %s less that of %s"
	if m.Cost != nil {
		b.origin, vertical, words = 1, "ratio of "+m.Title(), "Mean %s as a multiple of that of %s, on a logarithmic axis"
	}
	for _, g := range groups {
		b.groups = append(b.groups, strings.Join(v.LevelLabels(g.Factors, g.Levels), ", "))
		b.bars = append(b.bars, b.row(&g, m, ref))
	}
	b.setSpan()
	b.panels = panels{options: o, count: 1, vertical: vertical, key: b.key(), draw: b.panel}
	caption := fmt.Sprintf(words+"; means are over %s. A classifier without a bar has no result there, or that of the reference.", m.Title(), v.Label(ref), v.Units(groups))
	return b.picture(view.Caption(o.Caption, caption, v.Pooling("Each group of bars", groups))), nil
}

// row returns the ends of a group's bars.
func (b *barDrawing) row(g *view.Group, m *view.Measure, ref string) []float64 {
	pooled := b.Pool(g)
	base := b.Summary(g, &pooled, m, ref).Mean
	row := make([]float64, len(b.ids))
	for k, id := range b.ids {
		mean := b.Summary(g, &pooled, m, id).Mean
		row[k] = mean - base
		if m.Cost != nil {
			row[k] = mean / base
		}
		if math.IsInf(row[k], 0) || m.Cost != nil && row[k] <= 0 {
			row[k] = math.NaN()
		}
	}
	return row
}

// setSpan makes the axis hold all bars; the margin of ratios is one, too.
func (b *barDrawing) setSpan() {
	all := []float64{b.origin}
	for _, row := range b.bars {
		for _, v := range row {
			if !math.IsNaN(v) {
				all = append(all, v)
			}
		}
	}
	b.span.low, b.span.high = canvas.Span(all)
	if b.origin == 1 {
		b.span = span{slices.Min(all) / 1.3, slices.Max(all) * 1.3}
	}
}

func (b *barDrawing) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	for _, id := range b.ids {
		items = append(items, canvas.KeyItem{Words: b.Label(id), Sketch: func(c draw.Canvas, at vg.Point) {
			c.FillPolygon(canvas.Tint(colour(b.View, id), 0.75), []vg.Point{{X: at.X - 5, Y: at.Y - 4}, {X: at.X + 5, Y: at.Y - 4}, {X: at.X + 5, Y: at.Y + 4}, {X: at.X - 5, Y: at.Y + 4}})
		}})
	}
	return items
}

// panel draws all groups and returns the area of the data.
func (b *barDrawing) panel(c draw.Canvas, _ int) draw.Canvas {
	p := canvas.NewPlot()
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = b.span.low, b.span.high, canvas.Ticks(8)
	if b.origin == 1 {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, canvas.LogTicks{}
	}
	p.X.Min, p.X.Max = -0.5, float64(len(b.groups))-0.5
	horizontalGrid(p)
	width := shareOfGroup / float64(len(b.ids))
	for g, row := range b.bars {
		for k, v := range row {
			if math.IsNaN(v) {
				continue
			}
			x := float64(g) - shareOfGroup/2 + width*float64(k)
			corners := plotter.XYs{{X: x, Y: b.origin}, {X: x + width, Y: b.origin}, {X: x + width, Y: v}, {X: x, Y: v}}
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{corners}, Color: canvas.Tint(colour(b.View, b.ids[k]), 0.75)})
		}
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: b.origin}, {X: p.X.Max, Y: b.origin}}, LineStyle: draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}})
	p.NominalX(b.groups...)
	p.X.Min, p.X.Max = -0.5, float64(len(b.groups))-0.5
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, draw.XRight, draw.YCenter
	data := p.DataCanvas(c)
	p.Draw(c)
	return data
}
