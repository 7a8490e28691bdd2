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

// A nestedChart is a step line for each classifier over the cells of the design, in the order of nested loops over
// their factors (Rücker and Schwarzer 2014), with strips of levels below.
type nestedChart struct {
	*chart
	loops []loops      // by group
	steps []view.Group // of all groups
	bars  bool         // of standard errors
}

// loops are the levels of the steps of a group.
type loops struct {
	labels []string   // of the factors, outermost first
	levels [][]string // of each step, a level of each factor
}

const nestedStrip = vg.Length(13) // height of the levels of one factor

func nestedPage(r *request, page view.Group) (drawn, error) {
	d := nestedChart{chart: newChart(r)}
	d.enough, d.most, d.names, d.bands = len(canvas.Dashes), len(canvas.Dashes), nameSketch{line: true}, false
	groups, err := d.add(page, d.groupCurves)
	if err != nil {
		return drawn{}, err
	}
	if r.o.PerRow == 0 && len(groups)*len(d.parts) <= 4 { // long lines are read more easily
		d.PerRow = 1
	}
	d.makeRoom()
	d.fit()
	d.bars = d.roomForBars()
	if !d.bars {
		d.Remarks = append(d.Remarks, "its cells are too narrow for bars of standard errors: "+
			"name fewer classifiers (columns), or put a factor under panel or page")
	}
	d.geom = d.step
	d.Marks = func(c draw.Canvas, p *plot.Plot, i int) {
		d.panel(c, p, i)
		d.strips(c, p, d.loopsOf(i))
	}
	return d.picture(page, facts{
		"Replication": r.Replication(d.steps, r.measure, d.ids), "Bars": d.bars, "LargestError": d.largestError(),
		"Levels": strings.Join(d.levelWords(), "; "), "Pooling": r.Pooling("Each step", d.steps),
	}), nil
}

// loopsOf returns the loops of panel i: every group has a panel for each part of the classifiers.
func (d *nestedChart) loopsOf(i int) *loops { return &d.loops[i/len(d.parts)] }

// makeRoom makes room for the strips below the data and for the names of their factors.
func (d *nestedChart) makeRoom() {
	d.X.Hidden = true
	for i := range d.curves {
		l := d.loopsOf(i)
		d.X.Spans = append(d.X.Spans, panels.Span{Low: 0, High: float64(len(l.levels))})
		d.Room.Taller = max(d.Room.Taller, nestedStrip*vg.Length(len(l.labels)))
		for _, label := range l.labels {
			const axis = 18 // of which they have the room
			d.Room.Left = max(d.Room.Left, canvas.Text(canvas.TickSize).Width(label)-axis)
		}
	}
	d.Room.Below = d.Room.Taller + 4
}

// groupCurves returns the means of the classifiers in the cells of one panel, in the order of the loops.
func (d *nestedChart) groupCurves(panel *view.Group) ([]curve, error) {
	factors, steps, err := d.rows(panel.Cells)
	if err != nil {
		return nil, err
	}
	l := loops{labels: d.factorLabels(factors)}
	curves := make([]curve, len(d.ids))
	for i := range steps {
		l.levels = append(l.levels, d.LevelLabels(factors, steps[i].Levels))
		pooled := d.Pool(&steps[i])
		for k, id := range d.ids {
			curves[k].id = id
			if s := d.Summary(&steps[i], &pooled, d.measure, id); s.N > 0 {
				at := withError(float64(i), s, 2*s.MCSE)
				at.group = &steps[i]
				curves[k].points = append(curves[k].points, at)
			}
		}
	}
	d.loops, d.steps = append(d.loops, l), append(d.steps, steps...)
	return curves, nil
}

// roomForBars reports whether the bars of all classifiers of a panel have room in every step.
func (d *nestedChart) roomForBars() bool {
	const least = 1.5 // distance of bars, below which they hide the lines
	for i, curves := range d.curves {
		bars := d.X.Span(i).High * float64(curves[0].of+1)
		if d.DataWidth() < least*vg.Length(bars) {
			return false
		}
	}
	return true
}

// levelWords returns the levels of each factor: "n: 200, 400". Strips may lack room for them.
func (d *nestedChart) levelWords() (words []string) {
	levels := map[string][]string{} // by label
	var order []string
	for _, l := range d.loops {
		for j, label := range l.labels {
			if levels[label] == nil {
				order = append(order, label)
			}
			for _, step := range l.levels {
				if !slices.Contains(levels[label], step[j]) {
					levels[label] = append(levels[label], step[j])
				}
			}
		}
	}
	for _, label := range order {
		words = append(words, label+": "+strings.Join(levels[label], ", "))
	}
	return words
}

// step draws a curve as a level for each step, joined where steps follow one another, with its bars if the panel
// names it.
func (d *nestedChart) step(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, _ draw.GlyphStyle) {
	x, y := p.Transforms(&c)
	var path []vg.Point
	for i, at := range k.points {
		if i > 0 && at.x > k.points[i-1].x+1 { // a step without results interrupts the line
			c.StrokeLines(line, path)
			path = nil
		}
		path = append(path, vg.Point{X: x(at.x), Y: y(at.Mean)}, vg.Point{X: x(at.x + 1), Y: y(at.Mean)})
		if d.bars && k.named() && at.high > at.low {
			beside := x(at.x + float64(k.place+1)/float64(k.of+1))
			bar := draw.LineStyle{Color: line.Color, Width: vg.Points(0.6)}
			c.StrokeLine2(bar, beside, y(at.low), beside, y(at.high))
		}
	}
	c.StrokeLines(line, path)
}

// strips writes the levels of each factor below the steps that have them.
func (d *nestedChart) strips(data draw.Canvas, p *plot.Plot, l *loops) {
	names := canvas.Text(canvas.TickSize)
	names.XAlign = draw.XRight
	for j, label := range l.labels {
		y := data.Min.Y - 6 - nestedStrip*(vg.Length(j)+0.5)
		canvas.FillMiddle(data, names, vg.Point{X: data.Min.X - 5, Y: y}, label)
		for run, from := range l.runs(j) {
			to := len(l.levels)
			if next := l.runs(j)[run+1:]; len(next) > 0 {
				to = next[0]
			}
			left, right := data.X(p.X.Norm(float64(from))), data.X(p.X.Norm(float64(to)))
			levelStrip(data, left, right, y, run%2 == 0, l.levels[from][j])
		}
	}
}

// runs returns the first step of each run of steps with the same levels of factor j and those outside it.
func (l *loops) runs(j int) (first []int) {
	for i := range l.levels {
		if i == 0 || !slices.Equal(l.levels[i][:j+1], l.levels[i-1][:j+1]) {
			first = append(first, i)
		}
	}
	return first
}

// levelStrip writes a level in the middle of a strip, if it has room there.
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
