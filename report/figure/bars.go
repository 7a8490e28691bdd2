package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A bar compares the mean of a classifier with the mean of the reference: by their ratio for times and memory,
// and otherwise by their difference. The value is NaN if the means cannot be compared. The error bar extends
// from low to high. n is the number of results in the mean of the classifier.
type bar struct {
	value, low, high float64
	n                int
}

// barPage draws a panel for each group of cells (Elidan 2012, Figures 2 and 3).
func barPage(r *request) (*drawnPage, error) {
	others, reference := r.splitReference()
	if reference == "" {
		return nil, view.OptionError("reference",
			"list at least two classifiers in `columns` and set `reference` to one of them; the columns are %s and "+
				"the reference is %q",
			strings.Join(r.classifiers, ", "), r.options.Reference)
	}
	x := panels.Scale{Title: r.measure.DifferenceTitle(), Grid: true}
	origin := 0.0 // value at which the bars begin
	if r.showsRatios() {
		x.Title = "ratio of " + r.measure.Name
		x.LogMargin = 1.3 // makes the axis logarithmic
		origin = 1        // same time or memory as the reference
	}
	var contents []rowPanel
	hasErrorBars := false
	for i := range r.panels {
		g := &r.panels[i]
		content := rowPanel{title: r.barTitle(g, reference), dashedAt: origin}
		for k, b := range r.bars(g, others, reference) {
			row := r.barRow(others[k], b, origin)
			row.hover = r.barLines(g, b, x.Title)
			row.note = r.setAsideNote(g, others[k])
			content.rows = append(content.rows, row)
			hasErrorBars = hasErrorBars || b.low < b.high // equal without an error bar
		}
		contents = append(contents, content)
	}
	d := newRowChart(r, x, contents)
	return r.captioned(&d.Page, r.barFacts(reference, hasErrorBars)), nil
}

// showsRatios reports whether bars show ratios of times or memory, rather than differences of other metrics.
func (r *request) showsRatios() bool { return !r.measure.OfPredictions() }

// barFacts returns the facts that the caption states about the bars.
func (r *request) barFacts(reference string, hasErrorBars bool) captionFacts {
	averaged := r.averagedMeasure(reference) // the measure whose means the bars compare
	affected := "Comparisons"                // subject of the sentence on failed fits
	if r.showsRatios() {
		affected = "Means"
	}
	errorNoun := ""
	if hasErrorBars {
		errorNoun = r.errorNoun(r.panels, r.measure)
	}
	return captionFacts{
		"Difference":  r.measure.DifferenceTitle(),
		"Reference":   r.Label(reference),
		"Ratios":      r.showsRatios(),
		"Errors":      errorNoun,
		"Replication": r.Replication(r.panels, averaged, r.classifiers),
		"Pooling":     r.poolingSentences(r.eachPanel(), r.panels, averaged, r.classifiers),
		"Failed":      r.FailedFitsSentence(affected, r.pageCells, r.classifiers),
	}
}

// barTitle returns the title of the panel for group g. If the reference has too few results for any bars, the
// title states the reason.
func (r *request) barTitle(g *view.Group, reference string) string {
	title := r.panelTitle(g)
	if reason := r.setAsideNote(g, reference); reason != "" {
		title = joinNonEmpty(": ", title, r.Label(reference)+" "+reason)
	}
	return title
}

// setAsideNote states why a classifier is excluded from the means over the cells of g, as in "excluded: 28 of 80
// fits failed". It returns "" if the classifier is not excluded.
func (r *request) setAsideNote(g *view.Group, id string) string {
	switch {
	case slices.Contains(r.ExcludedFrom(g), id):
		tried, failed := g.Attempts(id)
		return fmt.Sprintf("excluded: %d of %d fits failed", failed, tried)
	case len(r.UndefinedIn(g, r.measure, []string{id})) > 0:
		return "excluded: metric undefined"
	}
	return ""
}

// averagedMeasure returns the measure whose means the bars compare: r.measure for times and memory, and
// otherwise the loss of a classifier minus the loss of the reference on the same data.
func (r *request) averagedMeasure(reference string) *view.Measure {
	m := *r.measure
	if m.OfPredictions() {
		m.Baseline = reference
	}
	return &m
}

// bars compares the mean of each classifier with the mean of the reference in the cells of g.
func (r *request) bars(g *view.Group, ids []string, reference string) (bars []bar) {
	if r.showsRatios() {
		ofReference := r.Summaries(g, r.measure, []string{reference})[0]
		for _, s := range r.Summaries(g, r.measure, ids) {
			bars = append(bars, ratio(s, ofReference))
		}
		return bars
	}
	minusReference := r.averagedMeasure(reference) // loss minus the loss of the reference on the same data
	for _, s := range r.Summaries(g, minusReference, ids) {
		difference := s.Mean
		if r.measure.LargerIsBetter() { // the metric decreases as the loss increases
			difference = 0 - difference // unlike -difference, never -0
		}
		bars = append(bars, newBar(difference, 2*s.MCSE, s.N))
	}
	return bars
}

// newBar returns a bar of n results, with an error bar from value-half to value+half, or without one if half is
// NaN.
func newBar(value, half float64, n int) bar {
	if math.IsNaN(half) {
		half = 0
	}
	return bar{value, value - half, value + half, n}
}

// ratio returns a bar whose value is the mean of x divided by the mean of y, or NaN unless this ratio is
// positive and finite.
func ratio(x, y stats.Summary) bar {
	r := x.Mean / y.Mean
	if math.IsInf(r, 0) || r <= 0 {
		return newBar(math.NaN(), 0, x.N)
	}
	// The delta method gives the standard error of log(r). It treats x and y as independent. Times on the same
	// data are positively correlated, so the error bar is too long rather than too short.
	b := newBar(math.Log(r), 2*math.Hypot(x.MCSE/x.Mean, y.MCSE/y.Mean), x.N)
	return bar{r, math.Exp(b.low), math.Exp(b.high), b.n}
}

// barLines returns the lines of the HTML report about a bar in the panel of g, or nil for a missing bar. The
// first line begins with the given title.
func (r *request) barLines(g *view.Group, b bar, title string) []string {
	if math.IsNaN(b.value) {
		return nil
	}
	digits := r.measure.Digits(b.value)
	text := func(value float64) string {
		if r.showsRatios() {
			return sheet.Fixed(value, digits)
		}
		return sheet.Signed(value, digits)
	}
	lines := []string{title + ": " + text(b.value)}
	if b.low < b.high { // the bar has an error bar
		noun := r.errorNoun([]view.Group{*g}, r.measure)
		lines = append(lines, "two "+noun+" on either side: "+text(b.low)+" to "+text(b.high))
	}
	return append(lines, "R: "+strconv.Itoa(b.n)) // number of results
}

// barRow returns the row of a classifier. Its bar begins at the value origin.
func (r *request) barRow(id string, b bar, origin float64) row {
	const halfHeight = vg.Length(4)
	if math.IsNaN(b.value) {
		return row{id: id} // the means cannot be compared
	}
	return row{id: id, values: []float64{b.low, b.value, b.high},
		draw: func(c rowCanvas) {
			left, right := b.sides(origin, c.x)
			fill := canvas.FillColour(Colour(r.View, id))
			canvas.FillRectangle(c.Canvas, fill, left, c.y-halfHeight, right, c.y+halfHeight)
			c.line(canvas.Line(canvas.Black, 0.8), b.low, b.high)
		}}
}

// sides returns the left and right ends of a bar that begins at the value origin. x returns the position of a
// value. A bar that is too short to see becomes longer.
func (b bar) sides(origin float64, x func(float64) vg.Length) (left, right vg.Length) {
	const leastWidth = vg.Length(1)
	left, right = x(min(origin, b.value)), x(max(origin, b.value))
	missing := max(0, leastWidth-(right-left))
	switch {
	case b.value > origin:
		right += missing
	case b.value < origin:
		left -= missing
	default: // a bar without length is centred
		left, right = left-missing/2, right+missing/2
	}
	return left, right
}
