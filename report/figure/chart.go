package figure

import (
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
	"copse/stats/records"
)

// A chart is a page of panels of curves with their names at the right. A kind of figure sets the points of the
// curves, the scales and the geom that draws a curve.
type chart struct {
	*request
	panels.Page
	ids       []string // of the classifiers, the reference last
	reference string   // drawn otherwise; "": none
	enough    int      // classifiers that can be told apart
	most      int      // classifiers that a panel names where there are more
	parts     [][]string
	curves    [][]curve // by panel: those that it names and, in grey, the others
	empty     []string  // titles of groups without curves
	names     nameSketch
	bands     bool // shaded from low to high, behind the curves
	behind    func(c draw.Canvas, p *plot.Plot, i int)
	geom      geom
}

// A geom draws a curve with a line and a mark.
type geom func(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle)

// A nameSketch is what stands before a curve's name.
type nameSketch struct{ line, mark bool }

// A curve is the results of one classifier in a panel.
type curve struct {
	id     string
	points []point
	place  int    // among the curves that the panel names; -1: the curve is grey
	of     int    // curves that the panel names
	marked []int  // indices of the points with a mark; nil: all
	note   string // beside the name
	area   float64
}

// named reports whether the panel names the curve.
func (k *curve) named() bool { return k.place >= 0 }

// A point is a mean with the ends of its band or bar; both are the mean where there is none.
type point struct {
	stats.Summary
	x, low, high float64
	aside        float64     // half of the bar along x; 0: none
	group        *view.Group // whose results the mean is of; nil: those of the panel
}

// withError returns a point with an error on either side. An error that is not a number is none.
func withError(x float64, s stats.Summary, half float64) point {
	if !(half > 0) {
		half = 0
	}
	return point{Summary: s, x: x, low: s.Mean - half, high: s.Mean + half}
}

// newChart returns a chart of lines with marks and bands.
func newChart(r *request) *chart {
	ids, reference := r.measured()
	if reference != "" {
		ids = append(slices.Clone(ids), reference)
	}
	d := &chart{request: r, Page: r.page(), ids: ids, reference: reference, bands: true, geom: lineAndMarks,
		enough: len(canvas.Palette), most: len(canvas.Marks), names: nameSketch{line: true, mark: true}}
	d.Y = panels.Scale{Title: r.measure.Title(), Grid: true}
	d.Marks = d.panel
	return d
}

// add adds the panels of a page: for each group the curves that of returns, once for every part of the classifiers.
func (d *chart) add(page view.Group, of func(*view.Group) ([]curve, error)) ([]view.Group, error) {
	groups, err := d.Groups(page.Cells, d.o.Panel)
	if err != nil {
		return nil, err
	}
	d.parts = parts(d.ids, d.reference, d.enough, d.most, len(groups))
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
		for _, ids := range d.parts {
			d.Titles, d.curves = append(d.Titles, title), append(d.curves, naming(ids, curves))
		}
	}
	return groups, nil
}

// naming returns the curves of a panel that names these classifiers.
func naming(ids []string, curves []curve) []curve {
	list, n := slices.Clone(curves), 0
	for k := range list {
		list[k].place = -1
		if slices.Contains(ids, list[k].id) {
			list[k].place = n
			n++
		}
	}
	for k := range list {
		list[k].of = n
	}
	return list
}

// fit makes room for the axes and the names.
func (d *chart) fit() {
	if d.Y.Spans == nil {
		d.Y.Hold(d.values(func(p *point) []float64 { return []float64{p.Mean, p.high, p.low} }), d.o.free())
	}
	d.Lines, d.Room.Right = d.mostNames(), d.namesRoom()
	d.Remarks = d.manyNames(d.parts[0], d.reference, d.enough)
	d.FitWidth(0)
}

// values returns what the points of each panel have.
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
	about["Measure"], about["Parts"] = d.measure.Title(), len(d.parts)
	about["Failed"] = d.FailedFits(page.Cells, d.ids)
	about["Reference"] = ""
	if d.reference != "" {
		about["Reference"] = d.Label(d.reference)
	}
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

// grey is the line of a classifier that another panel names.
var grey = draw.LineStyle{Color: canvas.Tint(canvas.Black, 0.25), Width: vg.Points(0.6)}

// look returns the line and the mark of a curve; a grey one and the reference have no mark.
func (d *chart) look(k *curve) (draw.LineStyle, draw.GlyphStyle) {
	switch {
	case !k.named():
		return grey, draw.GlyphStyle{}
	case k.id == d.reference:
		line := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8), Dashes: canvas.Dashed.Dashes}
		return line, draw.GlyphStyle{}
	}
	place := d.Index(k.id)
	if place < 0 { // an oracle that is an ordinary curve
		place = len(canvas.Dashes)*len(canvas.Marks) - 1
	}
	return canvas.Curve(place, Colour(d.View, k.id))
}

// panel draws the grey curves of panel i, then the bands, then the other curves with their names.
func (d *chart) panel(c draw.Canvas, p *plot.Plot, i int) {
	if d.behind != nil {
		d.behind(c, p, i)
	}
	d.drawCurves(c, p, i, false)
	if d.bands {
		for k := range d.curves[i] {
			curve := &d.curves[i][k]
			canvas.Marked(c, canvas.Mark{Series: curve.id}, func() { d.shade(c, p, curve) })
		}
	}
	d.drawCurves(c, p, i, true)
	d.writeNames(c, p, i)
}

// drawCurves draws the curves of panel i that it names, or the others.
func (d *chart) drawCurves(c draw.Canvas, p *plot.Plot, i int, named bool) {
	for k := range d.curves[i] {
		if curve := &d.curves[i][k]; curve.named() == named && len(curve.points) > 0 {
			line, mark := d.look(curve)
			canvas.Marked(c, canvas.Mark{Series: curve.id}, func() { d.geom(c, p, curve, line, mark) })
			if named {
				d.spots(c, p, i, curve)
			}
		}
	}
}

// spots marks the points of a curve of panel i; of so many that they touch none.
func (d *chart) spots(c draw.Canvas, p *plot.Plot, i int, k *curve) {
	const most = 60
	if len(k.points) > most {
		return
	}
	x, y := p.Transforms(&c)
	for _, at := range k.points {
		where, middle := d.Titles[i], at.x
		var cells []records.Cell
		lines := []string{d.Y.Title + ": " + sheet.Fixed(at.Mean, d.measure.Digits())}
		if at.group != nil {
			cells = at.group.Cells
			if own := d.panelTitle(at.group); own != where {
				where = strings.TrimPrefix(where+", "+own, ", ")
			}
			lines = d.describe(at.Summary)
		}
		if d.X.Hidden { // a step from one whole number to the next
			middle += 0.5
		}
		spot := draw.GlyphStyle{Radius: vg.Points(5)}
		canvas.Spot(c, d.mark(k.id, where, cells, lines...), spot, vg.Point{X: x(middle), Y: y(at.Mean)})
	}
}

// name returns what stands beside a curve.
func (d *chart) name(k *curve) string { return strings.TrimSpace(d.Label(k.id) + " " + k.note) }

// namesRoom returns the room at the right of each panel for the names of its curves.
func (d *chart) namesRoom() (room vg.Length) {
	const sketch = 26 // with gaps
	for _, curves := range d.curves {
		for _, c := range curves {
			if c.named() {
				room = max(room, canvas.Text(canvas.TickSize).Width(d.name(&c)))
			}
		}
	}
	return room + sketch
}

// mostNames returns the number of names beside the panel that has most.
func (d *chart) mostNames() (most int) {
	for i := range d.curves {
		most = max(most, len(d.withNames(i)))
	}
	return most
}

// withNames returns the curves of panel i that have points and a name.
func (d *chart) withNames(i int) (list []curve) {
	for _, c := range d.curves[i] {
		if c.named() && len(c.points) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// writeNames writes the names of the curves beside their last points.
func (d *chart) writeNames(c draw.Canvas, p *plot.Plot, i int) {
	var ends []canvas.CurveEnd
	for _, k := range d.withNames(i) {
		last := k.points[len(k.points)-1]
		ends = append(ends, canvas.CurveEnd{Y: c.Y(p.Y.Norm(last.Mean)),
			KeyItem: canvas.KeyItem{Words: d.name(&k), Series: k.id, Sketch: d.sketch(&k)}})
	}
	canvas.NamesBeside(c, c, canvas.Text(canvas.TickSize), ends)
}

// sketch returns the drawing of a curve's line and mark before its name.
func (d *chart) sketch(k *curve) func(c draw.Canvas, at vg.Point) {
	line, mark := d.look(k)
	return func(c draw.Canvas, at vg.Point) {
		if d.names.line {
			c.StrokeLine2(line, at.X-canvas.NameSketch/2, at.Y, at.X+canvas.NameSketch/2, at.Y)
		}
		if d.names.mark && mark.Shape != nil {
			c.DrawGlyphNoClip(mark, at) // beside the data
		}
	}
}
