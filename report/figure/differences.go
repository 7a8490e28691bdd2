package figure

import (
	"fmt"
	"math"
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
	"copse/stats/verdicts"
)

// A difference is how far one classifier lies from another on the same data, with its confidence interval: the mean
// difference with the simultaneous interval of the test over all pairs (verdicts.BestOptions.Joint), where the
// inference has that test, or else the estimate of the paired test. For the signed-rank test this is the
// Hodges-Lehmann estimate (Hollander, Wolfe and Chicken 2014, section 3.2).
type difference struct {
	id string
	stats.Shift
}

// A differenceChart is a page of intervals: a panel for each combination of the panel factors, a row for each
// classifier.
type differenceChart struct {
	*rowChart
	differences [][]difference // by panel
}

func differencePage(r *request, page view.Group) (drawn, error) {
	family := r.Compared(r.measure, r.columns)
	if err := r.checkDifferences(family); err != nil {
		return drawn{}, err
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	d := differenceChart{rowChart: newRowChart(r, panels.Scale{Title: r.measure.DifferenceTitle()})}
	var families []view.Family
	for i := range groups {
		if err := d.addGroup(&groups[i], family); err != nil {
			return drawn{}, err
		}
		families = append(families, r.differenceFamilies(groups[i], family)...)
	}
	const rim, row = 8, 13
	d.X.Spans = panels.Spans(d.values(), r.o.free(), padded)
	d.Room.Right, d.Marks, d.row, d.told, d.Key = rim, d.panel, d.interval, d.intervalMark, d.key()
	d.fit(row)
	return drawn{d.Picture(r.caption(&d.Page, d.facts(page, groups, family))), families}, nil
}

// checkDifferences refuses a measure that results do not keep, and a champion without rivals.
func (r *request) checkDifferences(family []string) error {
	switch {
	case !r.measure.IsRate:
		return view.Mistaken([]string{"metric"}, "",
			"differences need a metric that results keep, not the %s", r.measure.Name)
	case len(family) < 2 || r.o.Champion != "" && !slices.Contains(family, r.o.Champion):
		return view.Mistaken([]string{"champion", "metric"}, "", "differences need results with %s of two or more "+
			"classifiers, the champion among them if there is one; there are those of: %s",
			r.measure.Name, r.Labels(family))
	}
	return nil
}

// addGroup adds a panel with the differences in a group of cells.
func (d *differenceChart) addGroup(g *view.Group, family []string) error {
	against, list, err := d.differencesIn(g, family)
	if err != nil {
		return err
	}
	title := "Difference from " + d.Label(against)
	if words := d.panelTitle(g); words != "" {
		title = words + ", difference from " + d.Label(against)
	}
	var ids []string
	for _, x := range list {
		ids = append(ids, x.id)
	}
	d.add(title, ids)
	d.differences = append(d.differences, list)
	return nil
}

// differencesIn returns the differences of the family from the champion or, without one, from its best classifier.
func (r *request) differencesIn(g *view.Group, family []string) (against string, list []difference, err error) {
	pooled := r.Pool(g)
	family = verdicts.Ran(&pooled, family)
	level := 1 - r.Alpha/float64(r.comparisons(max(len(family), 2)))
	if against = r.o.Champion; against == "" {
		against = bestOf(&pooled, r.measure, family)
	}
	paired, err := r.Paired(&pooled)
	if err != nil {
		return "", nil, err
	}
	if against == "" {
		return "", nil, nil
	}
	if r.joint(len(family)) {
		list, err = r.jointDifferences(&pooled, family, paired)
		return against, list, err
	}
	for _, id := range family {
		if id == against {
			continue
		}
		pairs, err := pooled.Pairs(r.measure.Metric, id, against)
		if err != nil {
			return "", nil, err
		}
		if len(pairs.X) > 0 {
			list = append(list, difference{id, r.inUnit(paired.Shift(pooled.ID, &pairs, level))})
		}
	}
	return against, list, nil
}

// joint reports whether one test over all pairs gives the intervals of a panel with k classifiers.
func (r *request) joint(k int) bool { return r.o.Champion == "" && r.Joint(k) }

// jointDifferences returns the differences from the best classifier as a table of the same cells tests them.
func (r *request) jointDifferences(
	cell *records.Cell, family []string, paired verdicts.Paired,
) (list []difference, err error) {
	set, err := verdicts.Best(cell, verdicts.BestOptions{Metric: r.measure.Metric, Family: family, Paired: paired,
		Alpha: r.Alpha, Correction: r.Adjustment(), AllPairs: true, Joint: true})
	for _, q := range set.Comparisons {
		q.Shift.Estimate, q.Shift.Low, q.Shift.High = -q.Shift.Estimate, -q.Shift.High, -q.Shift.Low
		list = append(list, difference{q.Other, r.inUnit(q.Shift)})
	}
	return list, err
}

// bestOf returns the classifier with the smallest mean loss; "": none has one.
func bestOf(cell *records.Cell, m *view.Measure, family []string) (best string) {
	least := math.Inf(1)
	for _, id := range family {
		if mean := stats.Steps(cell.Summary(m.Metric, id).Mean); mean < least {
			best, least = id, mean
		}
	}
	return best
}

// inUnit converts a difference of losses to the unit and the direction of the measure.
func (r *request) inUnit(s stats.Shift) stats.Shift {
	if r.measure.Metric.Higher {
		s.Estimate, s.Low, s.High = -s.Estimate, -s.High, -s.Low
	}
	scale := r.measure.Scale
	s.Estimate, s.Low, s.High = s.Estimate*scale, s.Low*scale, s.High*scale
	return s
}

// values returns what the axis of each panel holds: the intervals and 0.
func (d *differenceChart) values() [][]float64 {
	list := make([][]float64, len(d.differences))
	for i, differences := range d.differences {
		list[i] = []float64{0}
		for _, x := range differences {
			list[i] = append(list[i], x.Low, x.High, x.Estimate)
		}
	}
	return list
}

// padded returns the range of values with a little room on either side.
func padded(values []float64) panels.Span {
	low, high := slices.Min(values), slices.Max(values)
	pad := max(0.04*(high-low), 1e-9)
	return panels.Span{Low: low - pad, High: high + pad}
}

// facts returns what the caption states.
func (d *differenceChart) facts(page view.Group, groups []view.Group, family []string) facts {
	low, high := d.Sizes(groups, family, d.o.Champion)
	fewest, most := d.comparisons(low), d.comparisons(high)
	about := facts{"Measure": d.measure.Title(), "Champion": "", "Larger": d.measure.LargerIsBetter(),
		"Replication": d.Replication(groups, d.measure, family), "Estimates": d.Estimates(groups),
		"Joint": d.joint(high), "Two": d.joint(high) && !d.joint(low),
		"Test":    strings.TrimSuffix(d.JointLabels(groups), ","),
		"Nominal": d.Nominal(d.o.Champion, most), "Level": fmt.Sprintf("%.3g%%", 100*(1-d.Alpha)),
		"Pairs": d.AllPairs() && d.o.Champion == "", "Most": most, "Comparisons": fmt.Sprint(most),
		"Pooling": d.Pooling("Each panel", groups), "Failed": d.FailedPairs(page.Cells, family)}
	if d.o.Champion != "" {
		about["Champion"] = d.Label(d.o.Champion)
	}
	if fewest < most {
		about["Comparisons"] = fmt.Sprintf("%d to %d", fewest, most)
	}
	return about
}

// comparisons returns the number of intervals that share the level where k classifiers run.
func (r *request) comparisons(k int) int {
	if r.o.Champion != "" { // named before the results are seen
		return k - 1
	}
	return r.Comparisons(k)
}

// certain reports whether the interval excludes 0.
func (d *difference) certain() bool { return d.Level > 0 && (d.Low > 0 || d.High < 0) }

// key explains the marks that occur.
func (d *differenceChart) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	add := func(words string, hollow, bar bool, occurs func(difference) bool) {
		if slices.ContainsFunc(slices.Concat(d.differences...), occurs) {
			items = append(items, canvas.KeyItem{Words: words, Sketch: sketchEstimate(hollow, bar)})
		}
	}
	add("interval excludes 0", false, true, func(x difference) bool { return x.certain() })
	add("interval contains 0", true, true, func(x difference) bool { return !x.certain() && x.Level > 0 })
	add("no interval: too few, or all equal", true, false, func(x difference) bool { return x.Level == 0 })
	return items
}

// sketchEstimate returns the drawing of an estimate in the key.
func sketchEstimate(hollow, bar bool) func(c draw.Canvas, at vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		if bar {
			line := draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(1.1)}
			c.StrokeLine2(line, at.X-canvas.KeySymbol/2, at.Y, at.X+canvas.KeySymbol/2, at.Y)
		}
		paintEstimate(c, at, draw.GlyphStyle{Color: canvas.DarkGrey, Radius: vg.Points(2.4)}, hollow)
	}
}

// panel draws the line at 0 and the rows of panel i.
func (d *differenceChart) panel(c draw.Canvas, p *plot.Plot, i int) {
	zero := c.X(p.X.Norm(0))
	c.StrokeLine2(canvas.Dashed, zero, c.Min.Y, zero, c.Max.Y)
	d.rowChart.panel(c, p, i)
}

// interval draws row k of panel i.
func (d *differenceChart) interval(c draw.Canvas, p *plot.Plot, i, k int, y vg.Length) {
	at := func(v float64) vg.Length { return c.X(p.X.Norm(v)) }
	x := &d.differences[i][k]
	clr := Colour(d.View, x.id)
	if x.Level > 0 {
		c.StrokeLine2(draw.LineStyle{Color: clr, Width: vg.Points(1.3)}, at(x.Low), y, at(x.High), y)
	}
	mark := draw.GlyphStyle{Color: clr, Radius: vg.Points(2.4)}
	paintEstimate(c, vg.Point{X: at(x.Estimate), Y: y}, mark, !x.certain())
}

// intervalMark returns the mark of row k of panel i.
func (d *differenceChart) intervalMark(i, k int) canvas.Mark {
	x, digits := &d.differences[i][k], d.measure.Digits()
	lines := []string{d.measure.DifferenceTitle() + ": " + sheet.Signed(x.Estimate, digits)}
	if x.Level > 0 {
		lines = append(lines, "interval: "+sheet.Signed(x.Low, digits)+" to "+sheet.Signed(x.High, digits))
	}
	return d.mark(x.id, d.Titles[i], nil, lines...)
}

// paintEstimate draws a dot, hollow where no difference is shown.
func paintEstimate(c draw.Canvas, at vg.Point, sty draw.GlyphStyle, hollow bool) {
	sty.Shape = draw.CircleGlyph{}
	c.DrawGlyphNoClip(sty, at)
	if hollow {
		sty.Color, sty.Radius = canvas.Tint(canvas.Black, 0), sty.Radius-vg.Points(1)
		c.DrawGlyphNoClip(sty, at)
	}
}

// differenceFamilies returns the hypotheses of a panel: one interval for each comparison.
func (r *request) differenceFamilies(g view.Group, family []string) []view.Family {
	pooled := r.Pool(&g)
	ran := verdicts.Ran(&pooled, family)
	if len(ran) < 2 || r.o.Champion != "" && !slices.Contains(ran, r.o.Champion) {
		return nil
	}
	first, level, n := "the method with the best mean of the panel", "level", r.comparisons(len(ran))
	if r.o.Champion != "" {
		first = r.Label(r.o.Champion)
	}
	if r.Nominal(r.o.Champion, n) {
		level = "nominal level"
	}
	groups := []view.Group{g}
	estimate, correction := r.Estimates(groups), "Bonferroni"
	if r.joint(len(ran)) {
		estimate, correction = "mean difference", "over all pairs"
	}
	return []view.Family{{
		Measure: r.measure.Name, Members: ran, Each: "panel", Hypotheses: n,
		Level: fmt.Sprintf("simultaneous %s %.3g%%, %s", level, 100*(1-r.Alpha), correction),
		Asked: fmt.Sprintf("How far each other lies from %s is said by the %s on paired %s with its confidence "+
			"interval.",
			first, estimate, r.Units(groups)),
	}}
}
