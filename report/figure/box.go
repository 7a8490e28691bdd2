package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// leastBox is the smallest number of results that are drawn as a box. Fewer results are drawn as
// single points, which show more than their quartiles.
const leastBox = 10

// results are the values of one classifier in one panel and the number of its failed fits there.
type results struct {
	id     string
	values []float64
	failed int
}

// differs reports whether the row of the results needs a note, because it has failed fits or not
// the number of results that the caption states.
func (r *results) differs(stated int) bool { return r.failed > 0 || len(r.values) != stated }

// marksSeen lists the kinds of marks on a page of box plots. The key and the caption explain only
// these.
type marksSeen struct {
	boxes     bool // a box: some classifier has at least leastBox results
	outliers  bool // an outlier of a box
	points    bool // single results: some classifier has fewer than leastBox
	failures  bool // a count of failed fits
	reference bool // the dashed line at the mean of the reference

	// Smallest and largest number of results of one classifier in one panel; least ignores
	// classifiers without results.
	least, most int
}

// boxPage draws the box plots of one page: a panel for each group of cells and in each panel a row
// for each classifier. A row shows a box or, if there are few results, a point for each result. A
// dashed line marks the mean of the reference classifier.
func boxPage(r *request, page view.Group) (drawn, error) {
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	ids, reference := r.measured()
	var all [][]results // by panel
	for i := range groups {
		all = append(all, r.resultsIn(&groups[i], ids))
	}
	absent := absentFrom(all, ids)
	present := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(absent, id) })
	seen := inspect(all)
	var contents []rowPanel
	for i := range groups {
		content := r.boxPanel(&groups[i], reference, seen.most, present, all[i])
		seen.reference = seen.reference || !math.IsNaN(content.dashed)
		contents = append(contents, content)
	}
	d := newRowChart(r, panels.Scale{Title: r.measure.Title(), Grid: true}, contents)
	about := facts{"Measure": r.measure.Title(), "Boxes": seen.boxes,
		"Outliers": seen.outliers, "Points": seen.points, "Fewest": leastBox, "Reference": "",
		"Counted": seen.counted(), "Failures": seen.failures, "Most": seen.most, "Units": r.Units(groups),
		"Absent": r.Labels(absent), "Pooling": r.Pooling("Each panel", groups),
		"Failed": r.FailedFits(page.Cells, r.columns)}
	if seen.reference {
		about["Reference"] = r.Label(reference)
	}
	d.Key = boxKey(seen, "mean of "+r.referenceLabel(reference))
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// boxPanel returns the panel of g. all are the results of the classifiers in these cells; the panel
// has a row for each classifier in present. stated is the number of results in the caption.
func (r *request) boxPanel(g *view.Group, reference string, stated int, present []string, all []results) rowPanel {
	content := rowPanel{title: r.panelTitle(g), cells: g.Cells, dashed: math.NaN()}
	if reference != "" {
		content.dashed = r.meanOf(g, reference)
	}
	for _, list := range all {
		if slices.Contains(present, list.id) {
			content.rows = append(content.rows, r.boxRow(&list, stated))
		}
	}
	return content
}

// resultsIn returns the results of each classifier in ids in the cells of g.
func (r *request) resultsIn(g *view.Group, ids []string) (list []results) {
	pooled := r.Pool(g)
	for _, id := range ids {
		values, failed := r.Values(g, &pooled, r.measure, id)
		list = append(list, results{id, values, failed})
	}
	return list
}

// absentFrom returns the classifiers in ids that have neither a result nor a failed fit in any
// panel. It returns nil if this is true of all of them, so that at least their names are drawn.
func absentFrom(all [][]results, ids []string) (absent []string) {
	for _, id := range ids {
		hasRun := func(r results) bool { return r.id == id && len(r.values)+r.failed > 0 }
		if !slices.ContainsFunc(slices.Concat(all...), hasRun) {
			absent = append(absent, id)
		}
	}
	if len(absent) == len(ids) {
		return nil
	}
	return absent
}

// meanOf returns the mean of classifier id in the cells of g, or NaN if it has no results there.
func (r *request) meanOf(g *view.Group, id string) float64 {
	pooled := r.Pool(g)
	return r.Summary(g, &pooled, r.measure, id).Mean
}

// inspect returns the kinds of marks that the results of all panels need. It does not set
// reference.
func inspect(all [][]results) *marksSeen {
	s := &marksSeen{}
	for _, r := range slices.Concat(all...) {
		n := len(r.values)
		s.failures = s.failures || r.failed > 0
		s.most = max(s.most, n)
		switch {
		case n == 0:
			continue // the row shows no mark
		case n < leastBox:
			s.points = true
		default:
			s.boxes = true
			s.outliers = s.outliers || len(stats.NewBox(r.values).Outliers) > 0
		}
		if s.least == 0 || n < s.least {
			s.least = n
		}
	}
	return s
}

// counted reports whether notes beside some rows state numbers of results: they do if the numbers
// differ or fits failed.
func (s *marksSeen) counted() bool { return s.failures || s.least != s.most }

// boxRow returns the row of one classifier. A note at its right, such as "R = 48 (2 failed)",
// states the number of results unless it is the stated number of the caption and no fit failed.
func (r *request) boxRow(list *results, stated int) row {
	row := row{id: list.id, values: list.values}
	if list.differs(stated) {
		row.note = fmt.Sprintf("R = %d", len(list.values))
		if list.failed > 0 {
			row.note += fmt.Sprintf(" (%d failed)", list.failed)
		}
	}
	if len(list.values) == 0 {
		return row
	}
	box, digits := stats.NewBox(list.values), r.measure.Digits()
	row.hover = append(r.describe(stats.Summarize(list.values)), "median: "+sheet.Fixed(box.Median, digits),
		"quartiles: "+sheet.Fixed(box.Q1, digits)+" to "+sheet.Fixed(box.Q3, digits))
	if list.failed > 0 {
		row.hover = append(row.hover, "failed: "+strconv.Itoa(list.failed))
	}
	clr := Colour(r.View, list.id)
	row.draw = func(c draw.Canvas, x func(float64) vg.Length, y vg.Length) {
		if len(list.values) < leastBox {
			drawPoints(c, x, y, list.values, resultGlyph(clr))
		} else {
			drawBox(c, x, y, &box, canvas.Fill(clr))
		}
		drawDiamond(c, vg.Point{X: x(box.Mean), Y: y})
	}
	return row
}

// The lines of a box, and the mark of an outlier.
var (
	thin         = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.5)}
	median       = draw.LineStyle{Color: canvas.Black, Width: vg.Points(1.3)}
	outlierGlyph = draw.GlyphStyle{Color: canvas.Tint(canvas.DarkGrey, 0.9), Radius: vg.Points(1),
		Shape: draw.CircleGlyph{}}
)

// Half of the height of a box and of the caps at the ends of its whiskers, in points.
const halfBox, halfCap = vg.Length(4), vg.Length(2)

// drawBox draws a box plot around height y: whiskers with caps, a box from the lower to the upper
// quartile, the median and the outliers. x maps a value to its horizontal position.
func drawBox(c draw.Canvas, x func(float64) vg.Length, y vg.Length, box *stats.Box, fill color.Color) {
	for _, end := range []float64{box.Low, box.High} {
		c.StrokeLine2(thin, x(end), y-halfCap, x(end), y+halfCap)
	}
	c.StrokeLine2(thin, x(box.Low), y, x(box.High), y)
	canvas.FillBox(c, fill, x(box.Q1), y-halfBox, x(box.Q3), y+halfBox)
	canvas.StrokeBox(c, thin.Color, thin.Width, x(box.Q1), y-halfBox, x(box.Q3), y+halfBox)
	c.StrokeLine2(median, x(box.Median), y-halfBox, x(box.Median), y+halfBox)
	drawPoints(c, x, y, box.Outliers, outlierGlyph)
}

// drawPoints draws a mark for each value at height y. x maps a value to its horizontal position.
func drawPoints(c draw.Canvas, x func(float64) vg.Length, y vg.Length, values []float64, glyph draw.GlyphStyle) {
	for _, v := range values {
		c.DrawGlyph(glyph, vg.Point{X: x(v), Y: y})
	}
}

// resultGlyph returns the mark of a single result: a ring, so that overlapping marks remain
// visible.
func resultGlyph(clr color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: clr, Radius: vg.Points(2.2), Shape: draw.RingGlyph{}}
}

// drawDiamond draws the mark of a mean: a white diamond with a black rim.
func drawDiamond(c draw.Canvas, at vg.Point) {
	r := vg.Points(2.1)
	diamond := []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y},
		{X: at.X, Y: at.Y - r}}
	c.FillPolygon(canvas.Tint(canvas.Black, 0), diamond)
	rim := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.6)}
	c.StrokeLines(rim, append(diamond, diamond[0], diamond[1]))
}

// boxKey returns an item of the key for each kind of mark on the page. reference labels the dashed
// line.
func boxKey(seen *marksSeen, reference string) []canvas.KeyItem {
	var key []canvas.KeyItem
	add := func(words string, sketch func(draw.Canvas, vg.Point)) {
		key = append(key, canvas.KeyItem{Words: words, Sketch: sketch})
	}
	if seen.boxes {
		add("quartiles and median", sketchBox)
		add("last value within 1.5 interquartile ranges", sketchWhisker)
	}
	if seen.outliers {
		add("outlier", sketchGlyph(outlierGlyph))
	}
	if seen.points {
		add("single result", sketchGlyph(resultGlyph(canvas.DarkGrey)))
	}
	if seen.most > 0 {
		add("mean", drawDiamond)
	}
	if seen.reference {
		add(reference, sketchDashed)
	}
	return key
}

// sketchGlyph returns a function that draws one mark for the key.
func sketchGlyph(glyph draw.GlyphStyle) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { c.DrawGlyph(glyph, at) }
}

// sketchBox draws the sample of a box with its median for the key.
func sketchBox(c draw.Canvas, at vg.Point) {
	canvas.FillBox(c, canvas.GridGrey, at.X-4, at.Y-halfBox, at.X+4, at.Y+halfBox)
	canvas.StrokeBox(c, thin.Color, thin.Width, at.X-4, at.Y-halfBox, at.X+4, at.Y+halfBox)
	c.StrokeLine2(median, at.X, at.Y-halfBox, at.X, at.Y+halfBox)
}

// sketchWhisker draws the sample of a whisker with its cap for the key.
func sketchWhisker(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(thin, at.X-4, at.Y, at.X+4, at.Y)
	c.StrokeLine2(thin, at.X+4, at.Y-halfCap, at.X+4, at.Y+halfCap)
}
