package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// A chart is a page of panels with a curve for each classifier. The classifier's name is at the right end of the
// curve.
type chart struct {
	*request
	panels.Page
	ids            []string  // ids of the classifiers, with the reference last
	reference      string    // the classifier drawn black and dashed, without marks; may be ""
	mostCurves     int       // number of classifiers that readers can distinguish
	curves         [][]curve // by panel
	lineBeforeName bool
	markBeforeName bool
	bands          bool // curves have shaded error bands
	cut            bool // some error band is cut off at a limit of the metric
	broken         bool // some curve of means lacks a point

	// drawCurve draws the curve k in the plot p. If mark.Shape is nil, it draws no marks.
	drawCurve  func(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle)
	drawBehind func(c draw.Canvas, p *plot.Plot, i int) // draws behind the curves of panel i; may be nil
}

// A curve shows the results of one classifier in one panel.
type curve struct {
	id     string
	points []point // in ascending order of x
	onPart bool    // the classifier ran on only part of the data
	note   string  // beside the name
	area   float64 // area below a ROC curve
}

// A point of a curve is the mean of some results at position x on the horizontal axis.
type point struct {
	stats.Summary
	x, low, high float64     // low, high: ends of the error band, or the mean without a band
	xError       float64     // half the length of the horizontal error bar, or 0
	time         string      // line of the HTML report about x, if x is a time
	testRows     int         // number of rows in a bin of probabilities, or 0
	group        *view.Group // cells of the mean; nil: all cells of the panel
	afterGap     bool        // the curve is interrupted before this point
	hasNoBand    bool        // interrupts the band, because a single result has no spread
	unmarked     bool
}

// withErrorBand returns p with an error band from Mean-half to Mean+half, or without a band if half is NaN or 0.
func (p point) withErrorBand(half float64) point {
	if !(half > 0) {
		half = 0
	}
	p.low, p.high = p.Mean-half, p.Mean+half
	return p
}

// newChart returns a chart without panels, whose curves are lines with marks and error bands.
func newChart(r *request) *chart {
	ids, reference := r.splitReference()
	if reference != "" {
		ids = append(slices.Clone(ids), reference)
	}
	d := &chart{request: r, Page: r.emptyPage(), ids: ids, reference: reference, mostCurves: len(canvas.Palette),
		lineBeforeName: true, markBeforeName: true, bands: true, drawCurve: lineAndMarks}
	d.Y = panels.Scale{Title: r.measure.Title(), Grid: true}
	d.DrawMarks = d.drawPanel
	return d
}

func (d *chart) addPanel(g *view.Group, curves []curve) {
	d.Titles = append(d.Titles, d.panelTitle(g))
	d.curves = append(d.curves, curves)
}

// meanCurves returns a curve for each classifier. The point at x[i] is the mean over the cells of groups[i]. The
// argument band is a value of Options.Band.
func (d *chart) meanCurves(groups []view.Group, x []float64, band string) []curve {
	pooled := make([]records.Cell, len(groups)) // pooled[i]: results that the means of groups[i] use
	for i := range groups {
		pooled[i] = d.PoolFor(&groups[i], d.measure, d.ids)
	}
	var curves []curve
	for _, id := range d.ids {
		k := curve{id: id}
		last := -1 // last group with results; groups without results interrupt the curve
		for i := range groups {
			p := d.meanPoint(&groups[i], &pooled[i], id, x[i], band)
			if p.N == 0 {
				continue
			}
			p.afterGap = i > last+1
			k.points = append(k.points, p)
			last = i
		}
		lacksPoints := 0 < len(k.points) && len(k.points) < len(groups)
		d.broken = d.broken || lacksPoints
		curves = append(curves, k)
	}
	return curves
}

// meanPoint returns the mean of a classifier over the cells of g as a point at x, with an error band. The
// argument pooled is PoolFor(g).
func (d *chart) meanPoint(g *view.Group, pooled *records.Cell, id string, x float64, band string) point {
	s := d.Summary(g, pooled, d.measure, id)
	p := point{Summary: s, x: x, group: g, hasNoBand: s.N == 1}
	halfWidth := 0.0
	switch band {
	case "2se":
		halfWidth = 2 * s.MCSE
	case "sd":
		halfWidth = s.SD
	}
	p = d.cutBand(p.withErrorBand(halfWidth))
	// Quartiles lie within the limits of the metric, so cutBand is unnecessary.
	if band == "quartiles" && s.N > 1 {
		values := d.Values(g, pooled, d.measure, id)
		slices.Sort(values)
		p.low, p.high = stats.Quantile(values, 0.25), stats.Quantile(values, 0.75)
	}
	return p
}

// cutBand limits the error band of p to the range of the metric, and sets d.cut if this shortens the band.
// Differences from the oracle have no limits.
func (d *chart) cutBand(p point) point {
	m := d.measure
	if m.Baseline != "" {
		return p
	}
	low, high := max(p.low, m.Metric.Low*m.Scale), min(p.high, m.Metric.High*m.Scale)
	d.cut = d.cut || low > p.low || high < p.high
	p.low, p.high = low, high
	return p
}

// layOut makes room for the names to the right of the curves, and sets d.LongestLabel. It also sets
// the range of the vertical axis, unless it is set.
func (d *chart) layOut() {
	if d.Y.Ranges == nil {
		meanAndBand := func(p *point) []float64 { return []float64{p.Mean, p.high, p.low} }
		d.Y.Include(d.values(meanAndBand), d.options.freeScales())
	}
	d.Remarks = d.manyClassifiers()
	var names []string
	labels := []string{d.LongestLabel}
	for _, k := range slices.Concat(d.curves...) {
		names = append(names, d.name(&k))
		labels = append(labels, d.Label(k.id)) // without the notes in names
	}
	d.LongestLabel, _ = canvas.Widest(labels)
	const sketchWidth = 26 // of the sample before a name, with gaps
	d.FitNames(names, panels.OneSide, panels.LegibleWidth, func(nameWidth vg.Length) {
		d.Room.Right = sketchWidth + nameWidth
	})
	for i := range d.curves { // panels must be high enough for all names
		d.LinesBeside = max(d.LinesBeside, d.linesOfNames(i))
	}
}

// linesOfNames returns the number of lines of all names beside panel i.
func (d *chart) linesOfNames(i int) (lines int) {
	for _, k := range d.nonEmptyCurves(i) {
		lines += canvas.Lines(d.name(&k))
	}
	return lines
}

// manyClassifiers returns a warning if a panel has more curves than readers can distinguish.
func (d *chart) manyClassifiers() []string {
	n := len(d.ids)
	if d.reference != "" {
		n--
	}
	if n <= d.mostCurves {
		return nil
	}
	return []string{fmt.Sprintf("each panel has %d classifiers, but readers can distinguish only %d: list fewer in "+
		"the key `columns`", n, d.mostCurves)}
}

// values returns, for each panel, the numbers that valuesOf returns for the points of its curves.
func (d *chart) values(valuesOf func(*point) []float64) [][]float64 {
	list := make([][]float64, len(d.curves))
	for i, curves := range d.curves {
		for _, c := range curves {
			for k := range c.points {
				list[i] = append(list[i], valuesOf(&c.points[k])...)
			}
		}
	}
	return list
}

func (d *chart) allPoints() (list []point) {
	for _, c := range slices.Concat(d.curves...) {
		list = append(list, c.points...)
	}
	return list
}

// finishMeans returns the page, with its caption, of a chart that shows the mean of each classifier in each
// group. If groups have several cells, the caption's sentence on these cells begins with the given subject.
func (d *chart) finishMeans(subject string, groups []view.Group, facts captionFacts) *drawnPage {
	facts["Replication"] = d.Replication(groups, d.measure, d.ids)
	facts["Pooling"] = d.poolingSentences(subject, groups, d.measure, d.ids)
	facts["Broken"] = d.broken
	facts["Errors"] = d.errorNoun(groups, d.measure)
	facts["LargestError"] = d.largestError()
	return d.finish("Means", facts)
}

// finish returns the page with its caption. The argument facts contains the facts of this kind of chart. The
// caption's sentence on failed fits has the given subject, such as "Means".
func (d *chart) finish(subject string, facts captionFacts) *drawnPage {
	facts["Cut"] = d.cut
	facts["Failed"] = d.FailedFitsSentence(subject, d.pageCells, d.ids)
	facts["Reference"] = d.Label(d.reference)
	return d.captioned(&d.Page, facts)
}

// largestError returns the largest standard error of all marks with its unit, as in "0.21 points",
// or "".
func (d *chart) largestError() string {
	largest := 0.0
	for _, p := range d.allPoints() {
		if p.MCSE > largest { // false for NaN
			largest = p.MCSE
		}
	}
	if largest == 0 {
		return ""
	}
	return strings.TrimSpace(sheet.Fixed(largest, d.measure.Digits(largest)) + " " + d.measure.DifferenceUnit())
}

// styleOf returns the styles of a classifier's line and marks. The reference has no marks, so the Shape of its
// GlyphStyle is nil.
func (d *chart) styleOf(id string) (draw.LineStyle, draw.GlyphStyle) {
	if id == d.reference {
		line := draw.LineStyle{Color: canvas.Black, Width: 0.8, Dashes: canvas.Dashed.Dashes}
		return line, draw.GlyphStyle{}
	}
	number := d.Index(id)
	if number < 0 { // the oracle gets the last combination of dashes and mark
		number = len(canvas.Dashes)*len(canvas.Marks) - 1
	}
	return canvas.Curve(number, Colour(d.View, id))
}

// drawPanel draws panel i: the background, the error bands, the curves and the names. Annotations let the HTML
// report highlight or hide a classifier.
func (d *chart) drawPanel(c draw.Canvas, p *plot.Plot, i int) {
	if d.drawBehind != nil {
		d.drawBehind(c, p, i)
	}
	curves := d.nonEmptyCurves(i)
	if d.bands {
		for _, k := range curves {
			line, _ := d.styleOf(k.id)
			canvas.Annotate(c, canvas.Annotation{Series: k.id}, func() {
				for _, segment := range k.withBand().segments() {
					drawBand(c, p, segment, line.Color)
				}
			})
		}
	}
	for _, k := range curves {
		line, mark := d.styleOf(k.id)
		canvas.Annotate(c, canvas.Annotation{Series: k.id}, func() { d.drawCurve(c, p, &k, line, mark) })
		d.addHoverSpots(c, p, i, &k)
	}
	d.writeNames(c, p, curves)
}

func (d *chart) nonEmptyCurves(i int) []curve {
	return view.Without(d.curves[i], func(k curve) bool { return len(k.points) == 0 })
}

// addHoverSpots adds an invisible circle at each point of a curve, where the HTML report shows the value. If
// there are very many points, their circles would overlap, so none is added.
func (d *chart) addHoverSpots(c draw.Canvas, p *plot.Plot, i int, k *curve) {
	const mostPoints = 60
	if len(k.points) > mostPoints {
		return
	}
	x, y := p.Transforms(&c)
	for _, at := range k.points {
		middle := at.x
		if d.X.Hidden { // the nested-loop plot draws step x from x to x+1
			middle += 0.5
		}
		canvas.HoverSpot(c, d.spotAnnotation(i, k.id, &at), vg.Point{X: x(middle), Y: y(at.Mean)})
	}
}

// spotAnnotation returns the annotation of a point of classifier id in panel i.
func (d *chart) spotAnnotation(i int, id string, at *point) canvas.Annotation {
	if at.group == nil {
		number := func(v float64) string { return sheet.Fixed(v, d.measure.Digits(v)) }
		lines := []string{d.X.Title + ": " + number(at.x), d.Y.Title + ": " + number(at.Mean)}
		if at.low < at.high {
			lines = append(lines, "band: "+number(at.low)+" to "+number(at.high))
		}
		if at.testRows > 0 {
			lines = append(lines, "test rows: "+strconv.Itoa(at.testRows))
		}
		return d.annotation(id, d.Titles[i], nil, lines...)
	}
	where := d.Titles[i]
	if own := d.panelTitle(at.group); own != where {
		where = joinNonEmpty(", ", where, own)
	}
	lines := d.describe(at.group, at.Summary)
	if at.time != "" {
		lines = append(lines, at.time)
	}
	return d.annotation(id, where, at.group.Cells, lines...)
}

// name returns the classifier's label and the note beside it, with line breaks if they are too long.
func (d *chart) name(k *curve) string {
	return d.Page.Name(strings.TrimSpace(d.Label(k.id) + " " + k.note))
}

func (d *chart) writeNames(c draw.Canvas, p *plot.Plot, curves []curve) {
	var ends []canvas.CurveEnd
	for _, k := range curves {
		last := k.points[len(k.points)-1]
		ends = append(ends, canvas.CurveEnd{Y: c.Y(p.Y.Norm(last.Mean)), Series: k.id,
			KeyItem: canvas.KeyItem{Text: d.name(&k), Sketch: d.sketch(k.id)}})
	}
	canvas.NamesBeside(c, ends)
}

// sketch returns a function that draws a short line and a mark in the style of the classifier's curve.
func (d *chart) sketch(id string) canvas.Sketch {
	line, mark := d.styleOf(id)
	line = canvas.CentreDash(line, canvas.NameSketchWidth)
	return func(c draw.Canvas, at vg.Point) {
		if d.lineBeforeName {
			c.StrokeLine2(line, at.X-canvas.NameSketchWidth/2, at.Y, at.X+canvas.NameSketchWidth/2, at.Y)
		}
		if d.markBeforeName && mark.Shape != nil {
			c.DrawGlyphNoClip(mark, at)
		}
	}
}

// segments divides the points of a curve at its gaps.
func (k curve) segments() (list [][]point) {
	for i, at := range k.points {
		if i == 0 || at.afterGap {
			list = append(list, nil)
		}
		last := len(list) - 1
		list[last] = append(list[last], at)
	}
	return list
}

// withBand returns the points of a curve that have an error band. Points without a band become gaps.
func (k curve) withBand() (rest curve) {
	followsGap := false
	for _, at := range k.points {
		at.afterGap = at.afterGap || followsGap
		followsGap = at.hasNoBand
		if !at.hasNoBand {
			rest.points = append(rest.points, at)
		}
	}
	return rest
}

// lineAndMarks draws a line through each segment of the curve k, and the marks.
func lineAndMarks(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle) {
	for _, segment := range k.segments() {
		var points plotter.XYs
		for _, at := range segment {
			points = append(points, plotter.XY{X: at.x, Y: at.Mean})
		}
		(&plotter.Line{XYs: points, LineStyle: line}).Plot(c, p)
		if len(points) == 1 && mark.Shape == nil { // a short line makes a single point visible
			x, y := c.X(p.X.Norm(points[0].X)), c.Y(p.Y.Norm(points[0].Y))
			c.StrokeLine2(line, x-2, y, x+2, y)
		}
	}
	if mark.Shape == nil {
		return
	}
	var marks plotter.XYs
	for _, at := range k.points {
		if !at.unmarked {
			marks = append(marks, plotter.XY{X: at.x, Y: at.Mean})
		}
	}
	(&plotter.Scatter{XYs: marks, GlyphStyle: mark}).Plot(c, p)
}

// drawBand shades the error band of a segment of a curve. A segment with a single point gets a vertical error
// bar instead.
func drawBand(c draw.Canvas, p *plot.Plot, segment []point, clr color.Color) {
	var rim plotter.XYs // the upper edge from left to right, then the lower edge from right to left
	for _, at := range segment {
		rim = append(rim, plotter.XY{X: at.x, Y: at.high})
	}
	for _, at := range slices.Backward(segment) {
		rim = append(rim, plotter.XY{X: at.x, Y: at.low})
	}
	if len(segment) == 1 {
		bar := canvas.Line(clr, 0.7)
		(&plotter.Line{XYs: rim, LineStyle: bar}).Plot(c, p)
		return
	}
	shade := color.NRGBAModel.Convert(clr).(color.NRGBA)
	shade.A = 45 // translucent, so that overlapping bands remain visible
	(&plotter.Polygon{XYs: []plotter.XYs{rim}, Color: shade}).Plot(c, p)
}
