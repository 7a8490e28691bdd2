package figure

import (
	"cmp"
	"math"
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

// paretoPage draws a panel for each group of cells. Each classifier has a point at its mean time
// and mean result. A step line joins the Pareto-optimal classifiers.
func paretoPage(r *request) (*drawnPage, error) {
	timeMeasure, err := r.timeOnX()
	if err != nil {
		return nil, err
	}
	d := newParetoChart(r)
	if len(d.ids) == 0 {
		return nil, view.OptionError("columns",
			"a figure of results against time omits the oracle: list another classifier in `columns`")
	}
	if err := r.checkAnyValue(); err != nil { // report missing values before missing times
		return nil, err
	}
	emptyPanels, partialByPanel := d.addPareto(&timeMeasure)
	if len(emptyPanels) == len(r.panels) {
		return nil, view.OptionError("columns", "there are no times for %s: copse reads times "+
			"from timings.csv or the journals", r.Labels(d.ids))
	}
	d.X = panels.Scale{Title: timeMeasure.Title(), LogMargin: 1.4} // a logarithmic axis from min/1.4 to 1.4 max
	d.X.Include(d.values(func(p *point) []float64 { return []float64{p.x} }), r.options.freeScales())
	d.layOut() // needs the panels and the horizontal axis
	facts := d.paretoFacts(&timeMeasure)
	facts["Empty"] = strings.Join(emptyPanels, "; ")
	facts["Partial"] = r.PartialSentence("Not on the step line", r.panels, partialByPanel)
	return d.finishMeans(r.eachPanel(), r.panels, facts), nil
}

// addPareto adds a panel for each group in which a classifier has both times and results. The other
// panels are empty; addPareto returns their titles. partialByPanel[i] lists the classifiers that
// ran on only part of the data of group i.
func (d *chart) addPareto(timeMeasure *view.Measure) (emptyPanels []string, partialByPanel [][]string) {
	for i := range d.panels {
		g := &d.panels[i]
		pooled := d.Pool(g)
		onPart := view.RanOnPart(&pooled, d.ids)
		partialByPanel = append(partialByPanel, onPart)
		if points := d.meansAgainstTimes(g, timeMeasure, onPart); len(points) > 0 {
			d.addPanel(g, points)
		} else {
			emptyPanels = append(emptyPanels, d.panelTitle(g))
		}
	}
	return emptyPanels, partialByPanel
}

// paretoFacts returns the facts that the caption states about the times, the error bars, the step
// lines and the classifiers without a mark.
func (d *chart) paretoFacts(timeMeasure *view.Measure) captionFacts {
	larger := d.measure.LargerIsBetter()
	// A step line joins at least two Pareto-optimal classifiers.
	hasSteps := func(marks []curve) bool { return len(paretoOptimal(marks, larger)) > 1 }
	unmarked := d.ids // classifiers without a mark in any panel
	for _, mark := range slices.Concat(d.curves...) {
		unmarked = view.Except(unmarked, mark.id)
	}
	return captionFacts{
		"Time":            timeMeasure.Title(),
		"TimeReplication": d.Replication(d.panels, timeMeasure, d.ids), // number of measured times per mean
		"BarErrors":       d.barErrors(timeMeasure),
		"Larger":          larger,
		"Absent":          d.Labels(unmarked),
		"Steps":           slices.ContainsFunc(d.curves, hasSteps),
	}
}

// newParetoChart returns an empty chart that shows each classifier as a mark with error bars. It
// has no reference, and no lines before the names.
func newParetoChart(r *request) *chart {
	d := newChart(r)
	d.ids = view.Without(r.classifiers, r.IsOracle) // the oracle has no time of its own
	d.reference = ""
	d.mostCurves = len(canvas.Marks) // each classifier needs its own mark
	d.lineBeforeName = false
	d.bands = false
	d.drawCurve = pointWithBars
	d.drawBehind = d.drawFront
	return d
}

// timeOnX returns the time shown on the horizontal axis. It returns an error if the option x is not
// a time, or if the metric on the vertical axis is a time or memory.
func (r *request) timeOnX() (view.Measure, error) {
	timeMeasure, err := view.NewMeasure(cmp.Or(r.options.X, "fit_seconds"), r.options.Scale)
	if err != nil || timeMeasure.Unit != "s" { // not a time
		return timeMeasure, view.OptionError("x", "%q is not a time: use `fit_seconds` or `predict_seconds`",
			r.options.X)
	}
	if !r.measure.OfPredictions() {
		return timeMeasure, view.OptionError("metric",
			"a figure of results against time needs a metric that is computed from predictions, but %s is not",
			r.measure.Name)
	}
	timeMeasure.Name = r.ScoredName(timeMeasure.Metric, r.FitCells)
	return timeMeasure, nil
}

// meansAgainstTimes returns a curve for each classifier that has both times and results in the cells
// of g. The curve has a single point: the mean result against the mean time.
func (d *chart) meansAgainstTimes(g *view.Group, timeMeasure *view.Measure, onPart []string) (list []curve) {
	times, values := d.Summaries(g, timeMeasure, d.ids), d.Summaries(g, d.measure, d.ids)
	for k, id := range d.ids {
		if times[k].N == 0 || values[k].N == 0 || times[k].Mean <= 0 {
			continue // no time or result, or a time that a logarithmic axis cannot show
		}
		p := point{Summary: values[k], group: g}.withErrorBand(2 * values[k].MCSE)
		p = d.cutBand(p).atTime(times[k], timeMeasure)
		list = append(list, curve{id: id, points: []point{p}, onPart: slices.Contains(onPart, id)})
	}
	return list
}

// atTime returns p at a mean time on the horizontal axis. If the standard error of the time is
// known, a horizontal error bar extends two standard errors to either side.
func (p point) atTime(time stats.Summary, timeMeasure *view.Measure) point {
	p.x = time.Mean
	p.time = "mean " + timeMeasure.Title() + ": " + sheet.Fixed(time.Mean, timeMeasure.Digits(time.Mean))
	if !math.IsNaN(time.MCSE) {
		p.xError = 2 * time.MCSE
	}
	return p
}

// barErrors returns the caption's noun for the standard errors that the error bars show, such as
// "Monte-Carlo standard errors". It returns "" if there are no error bars.
func (d *chart) barErrors(timeMeasure *view.Measure) string {
	var withBars []*view.Measure
	for _, at := range d.allPoints() {
		if at.low < at.high {
			withBars = view.AddNew(withBars, d.measure)
		}
		if at.xError > 0 {
			withBars = view.AddNew(withBars, timeMeasure)
		}
	}
	return d.errorNoun(d.panels, withBars...)
}

// paretoOptimal returns the points that no other point beats, in ascending order of time. Each
// curve has one point: the mean result of a classifier against its mean time. Classifiers that ran
// on only part of the data are not compared.
func paretoOptimal(curves []curve, largerIsBetter bool) (front plotter.XYs) {
	curves = view.Without(curves, func(c curve) bool { return c.onPart })
	for _, c := range curves {
		at := c.points[0]
		beatsIt := func(other curve) bool { return beats(other.points[0], at, largerIsBetter) }
		if !slices.ContainsFunc(curves, beatsIt) {
			front = append(front, plotter.XY{X: at.x, Y: at.Mean})
		}
	}
	slices.SortFunc(front, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return front
}

// beats reports whether a is at least as good and as fast as b, and strictly better or faster.
func beats(a, b point, largerIsBetter bool) bool {
	gain := b.Mean - a.Mean // positive if a is better
	if largerIsBetter {
		gain = -gain
	}
	return gain >= 0 && a.x <= b.x && (gain > 0 || a.x < b.x)
}

// drawFront draws a step line that joins the Pareto-optimal classifiers of panel i.
func (d *chart) drawFront(c draw.Canvas, p *plot.Plot, i int) {
	steps := plotter.Line{XYs: paretoOptimal(d.curves[i], d.measure.LargerIsBetter()), StepStyle: plotter.PostStep,
		LineStyle: canvas.Line(canvas.GridGrey, 2.5)}
	steps.Plot(c, p)
}

// pointWithBars draws the only point of a curve with its error bars. Horizontal error bars are cut
// off at the ends of the axis.
func pointWithBars(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle) {
	x, y := p.Transforms(&c)
	at := k.points[0]
	where := vg.Point{X: x(at.x), Y: y(at.Mean)}
	bar := canvas.Line(line.Color, 0.7)
	if at.low < at.high {
		c.StrokeLine2(bar, where.X, y(at.low), where.X, y(at.high))
	}
	if at.xError > 0 {
		c.StrokeLine2(bar, x(max(at.x-at.xError, p.X.Min)), where.Y, x(min(at.x+at.xError, p.X.Max)), where.Y)
	}
	mark.Radius = 2.6
	c.DrawGlyphNoClip(mark, where)
}
