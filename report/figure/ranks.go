package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// A rankPanel is one critical-difference diagram.
type rankPanel struct {
	title  string
	cells  int // blocks: cells in which every classifier has a result
	left   int // cells left out
	result stats.NemenyiResult
}

// rankDrawing is a page of critical-difference diagrams (Demsar 2006, Fig. 1):
// mean ranks over cells on a line, bars joining classifiers whose mean ranks
// differ by less than the critical difference.
type rankDrawing struct {
	*view.View
	ids    []string
	panels []rankPanel
}

func rankPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	r := rankDrawing{View: v, ids: v.Compared(columns)}
	if len(r.ids) < 2 || !m.IsRate {
		return canvas.Picture{}, fmt.Errorf("ranks need an error rate and at least two classifiers in the family, there are %d", len(r.ids))
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	for _, g := range groups {
		panel := rankPanel{title: v.InWords(g.Factors, g.Levels)}
		blocks, left := verdicts.RankTable(g.Cells, m.Metric, r.ids)
		panel.cells, panel.left = len(blocks), left
		if len(blocks) > 0 {
			if panel.result, err = stats.Nemenyi(blocks, v.Alpha); err != nil {
				return canvas.Picture{}, err
			}
		}
		r.panels = append(r.panels, panel)
	}
	height := r.height() * vg.Length(len(r.panels))
	words := view.Caption(o.Caption, r.caption(m), "")
	return canvas.Picture{Caption: words, Height: height, Paint: r.paint}, nil
}

func (r *rankDrawing) caption(m *view.Measure) string {
	return fmt.Sprintf("Average rank of the mean %s over the cells of the design (1 is best). Thick bars join classifiers whose average ranks differ by less than the critical difference CD of Nemenyi's test at level %s. The rank of a classifier depends on which others are compared; read it beside the tests within each cell.",
		strings.TrimSpace(m.Name), view.Number(r.Alpha))
}

const rankLine = vg.Length(12) // from one name to the next

// height of one diagram: title, scale, axis, groups and names.
func (r *rankDrawing) height() vg.Length {
	names := vg.Length((len(r.ids) + 1) / 2)
	bars := 0
	for _, p := range r.panels {
		bars = max(bars, len(p.result.Groups))
	}
	return 62 + 5*vg.Length(bars) + rankLine*names
}

func (r *rankDrawing) paint(c draw.Canvas) {
	for i, area := range canvas.Grid(c, len(r.panels), 1, 0) {
		r.panel(area, &r.panels[i])
	}
}

// panel draws one diagram, from the top: title, critical difference, axis, bars
// and names.
func (r *rankDrawing) panel(c draw.Canvas, p *rankPanel) {
	k := len(r.ids)
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	title := fmt.Sprintf("%s, Friedman p %s", view.Plural(p.cells, "cell", "cells"), sheet.PValue(p.result.P))
	if p.left > 0 {
		title += fmt.Sprintf(" (%s left out: a classifier has no result)", view.Plural(p.left, "cell", "cells"))
	}
	if p.title != "" {
		title = p.title + " – " + title
	}
	c.FillText(canvas.Style(canvas.Face(canvas.PanelSize)), vg.Point{X: c.Min.X, Y: c.Max.Y - vg.Points(canvas.PanelSize)}, title)
	if p.cells == 0 {
		return
	}
	wide := vg.Length(0)
	for _, id := range r.ids {
		wide = max(wide, sty.Width(r.Label(id)))
	}
	wide += 30
	left, right := c.Min.X+wide, c.Max.X-wide
	at := func(rank float64) vg.Length {
		return left + (right-left)*vg.Length((rank-1)/float64(k-1))
	}
	y := c.Max.Y - 42
	line := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.7)}
	r.scale(c, p, at, y, line)
	thick := draw.LineStyle{Color: canvas.Black, Width: vg.Points(2.4)}
	bar := y - 6
	for _, g := range p.result.Groups {
		first, last := p.result.MeanRanks[g[0]], p.result.MeanRanks[g[len(g)-1]]
		c.StrokeLine2(thick, at(first)-2, bar, at(last)+2, bar)
		bar -= 5
	}
	r.names(c, p, at, y, bar-4, left, right, line)
}

// scale draws the axis of ranks and, above it, the critical difference.
func (r *rankDrawing) scale(c draw.Canvas, p *rankPanel, at func(float64) vg.Length, y vg.Length, line draw.LineStyle) {
	k := len(r.ids)
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	sty.XAlign = draw.XCenter
	c.StrokeLine2(line, at(1), y, at(float64(k)), y)
	for rank := 1; rank <= k; rank++ {
		x := at(float64(rank))
		c.StrokeLine2(line, x, y, x, y+4)
		c.FillText(sty, vg.Point{X: x, Y: y + 5}, fmt.Sprint(rank))
	}
	words := canvas.Style(canvas.Face(canvas.TickSize))
	above := y + 20
	if p.result.CD > float64(k-1) {
		canvas.FillMiddle(c, words, vg.Point{X: at(1), Y: above}, fmt.Sprintf("CD %.2f (wider than the axis)", p.result.CD))
		return
	}
	from, to := at(1), at(1+p.result.CD)
	c.StrokeLine2(line, from, above, to, above)
	c.StrokeLine2(line, from, above-2, from, above+2)
	c.StrokeLine2(line, to, above-2, to, above+2)
	canvas.FillMiddle(c, words, vg.Point{X: to + 4, Y: above}, fmt.Sprintf("CD %.2f", p.result.CD))
}

// names puts the better half at the left, the others at the right, each joined
// to its place on the axis.
func (r *rankDrawing) names(c draw.Canvas, p *rankPanel, at func(float64) vg.Length, y, top, left, right vg.Length, line draw.LineStyle) {
	ranks := p.result.MeanRanks
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case ranks[a] < ranks[b]:
			return -1
		case ranks[a] > ranks[b]:
			return 1
		}
		return 0
	})
	half := (len(order) + 1) / 2
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	value := sty
	value.Color = canvas.DarkGrey
	for place, i := range order {
		x := at(ranks[i])
		row, edge, gap := place, left-6, vg.Length(-3)
		sty.XAlign, value.XAlign = draw.XRight, draw.XRight
		if place >= half {
			row, edge, gap = len(order)-1-place, right+6, 3
			sty.XAlign, value.XAlign = draw.XLeft, draw.XLeft
		}
		level := top - rankLine*vg.Length(row)
		c.StrokeLines(line, []vg.Point{{X: x, Y: y}, {X: x, Y: level}, {X: edge, Y: level}})
		number := fmt.Sprintf("%.2f", ranks[i])
		canvas.FillMiddle(c, value, vg.Point{X: edge + gap, Y: level}, number)
		canvas.FillMiddle(c, sty, vg.Point{X: edge + gap + vg.Length(math.Copysign(float64(value.Width("00.00"))+4, float64(gap))), Y: level}, r.Label(r.ids[i]))
	}
}
