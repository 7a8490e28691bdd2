package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A rankPanel is one critical-difference diagram.
type rankPanel struct {
	title  string
	head   []string // with what was counted, in lines
	cells  int      // blocks: cells in which every classifier has a result
	left   []string // cells left out, and why
	ranks  stats.FriedmanResult
	groups [][]int  // what bars join
	apart  [][2]int // what no bar can join, though tests do not tell it apart
	cd     float64  // Nemenyi's critical difference; NaN where groups come from pairwise tests
}

// rankDrawing is a page of critical-difference diagrams (Demsar 2006, Fig. 1):
// mean ranks over the cells of the design on a line, bars joining classifiers that
// are not told apart.
type rankDrawing struct {
	*view.View
	ids     []string
	nemenyi bool
	panels  []rankPanel
	taller  vg.Length // for more than one line of a head
}

func rankPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	r := rankDrawing{View: v, ids: v.Compared(m, columns), nemenyi: o.Cliques == "nemenyi"}
	if len(r.ids) < 2 || !m.IsRate {
		return canvas.Picture{}, fmt.Errorf("ranks need an error rate and at least two classifiers in the family, there are %d", len(r.ids))
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	for _, g := range groups {
		panel, err := r.rank(g, m)
		if err != nil {
			return canvas.Picture{}, err
		}
		panel.head = r.head(&panel, &o)
		r.panels, r.taller = append(r.panels, panel), max(r.taller, titleLine*vg.Length(len(panel.head)-1))
	}
	height := r.height() * vg.Length(len(r.panels))
	words := view.Caption(o.Caption, r.caption(m), v.FailedRanks(page.Cells, m, r.ids))
	return canvas.Picture{Caption: words, Height: height, Paint: r.paint}, nil
}

// rank ranks the classifiers over the cells of one panel and groups them.
func (r *rankDrawing) rank(g view.Group, m *view.Measure) (rankPanel, error) {
	blocks, left := r.Blocks(g.Cells, m, r.ids)
	panel := rankPanel{title: r.InWords(g.Factors, g.Levels), cells: len(blocks), left: left, cd: math.NaN()}
	switch {
	case len(blocks) == 0:
		return panel, nil
	case r.nemenyi:
		result, err := stats.Nemenyi(blocks, r.Alpha)
		panel.ranks, panel.groups, panel.cd = result.FriedmanResult, result.Groups, result.CD
		return panel, err
	}
	result, err := stats.WilcoxonHolm(blocks, r.Alpha)
	panel.ranks, panel.groups, panel.apart = result.FriedmanResult, result.Groups, result.Apart
	if !r.attainable(len(blocks)) { // no bar would say that all of them differ
		panel.groups, panel.apart = [][]int{byRank(result.MeanRanks)}, nil
	}
	return panel, err
}

// byRank returns the classifiers from the best mean rank to the worst.
func byRank(meanRanks []float64) []int {
	order := make([]int, len(meanRanks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(meanRanks[a], meanRanks[b]) })
	return order
}

// attainable tells whether Holm's first step can reject with so many blocks: with
// fewer one bar joins everything, whatever the results.
func (r *rankDrawing) attainable(blocks int) bool {
	pairs := len(r.ids) * (len(r.ids) - 1) / 2
	return stats.Tests[0].MinP(blocks, stats.TwoSided) <= r.Alpha/float64(pairs)
}

func (r *rankDrawing) caption(m *view.Measure) string {
	var cells []string
	joined := true
	for _, p := range r.panels {
		cells = append(cells, view.Plural(p.cells, "cell", "cells"))
		joined = joined && (r.nemenyi || r.attainable(p.cells))
	}
	text := fmt.Sprintf("Average rank of the mean %s (1 is best) over %s of the design, where those on the same data count once.", m.Name, strings.Join(cells, ", "))
	pairs := len(r.ids) * (len(r.ids) - 1) / 2
	switch {
	case r.nemenyi:
		text += fmt.Sprintf(" Thick bars join classifiers whose average ranks differ by less than the critical difference CD of Nemenyi's test at level %s.", view.Number(r.Alpha))
	default:
		text += fmt.Sprintf(" Thick bars join classifiers that two-sided Wilcoxon signed-rank tests over these cells do not tell apart, family-wise level %s, Holm over %s.", view.Number(r.Alpha), view.Plural(pairs, "pair", "pairs"))
	}
	if !joined {
		text += " Where cells are too few for any difference to be significant one bar joins all."
	}
	for i := range r.panels {
		text += r.apartWords(&r.panels[i])
	}
	for _, p := range r.panels {
		if words := view.LeftOut(p.left); words != "" && p.title != "" {
			text += " " + view.Capital(p.title) + ":" + words
		} else {
			text += words
		}
	}
	return text + " The rank of a classifier depends on which others are compared; read it beside the tests within each cell."
}

// apartWords names the pairs of a panel whose missing bar says nothing.
func (r *rankDrawing) apartWords(p *rankPanel) string {
	var pairs []string
	for _, q := range p.apart {
		pairs = append(pairs, r.Label(r.ids[q[0]])+" and "+r.Label(r.ids[q[1]]))
	}
	if pairs == nil {
		return ""
	}
	where := ""
	if p.title != "" {
		where = " (" + p.title + ")"
	}
	return fmt.Sprintf(" Not told apart either%s, though no bar can join them over others that are: %s.", where, strings.Join(pairs, "; "))
}

const rankLine = vg.Length(12) // from one name to the next

// height of one diagram: title, scale, axis, groups and names.
func (r *rankDrawing) height() vg.Length {
	names := vg.Length((len(r.ids) + 1) / 2)
	bars := 0
	for _, p := range r.panels {
		bars = max(bars, len(p.groups))
	}
	return 62 + r.taller + 5*vg.Length(bars) + rankLine*names
}

func (r *rankDrawing) paint(c draw.Canvas) {
	for i, area := range canvas.Grid(c, len(r.panels), 1, 0) {
		r.panel(area, &r.panels[i])
	}
}

// head is the title of a panel with what was counted, behind it or below.
func (r *rankDrawing) head(p *rankPanel, o *Options) []string {
	counted := fmt.Sprintf("%s, Friedman p %s", view.Plural(p.cells, "cell", "cells"), sheet.PValue(p.ranks.P))
	if !r.nemenyi && !r.attainable(p.cells) {
		counted = fmt.Sprintf("%s, too few to tell any pair apart, Friedman p %s", view.Plural(p.cells, "cell", "cells"), sheet.PValue(p.ranks.P))
	}
	switch {
	case p.cells == 0:
		counted = fmt.Sprintf("no cell has results of all %s", view.Plural(len(r.ids), "classifier", "classifiers"))
	case len(p.left) > 0:
		counted += fmt.Sprintf(" (%s left out)", view.Plural(len(p.left), "cell", "cells"))
	}
	if p.title == "" {
		return o.titleLines(counted)
	}
	if lines := o.titleLines(p.title + " – " + counted); len(lines) == 1 {
		return lines
	}
	return append(o.titleLines(p.title), o.titleLines(counted)...)
}

// panel draws one diagram, from the top: title, critical difference, axis, bars
// and names.
func (r *rankDrawing) panel(c draw.Canvas, p *rankPanel) {
	k := len(r.ids)
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	writeLines(c, c.Min.X, p.head)
	if p.cells == 0 {
		return
	}
	wide := vg.Length(0)
	for _, id := range r.ids {
		wide = max(wide, sty.Width(r.Label(id)))
	}
	wide += 36
	left, right := c.Min.X+wide, c.Max.X-wide
	at := func(rank float64) vg.Length {
		return left + (right-left)*vg.Length((rank-1)/float64(k-1))
	}
	y := c.Max.Y - 42 - r.taller
	line := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.7)}
	r.scale(c, p, at, y, line)
	thick := draw.LineStyle{Color: canvas.Black, Width: vg.Points(2.4)}
	bar := y - 6
	for _, g := range p.groups {
		first, last := p.ranks.MeanRanks[g[0]], p.ranks.MeanRanks[g[len(g)-1]]
		c.StrokeLine2(thick, at(first)-2, bar, at(last)+2, bar)
		bar -= 5
	}
	r.names(c, p, at, y, bar-4, left, right, line)
}

// scale draws the axis of ranks and, above it, the critical difference if there
// is one.
func (r *rankDrawing) scale(c draw.Canvas, p *rankPanel, at func(float64) vg.Length, y vg.Length, line draw.LineStyle) {
	k := len(r.ids)
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	sty.XAlign = draw.XCenter
	c.StrokeLine2(line, at(1), y, at(float64(k)), y)
	named := canvas.Along(canvas.Ticks(k-1), 1, float64(k), at, sty)
	for rank := 1; rank <= k; rank++ {
		x := at(float64(rank))
		c.StrokeLine2(line, x, y, x, y+4)
		if slices.ContainsFunc(named, func(t plot.Tick) bool { return t.Label == fmt.Sprint(rank) }) {
			c.FillText(sty, vg.Point{X: x, Y: y + 5}, fmt.Sprint(rank))
		}
	}
	if math.IsNaN(p.cd) {
		return
	}
	words := canvas.Style(canvas.Face(canvas.TickSize))
	above := y + 20
	if p.cd > float64(k-1) {
		canvas.FillMiddle(c, words, vg.Point{X: at(1), Y: above}, fmt.Sprintf("CD %.2f (wider than the axis)", p.cd))
		return
	}
	from, to := at(1), at(1+p.cd)
	c.StrokeLine2(line, from, above, to, above)
	c.StrokeLine2(line, from, above-2, from, above+2)
	c.StrokeLine2(line, to, above-2, to, above+2)
	canvas.FillMiddle(c, words, vg.Point{X: to + 4, Y: above}, fmt.Sprintf("CD %.2f", p.cd))
}

// names puts the better half at the left, the others at the right, each joined
// to its place on the axis.
func (r *rankDrawing) names(c draw.Canvas, p *rankPanel, at func(float64) vg.Length, y, top, left, right vg.Length, line draw.LineStyle) {
	ranks := p.ranks.MeanRanks
	order := byRank(ranks)
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
		number := sheet.Fixed(ranks[i], 2)
		canvas.FillMiddle(c, value, vg.Point{X: edge + gap, Y: level}, number)
		canvas.FillMiddle(c, sty, vg.Point{X: edge + gap + vg.Length(math.Copysign(float64(value.Width("00.00"))+4, float64(gap))), Y: level}, r.Label(r.ids[i]))
	}
}
