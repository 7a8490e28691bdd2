package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
)

// A nestedChart is a step line for each classifier over the cells of the design, in the order of nested
// loops over their factors (Rücker and Schwarzer 2014), with strips of levels below.
type nestedChart struct {
	*chart
	loops []loops      // by panel
	steps []view.Group // of all panels
	bars  bool         // standard errors are drawn
}

// loops are the steps of a panel: combinations of the levels of nested factors.
type loops struct {
	labels []string   // of the factors, outermost first
	levels [][]string // by step, the level of each factor
}

const nestedStrip = vg.Length(13) // height of the strip of a factor

// nestedPage draws a step line for each classifier over all cells.
func nestedPage(r *request, page view.Group) (drawn, error) {
	d := nestedChart{chart: newChart(r)}
	d.most, d.marks, d.bands, d.geom = len(canvas.Dashes), false, false, d.drawSteps
	if _, err := d.add(page, d.groupCurves); err != nil {
		return drawn{}, err
	}
	if r.o.PerRow == 0 && len(d.curves) <= 4 { // long lines are read more easily
		d.PerRow = 1
	}
	d.makeRoom()
	d.fit()
	d.bars = d.roomForBars()
	if !d.bars {
		d.Remarks = append(d.Remarks, "its cells are too narrow for bars of standard errors: "+
			"name fewer classifiers (columns), or put a factor under panel or page")
	}
	d.behind = d.drawStrips
	return d.picture(page, facts{
		"Replication": r.Replication(d.steps, r.measure, d.ids), "Bars": d.bars, "LargestError": d.largestError(),
		"Levels": strings.Join(d.levelWords(), "; "), "Pooling": r.Pooling("Each step", d.steps),
	}), nil
}

// makeRoom makes room for the strips below the data and for the names of their factors.
func (d *nestedChart) makeRoom() {
	d.X.Hidden = true
	for _, l := range d.loops {
		d.X.Spans = append(d.X.Spans, panels.Span{Low: 0, High: float64(len(l.levels))})
		d.Room.Taller = max(d.Room.Taller, nestedStrip*vg.Length(len(l.labels)))
		for _, label := range l.labels {
			const axis = 18 // room that they share with the labels of the vertical axis
			d.Room.Left = max(d.Room.Left, canvas.Text(canvas.TickSize).Width(label)-axis)
		}
	}
	d.Room.Below = d.Room.Taller + 4
}

// groupCurves returns the curves of one panel: step i of the loops is drawn from i to i + 1. It also adds
// the panel's loops and steps.
func (d *nestedChart) groupCurves(panel *view.Group) ([]curve, error) {
	factors, steps, err := d.rows(panel.Cells)
	if err != nil {
		return nil, err
	}
	l := loops{labels: d.factorLabels(factors)}
	for i := range steps {
		l.levels = append(l.levels, d.LevelLabels(factors, steps[i].Levels))
	}
	d.loops, d.steps = append(d.loops, l), append(d.steps, steps...)
	curves := make([]curve, len(d.ids))
	for k, id := range d.ids {
		curves[k] = curve{id: id, points: d.stepMeans(steps, id)}
	}
	return curves, nil
}

// stepMeans returns the means of a classifier in the steps in which it has results.
func (d *nestedChart) stepMeans(steps []view.Group, id string) (points []point) {
	for i := range steps {
		pooled := d.Pool(&steps[i])
		s := d.Summary(&steps[i], &pooled, d.measure, id)
		if s.N == 0 {
			continue
		}
		at := withError(float64(i), s, 2*s.MCSE)
		at.group = &steps[i]
		points = append(points, at)
	}
	return points
}

// roomForBars reports whether every step has room for a bar of each classifier.
func (d *nestedChart) roomForBars() bool {
	const least = vg.Length(1.5) // distance of bars, below which they hide the lines
	for _, l := range d.loops {
		bars := len(l.levels) * (len(d.ids) + 1)
		if d.DataWidth() < least*vg.Length(bars) {
			return false
		}
	}
	return true
}

// levelWords returns the levels of each factor, "n: 200, 400", as strips may lack room for them.
func (d *nestedChart) levelWords() (words []string) {
	levels := map[string][]string{} // by label
	var order []string              // labels
	for _, l := range d.loops {
		for j, label := range l.labels {
			order = addOnce(order, label)
			for _, step := range l.levels {
				levels[label] = addOnce(levels[label], step[j])
			}
		}
	}
	for _, label := range order {
		words = append(words, label+": "+strings.Join(levels[label], ", "))
	}
	return words
}

// drawSteps is a geom: a horizontal line for each step, joined to the next one, with an error bar. The
// bars of the classifiers are beside one another.
func (d *nestedChart) drawSteps(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, _ draw.GlyphStyle) {
	x, y := p.Transforms(&c)
	bar := draw.LineStyle{Color: line.Color, Width: vg.Points(0.6)}
	place := float64(slices.Index(d.ids, k.id)+1) / float64(len(d.ids)+1)
	var path []vg.Point
	for i, at := range k.points {
		if i > 0 && at.x > k.points[i-1].x+1 { // a step without results interrupts the line
			c.StrokeLines(line, path)
			path = nil
		}
		path = append(path, vg.Point{X: x(at.x), Y: y(at.Mean)}, vg.Point{X: x(at.x + 1), Y: y(at.Mean)})
		if d.bars && at.high > at.low {
			c.StrokeLine2(bar, x(at.x+place), y(at.low), x(at.x+place), y(at.high))
		}
	}
	c.StrokeLines(line, path)
}

// drawStrips writes a strip for each factor of panel i below the data: its name, then each level below its
// steps.
func (d *nestedChart) drawStrips(data draw.Canvas, p *plot.Plot, i int) {
	l := &d.loops[i]
	names := canvas.Text(canvas.TickSize)
	names.XAlign = draw.XRight
	x := func(step int) vg.Length { return data.X(p.X.Norm(float64(step))) }
	for j, label := range l.labels {
		y := data.Min.Y - 6 - nestedStrip*(vg.Length(j)+0.5)
		canvas.FillMiddle(data, names, vg.Point{X: data.Min.X - 5, Y: y}, label)
		starts := append(l.runs(j), len(l.levels))
		for run := range len(starts) - 1 {
			shaded := run%2 == 0
			levelStrip(data, x(starts[run]), x(starts[run+1]), y, shaded, l.levels[starts[run]][j])
		}
	}
}

// runs returns the first step of each run of steps that share the levels of factor j and of the factors
// outside it.
func (l *loops) runs(j int) (first []int) {
	for i := range l.levels {
		if i == 0 || !slices.Equal(l.levels[i][:j+1], l.levels[i-1][:j+1]) {
			first = append(first, i)
		}
	}
	return first
}

// levelStrip draws a piece of a strip with a level in its middle, if the level has room there.
func levelStrip(c draw.Canvas, left, right, y vg.Length, shaded bool, level string) {
	if shaded {
		canvas.FillBox(c, canvas.GridGrey, left, y-nestedStrip/2+1, right, y+nestedStrip/2-1)
	}
	sty := canvas.Text(canvas.TickSize)
	sty.XAlign = draw.XCenter
	if sty.Width(level) < right-left {
		canvas.FillMiddle(c, sty, vg.Point{X: (left + right) / 2, Y: y}, level)
	}
}
