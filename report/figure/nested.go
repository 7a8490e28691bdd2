package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
)

// A nestedChart is a nested-loop plot (Rücker and Schwarzer 2014). A step line for each classifier
// has a step for each combination of factor levels. Strips below the lines show the levels.
type nestedChart struct {
	*chart
	axes         []groupLabels // labels of the steps, by panel
	hasErrorBars bool          // error bars are drawn
}

const nestedStrip = vg.Length(13) // height of the strip of a factor

// newNestedChart returns a chart without panels. Its curves are step lines, which differ by their dashes and have no
// marks. They have error bars instead of shaded bands.
func newNestedChart(r *request) *nestedChart {
	d := &nestedChart{chart: newChart(r)}
	d.mostCurves = len(canvas.Dashes)
	d.markBeforeName = false
	d.bands = false
	d.drawCurve = d.drawSteps
	d.drawBehind = d.drawStrips
	return d
}

// nestedPage draws a nested-loop plot for each group of cells.
func nestedPage(r *request) (*drawnPage, error) {
	d := newNestedChart(r)
	var allSteps []view.Group // the cells of each step in all panels
	for i := range r.panels {
		steps, err := r.groupIntoRows(r.panels[i].Cells)
		if err != nil {
			return nil, err
		}
		d.addSteps(&r.panels[i], steps)
		allSteps = append(allSteps, steps...)
	}
	if r.options.PerRow == 0 && len(r.panels) <= 4 { // a few wide panels are easier to read
		d.PerRow = 1
	}
	d.layOutStrips() // reserves room for the strips in the margins of the panels
	d.layOut()       // determines the width of a step
	d.hasErrorBars = d.roomForBars()
	if !d.hasErrorBars {
		d.Remarks = append(d.Remarks, "the steps are too narrow for error bars: list fewer "+
			"classifiers in `columns`, or move a factor to `panel` or `page`")
	}
	tooLong := d.levelsWithoutRoom()
	if len(tooLong) > 0 {
		d.Remarks = append(d.Remarks, fmt.Sprintf("a strip is too narrow for the level %q: shorten its label "+
			"under `labels`, set a larger `width`, or move a factor to `panel` or `page`", tooLong[0]))
	}
	facts := captionFacts{
		"Bars":         d.hasErrorBars && d.largestError() != "", // whether any error bar is drawn
		"Levels":       strings.Join(d.levelWords(), "; "),
		"SomeNotShown": len(tooLong) > 0, // some levels have no label
	}
	return d.finishMeans("Each step", allSteps, facts), nil
}

// addSteps adds a panel for a group of cells. Step i extends from x = i to x = i + 1.
func (d *nestedChart) addSteps(panel *view.Group, steps []view.Group) {
	var x []float64
	for i := range steps {
		x = append(x, float64(i))
	}
	d.axes = append(d.axes, d.labelsOf(steps))
	d.addPanel(panel, d.meanCurves(steps, x, "2se"))
}

// layOutStrips makes room for the strips of factor levels and for the factor names to their left.
func (d *nestedChart) layOutStrips() {
	d.X.Hidden = true
	var labels []string
	for _, a := range d.axes {
		labels = append(labels, a.factors...)
		d.X.Ranges = append(d.X.Ranges, panels.Range{Low: 0, High: float64(len(a.levels))})
		d.Room.Taller = max(d.Room.Taller, nestedStrip*vg.Length(len(a.factors)))
	}
	const axisLabels = 18 // the labels of the vertical axis need this room anyway
	longest, width := canvas.Widest(labels)
	d.LongestLabel, d.Room.Left = longest, max(0, width-axisLabels)
	d.Room.Below = d.Room.Taller + 4
}

// roomForBars reports whether the error bars of all classifiers fit side by side into one step of
// the horizontal axis.
func (d *nestedChart) roomForBars() bool {
	const leastDistance = vg.Length(1.5) // error bars closer together would hide the lines
	for _, a := range d.axes {
		distances := len(a.levels) * (len(d.ids) + 1) // a step has an error bar for each classifier
		if d.DataWidth() < leastDistance*vg.Length(distances) {
			return false
		}
	}
	return true
}

// levelsWithoutRoom lists the labels of levels that do not fit into all of their strips.
func (d *nestedChart) levelsWithoutRoom() (levels []string) {
	for _, a := range d.axes {
		step := d.DataWidth() / vg.Length(len(a.levels))
		for j := range a.factors {
			for _, r := range a.runs(j) {
				level := a.levels[r.first][j]
				if !fitsStrip(level, step*vg.Length(r.end-r.first)) {
					levels = view.AddNew(levels, level)
				}
			}
		}
	}
	return levels
}

// levelWords lists the levels of each factor, such as "n: 200, 400". The caption needs them because narrow
// strips do not show them.
func (d *nestedChart) levelWords() (words []string) {
	levels := map[string][]string{} // by label
	var order []string              // labels
	for _, axis := range d.axes {
		for j, label := range axis.factors {
			order = view.AddNew(order, label)
			for _, step := range axis.levels { // step[j] is the level of factor j
				levels[label] = view.AddNew(levels[label], step[j])
			}
		}
	}
	for _, label := range order {
		words = append(words, label+": "+strings.Join(levels[label], ", "))
	}
	return words
}

// drawSteps draws a step line through the means of a classifier. Within a step, the error bars of
// different classifiers are side by side.
func (d *nestedChart) drawSteps(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, _ draw.GlyphStyle) {
	x, y := p.Transforms(&c)
	bar := canvas.Line(line.Color, 0.6)
	offset := float64(slices.Index(d.ids, k.id)+1) / float64(len(d.ids)+1) // position of the error bar within a step
	for _, segment := range k.segments() {
		var path []vg.Point
		for _, at := range segment {
			path = append(path, vg.Point{X: x(at.x), Y: y(at.Mean)}, vg.Point{X: x(at.x + 1), Y: y(at.Mean)})
			if d.hasErrorBars && at.high > at.low {
				c.StrokeLine2(bar, x(at.x+offset), y(at.low), x(at.x+offset), y(at.high))
			}
		}
		c.StrokeLines(line, path)
	}
}

// drawStrips draws the strips below panel i. Each strip shows the name of a factor and its levels.
func (d *nestedChart) drawStrips(data draw.Canvas, p *plot.Plot, i int) {
	a := &d.axes[i]
	names := canvas.TickText()
	names.XAlign = draw.XRight
	x := func(step int) vg.Length { return data.X(p.X.Norm(float64(step))) }
	for j, label := range a.factors {
		y := data.Min.Y - 6 - nestedStrip*(vg.Length(j)+0.5)
		canvas.WriteText(data, names, data.Min.X-5, y, label)
		for k, r := range a.runs(j) {
			shaded := k%2 == 0
			levelStrip(data, x(r.first), x(r.end), y, shaded, a.levels[r.first][j])
		}
	}
}

// A run consists of the adjacent steps first, ..., end-1, which share a section of a strip.
type run struct{ first, end int }

// runs divides the steps into the longest runs of adjacent steps with equal levels of factor j and
// of all factors before j.
func (a *groupLabels) runs(j int) (list []run) {
	for i := range a.levels {
		if !a.repeats(i, j) {
			list = append(list, run{first: i})
		}
		list[len(list)-1].end = i + 1
	}
	return list
}

// fitsStrip reports whether a level fits into a section of a strip of the given width.
func fitsStrip(level string, width vg.Length) bool { return canvas.TickText().Width(level) < width }

// levelStrip draws the section of a strip for one level. It writes the level in the middle if there is
// room.
func levelStrip(c draw.Canvas, left, right, y vg.Length, shaded bool, level string) {
	if shaded {
		canvas.FillRectangle(c, canvas.GridGrey, left, y-nestedStrip/2+1, right, y+nestedStrip/2-1)
	}
	if fitsStrip(level, right-left) {
		sty := canvas.TickText()
		sty.XAlign = draw.XCenter
		canvas.WriteText(c, sty, (left+right)/2, y, level)
	}
}
