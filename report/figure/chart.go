package figure

import (
	"fmt"
	"image/color"
	"slices"
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
)

// A chart is a page of panels of curves, one for each classifier, with their names at the right. A kind of
// figure sets the points of the curves, the axes and the geom that draws a curve.
type chart struct {
	*request
	panels.Page
	ids       []string  // of the classifiers, the reference last
	reference string    // id of the classifier whose line is black and dashed, without marks; "": none
	most      int       // classifiers that readers can tell apart
	curves    [][]curve // by panel
	empty     []string  // titles of groups of cells without curves
	lines     bool      // curves are lines, so that a piece of line precedes each name
	marks     bool      // curves have marks, so that a mark precedes each name
	bands     bool      // curves have shaded bands from low to high
	geom      geom
	behind    func(c draw.Canvas, p *plot.Plot, i int) // draws what is behind the curves of panel i; nil: nothing
}

// A geom draws a curve with a line and a mark; a mark without shape is not drawn.
type geom func(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle)

// A curve is the results of one classifier in a panel.
type curve struct {
	id     string
	points []point // in ascending order of x
	marked []int   // indices of the points with a mark; nil: all points
	note   string  // beside the name
	area   float64 // below the curve, by which ROC curves are ordered
}

// A point is a mean at a place x of the horizontal axis.
type point struct {
	stats.Summary
	x, low, high float64     // low and high are the ends of the band or bar, both equal to the mean without one
	aside        float64     // half of the bar along x; 0: no bar
	group        *view.Group // of cells behind the mean; nil: those of the panel
}

// withError returns a point with an error on either side; NaN is no error.
func withError(x float64, s stats.Summary, half float64) point {
	if !(half > 0) {
		half = 0
	}
	return point{Summary: s, x: x, low: s.Mean - half, high: s.Mean + half}
}

// newChart returns a chart without panels, of lines with marks and bands.
func newChart(r *request) *chart {
	ids, reference := r.measured()
	if reference != "" {
		ids = append(slices.Clone(ids), reference)
	}
	d := &chart{request: r, Page: r.page(), ids: ids, reference: reference, most: len(canvas.Palette),
		lines: true, marks: true, bands: true, geom: lineAndMarks}
	d.Y = panels.Scale{Title: r.measure.Title(), Grid: true}
	d.Marks = d.panel
	return d
}

// add adds a panel for each group of cells of a page, with the curves that of returns, and returns the groups.
func (d *chart) add(page view.Group, of func(*view.Group) ([]curve, error)) ([]view.Group, error) {
	groups, err := d.Groups(page.Cells, d.o.Panel)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		curves, err := of(&groups[i])
		if err != nil {
			return nil, err
		}
		title := d.panelTitle(&groups[i])
		if len(curves) == 0 {
			d.empty = append(d.empty, title)
			continue
		}
		d.Titles = append(d.Titles, title)
		d.curves = append(d.curves, curves)
	}
	return groups, nil
}

// fit makes room for the axes and the names.
func (d *chart) fit() {
	if d.Y.Spans == nil {
		d.Y.Hold(d.values(func(p *point) []float64 { return []float64{p.Mean, p.high, p.low} }), d.o.free())
	}
	for i := range d.curves {
		d.Lines = max(d.Lines, len(d.drawn(i)))
	}
	d.Room.Right = d.namesRoom()
	d.Remarks = d.manyClassifiers()
	d.FitWidth(0)
}

// manyClassifiers returns a remark if panels have more curves than readers can tell apart, else nil.
func (d *chart) manyClassifiers() []string {
	n := len(d.ids)
	if d.reference != "" {
		n--
	}
	if n <= d.most {
		return nil
	}
	return []string{fmt.Sprintf("each panel has %d classifiers; readers can tell %d apart: name fewer (columns)",
		n, d.most)}
}

// values returns, for each panel, the values that of returns for its points.
func (d *chart) values(of func(*point) []float64) [][]float64 {
	list := make([][]float64, len(d.curves))
	for i, curves := range d.curves {
		for _, c := range curves {
			for k := range c.points {
				list[i] = append(list[i], of(&c.points[k])...)
			}
		}
	}
	return list
}

// picture returns the page with its caption.
func (d *chart) picture(page view.Group, about facts) drawn {
	about["Measure"] = d.measure.Title()
	about["Failed"] = d.FailedFits(page.Cells, d.ids)
	about["Reference"] = d.referenceLabel(d.reference)
	return drawn{Picture: d.Picture(d.caption(&d.Page, about))}
}

// largestError returns the largest Monte Carlo standard error of the points with its unit; "": none is known.
func (d *chart) largestError() string {
	largest := 0.0
	for _, values := range d.values(func(p *point) []float64 { return []float64{p.MCSE} }) {
		for _, v := range values {
			if v > largest { // false for NaN
				largest = v
			}
		}
	}
	if largest == 0 {
		return ""
	}
	return strings.TrimSpace(sheet.Fixed(largest, d.measure.Digits()) + " " + d.measure.DifferenceUnit())
}

// look returns the line and the mark of a classifier; the reference has no mark.
func (d *chart) look(id string) (draw.LineStyle, draw.GlyphStyle) {
	if id == d.reference {
		line := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8), Dashes: canvas.Dashed.Dashes}
		return line, draw.GlyphStyle{}
	}
	place := d.Index(id)
	if place < 0 { // an oracle that is an ordinary curve
		place = len(canvas.Dashes)*len(canvas.Marks) - 1
	}
	return canvas.Curve(place, Colour(d.View, id))
}

// panel draws the bands of panel i, then the curves with their names.
func (d *chart) panel(c draw.Canvas, p *plot.Plot, i int) {
	if d.behind != nil {
		d.behind(c, p, i)
	}
	curves := d.drawn(i)
	if d.bands {
		for _, k := range curves {
			line, _ := d.look(k.id)
			canvas.Marked(c, canvas.Mark{Series: k.id}, func() { drawBand(c, p, &k, line.Color) })
		}
	}
	for _, k := range curves {
		line, mark := d.look(k.id)
		canvas.Marked(c, canvas.Mark{Series: k.id}, func() { d.geom(c, p, &k, line, mark) })
		d.spots(c, p, i, &k)
	}
	d.writeNames(c, p, curves)
}

// drawn returns the curves of panel i that have points.
func (d *chart) drawn(i int) []curve {
	return slices.DeleteFunc(slices.Clone(d.curves[i]), func(k curve) bool { return len(k.points) == 0 })
}

// spots marks the points of a curve of panel i on report.html, unless they are so many that they touch.
func (d *chart) spots(c draw.Canvas, p *plot.Plot, i int, k *curve) {
	const most = 60
	if len(k.points) > most {
		return
	}
	x, y := p.Transforms(&c)
	for _, at := range k.points {
		middle := at.x
		if d.X.Hidden { // a step from one whole number to the next
			middle += 0.5
		}
		spot := draw.GlyphStyle{Radius: vg.Points(5)}
		canvas.Spot(c, d.spotMark(i, k.id, &at), spot, vg.Point{X: x(middle), Y: y(at.Mean)})
	}
}

// spotMark returns what report.html shows of a point of panel i.
func (d *chart) spotMark(i int, id string, at *point) canvas.Mark {
	if at.group == nil {
		return d.mark(id, d.Titles[i], nil, d.Y.Title+": "+sheet.Fixed(at.Mean, d.measure.Digits()))
	}
	where := d.Titles[i]
	if own := d.panelTitle(at.group); own != where {
		where = strings.TrimPrefix(where+", "+own, ", ")
	}
	return d.mark(id, where, at.group.Cells, d.describe(at.Summary)...)
}

// name returns the label beside a curve, with its note.
func (d *chart) name(k *curve) string { return strings.TrimSpace(d.Label(k.id) + " " + k.note) }

// namesRoom returns the room at the right of each panel for the names of its curves.
func (d *chart) namesRoom() (room vg.Length) {
	const sketch = 26 // with gaps
	for _, curves := range d.curves {
		for _, k := range curves {
			room = max(room, canvas.Text(canvas.TickSize).Width(d.name(&k)))
		}
	}
	return room + sketch
}

// writeNames writes the names of curves beside their last points.
func (d *chart) writeNames(c draw.Canvas, p *plot.Plot, curves []curve) {
	var ends []canvas.CurveEnd
	for _, k := range curves {
		last := k.points[len(k.points)-1]
		ends = append(ends, canvas.CurveEnd{Y: c.Y(p.Y.Norm(last.Mean)),
			KeyItem: canvas.KeyItem{Words: d.name(&k), Series: k.id, Sketch: d.sketch(k.id)}})
	}
	canvas.NamesBeside(c, canvas.Text(canvas.TickSize), ends)
}

// sketch returns the drawing of a classifier's line and mark before its name.
func (d *chart) sketch(id string) func(c draw.Canvas, at vg.Point) {
	line, mark := d.look(id)
	return func(c draw.Canvas, at vg.Point) {
		if d.lines {
			c.StrokeLine2(line, at.X-canvas.NameSketch/2, at.Y, at.X+canvas.NameSketch/2, at.Y)
		}
		if d.marks && mark.Shape != nil {
			c.DrawGlyphNoClip(mark, at) // beside the data
		}
	}
}

// lineAndMarks is a geom: a line through the points.
func lineAndMarks(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle) {
	var points, marks plotter.XYs
	for i, at := range k.points {
		points = append(points, plotter.XY{X: at.x, Y: at.Mean})
		if k.marked == nil || slices.Contains(k.marked, i) {
			marks = append(marks, points[i])
		}
	}
	(&plotter.Line{XYs: points, LineStyle: line}).Plot(c, p)
	if mark.Shape != nil {
		(&plotter.Scatter{XYs: marks, GlyphStyle: mark}).Plot(c, p)
	}
}

// drawBand shades a curve from the low to the high ends of its points; the band of a single point is a line.
func drawBand(c draw.Canvas, p *plot.Plot, k *curve, clr color.Color) {
	var rim plotter.XYs
	for _, at := range k.points {
		rim = append(rim, plotter.XY{X: at.x, Y: at.high})
	}
	for _, at := range slices.Backward(k.points) {
		rim = append(rim, plotter.XY{X: at.x, Y: at.low})
	}
	if len(k.points) == 1 {
		bar := draw.LineStyle{Color: clr, Width: vg.Points(0.7)}
		(&plotter.Line{XYs: rim, LineStyle: bar}).Plot(c, p)
		return
	}
	shade := color.NRGBAModel.Convert(clr).(color.NRGBA)
	shade.A = 45 // so that bands on one another can be seen
	(&plotter.Polygon{XYs: []plotter.XYs{rim}, Color: shade}).Plot(c, p)
}
