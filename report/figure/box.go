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

// leastBox is the minimum number of results for a box plot. With fewer, the figure shows each result.
const leastBox = 10

// results contains the results of one classifier in one panel. The list values is empty if too many fits failed
// or lack the metric.
type results struct {
	id            string
	values        []float64
	meanLines     []string // lines of the HTML report about the mean of the values
	tried, failed int
	setAside      string // note such as "excluded: 28 of 80 fits failed", or ""
}

// boxPage draws a row for each classifier except the reference, whose mean is a dashed line.
func boxPage(r *request) (*drawnPage, error) {
	ids, reference := r.splitReference()
	all := make([][]results, len(r.panels)) // all[i][k] belongs to panel i and classifier ids[k]
	for i := range r.panels {
		all[i] = r.resultsIn(&r.panels[i], ids)
	}
	absent := absentFrom(all, ids) // classifiers without a row
	marks := marksIn(all)          // the kinds of marks that the legend and the caption explain
	inCaption := marks.mostResults // rows with another number of results have a note
	var contents []rowPanel
	for i := range r.panels {
		isAbsent := func(list results) bool { return slices.Contains(absent, list.id) }
		content := r.boxPanel(&r.panels[i], view.Without(all[i], isAbsent), inCaption)
		content.dashedAt = r.referenceMean(&r.panels[i], reference)
		contents = append(contents, content)
	}
	d := newRowChart(r, panels.Scale{Title: r.measure.Title(), Grid: true}, contents)
	lineLabel := "" // stays "" without a dashed line
	hasLine := func(p rowPanel) bool { return !math.IsNaN(p.dashedAt) }
	if slices.ContainsFunc(contents, hasLine) {
		lineLabel = r.Label(reference)
	}
	d.Legend = boxLegend(marks, lineLabel)
	facts := r.boxFacts(marks)
	facts["Reference"] = lineLabel
	facts["Notes"] = slices.ContainsFunc(contents, rowPanel.hasNotes)
	facts["Absent"] = r.Labels(absent)
	return r.captioned(&d.Page, facts), nil
}

// referenceMean returns the mean of the reference over the cells of g, or NaN without a reference.
func (r *request) referenceMean(g *view.Group, reference string) float64 {
	pooled := r.PoolFor(g, r.measure, r.classifiers)
	return r.Summary(g, &pooled, r.measure, reference).Mean
}

func (p rowPanel) hasNotes() bool {
	return slices.ContainsFunc(p.rows, func(r row) bool { return r.note != "" })
}

// boxFacts returns the facts that the caption states about the marks, the results and the failed fits.
func (r *request) boxFacts(marks marksSeen) captionFacts {
	// The caption states the largest number of results in a row. Rows with another number have a note.
	stated := view.Range{Least: marks.mostResults, Most: marks.mostResults}
	return captionFacts{
		"Marks":       marks,
		"LeastBox":    leastBox,
		"Replication": r.ResultWords(stated, r.measure.Pooled(r.panels)),
		"Pooling":     r.poolingSentences(r.eachPanel(), r.panels, r.measure, r.classifiers),
		"Failed":      r.FailedFitsSentence("Means", r.pageCells, r.classifiers),
	}
}

// boxPanel returns the panel for g with a box plot for each classifier. A row has a note if its number of results
// differs from inCaption, the number in the caption.
func (r *request) boxPanel(g *view.Group, list []results, inCaption int) rowPanel {
	content := rowPanel{title: r.panelTitle(g)}
	for _, ofClassifier := range list {
		content.rows = append(content.rows, r.boxRow(&ofClassifier, inCaption))
	}
	return content
}

// resultsIn returns the results of the given classifiers in the cells of g, in the order of ids.
func (r *request) resultsIn(g *view.Group, ids []string) (list []results) {
	pooled := r.PoolFor(g, r.measure, r.classifiers)
	for _, id := range ids {
		tried, failed := g.Attempts(id)
		values, mean := r.Values(g, &pooled, r.measure, id), r.Summary(g, &pooled, r.measure, id)
		list = append(list, results{id, values, r.describe(g, mean), tried, failed, r.setAsideNote(g, id)})
	}
	return list
}

// absentFrom returns the classifiers that have no results, no failed fits and no note in any panel. If this
// applies to all classifiers, it returns nil.
func absentFrom(all [][]results, ids []string) []string {
	hasRun := map[string]bool{}
	for _, r := range slices.Concat(all...) {
		if len(r.values)+r.failed > 0 || r.setAside != "" {
			hasRun[r.id] = true
		}
	}
	absent := view.Without(ids, func(id string) bool { return hasRun[id] })
	if len(absent) == len(ids) {
		return nil
	}
	return absent
}

// marksSeen records which kinds of marks occur on a page of box plots.
type marksSeen struct {
	Boxes, Outliers bool
	Points          bool // single results of classifiers with fewer than leastBox
	Failures        bool
	mostResults     int // largest number of results in a row
}

// marksIn returns the kinds of marks that occur. The list all[i] contains the results of each classifier in
// panel i.
func marksIn(all [][]results) (marks marksSeen) {
	for _, r := range slices.Concat(all...) {
		n := len(r.values)
		marks.Failures = marks.Failures || r.failed > 0
		marks.mostResults = max(marks.mostResults, n)
		switch {
		case n == 0:
			continue
		case n < leastBox:
			marks.Points = true
		default:
			marks.Boxes = true
			marks.Outliers = marks.Outliers || len(stats.NewBox(r.values).Outliers) > 0
		}
	}
	return marks
}

// boxRow returns the row of one classifier, with a box or, if it has few results, a point for each.
// A note states the number of results if it differs from inCaption, the number in the caption.
func (r *request) boxRow(list *results, inCaption int) row {
	drawn := row{id: list.id, values: list.values, note: list.note(inCaption)}
	if len(list.values) == 0 {
		return drawn
	}
	box := stats.NewBox(list.values)
	drawn.hover = r.boxLines(list, &box)
	clr := Colour(r.View, list.id)
	drawn.draw = func(c rowCanvas) {
		if len(list.values) < leastBox {
			c.drawPoints(list.values, resultGlyph(clr))
		} else {
			c.drawBox(&box, canvas.FillColour(clr))
		}
		drawDiamond(c.Canvas, c.at(box.Mean))
	}
	return drawn
}

// boxLines returns the lines of the HTML report about a row.
func (r *request) boxLines(list *results, box *stats.Box) []string {
	digits := r.measure.Digits(box.Median)
	lines := append(list.meanLines, "median: "+sheet.Fixed(box.Median, digits),
		"quartiles: "+sheet.Fixed(box.Q1, digits)+" to "+sheet.Fixed(box.Q3, digits))
	if list.failed > 0 {
		lines = append(lines, "failed: "+strconv.Itoa(list.failed))
	}
	return lines
}

// note states the number of results, as in "R = 48 (2 failed)", or why the classifier is excluded. It returns ""
// if no fit failed and the number equals inCaption, which the caption states.
func (list *results) note(inCaption int) string {
	switch {
	case list.setAside != "" && list.failed < list.tried: // if all failed, the note "R = 0 (80 failed)" is clearer
		return list.setAside
	case list.failed > 0:
		return fmt.Sprintf("R = %d (%d failed)", len(list.values), list.failed)
	case len(list.values) != inCaption:
		return fmt.Sprintf("R = %d", len(list.values))
	}
	return ""
}

var (
	thin         = canvas.Line(canvas.Black, 0.5)
	median       = canvas.Line(canvas.Black, 1.3)
	outlierGlyph = draw.GlyphStyle{Color: canvas.Tint(canvas.DarkGrey, 0.9), Radius: 1,
		Shape: draw.CircleGlyph{}}
)

const halfBox, halfCap = vg.Length(4), vg.Length(2) // half heights of a box and of the cap of a whisker

func (c rowCanvas) drawBox(box *stats.Box, fill color.Color) {
	for _, end := range []float64{box.Low, box.High} {
		c.StrokeLine2(thin, c.x(end), c.y-halfCap, c.x(end), c.y+halfCap)
	}
	c.line(thin, box.Low, box.High)
	left, right, bottom, top := c.x(box.Q1), c.x(box.Q3), c.y-halfBox, c.y+halfBox
	canvas.FillRectangle(c.Canvas, fill, left, bottom, right, top)
	canvas.StrokeRectangle(c.Canvas, thin, left, bottom, right, top)
	c.StrokeLine2(median, c.x(box.Median), bottom, c.x(box.Median), top)
	c.drawPoints(box.Outliers, outlierGlyph)
}

func (c rowCanvas) drawPoints(values []float64, glyph draw.GlyphStyle) {
	for _, v := range values {
		c.DrawGlyph(glyph, c.at(v))
	}
}

// resultGlyph returns the mark of a single result: a ring, so that overlapping marks stay visible.
func resultGlyph(clr color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: clr, Radius: 2.2, Shape: draw.RingGlyph{}}
}

// drawDiamond marks a mean with a white diamond that has a black outline.
func drawDiamond(c draw.Canvas, at vg.Point) {
	r := vg.Length(2.1)
	diamond := []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y},
		{X: at.X, Y: at.Y - r}}
	c.FillPolygon(canvas.Tint(canvas.Black, 0), diamond)
	rim := canvas.Line(canvas.Black, 0.6)
	c.StrokeLines(rim, append(diamond, diamond[0], diamond[1])) // repeat diamond[1] for a sharp last corner
}

// boxLegend returns a legend of the marks that occur. reference is the label of the classifier with a dashed
// line, or "" if there is no line.
func boxLegend(marks marksSeen, reference string) (legend canvas.Legend) {
	if marks.Boxes {
		legend.Add("quartiles and median", sketchBox)
		legend.Add("farthest value within 1.5 interquartile ranges", sketchWhisker)
	}
	if marks.Outliers {
		legend.Add("outlier", sketchGlyph(outlierGlyph))
	}
	if marks.Points {
		legend.Add("single result", sketchGlyph(resultGlyph(canvas.DarkGrey)))
	}
	if marks.mostResults > 0 {
		legend.Add("mean", drawDiamond)
	}
	if reference != "" {
		legend.Add("mean of "+reference, func(c draw.Canvas, at vg.Point) { sketchLine(c, at, canvas.Dashed) })
	}
	return legend
}

func sketchGlyph(glyph draw.GlyphStyle) canvas.Sketch {
	return func(c draw.Canvas, at vg.Point) { c.DrawGlyph(glyph, at) }
}

func sketchBox(c draw.Canvas, at vg.Point) {
	canvas.FillRectangle(c, canvas.GridGrey, at.X-4, at.Y-halfBox, at.X+4, at.Y+halfBox)
	canvas.StrokeRectangle(c, thin, at.X-4, at.Y-halfBox, at.X+4, at.Y+halfBox)
	c.StrokeLine2(median, at.X, at.Y-halfBox, at.X, at.Y+halfBox)
}

func sketchWhisker(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(thin, at.X-4, at.Y, at.X+4, at.Y)
	c.StrokeLine2(thin, at.X+4, at.Y-halfCap, at.X+4, at.Y+halfCap)
}
