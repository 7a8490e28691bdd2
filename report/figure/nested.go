package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
)

// nestedDrawing is a nested-loop plot (Rücker and Schwarzer 2014): all cells of the
// design side by side in the order of nested loops over the factors, a step line per
// classifier, and below the levels that each step stands for.
type nestedDrawing struct {
	lineDrawing
	loops []nestedLoops // by panel
	bars  bool          // of standard errors
}

type nestedLoops struct {
	labels []string // of the factors, outermost first
	levels [][]string
	sums   [][]stats.Summary // steps x classifiers
	ids    []string
}

const nestedStrip = vg.Length(13) // height of one factor's levels

func nestedPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	drawn, ref := measured(columns, o.Reference)
	d := nestedDrawing{lineDrawing: lineDrawing{View: v, measure: m, reference: ref, shown: linesAlone}}
	if ref != "" {
		drawn = append(slices.Clone(drawn), ref)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	named := parts(drawn, ref, len(canvas.Dashes), len(canvas.Dashes), len(groups))
	if o.PerRow == 0 && len(groups)*len(named) <= 4 {
		o.PerRow = 1
	}
	factors := 0
	var all [][]float64
	for i := range groups {
		loops, curves, values, err := d.loop(&groups[i], o, drawn)
		if err != nil {
			return canvas.Picture{}, err
		}
		for _, ids := range named {
			d.loops, all = append(d.loops, loops), append(all, values)
			d.titles = append(d.titles, v.InWords(groups[i].Factors, groups[i].Levels))
			d.addPanel(curves, ids) // for the names at the right
		}
		factors = max(factors, len(loops.labels))
	}
	d.spans = o.spans(all, canvas.Span)
	indent := axisRoom(d.spans, canvas.Ticks(8)) + d.stripNames()
	d.panels = panels{options: o, count: len(d.loops), vertical: m.Title(), titles: d.titles, indent: indent, draw: d.panel, taller: nestedStrip * vg.Length(factors), beside: d.mostNames()}
	d.remarks = o.manyNames(named[0], ref, len(canvas.Dashes))
	d.fewerPerRow(indent + d.namesRoom() + leastData)
	words := fmt.Sprintf("Mean %s over %s in all cells of the design, in the order of nested loops over the factors below (Rücker and Schwarzer 2014)", m.Title(), v.Replication(view.Singles(page.Cells), m, drawn))
	if d.bars = d.roomForBars(); d.bars {
		words += "; bars: two Monte-Carlo standard errors either way."
	} else {
		words += "." + d.errorWords()
		d.remarks = append(d.remarks, "its cells are too narrow for bars of standard errors: name fewer classifiers (columns), or put a factor under panel or page")
	}
	var levels []string // also of strips that have no room for theirs
	for j, label := range d.loops[0].labels {
		var named []string
		for _, of := range d.loops[0].levels {
			if !slices.Contains(named, of[j]) {
				named = append(named, of[j])
			}
		}
		levels = append(levels, label+": "+strings.Join(named, ", "))
	}
	if len(levels) > 0 {
		words += fmt.Sprintf(" From the left, %s.", strings.Join(levels, "; "))
	}
	if ref != "" {
		words += fmt.Sprintf(" %s is drawn for reference.", v.Label(ref))
	}
	words += partsWords(named)
	return d.picture(view.Caption(o.Caption, words+o.axesWords(d.count), v.FailedFits(page.Cells, drawn))), nil
}

// leastBar is the distance of bars in a cell below which they hide the lines.
const leastBar = vg.Length(1.5)

// roomForBars says whether every cell has it for those of all classifiers of its panel.
func (d *nestedDrawing) roomForBars() bool {
	wide := d.width() - d.indent - d.namesRoom()
	for i, loops := range d.loops {
		if wide < leastBar*vg.Length(len(loops.levels)*(len(d.cells[i])+1)) {
			return false
		}
	}
	return true
}

// loop summarises the cells of one panel in their nested order.
func (d *nestedDrawing) loop(g *view.Group, o Options, ids []string) (loops nestedLoops, curves []curve, values []float64, err error) {
	factors := o.Rows
	if len(factors) == 0 {
		factors = d.Varying(g.Cells)
	}
	steps, err := d.Groups(g.Cells, factors)
	if err != nil {
		return loops, nil, nil, err
	}
	loops.ids = ids
	for _, name := range factors {
		loops.labels = append(loops.labels, d.FactorLabel(name))
	}
	curves = make([]curve, len(ids))
	for i := range steps {
		pooled := d.Pool(&steps[i])
		sums := make([]stats.Summary, len(ids))
		for k, id := range ids {
			sums[k] = d.Summary(&steps[i], &pooled, d.measure, id)
			curves[k].id = id
			if sums[k].N == 0 {
				continue
			}
			curves[k].widen(sums[k].MCSE)
			half := 2 * sums[k].MCSE
			if math.IsNaN(half) {
				half = 0
			}
			values = append(values, sums[k].Mean-half, sums[k].Mean+half)
			curves[k].x, curves[k].mean = append(curves[k].x, float64(i)), append(curves[k].mean, sums[k].Mean)
		}
		loops.levels, loops.sums = append(loops.levels, d.LevelLabels(factors, steps[i].Levels)), append(loops.sums, sums)
	}
	return loops, curves, values, nil
}

// panel draws the steps above the strips of levels.
func (d *nestedDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	loops := &d.loops[i]
	p := canvas.NewPlot()
	p.HideX()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(len(loops.levels)), d.spans[i].low, d.spans[i].high
	strips := nestedStrip * vg.Length(len(loops.labels))
	body := draw.Crop(c, d.stripNames(), -d.namesRoom(), strips+4, -d.headRoom())
	horizontalGrid(p)
	data := canvas.Axes(p, body)
	p.Draw(body)
	for _, named := range []bool{false, true} {
		for k, id := range loops.ids {
			if (d.place(i, id) >= 0) == named {
				d.steps(data, p, i, k)
			}
		}
	}
	d.title(c, data.Min.X, i)
	d.strips(c, data, p, loops)
	d.names(c, data, p, d.cells[i])
	return data
}

// stripNames is the room for the names of the factors, beyond that of the axis.
func (d *nestedDrawing) stripNames() (room vg.Length) {
	for _, loops := range d.loops {
		for _, label := range loops.labels {
			room = max(room, canvas.Style(canvas.Face(canvas.TickSize)).Width(label)-18)
		}
	}
	return room
}

// steps draws one classifier: a level for each cell, joined, with its bar if the panel
// names it.
func (d *nestedDrawing) steps(c draw.Canvas, p *plot.Plot, i, k int) {
	loops := &d.loops[i]
	place := d.place(i, loops.ids[k])
	line, _ := d.look(loops.ids[k])
	if place < 0 {
		line = standsBack
	}
	bar := line
	bar.Dashes, bar.Width = nil, vg.Points(0.6)
	var path []vg.Point
	finish := func() {
		if len(path) > 0 {
			c.StrokeLines(line, path)
		}
		path = nil
	}
	for step, sums := range loops.sums {
		s := sums[k]
		if s.N == 0 {
			finish()
			continue
		}
		y := c.Y(p.Y.Norm(s.Mean))
		path = append(path, vg.Point{X: c.X(p.X.Norm(float64(step))), Y: y}, vg.Point{X: c.X(p.X.Norm(float64(step + 1))), Y: y})
		if e := 2 * s.MCSE; e > 0 && place >= 0 && d.bars {
			x := c.X(p.X.Norm(float64(step) + (float64(place)+1)/(float64(len(d.cells[i]))+1)))
			c.StrokeLine2(bar, x, c.Y(p.Y.Norm(s.Mean-e)), x, c.Y(p.Y.Norm(s.Mean+e)))
		}
	}
	finish()
}

// strips writes the levels of each factor below the steps that have them.
func (d *nestedDrawing) strips(c, data draw.Canvas, p *plot.Plot, loops *nestedLoops) {
	sty := canvas.Style(canvas.Face(canvas.TickSize))
	names := sty
	names.XAlign, sty.XAlign = draw.XRight, draw.XCenter
	for j, label := range loops.labels {
		y := data.Min.Y - 6 - nestedStrip*(vg.Length(j)+0.5)
		canvas.FillMiddle(c, names, vg.Point{X: data.Min.X - 5, Y: y}, label)
		runs := 0
		for from := 0; from < len(loops.levels); {
			to := from + 1
			for to < len(loops.levels) && slices.Equal(loops.levels[to][:j+1], loops.levels[from][:j+1]) {
				to++
			}
			x0, x1 := data.X(p.X.Norm(float64(from))), data.X(p.X.Norm(float64(to)))
			if runs%2 == 0 {
				top, bottom := y+nestedStrip/2-1, y-nestedStrip/2+1
				c.FillPolygon(canvas.GridGrey, []vg.Point{{X: x0, Y: top}, {X: x1, Y: top}, {X: x1, Y: bottom}, {X: x0, Y: bottom}})
			}
			if words := loops.levels[from][j]; sty.Width(words) < x1-x0 {
				canvas.FillMiddle(c, sty, vg.Point{X: (x0 + x1) / 2, Y: y}, words)
			}
			runs++
			from = to
		}
	}
}
