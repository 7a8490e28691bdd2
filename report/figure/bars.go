package figure

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A bar compares the mean of a classifier with the mean of the reference classifier. value is the
// difference of the means or, for times, their ratio; it is NaN if the classifier has no results. low
// and high are the ends of the error bar. Both equal value if the error is unknown.
type bar struct{ value, low, high float64 }

// barPage draws a panel for each group of cells. Bars extend from the mean of the reference to the
// mean of each classifier, with error bars of two standard errors on either side, as in Figures 2 and
// 3 of Elidan (2012).
func barPage(r *request, page view.Group, groups []view.Group) (drawn, error) {
	ids, reference := r.measured()
	if reference == "" {
		return drawn{}, view.Mistaken([]string{"reference"}, "", "list at least two classifiers in columns and set "+
			"reference to one of them; the columns are %s and reference is %q",
			strings.Join(r.columns, ", "), r.o.Reference)
	}
	isCost := r.measure.Cost != nil // bars of times and memory are ratios
	x, origin := panels.Scale{Title: r.measure.DifferenceTitle(), Grid: true}, 0.0
	failed := r.FailedPairs(page.Cells, r.columns)
	if isCost {
		x, origin = panels.Scale{Title: "ratio of " + r.measure.Name, Grid: true, Log: 1.3}, 1
		failed = r.FailedFits(page.Cells, r.columns) // ratios compare means, which need no pairs
	}
	about := facts{"Measure": r.measure.Title(), "Reference": r.Label(reference), "Times": isCost, "Errors": "",
		"Replication": r.Replication(groups, r.measure, r.columns), "Pooling": r.Pooling("Each panel", groups),
		"Failed": failed}
	var contents []rowPanel
	for i := range groups {
		content := rowPanel{title: r.panelTitle(&groups[i]), cells: groups[i].Cells, dashed: origin}
		for k, b := range r.bars(&groups[i], ids, reference) {
			content.rows = append(content.rows, r.barRow(ids[k], b, origin, x.Title))
			if b.low < b.high { // the caption explains the error line
				about["Errors"] = r.Errors(groups)
			}
		}
		contents = append(contents, content)
	}
	d := newRowChart(r, x, contents)
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// bars compares each classifier with the reference in the cells of g. It uses ratios for times and
// memory, and differences for other measures.
func (r *request) bars(g *view.Group, ids []string, reference string) (bars []bar) {
	if r.measure.Cost != nil {
		y := r.summaries(g, r.measure, []string{reference})[0]
		for _, x := range r.summaries(g, r.measure, ids) {
			bars = append(bars, ratio(x, y))
		}
		return bars
	}
	difference := *r.measure
	difference.Over = reference
	for _, s := range r.summaries(g, &difference, ids) {
		if r.measure.LargerIsBetter() { // s is a difference of losses
			s.Mean = 0 - s.Mean
		}
		bars = append(bars, newBar(s.Mean, 2*s.MCSE))
	}
	return bars
}

// newBar returns a bar with an error bar from value-half to value+half. half is NaN if the error is
// unknown.
func newBar(value, half float64) bar {
	if math.IsNaN(half) {
		half = 0
	}
	return bar{value, value - half, value + half}
}

// ratio returns a bar for the ratio of the means of x and y. The bar is NaN unless the ratio is
// positive and finite. By the delta method, the logarithm of the ratio has the variance (s/x)^2 +
// (t/y)^2, where s and t are the standard errors. This ignores the covariance. Times on the same data
// are positively correlated, so the error bar is too long rather than too short.
func ratio(x, y stats.Summary) bar {
	r := x.Mean / y.Mean
	if math.IsInf(r, 0) || r <= 0 {
		return newBar(math.NaN(), 0)
	}
	b := newBar(math.Log(r), 2*math.Hypot(x.MCSE/x.Mean, y.MCSE/y.Mean))
	return bar{r, math.Exp(b.low), math.Exp(b.high)}
}

// barRow returns the row of a classifier, with a bar that starts at origin. title is the title of the
// horizontal axis, which the HTML report repeats beside the value.
func (r *request) barRow(id string, b bar, origin float64, title string) row {
	const halfHeight, leastWidth = vg.Length(4), vg.Length(2) // readers cannot see narrower bars
	if math.IsNaN(b.value) {
		return row{id: id}
	}
	return row{id: id, values: []float64{b.low, b.value, b.high},
		hover: []string{title + ": " + sheet.Signed(b.value, r.measure.Digits())},
		draw: func(c draw.Canvas, x func(float64) vg.Length, y vg.Length) {
			left, right := x(min(origin, b.value)), x(max(origin, b.value))
			if missing := leastWidth - (right - left); missing > 0 { // widen a bar that is too narrow
				left, right = left-missing/2, right+missing/2
			}
			canvas.FillBox(c, canvas.Fill(Colour(r.View, id)), left, y-halfHeight, right, y+halfHeight)
			line := draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.8)}
			c.StrokeLine2(line, x(b.low), y, x(b.high), y)
		}}
}
